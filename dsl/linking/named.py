"""What every name in a stack means: what is declared where, and all places that speak of it.

An index for whoever points at a word in a text (an editor). It holds whatever is wrong with the
stack, as far as it could be linked.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import attrs

from ziggurat.dsl.diagnostics import Source, Span
from ziggurat.dsl.linking.mentions import BODY, FIELD, LOCAL, PACK, SOURCE, TAG, Mention
from ziggurat.dsl.linking.model import Decl
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.syntax import Declaration, Token
from ziggurat.runtime.kernel.nodes import Type
from ziggurat.runtime.kernel.ruleset import Ruleset

PIECE = "piece"  # fields of pieces are declared by groups of them
Meaning = tuple[str, str]  # the word that declares it, and its path


@attrs.frozen
class NamePlace:
    """A word of a text and what it stands for."""

    span: Span
    word: str
    path: str

    @property
    def meaning(self) -> Meaning:
        return self.word, self.path

    @property
    def name(self) -> str:
        """How it is called where it stands; a title without its quotation marks."""
        return self.span.text.strip('"')


@attrs.frozen
class NamedDeclaration:
    """A declaration as an outline shows it: the place of its name, and the whole of it."""

    word: str
    path: str
    title: str
    name: Span
    whole: Span
    home: str


class Names:
    """The names of one linking. Indexes are built when they are first needed."""

    def __init__(self, world: World, ruleset: Ruleset) -> None:
        self.world = world
        self.ruleset = ruleset

    @cached_property
    def _write_type(self) -> Callable[[Type], str]:
        from ziggurat.dsl.printing.lexicon import Lexicon

        return Lexicon.of(self.ruleset).type

    # ---- places -----------------------------------------------------------------------------

    def source(self, file: str) -> Source | None:
        """The text of a file as it was linked."""
        return self.world.texts.get(file)

    def in_file(self, file: str) -> list[NamePlace]:
        """All names of a file that mean something, in order."""
        source = self.source(file)
        if source is None:
            return []
        return [_place(source, one) for one in self._by_file.get(file, ())]

    def at(self, file: str, offset: int) -> list[NamePlace]:
        """What stands at a place; a word may be several things, such as a decision and a name."""
        source, mentions = self.source(file), self._by_file.get(file, [])
        if source is None:
            return []
        first = bisect_left(mentions, offset - self._longest, key=_start_of)
        last = bisect_right(mentions, offset, key=_start_of)
        return [_place(source, one) for one in mentions[first:last] if one[2] >= offset]

    def of(self, *meanings: Meaning) -> list[NamePlace]:
        """All places that speak of something, those where it is declared among them."""
        mentions = {one for meaning in meanings for one in self._by_meaning.get(meaning, ())}
        texts = self.world.texts
        return [_place(texts[one[0]], one) for one in sorted(mentions) if one[0] in texts]

    def same(self, places: list[NamePlace]) -> set[Meaning]:
        """What these places mean, and whatever else has its name from the same words: a decision
        is also a name for its answer."""
        meanings: set[Meaning] = set()
        waiting = {one.meaning for one in places}
        while waiting - meanings:
            meanings |= waiting
            spots = {(one.span.source.path, one.span.start) for one in self.of(*meanings)}
            waiting = {one[3:] for file, offset in spots for one in self._starting_at(file, offset)}
        return meanings

    def _starting_at(self, file: str, offset: int) -> list[Mention]:
        mentions = self._by_file[file]
        first = bisect_left(mentions, offset, key=_start_of)
        return mentions[first : bisect_right(mentions, offset, key=_start_of)]

    @cached_property
    def _by_file(self) -> dict[str, list[Mention]]:
        """The mentions of each file, in order. A mention that is noted twice counts once."""
        files: dict[str, set[Mention]] = defaultdict(set)
        for one in self._mentions():
            files[one[0]].add(one)
        return {file: sorted(mentions) for file, mentions in files.items()}

    @cached_property
    def _by_meaning(self) -> dict[Meaning, list[Mention]]:
        meanings: dict[Meaning, list[Mention]] = defaultdict(list)
        for mentions in self._by_file.values():
            for one in mentions:
                meanings[one[3:]].append(one)
        return dict(meanings)

    @cached_property
    def _longest(self) -> int:
        """The number of characters of the longest name."""
        lengths = (one[2] - one[1] for mentions in self._by_file.values() for one in mentions)
        return max(lengths, default=0)

    def _mentions(self) -> Iterator[Mention]:
        notes = self.world.notes
        yield from notes.mentions
        for part in notes.all_mentions:
            yield from part
        for decl in self._decls():
            yield from _written(decl, self.world)
        for decl, span in self.world.book.addressed:
            yield _mention(span, decl.word, decl.path)
        for opening in self.world.book.open_places.values():
            yield _mention(opening.decl.name_span, opening.word, opening.path)

    # ---- declarations -----------------------------------------------------------------------

    def _decls(self) -> Iterator[Decl]:
        yield from self.world.book.everything()

    def find(self, word: str, path: str) -> Decl | None:
        if word == "scenario":
            return self._scenarios.get(path)
        return self.world.book.find(word, path)

    @cached_property
    def _scenarios(self) -> dict[str, Decl]:
        return {one.path: one for one in reversed(self.world.book.scenarios)}

    def declarations(self, file: str = "") -> Iterator[NamedDeclaration]:
        """What a file, or the whole stack, declares."""
        for decl in self._decls():
            if not file or decl.file.source.path == file:
                whole = decl.file.span(decl.node)
                home = decl.home.path if decl.home else ""
                yield NamedDeclaration(
                    decl.word, decl.path, decl.title, decl.name_span, whole, home
                )

    def declared(self, word: str, path: str) -> list[Span]:
        """Where something is declared; what packs leave open, where it is answered first."""
        if word == LOCAL:
            file, _, start = path.rpartition("@")
            places = [one.span for one in self.of((word, path))]
            return [one for one in places if (one.source.path, str(one.start)) == (file, start)]
        if (word, path) in self.world.notes.made:
            return [self.world.notes.made[word, path]]
        if word in (FIELD, BODY):
            return self._fields_of("kind", path)
        decl = self.find(word, path)
        found = [_name_span(decl)] if decl is not None else []
        opening = self.world.book.open_places.get((word, path))
        if opening is not None:
            found += [span for span in [_name_span(opening.decl)] if span not in found]
        return found or self._inner(word, path) or self._pack(word, path)

    def _inner(self, word: str, path: str) -> list[Span]:
        """What is declared as a part of something else: keys of orders, parts of bundles."""
        home, _, last = path.rpartition(".")
        if word == "value":
            return self._fields_of("order", path)
        if word == "attribute" and home == "player" and last in self.world.kinds:
            return self.declared("kind", last)
        if word == "attribute":
            decl = self.find("bundle", path)
            return [_name_span(decl)] if decl else self._fields_of("bundle", path)
        return []

    def _fields_of(self, word: str, path: str) -> list[Span]:
        home, _, name = path.rpartition(".")
        found = self.find(word, home)
        decls = [found] if found else self.world.book.of(home).values() if home == PIECE else []
        return [span for decl in decls for one, span in fields_of(decl) if one == name][:1]

    def _pack(self, word: str, path: str) -> list[Span]:
        for pack in self.world.stack.packs:
            if (word == PACK and pack.id == path) or (word == SOURCE and path in pack.sources):
                key = ("id",) if word == PACK else ("sources", path)
                return [pack.span(*key)]
        return []

    def amending(self, word: str, path: str) -> list[tuple[str, Span]]:
        """What later packs do to something (`changes`, `replaces`, `removes`), and where."""
        return self._amending.get((word, path), [])

    @cached_property
    def _amending(self) -> dict[Meaning, list[tuple[str, Span]]]:
        amendments: dict[Meaning, list[tuple[str, Span]]] = defaultdict(list)
        for does, decl, span, _ in self.world.book.amendments:
            amendments[decl.word, decl.path].append((does, span))
        return dict(amendments)

    def manifest(self, pack_id: str) -> Source | None:
        """The `pack.toml` of a pack of this stack."""
        packs = [pack for pack in self.world.stack.packs if pack.id == pack_id]
        return packs[0].manifest if packs else None

    def untested_tags(self, word: str, path: str) -> list[str]:
        """The tags in a declaration that no scenario has."""
        decl = self.find(word, path)
        if decl is None or word == "scenario":
            return []
        tested = {
            str(tag) for one in self.world.book.scenarios for item in one.metas
            if item.node.rule == "tags" for tag in item.node.parts
        }  # fmt: skip
        file, node = decl.file.source.path, decl.node
        mine = [
            one.path for one in self.in_file(file)
            if one.word == TAG and node.start <= one.span.start < node.end
        ]  # fmt: skip
        return [tag for tag in dict.fromkeys(mine) if tag not in tested]

    def callable(self, name: str) -> Meaning | None:
        """What a name means before a bracket, as far as the name alone tells."""
        world = self.world
        pages: tuple[tuple[str, Any], ...] = (
            ("value", world.values), ("procedure", world.procedures), ("action", world.actions),
            ("order", world.orders), ("place", world.places),
        )  # fmt: skip
        for word, page in pages:
            if name in page:
                return word, name
            inner = [path for path in page if path.endswith(f".{name}")]
            if len(inner) == 1:
                return word, inner[0]
        for kind, info in world.kinds.items():
            if name in info.bodies:
                return BODY, f"{kind}.{name}"
        return None

    def parameters(self, word: str, path: str) -> list[tuple[str, str]] | None:
        """The names and types of what a call takes; None for what cannot be called."""
        write = self._write_type
        if word == BODY:
            kind, _, body = path.partition(".")
            info = self.world.kinds.get(kind)
            params = info.bodies[body].params if info and body in info.bodies else None
        elif word == "place":
            place = self.world.places.get(path)
            of = place.of if place is not None and place.cards else ""
            return [(of[0], of)] if of and of != "table" else None
        else:
            page: Any = {
                "value": self.world.values, "order": self.world.orders,
                "procedure": self.world.procedures, "action": self.world.actions,
            }.get(word, {})  # fmt: skip
            params = page[path].params if path in page else None
        return None if params is None else [(one.name, write(one.type)) for one in params]


def fields_of(decl: Decl) -> Iterator[tuple[str, Span]]:
    """The fields, relations and blocks that a declaration lists, and where."""
    for node, file in decl.items:
        if isinstance(node, Declaration):
            if node.path:
                yield node.id, file.span(node.path[-1])
        elif getattr(node, "rule", "") in ("field", "field_shape"):
            yield str(node.parts[0]), file.span(node.parts[0])


# Of what something can be, and where the world keeps it.
_WHOSE = {"kind": "kinds", "cards": "families", "piece": "pieces", "neutral": "neutrals"}


def _name_span(decl: Decl) -> Span:
    return decl.file.span(decl.node.path[-1]) if decl.node.path else decl.name_span


def _start_of(mention: Mention) -> int:
    return mention[1]


def _place(source: Source, mention: Mention) -> NamePlace:
    _, start, end, word, path = mention
    return NamePlace(Span(source, start, end), word, path)


def _mention(span: Span, word: str, path: str) -> Mention:
    return span.source.path, span.start, span.end, word, path


def _written(decl: Decl, world: World) -> Iterator[Mention]:
    """What the head of a declaration names: itself, its kind, and of what it is."""
    if decl.word != "advice":
        yield _mention(_name_span(decl), decl.word, decl.path)
    if decl.word in ("question", "clarification"):
        yield _mention(_name_span(decl), TAG, decl.path)
    if decl.word in world.kinds:
        yield _mention(decl.file.span(decl.node.word), "kind", decl.word)
    for head in decl.node.heads:
        part = head.parts[0]
        if head.rule == "head_of" and getattr(part, "rule", "") == "type_name":
            whose: Token = part.parts[0]
            for word, page in _WHOSE.items():
                if whose in getattr(world, page):
                    yield _mention(decl.file.span(whose), word, str(whose))
    if decl.word in ("kind", "bundle", "order"):
        for name, span in fields_of(decl):
            yield _mention(span, *_of_field(decl, name))


def _of_field(decl: Decl, name: str) -> Meaning:
    if decl.word == "order":
        return "value", f"{decl.path}.{name}"
    if decl.word == "bundle":
        return "attribute", f"{decl.path}.{name}"
    bodies = [str(node.path[-1]) for node, _ in decl.items
              if isinstance(node, Declaration) and node.word == "body" and node.path]  # fmt: skip
    return (BODY if name in bodies else FIELD), f"{decl.path}.{name}"
