"""What names mean in a stack: the tables every stage after collecting reads and fills."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from ziggurat.dsl.diagnostics import Diagnostic, Findings, Note, Source, Span, did_you_mean, nearest
from ziggurat.dsl.linking.mentions import Mentions
from ziggurat.dsl.linking.model import Book, Decl
from ziggurat.dsl.linking.removals import (
    Lack,
    Loss,
    Removal,
    as_removals_show_it,
    may_not_know,
    removal_of,
)
from ziggurat.dsl.linking.types import describe
from ziggurat.dsl.packs import Stack
from ziggurat.runtime.kernel.nodes import Type

if TYPE_CHECKING:
    from ziggurat.runtime import kernel as ir

T = TypeVar("T")
_LINE_END = re.compile("\n")


@attrs.define(eq=False)
class KindInfo:
    """A kind while linking."""

    id: str
    decl: Decl
    roles: frozenset[str]
    plural: str
    fields: dict[str, ir.Field] = attrs.field(factory=dict)
    bodies: dict[str, ir.BodyDecl] = attrs.field(factory=dict)


@attrs.define(eq=False)
class Signature:
    """What a call of a value, order, procedure or action must look like, and what it gives."""

    path: str
    params: tuple[ir.Param, ...]
    type: Type
    decl: Decl


@attrs.define(eq=False)
class Decision:
    """A decision as advice and scenarios see it: `candidate` is one option, `answer` the whole.
    Chance decides those that are `by_chance`, and only scenarios may speak of them."""

    path: str
    candidate: Type
    answer: Type
    by_chance: bool = False


@attrs.define(eq=False)
class Notes:
    """What linking leaves behind beside the ruleset: all that it may write in the world.

    The notes of each declaration are taken down apart and put together afterwards, so that those
    of a declaration that did not change can be used again (`relinking`).
    """

    findings: Findings = attrs.field(factory=Findings)
    uses: dict[str, dict[str, Span]] = attrs.field(factory=dict)
    idle_params: dict[str, dict[str, Span]] = attrs.field(factory=dict)
    given_kinds: set[str] = attrs.field(factory=set)
    decisions: dict[str, Decision] = attrs.field(factory=dict)
    actions: dict[str, Signature] = attrs.field(factory=dict)
    steps: dict[str, str] = attrs.field(factory=dict)  # labelled ones, and their titles
    spoken_of: list[Removal] = attrs.field(factory=list)  # that nobody has excused yet
    losses: list[Loss] = attrs.field(factory=list)
    lacks: list[Lack] = attrs.field(factory=list)
    unsaid: list[tuple[Any, Removal]] = attrs.field(factory=list)
    mentions: Mentions = attrs.field(factory=Mentions)
    all_mentions: list[Mentions] = attrs.field(factory=list)  # those of each declaration
    made: dict[tuple[str, str], Span] = attrs.field(factory=dict)  # decisions and steps, and where

    def add(self, other: Notes) -> None:
        """Enter the notes of one declaration; what was noted first stays."""
        self.findings.merge(other.findings)
        self.given_kinds |= other.given_kinds
        for mine, theirs in ((self.uses, other.uses), (self.idle_params, other.idle_params)):
            for user, places in theirs.items():
                _add_new(mine.setdefault(user, {}), places)
        _add_new(self.decisions, other.decisions)
        _add_new(self.actions, other.actions)
        _add_new(self.steps, other.steps)
        self.losses += other.losses
        self.lacks += other.lacks
        self.unsaid += other.unsaid
        self.all_mentions.append(other.mentions)
        for key, span in other.made.items():
            self.made.setdefault(key, span)


def _add_new(mine: dict[str, T], theirs: dict[str, T]) -> None:
    for key, value in theirs.items():
        mine.setdefault(key, value)


def _each_time(name: str, parts: Sequence[Any], check: Callable[[], None]) -> None:
    check()


def _at_once(function: Callable[[Any], T], part: Any) -> T:
    return function(part)


@attrs.define(eq=False)
class World:
    """Everything declared, by name, and what is noted on the way.

    Linking one declaration may look up everything here, but of other declarations it sees no more
    than their heads (a `Decl`'s word, path and title); it writes nothing but `notes`.

    Checks of the whole ruleset go through all of it each time. What they find out about one part
    by itself they ask with `remember(function, part)`, which need not work it out again. What a
    check finds in parts that are the very same as the last time, `unless_same` says again.
    """

    book: Book
    stack: Stack
    pack_order: dict[str, int]
    notes: Notes
    kinds: dict[str, KindInfo] = attrs.field(factory=dict)
    plurals: dict[str, str] = attrs.field(factory=dict)
    all_of: dict[str, str] = attrs.field(factory=dict)
    place_kind: str = ""
    seat_kind: str = ""
    things: dict[str, dict[str, Decl]] = attrs.field(factory=dict)
    kinds_of_name: dict[str, list[str]] = attrs.field(factory=dict)
    pieces: dict[str, ir.Piece] = attrs.field(factory=dict)
    groups: dict[str, ir.PieceGroup] = attrs.field(factory=dict)
    places: dict[str, ir.Place] = attrs.field(factory=dict)
    families: dict[str, ir.CardFamily] = attrs.field(factory=dict)
    neutrals: dict[str, ir.Neutral] = attrs.field(factory=dict)
    attributes: dict[str, ir.Attribute] = attrs.field(factory=dict)
    bundles: dict[str, ir.Bundle] = attrs.field(factory=dict)
    bundle_names: dict[str, tuple[str, ...]] = attrs.field(factory=dict)  # whose, by short name
    options: dict[str, ir.Option] = attrs.field(factory=dict)
    values: dict[str, Signature] = attrs.field(factory=dict)
    orders: dict[str, Signature] = attrs.field(factory=dict)
    order_keys: dict[str, tuple[str, ...]] = attrs.field(factory=dict)
    procedures: dict[str, Signature] = attrs.field(factory=dict)
    phases: dict[str, Decl] = attrs.field(factory=dict)
    sources: frozenset[str] = frozenset()
    cited_by: dict[str, tuple[str, ...]] = attrs.field(factory=dict)
    texts: dict[str, Source] = attrs.field(factory=dict)
    lines: dict[str, list[int]] = attrs.field(factory=dict)
    likenesses: dict[tuple[str, str], str | None] = attrs.field(factory=dict)
    remember: Callable[[Callable[[Any], Any], Any], Any] = _at_once
    unless_same: Callable[[str, Sequence[Any], Callable[[], None]], None] = _each_time

    @property
    def findings(self) -> Findings:
        return self.notes.findings

    @property
    def uses(self) -> dict[str, dict[str, Span]]:
        """Who needs whom, and where it is said first."""
        return self.notes.uses

    @property
    def idle_params(self) -> dict[str, dict[str, Span]]:
        """Parameters that a rule itself never looks at."""
        return self.notes.idle_params

    @property
    def given_kinds(self) -> set[str]:
        """The kinds and things that some rule gives to somebody."""
        return self.notes.given_kinds

    @property
    def decisions(self) -> dict[str, Decision]:
        return self.notes.decisions

    @property
    def actions(self) -> dict[str, Signature]:
        return self.notes.actions

    @property
    def steps(self) -> dict[str, str]:
        return self.notes.steps

    def report(
        self,
        code: str,
        message: str,
        span: Span | None,
        advice: str | None = None,
        notes: tuple[Note, ...] = (),
    ) -> None:
        self.add(Diagnostic(code, message, span, advice, notes))

    def warn(
        self,
        code: str,
        message: str,
        span: Span | None,
        advice: str | None = None,
        notes: tuple[Note, ...] = (),
    ) -> None:
        self.add(Diagnostic(code, message, span, advice, notes, severity="warning"))

    def add(self, finding: Diagnostic) -> None:
        """Add a finding, unless the removal of what it is about accounts for it."""
        found = as_removals_show_it(self, finding)
        if found is not None:
            self.findings.add(found)

    def removal_of(self, name: str, pack: str) -> Removal | None:
        """The removal of a name, or of what it stands in, for a pack that may not know of it."""
        found = removal_of(self.book.gone_names, name)
        return found if found is not None and may_not_know(self.stack, pack, found) else None

    def describe(self, type_: Type) -> str:
        return describe(type_, self.plurals)

    def use(self, user: str, used: str, span: Span) -> None:
        """Note that one declaration needs another; the first place is kept for messages."""
        self.uses.setdefault(user, {}).setdefault(used, span)

    def renamed(self, word: str, name: str, pack: str) -> str:
        """The present name of something an earlier pack knew under another one."""
        alias = self.book.aliases.get((word, name))
        while alias and self.pack_order.get(pack, 0) <= self.pack_order.get(alias.item.pack, 0):
            name = alias.new
            alias = self.book.aliases.get((word, name))
        return name

    def renamed_path(self, path: str, pack: str) -> str:
        """The present path of a decision, an action or a parameter, of which a part was renamed."""
        for word, old in self.book.aliases:
            if path == old or path.startswith(f"{old}."):
                new = self.renamed(word, old, pack)
                if new != old:
                    return new + path.removeprefix(old)
        return path

    def line_starts(self, source: Source) -> list[int]:
        """Offsets at which the lines of a source begin; reckoned once for each."""
        starts = self.lines.get(source.path)
        if starts is None:
            starts = [0, *(match.end() for match in _LINE_END.finditer(source.text))]
            self.lines[source.path] = starts
        return starts

    def like_a_thing(self, name: str, kind: str) -> str | None:
        """The thing of a kind with nearly this name; clauses use the same few names often."""
        key = (name, kind)
        known = tuple(self.things.get(kind, ()))
        if key not in self.likenesses:
            self.likenesses[key] = nearest(name, known)
        return self.likenesses[key]

    def unknown_source(self, name: str, pack: str, span: Span) -> None:
        advice = did_you_mean(name, self.sources) or (
            f'Add `{name} = "…"` under `[sources]` in the `pack.toml` of `{pack}`.'
        )
        self.report("Z220", f"No pack declares a source `{name}`.", span, advice)

    def type_names(self) -> Iterable[str]:
        return ("int", "bool", "text", "range", "player", "owner", *self.kinds, *self.families)
