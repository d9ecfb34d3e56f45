"""Linking again after a change, declaration by declaration.

Linking the inside of a declaration depends on its own syntax and on what it looks up in the world.
Both are known here: every look into a table of the world is recorded. So what came of a declaration
is good for the next time if its syntax is the very same and nothing it looked up has changed. Forms
need do nothing for this: they read the world's tables and write its notes as they always do.

Nothing is kept of what is no longer there, so what is kept does not grow with the number of edits.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, TypeVar

import attrs

from ziggurat.dsl.diagnostics import Diagnostic, Findings, Source, Span
from ziggurat.dsl.linking.mentions import Mentions
from ziggurat.dsl.linking.model import Book, Decl, Item
from ziggurat.dsl.linking.named import Names
from ziggurat.dsl.linking.world import Notes, World
from ziggurat.dsl.stacks import Stack
from ziggurat.dsl.syntax import Declaration, File, Node, Token

R = TypeVar("R")
Function = Callable[[World, Decl], R]
Name = tuple[Any, ...]
Read = tuple[Name, Any]
STACK: Name = ("stack",)
KEYS = object()  # read in the place of a key: which keys there are, in their order
# In the world, and not what is declared.
_NOT_SAID = ("texts", "lines", "likenesses", "remember", "unless_same")
_SHARED = frozenset({"given"})  # declarations whose inside is linked where they are used
_COME_ABOUT = ("decisions", "actions", "steps")
_OF_THE_BOOK = ("pages", "gone", "gone_names", "unused_names", "aliases", "open_places")


class OutOfDate(Exception):  # noqa: N818 - nothing went wrong
    """Nobody waits for what is being loaded any more: a text has changed again."""


def always() -> bool:
    return True


class Table(Mapping[Any, Any]):
    """A table of the world as declarations see it while they are linked: every look is recorded."""

    __slots__ = ("_name", "_reads", "_rows")

    def __init__(self, name: Name, rows: Mapping[Any, Any], reads: set[Read]) -> None:
        self._name = name
        self._rows = rows
        self._reads = reads

    def __getitem__(self, key: Any) -> Any:
        self._reads.add((self._name, key))
        return self._rows[key]

    def __contains__(self, key: Any) -> bool:
        self._reads.add((self._name, key))
        return key in self._rows

    def get(self, key: Any, default: Any = None) -> Any:
        self._reads.add((self._name, key))
        return self._rows.get(key, default)

    def __iter__(self) -> Iterator[Any]:
        self._reads.add((self._name, KEYS))
        return iter(self._rows)

    def __len__(self) -> int:
        self._reads.add((self._name, KEYS))
        return len(self._rows)


class NotedTable(Table):
    """One that declarations may add to; what they add stays with them."""

    __slots__ = ("own",)

    def __init__(self, name: Name, rows: Mapping[Any, Any], reads: set[Read]) -> None:
        super().__init__(name, rows, reads)
        self.own: dict[Any, Any] = {}

    def __setitem__(self, key: Any, value: Any) -> None:
        self.own[key] = value

    def setdefault(self, key: Any, value: Any) -> Any:
        return self.own.setdefault(key, value)


class SeenStack:
    """The stack as declarations see it: whatever they ask of it counts as a look at all of it."""

    __slots__ = ("_reads", "_stack")

    def __init__(self, stack: Stack, reads: set[Read]) -> None:
        self._stack = stack
        self._reads = reads

    def __getattr__(self, name: str) -> Any:
        self._reads.add((STACK, KEYS))
        return getattr(self._stack, name)


@attrs.frozen(eq=False)
class Linked:
    """What came of a declaration. `sources` are the texts that its notes point at."""

    decl: Decl
    result: Any
    notes: Notes
    reads: frozenset[Read]
    sources: frozenset[Source]


@attrs.define(eq=False)
class LinkedDeclarations:
    """What the last linking came to, for whoever links a stack more than once. `fresh` are the
    declarations that had to be linked in it, `facts` what is known of parts of the ruleset, `found`
    what checks found in parts that may be the same again, `names` what every name in it means;
    `wanted` tells whether somebody still waits for the result."""

    entries: dict[Any, Linked] = attrs.field(factory=dict)
    tables: dict[Name, dict[Any, Any]] = attrs.field(factory=dict)
    fresh: list[str] = attrs.field(factory=list)
    facts: dict[Any, tuple[Any, Any]] = attrs.field(factory=dict)
    found: dict[str, tuple[tuple[Any, ...], list[Diagnostic]]] = attrs.field(factory=dict)
    names: Names | None = None
    wanted: Callable[[], bool] = always

    def begin_checks(self) -> Callable[[Callable[[Any], R], Any], R]:
        """How checks ask about parts of the ruleset: those of the last time are known."""
        before, self.facts = self.facts, {}

        def remember(function: Callable[[Any], R], part: Any) -> R:
            key = (function, id(part))
            found = before.get(key)
            if found is None or found[0] is not part:
                found = (part, function(part))
            self.facts[key] = found
            result: R = found[1]
            return result

        return remember

    def repeat(
        self, findings: Findings, name: str, parts: Sequence[Any], check: Callable[[], None]
    ) -> None:
        """What a check finds; what it found the last time, if it looks at the same parts."""
        old, said = self.found.get(name, ((), []))
        if len(old) == len(parts) and all(map(_told_alike, old, parts)):
            findings.extend(said)
            return
        mark = findings.mark()
        check()
        self.found[name] = (tuple(parts), findings.since(mark))


class Relinking:
    """One linking of a stack; with `kept`, what is still good is taken from there.

    Declarations are linked in two rounds. Decisions and actions come about in the first, and can
    be looked up in the second.
    """

    def __init__(
        self, world: World, texts: Iterable[Source], kept: LinkedDeclarations | None = None
    ) -> None:
        self.world = world
        self.before = kept
        self.now = LinkedDeclarations()
        self._texts = frozenset(texts)
        self._reads: set[Read] = set()
        self._changed: set[Read] = set()
        self._all_changed = False
        self._declared: dict[str, Any] = {}
        self._offered: dict[str, dict[str, Any]] = {name: {} for name in _COME_ABOUT}

    def first_round(self) -> None:
        """From now on what is declared is looked up, and no longer changed."""
        if self.before is None:
            return
        for field in attrs.fields(World):
            if field.name == "notes" or field.name in _NOT_SAID:
                continue
            value = getattr(self.world, field.name)
            self._declared[field.name] = value
            setattr(self.world, field.name, self._seen(field.name, value))

    def second_round(self) -> None:
        self._offered = {name: dict(getattr(self.world, name)) for name in _COME_ABOUT}
        for name, rows in self._offered.items():
            self._table((name,), rows)

    def __call__(self, function: Function[R], decl: Decl) -> R:
        """What a function makes of a declaration, now or the last time."""
        if self.before is not None and not self.before.wanted():
            raise OutOfDate
        key = (function, decl.node)
        found = self.before.entries.get(key) if self.before else None
        if found is None or not self._is_good(found, decl):
            found = self._link(function, decl)
            self.now.fresh.append(decl.spoken)
        self.now.entries[key] = found
        self.world.notes.add(found.notes)
        result: R = found.result
        return result

    def close(self) -> None:
        """Keep what came of this linking, and nothing else."""
        for name, value in self._declared.items():
            setattr(self.world, name, value)
        if self.before is not None:
            self.before.entries = self.now.entries
            self.before.tables = self.now.tables
            self.before.fresh = self.now.fresh

    def _link(self, function: Function[Any], decl: Decl) -> Linked:
        outer = self.world.notes
        self._reads.clear()
        own: dict[str, Any] = {
            name: NotedTable((name,), rows, self._reads) for name, rows in self._offered.items()
        }
        self.world.notes = notes = Notes(**own)
        try:
            result = function(self.world, decl)
        finally:
            self.world.notes = outer
        for name, table in own.items():
            setattr(notes, name, table.own)
        sources = frozenset(_sources(notes)) if self.before is not None else frozenset()
        return Linked(decl, result, notes, frozenset(self._reads), sources)

    def _is_good(self, found: Linked, decl: Decl) -> bool:
        return (
            not self._all_changed
            and found.reads.isdisjoint(self._changed)
            and found.sources <= self._texts
            and _untouched(found.decl, decl)
        )

    # ---- what can be looked up ------------------------------------------------------------------

    def _seen(self, name: str, value: Any) -> Any:
        """A field of the world as declarations see it."""
        if isinstance(value, Book):
            pages = {field.name: getattr(value, field.name) for field in attrs.fields(Book)}
            pages["scenarios"] = ()  # nobody may look them up: there are more of them than names
            pages["amendments"] = pages["addressed"] = []  # and nobody needs to
            return Book(**{one: self._seen(one, page) for one, page in pages.items()})
        if isinstance(value, dict):
            return self._table((name,), value)
        old = self.before.tables.get((name,), {}) if self.before else {}
        self.now.tables[name,] = {name: value}
        if isinstance(value, Stack):
            if old.get(name) != value:
                self._changed.add((STACK, KEYS))
            return SeenStack(value, self._reads)
        # Nothing else is worth recording: if it changed, everything is linked again.
        self._all_changed = self._all_changed or not _alike(old.get(name), value)
        return value

    def _table(self, name: Name, rows: dict[Any, Any]) -> Table:
        """A table, after comparing it with what it was the last time."""
        self.now.tables[name] = dict(rows)
        old = self.before.tables.get(name, {}) if self.before else {}
        if list(old) != list(rows):
            self._changed.add((name, KEYS))
        seen = {}
        for key, row in rows.items():
            inner = isinstance(row, dict)
            seen[key] = self._table((*name, key), row) if inner else row
            if key not in old or not (inner or _alike(old[key], row)):
                self._changed.add((name, key))
        self._changed.update((name, key) for key in old if key not in rows)
        return Table(name, seen, self._reads)


def _told_alike(old: Any, new: Any) -> bool:
    """Whether data are the same; files are, if they are the very same."""
    return old is new or (isinstance(old, tuple) and bool(old == new))


def _alike(old: Any, new: Any) -> bool:
    """Whether there is nothing new to be seen: of declarations no more than the head is, and
    places do not count."""
    if old is new:
        return True
    if type(old) is not type(new):
        return False
    if isinstance(old, Decl):
        return _head(old) == _head(new) and (old.word not in _SHARED or _untouched(old, new))
    if isinstance(old, Item):
        return bool(old.pack == new.pack)
    if isinstance(old, Span):
        return True
    if isinstance(old, dict):
        return list(old) == list(new) and all(map(_alike, old.values(), new.values()))
    if attrs.has(type(old)) and "__eq__" not in vars(type(old)):
        names = [field.name for field in attrs.fields(type(old))]
        return all(_alike(getattr(old, name), getattr(new, name)) for name in names)
    return bool(old == new)


def _head(decl: Decl) -> tuple[Any, ...]:
    return decl.word, decl.path, decl.title, decl.pack, decl.home and _head(decl.home)


_RELATED = ("home", "children")  # other declarations
_OWN = attrgetter(*(one.name for one in attrs.fields(Decl) if one.name not in _RELATED))


def _untouched(old: Decl, new: Decl) -> bool:
    """Whether linking a declaration would read the same of its own syntax."""
    home = old.home is new.home or (old.home and new.home and _head(old.home) == _head(new.home))
    return bool(home) and all(map(_same, _OWN(old), _OWN(new)))


def _same(old: Any, new: Any) -> bool:
    """Whether two pieces of syntax are the same in the same places. What was not parsed again is
    the very same object; what amendments put together from it is made anew each time."""
    if old is new:
        return True
    if type(old) is not type(new):
        return False
    if type(old) is str:
        return bool(old == new)
    if isinstance(old, Token):
        return old == new and (old.start_pos, old.end_pos) == (new.start_pos, new.end_pos)
    if isinstance(old, Node):
        place, now = (old.rule, old.start, old.end), (new.rule, new.start, new.end)
        return place == now and _same(old.parts, new.parts)
    if isinstance(old, list) and old == new:  # nodes are equal to nothing but themselves
        return True
    if isinstance(old, tuple | list):
        return len(old) == len(new) and all(map(_same, old, new))
    return False


_SYNTAX = (Decl, Declaration, Node, Token, File)


def _sources(noted: Any) -> Iterator[Source]:
    """The texts that notes point at, whatever they are made of; syntax is compared by itself."""
    if isinstance(noted, Span):
        yield noted.source
    elif isinstance(noted, Mentions):
        return  # they stand where the syntax does
    elif isinstance(noted, Findings):
        yield from noted.sources()
    elif isinstance(noted, dict):
        for one in noted.values():
            yield from _sources(one)
    elif isinstance(noted, list | tuple):
        for one in noted:
            yield from _sources(one)
    elif attrs.has(type(noted)) and not isinstance(noted, _SYNTAX):
        for field in attrs.fields(type(noted)):
            yield from _sources(getattr(noted, field.name))
