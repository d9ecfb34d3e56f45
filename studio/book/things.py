"""The chapters of things: cards, tables, the board, what lies on the table, options, questions."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

import attrs

from ziggurat import HOLDS, Card, CardEntry, ReadingHere, by_number, ir, places, readings
from ziggurat.studio.book.chapters import Writer
from ziggurat.studio.book.model import Chapter, Item, Part, Row, Table, from_entry
from ziggurat.studio.book.outline import of_kind
from ziggurat.studio.map.board import board
from ziggurat.studio.map.layout import NoBoardError
from ziggurat.studio.map.svg import draw

_CARDS = ("holdable", "card", "seat")
_SEEN = {"open": "everybody", "secret": "its owner", "hidden": "nobody"}
FEW = 2


class Things(Writer):
    """Writes what is no rule but has rules on it."""

    def kind_chapters(self) -> Iterator[Chapter]:
        """Kinds whose things are cards, or that a pack gives a chapter; then all others as tables
        in one."""
        small: list[Part] = []
        for id_ in self._in_order():
            kind = self.ruleset.kinds[id_]
            if "place" in kind.roles:
                continue
            if self._speaks(id_) or set(kind.roles) & set(_CARDS):
                yield self._kind_chapter(kind)
            elif id_ not in self.ruleset.phases:
                small += self._small(kind)
        if small:
            yield Chapter("tables", "Tables", (), tuple(small))

    def _in_order(self) -> list[str]:
        """Kinds that packs give a chapter as those come, then the others."""
        kinds = self.outline.kinds
        said = [id_ for id_ in self.ruleset.chapters if id_ in kinds and self._speaks(id_)]
        return [*said, *(id_ for id_ in kinds if id_ not in said)]

    def _speaks(self, kind: str) -> bool:
        """Whether a pack gives a kind a chapter, and not a phase of the same name."""
        return kind in self.ruleset.chapters and kind not in self.ruleset.phases

    def phase_chapter(self, id_: str) -> Chapter:
        """A phase; a kind of the same name is told with it."""
        chapter = super().phase_chapter(id_)
        kind = self.ruleset.kinds.get(id_)
        if kind is None or not self.ruleset.things.get(id_):
            return chapter
        return attrs.evolve(chapter, parts=(*chapter.parts, *self._small(kind)))

    def _kind_chapter(self, kind: ir.Kind) -> Chapter:
        title = self.title(kind.id, self.sentences.several(kind.id).capitalize())
        parts: list[Part] = []
        table = self.table(kind)
        cards = [self._card(thing) for thing in self._sorted(kind)]
        told = [card for card in cards if card.items or card.fields]
        if table is not None:
            parts.append(Part("All at a glance", table=table))
        speaking = any(card.items for card in cards)
        if told and (speaking or table is None):
            parts.append(Part("One by one", "cards", tuple(told)))
        parts += self.rule_parts(of_kind(kind.id))
        return Chapter(of_kind(kind.id), title, self.said(kind.id), tuple(parts), kind.meta)

    def _card(self, thing: ir.Thing) -> Item:
        card: Card = self.sentences.card(thing)
        own = self.texts.get((thing.kind, thing.id), "")
        note = self.note(thing.kind, thing.id, thing.at)
        inner = tuple(map(self._entry, card.entries))
        return Item(thing.kind, thing.id, card.title, "", note, fields=card.fields, items=inner,
                    own=own, at=card.at, meta=card.meta)  # fmt: skip

    def _entry(self, entry: CardEntry) -> Item:
        """What a card says; of a value that stands on it, also who changes it."""
        if entry.sort in ("value", "procedure"):
            table = self.ruleset.values if entry.sort == "value" else self.ruleset.procedures
            return attrs.evolve(self.rule(entry.sort, table[entry.id]), own="")
        return from_entry(entry)

    def _sorted(self, kind: ir.Kind) -> list[ir.Thing]:
        things = list(self.ruleset.things[kind.id].values())
        said = self.ruleset.chapters.get(kind.id)
        for name in reversed(said.sorted if said else ()):
            things.sort(key=lambda thing: self._sort_key(thing, name))
        return things

    def _sort_key(self, thing: ir.Thing, name: str) -> tuple[int, Any]:
        value = next((one.value for one in thing.values if one.field == name), None)
        if isinstance(value, str) and "." in value:
            kind, _, id_ = value.partition(".")
            return 1, list(self.ruleset.things.get(kind, {})).index(id_)
        return (1, value) if isinstance(value, int) else (0, 0)

    # ---- tables ---------------------------------------------------------------------------------

    def _small(self, kind: ir.Kind) -> Iterator[Part]:
        title = self.sentences.several(kind.id).capitalize()
        table = self.table(kind, always=True)
        if table is not None:
            yield Part(title, table=table)
            yield from (Part(f"{title}: {part.title.lower()}", part.style, part.items)
                        for part in self.rule_parts(of_kind(kind.id)))  # fmt: skip

    def table(self, kind: ir.Kind, always: bool = False) -> Table | None:
        """All things of a kind; a field that is a map has a column for each key."""
        said = self.ruleset.chapters.get(kind.id) if self._speaks(kind.id) else None
        names = list(said.table) if said else []
        if not names and (always or said is None):
            names = [field.name for field in kind.fields if field.name not in _drawn(kind)]
        if not names and not always:
            return None
        things = self._sorted(kind)
        columns = [column for name in names for column in self._columns(kind, name, things)]
        rows = [
            Row(kind.id, thing.id, (self.sentences.named(thing), *(c.cell(thing) for c in columns)))
            for thing in things
        ]
        head = (self.sentences.label(kind.id), *(column.label for column in columns))
        kept = [0, *(i for i in range(1, len(head)) if any(row.cells[i] for row in rows))]
        rows = [Row(r.word, r.id, tuple(r.cells[i] for i in kept)) for r in rows]
        numbers = {i for i in range(1, len(kept))
                   if all(_is_number(row.cells[i]) for row in rows)}  # fmt: skip
        return Table(tuple(head[i] for i in kept), tuple(rows), frozenset(numbers))

    def _columns(self, kind: ir.Kind, name: str, things: Iterable[ir.Thing]) -> "Iterator[_Column]":
        field = next(one for one in kind.fields if one.name == name)
        label = self.sentences.label(f"{kind.id}.{name}")
        key = field.type.key
        keys = self.ruleset.things.get(key.name, {}) if key is not None else {}
        found = {thing.id: self.sentences.field(thing, name) for thing in things}
        used = {k for one in found.values() if one is not None for k, _ in one.by_key}
        if not used or len(used) > 12:
            yield _Column(label, {id_: one.text for id_, one in found.items() if one is not None})
            return
        for id_, thing in keys.items():
            if id_ in used:
                cells = {t: dict(one.by_key).get(id_, "") for t, one in found.items() if one}
                yield _Column(thing.title or id_, cells)

    # ---- the board and the table ----------------------------------------------------------------

    def map_chapter(self) -> Chapter | None:
        kind = next((one for one in self.ruleset.kinds.values() if "place" in one.roles), None)
        if kind is None or not self.ruleset.things.get(kind.id):
            return None
        parts: list[Part] = []
        with suppress(NoBoardError):
            parts.append(Part("The board", picture=draw(board(self.ruleset))))
        table = self.table(kind, always=True)
        if table is not None:
            parts.append(Part(self.sentences.several(kind.id).capitalize(), table=table))
        parts += self.rule_parts(of_kind(kind.id))
        return Chapter("map", self.title(kind.id, "The map"), self.said(kind.id), tuple(parts))

    def equipment_chapter(self) -> Chapter | None:
        """Pieces, places for pieces and cards, who besides the players owns some, and what of it
        lies covered."""
        found = self._pieces(), self._neutrals(), self._places(), self._covers()
        parts = [part for part in found if part]
        return Chapter("equipment", "What lies on the table", (), tuple(parts)) if parts else None

    def _pieces(self) -> Part | None:
        """Of what only others own, players have none: their sets are told with their owners."""
        rows = [
            Row("piece", one.id, (
                (one.title or self.sentences.label(one.id)).capitalize(), str(one.supply or ""),
                ", ".join(one.states),
            ))
            for one in self.ruleset.pieces.values()
        ]  # fmt: skip
        head = ("Piece", "Each player has", "States")
        return Part("Pieces", table=_without_empty(head, rows)) if rows else None

    def _neutrals(self) -> Part | None:
        rows = [
            Row("neutral", one.id, (
                one.title or self.sentences.label(one.id),
                ", ".join(f"{n} {self.sentences.several(piece)}" for piece, n in one.supply),
            ))
            for one in self.ruleset.neutrals.values()
        ]  # fmt: skip
        return (
            Part("Besides the players", table=Table(("Who", "Has"), tuple(rows))) if rows else None
        )

    def _places(self) -> Part | None:
        rows = []
        for one in self.ruleset.places.values():
            held = self.sentences.several(one.cards) if one.cards else "pieces"
            of = "the table" if one.of == "table" else f"each {self.sentences.word(one.of)}"
            seen = _SEEN.get(one.seen, one.seen) if one.cards else "everybody"
            label = (one.title or self.sentences.label(one.id)).capitalize()
            rows.append(Row("place", one.id, (label, of, held, seen)))
        head = ("Place", "Of", "For", "Seen by")
        return Part("Places", table=Table(head, tuple(rows))) if rows else None

    def _covers(self) -> Part | None:
        """What of a stack is seen by whom; the values that say so are told with the other rules."""
        items = []
        for one in self.ruleset.covers.values():
            many, label = self.sentences.several(one.of), self.sentences.label
            sees, top, fits = map(label, (one.sees, one.top, one.fits))
            text = f"Everybody sees how many {many} lie in each stack, and the one on top. "
            text += f"More about it: {sees}, {top}, {fits}."
            if one.option:
                option = self.ruleset.options[one.option]
                text += f" Played with the option “{option.title or label(option.id)}”."
            own = self.texts.get(("cover", one.id), "")
            title = (one.title or label(one.id)).capitalize()
            items.append(Item("cover", one.id, title, text, "", own=own, at=one.at, meta=one.meta))
        return Part("What lies covered", "terms", tuple(items)) if items else None

    # ---- options and questions ------------------------------------------------------------------

    def options_chapter(self) -> Chapter | None:
        items = tuple(self._option(one) for one in self.ruleset.options.values())
        text = ("A table agrees on these before the game. What is said here is played when nobody "
                "says anything else.",)  # fmt: skip
        return Chapter("options", "Options", text, (Part("", "terms", items),)) if items else None

    def _option(self, one: ir.Option) -> Item:
        told = _setting(one.default)
        choices = ", ".join(_setting(choice) for choice in one.choices)
        text = f"{told[:1].upper()}{told[1:]}." + (f" Choices: {choices}." if choices else "")
        asked = [tag for tag in one.meta.tags if tag in self.ruleset.questions]
        note = f"See {', '.join(asked)}." if asked else ""
        label = one.title or self.sentences.label(one.id)
        own = self.texts.get(("option", one.id), "")
        return Item("option", one.id, label, text, note, own=own, at=one.at, meta=one.meta)

    def questions_chapter(self) -> Chapter | None:
        asked = sorted(self.ruleset.questions.values(), key=lambda one: by_number(one.id))
        clear = sorted(self.ruleset.clarifications.values(), key=lambda one: by_number(one.id))
        parts = []
        if asked:
            parts.append(Part("What the books leave open", "questions",
                              tuple(map(self._question, asked))))  # fmt: skip
        if clear:
            parts.append(Part("What the books only say differently", "questions",
                              tuple(map(self._clarification, clear))))  # fmt: skip
        return Chapter("questions", "Open questions", (), tuple(parts)) if parts else None

    def _question(self, one: ir.Question) -> Item:
        found = readings(self.ruleset, one)
        items = (*_says(one), *(self._reading(one, each, n) for n, each in enumerate(found, 1)))
        played = next((each.text for each in found if each.state == HOLDS), "")
        text = f"Played here: {played}." if played else ""
        meta = ir.Meta(places(one), one.meta.tags)
        return Item("question", one.id, f"{one.id}  {one.title}", text.replace("..", "."),
                    items=items, at=one.at, meta=meta)  # fmt: skip

    def _reading(self, one: ir.Question, each: ReadingHere, number: int) -> Item:
        state = "" if each.state == HOLDS else f" ({each.state}: {each.why})"
        sort = "in-played" if each.state == HOLDS else "in-reading"
        return Item(sort, f"{one.id}.{number}", "", f"{each.text}{state}")

    def _clarification(self, one: ir.Clarification) -> Item:
        meta = ir.Meta(places(one), one.meta.tags)
        return Item("clarification", one.id, f"{one.id}  {one.title}", items=tuple(_says(one)),
                    at=one.at, meta=meta)  # fmt: skip


class _Column:
    """A heading, and the cell of each thing."""

    def __init__(self, label: str, cells: dict[str, str]) -> None:
        self.label, self.cells = label, cells

    def cell(self, thing: ir.Thing) -> str:
        return self.cells.get(thing.id, "")


def _drawn(kind: ir.Kind) -> set[str]:
    """Fields that only say where the picture shows a place."""
    return {"x", "y", "column", "row"} if "place" in kind.roles else set()


def _says(one: ir.Question | ir.Clarification) -> Iterator[Item]:
    for number, each in enumerate(one.says, 1):
        yield Item("in-says", f"{one.id}.says.{number}", f"{each.source} {each.place}", each.text)


def _setting(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"“{value}”" if isinstance(value, str) else str(value)


def _is_number(cell: str) -> bool:
    return not cell or cell.lstrip("−-+").isdigit()


def _without_empty(head: tuple[str, ...], rows: list[Row]) -> Table:
    kept = [i for i in range(len(head)) if any(row.cells[i] for row in rows)]
    return Table(
        tuple(head[i] for i in kept),
        tuple(Row(r.word, r.id, tuple(r.cells[i] for i in kept)) for r in rows),
        frozenset(
            i for i in range(1, len(kept)) if all(_is_number(r.cells[kept[i]]) for r in rows)
        ),
    )
