"""Where linking stands: the file, the names in sight, the enclosing thing, and how to complain."""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import attrs

from ziggurat.dsl.diagnostics import Note, Span
from ziggurat.dsl.linking.mentions import (
    BODY,
    FIELD,
    LOCAL,
    SOURCE,
    TAG,
    homes,
    local_path,
    words_of,
)
from ziggurat.dsl.linking.model import ELSEWHERE, Decl, Item, unquoted
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.syntax import File, Node, Token
from ziggurat.runtime.kernel.forms.core import Lit, ThingRef
from ziggurat.runtime.kernel.nodes import ERROR_TYPE, At, Cite, Expr, Meta, Type

BAD = Lit(None, ERROR_TYPE)
MOST = 10_000  # of anything that a game counts out, such as pieces and cards
LONGEST_NUMBER = 9
T = TypeVar("T")


@attrs.define(eq=False)
class Entry:
    """A name in sight. `name` is what it is called in the ruleset, which differs from what the
    author wrote when a clause is put into the words of its value or procedure. `what` is param,
    let, loop, it, this, field (of the thing in question), narrowed, case or wrong. `meaning` is
    what stands for the name in the ruleset, if it is no local; `cell` what a column of a table of
    cases stands for, as it is written; `known` the path of the decision that it is in."""

    name: str
    type: Type
    what: str
    span: Span | None = None
    used: bool = False
    meaning: Expr | None = None
    cell: Any = None
    known: str = ""


class Context:
    """The state of linking one declaration. Cheap to make, one for each."""

    __slots__ = (
        "_path", "_starts", "decl", "depth", "emptied", "file", "gives", "labels", "locals",
        "loops", "names", "narrowed", "path", "scenario", "shift", "taken", "thing", "too_deep",
        "unknown", "user", "world",
    )  # fmt: skip

    def __init__(self, world: World, decl: Decl, user: str) -> None:
        self.world = world
        self.decl = decl
        self.path = decl.path
        self.user = user
        self.thing = enclosing_thing(world, decl)
        self.names: dict[str, Entry] = {}
        self.locals: list[tuple[str, Entry]] = []
        self.taken: set[str] = set()
        self.loops = 0
        self.gives: Type | None = None  # what `give` ends the procedure with, if it gives anything
        self.depth = 0
        self.too_deep = False
        self.unknown: set[str] = set()
        self.labels: dict[str, Span] = {}
        self.scenario: Any = None
        self.emptied = False
        self.narrowed: list[tuple[Token, Entry | None]] | None = None
        self.enter(decl.file)
        if self.thing is not None:
            self.names["this"] = Entry("this", self.thing.type, "this", meaning=self.thing)

    # ---- places -----------------------------------------------------------------------------

    def enter(self, file: File) -> None:
        """Go on in a file; positions are reckoned there from now on."""
        self.file = file
        self.shift = 0
        self._path = file.source.path
        self._starts = self.world.line_starts(file.source)

    def at(self, node: Any) -> At:
        starts = self._starts
        start = node.start + self.shift
        end = node.end + self.shift
        line = bisect_right(starts, start)
        first = starts[line - 1]
        if line == len(starts) or end < starts[line]:
            return At(self._path, line, start - first + 1, line, end - first + 1)
        last = bisect_right(starts, end)
        return At(self._path, line, start - first + 1, last, end - starts[last - 1] + 1)

    def span(self, node: Any) -> Span:
        if isinstance(node, Token):
            start, end = node.start_pos, node.end_pos
        else:
            start, end = node.start, node.end
        return Span(self.file.source, start + self.shift, end + self.shift)

    # ---- findings ---------------------------------------------------------------------------

    def error(
        self,
        code: str,
        message: str,
        node: Any,
        advice: str | None = None,
        notes: tuple[Note, ...] = (),
    ) -> None:
        self.world.report(code, message, self.span(node), advice, notes)

    def wrong(self, code: str, message: str, node: Any, advice: str | None = None) -> Expr:
        """Report, and give back an expression that causes no further findings."""
        self.world.report(code, message, self.span(node), advice)
        return BAD

    def number(self, token: Token) -> int:
        """A number as written; the parser has already spoken about those that are none."""
        if len(token) > LONGEST_NUMBER:
            self.error("Z325", "This number is too large.", token, "Numbers have up to 9 digits.")
            return 0
        return int(token) if token.isdecimal() else 0

    def count(self, token: Token) -> int:
        """Return how many things a number counts out; no game has room for more than `MOST`."""
        number = self.number(token)
        if number > MOST:
            message = f"This counts {number}; at most {MOST} are possible."
            self.error("Z328", message, token, "Correct the number.")
            return MOST
        return number

    def uses(self, used: str, node: Any) -> None:
        uses = self.world.uses.setdefault(self.user, {})
        if used not in uses:
            uses[used] = self.span(node)
        word, _, path = used.partition(" ")
        self.mention(BODY if word == "bodies" else word, path, node)

    def mention(self, word: str, path: str, node: Any) -> None:
        """Note what the words at a place mean."""
        words = words_of(node)
        if not words:
            return
        found, shift = self.world.notes.mentions, self.shift
        found[self._path, words[-1].start_pos + shift, words[-1].end_pos + shift, word, path] = None
        for token, home, above in homes(self.world, word, path, words):
            found[self._path, token.start_pos + shift, token.end_pos + shift, home, above] = None

    def makes(self, word: str, path: str, token: Token) -> None:
        """Note where something comes about that others know by its path."""
        self.mention(word, path, token)
        self.world.notes.made.setdefault((word, path), self.span(token))

    def mention_local(self, entry: "Entry", node: Any) -> None:
        if entry.what == FIELD:
            self.mention(FIELD, f"{self.names['this'].type.name}.{entry.name}", node)
        elif entry.known:
            self.mention("decision", entry.known, node)
        elif entry.span is not None:
            self.mention(LOCAL, local_path(entry.span), node)

    def meta(self, nodes: Iterable[Any]) -> Meta:
        """Citations and tags of a part of the declaration, written in the present file. Without a
        citation of its own it stands where the declaration does. A rule is nothing but its clauses,
        so they have its tags as well."""
        items = [Item(node, self.file) for node in nodes]
        rules = {node.rule for node, _ in items}
        for item in self.decl.metas:
            given = item.node.rule == "cites" or self.decl.word == "rule"
            if given and item.node.rule not in rules and item.file is self.file:
                items.append(item)
        return meta(self.world, items, self.file.source.pack)

    # ---- names ------------------------------------------------------------------------------

    def bind(self, token: Token, type_: Type, what: str) -> Entry:
        """Bring a new name into sight, unless it is already taken here."""
        name = str(token)
        old = self.names.get(name)
        if old is not None and old.what != "wrong":
            notes = (Note("It is this one.", old.span),) if old.span else ()
            message = f"`{name}` already means something here."
            self.error("Z214", message, token, "Use another name.", notes)
        return self.define(name, type_, what, self.span(token))

    def define(self, name: str, type_: Type, what: str, span: Span | None = None) -> Entry:
        ir_name = name
        number = 2
        while ir_name in self.taken:
            ir_name = f"{name}_{number}"
            number += 1
        entry = Entry(ir_name, type_, what, span)
        if span is not None:
            self.world.notes.mentions.add(span, LOCAL, local_path(span))
        self.names[name] = entry
        self.locals.append((name, entry))
        return entry

    def forget(self, token: Token, before: Entry | None) -> None:
        """End the sight of a name bound for one expression."""
        if before is None:
            self.names.pop(str(token), None)
        else:
            self.names[str(token)] = before


def enclosing_thing(world: World, decl: Decl) -> ThingRef | None:
    home: Decl | None = decl
    while home is not None:
        if home.word in world.kinds:
            return ThingRef(home.word, home.path, Type(home.word))
        home = home.home
    return None


def elsewhere(cx: Context, node: Any, link: Callable[[Context, Any], T]) -> T:
    """Link a node in the file it was written in, which may be another one."""
    if getattr(node, "rule", "") != ELSEWHERE:
        return link(cx, node)
    here = cx.file
    cx.enter(node.parts[1])
    found = link(cx, node.parts[0])
    cx.enter(here)
    return found


def meta(world: World, items: Iterable[Item], origin: str) -> Meta:
    """Citations and tags, in the order written; sources nobody declares are findings."""
    cites: list[Cite] = []
    tags: list[str] = []
    for node, file in items:
        if node.rule == "tags":
            tags += [str(tag) for tag in node.parts]
            for tag in node.parts:
                world.notes.mentions.add(file.span(tag), TAG, str(tag))
            continue
        for cite in node.parts:
            cites += _cited(world, cite, file)
    return Meta(tuple(cites), tuple(tags), origin) if cites or tags else Meta(origin=origin)


def _cited(world: World, cite: Node, file: File) -> Iterable[Cite]:
    """A place in one source, or in all those that the pack means when it names none."""
    place = unquoted(cite.parts[-1])
    if cite.rule == "cite":
        source = cite.parts[0]
        world.notes.mentions.add(file.span(source), SOURCE, str(source))
        if source not in world.sources:
            world.unknown_source(source, file.source.pack, file.span(source))
        return [Cite(str(source), place)]
    meant = world.cited_by[file.source.pack]
    if not meant:
        message = "This citation names no source, and the pack does not say which ones are meant."
        advice = (
            f'Write `cites W "{place}"`, or `cites = ["W"]` in the `pack.toml` of'
            f" `{file.source.pack}`."
        )
        world.report("Z225", message, file.span(cite), advice)
    return [Cite(source, place) for source in meant]
