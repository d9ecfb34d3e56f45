"""What a book is made of, before it is a page: chapters, parts, items, tables."""

from collections.abc import Iterator

import attrs

from ziggurat import CardEntry, CardField, Told, ir

# What has no declaration of its own has a word that no kind can have.
INSIDE = "in-"


@attrs.frozen
class Item:
    """A rule, a term or a card in words. `note` is what its author says beside it, `own` the text
    of the rule itself; `items` stand under it."""

    word: str
    id: str
    label: str
    text: str = ""
    note: str = ""
    needs: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    steps: tuple[Told, ...] = ()
    fields: tuple[CardField, ...] = ()
    items: "tuple[Item, ...]" = ()
    own: str = attrs.field(default="", eq=False)
    at: ir.At = attrs.field(default=ir.NOWHERE, eq=False)
    meta: ir.Meta = attrs.field(default=ir.NO_META, eq=False)

    @property
    def key(self) -> tuple[str, str]:
        return self.word, self.id

    @property
    def alone(self) -> "Item":
        """Without what stands under it."""
        return attrs.evolve(self, items=())


@attrs.frozen
class Row:
    """A row of a table, about one declaration; cells are texts with references."""

    word: str
    id: str
    cells: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str]:
        return self.word, self.id


@attrs.frozen
class Table:
    """`numbers` are the columns that hold nothing else."""

    head: tuple[str, ...]
    rows: tuple[Row, ...]
    numbers: frozenset[int] = frozenset()


@attrs.frozen
class Part:
    """A part of a chapter. style: course, actions, rules, terms, cards or questions."""

    title: str
    style: str = ""
    items: tuple[Item, ...] = ()
    table: Table | None = None
    picture: str = ""
    text: str = ""


@attrs.frozen
class Chapter:
    id: str
    title: str
    text: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    meta: ir.Meta = attrs.field(default=ir.NO_META, eq=False)


@attrs.frozen
class Book:
    """A whole book. `packs` are what it is made from, the uppermost last."""

    title: str
    stack: str
    players: str
    packs: tuple[ir.PackInfo, ...]
    chapters: tuple[Chapter, ...]

    def items(self) -> Iterator[tuple[Chapter, Item]]:
        """Everything with its chapter, what stands under something after it."""
        for chapter in self.chapters:
            for part in chapter.parts:
                for item in part.items:
                    yield from ((chapter, one) for one in _with_inner(item))


def _with_inner(item: Item) -> Iterator[Item]:
    yield item
    for one in item.items:
        yield from _with_inner(one)


def from_entry(entry: CardEntry, own: str = "", note: str = "") -> Item:
    """What a card or a chapter says of one rule."""
    word = f"{INSIDE}{entry.sort}" if entry.sort in ("clause", "trigger", "block") else entry.sort
    return Item(
        word, entry.id, entry.label, entry.text, note, entry.needs, entry.choices,
        entry.steps, own=own, at=entry.at, meta=entry.meta,
    )  # fmt: skip
