"""Values that are remembered: worked out once, and again only when something they read changed.

A state carries notes, a dict for each group of values that read the same parts of a position.
Whatever writes one of these parts throws the notes of the group away, so what is noted always
holds; copies share notes until one of them does. Values that read pieces are one group, because
pieces change all the time and each change should cost one store. Values that read only the data of
things are a group that nothing throws away.
"""

import ast
from collections.abc import Callable, Iterable
from typing import Any

from ziggurat.dsl import ir
from ziggurat.dsl.forms.description import ATTRIBUTES, PIECES, Touch, described
from ziggurat.dsl.forms.walking import calls, reads, walk
from ziggurat.runtime.lowering import python as py

Parts = frozenset[Touch]
_LONG = ("set", "list", "map")
_JOINING = ("union", "minus", "common")


class Memo:
    """Which values of one ruleset are remembered, and what their groups read."""

    def __init__(self, ruleset: ir.Ruleset) -> None:
        self._values = ruleset.values
        self._orders = ruleset.orders
        self._own: dict[str, tuple[Parts, set[str]]] = {}
        self._groups: dict[Parts, int] = {}
        self._of: dict[str, int] = {}
        self._touched: dict[Touch, set[int]] = {}
        pieces = frozenset((Touch(PIECES),))
        for value in ruleset.values.values():
            if _is_worth_it(value):
                parts = self._reads(value.id)
                kind = pieces if pieces & parts else parts
                group = self._of[value.id] = self._groups.setdefault(kind, len(self._groups))
                for part in parts:
                    self._touched.setdefault(part, set()).add(group)

    @property
    def facts(self) -> Any:
        """All that generated code depends on."""
        return self._of, self._touched

    def group(self, value: str) -> int | None:
        return self._of.get(value)

    def _reads(self, value: str) -> Parts:
        """The parts of a position a value looks at, by itself or through others."""
        seen, todo = {value}, [value]
        found: set[Touch] = set()
        while todo:
            own, called = self._reads_itself(todo.pop())
            found |= own
            todo.extend(called - seen)
            seen |= called
        return frozenset(found)

    def _reads_itself(self, value: str) -> tuple[Parts, set[str]]:
        """What a value reads itself, and the values it calls."""
        if value not in self._own:
            rule = self._values[value]
            called: set[str] = set()
            for sort, id_ in calls(rule):
                called |= {*self._orders[id_].keys} if sort == "order" else {id_}
            self._own[value] = _coarse(reads(rule)), called
        return self._own[value]

    # ---- generated code

    def forget(self, node: ir.Stmt) -> list[ast.stmt]:
        """What follows a statement: whatever was noted about the parts it changes is void."""
        notes = py.attribute("S", "notes")
        parts = _coarse(described(node).writes(node))
        groups = {group for part in parts for group in self._touched.get(part, ())}
        return [
            py.store(py.item(notes, py.const(group)), py.const(None)) for group in sorted(groups)
        ]

    def look_up(
        self, group: int, value: ir.Value, fresh: str, args: list[ast.expr], var: Callable[[], str]
    ) -> list[ast.stmt]:
        """The body of a function that looks its value up and notes it if it is not there."""
        own, key, found = var(), var(), var()
        notes = py.attribute("S", "notes")
        begin = ast.Assign(
            [ast.Name(own, ast.Store()), ast.Subscript(notes, py.const(group), ast.Store())],
            ast.Dict([], []),
        )
        work = py.call(fresh, py.name("S"), *args)
        pairs = zip(value.params, args, strict=True)
        long = [arg for param, arg in pairs if param.type.name in _LONG]
        note = "note_short" if long or value.type.name in _LONG else "note"
        return [
            py.assign(own, py.method(notes, "get", py.const(group))),
            py.when(py.compare(py.name(own), "is", py.const(None)), [begin]),
            py.assign(key, py.tuple_of([py.const(value.id), *args])),
            py.assign(found, py.method(py.name(own), "get", py.name(key), py.name("MISSING"))),
            py.when(
                py.compare(py.name(found), "is", py.name("MISSING")),
                [py.assign(found, py.call(note, py.name(own), py.name(key), work, *long))],
            ),
            ast.Return(py.name(found)),
        ]


def _is_worth_it(value: ir.Value) -> bool:
    """Does it loop or join sets by itself, for arguments that can be looked up?"""
    known = all(_is_hashable(param.type) for param in value.params)
    return known and any(
        described(node).loops or (isinstance(node, ir.Op) and node.op in _JOINING)
        for node in walk(value)
    )


def _is_hashable(type_: ir.Type) -> bool:
    return type_.name != "map" and (type_.item is None or _is_hashable(type_.item))


def _coarse(touches: Iterable[Touch]) -> Parts:
    """Attributes are told apart; of pieces and of piles, one is as good as all."""
    return frozenset(t if t.part == ATTRIBUTES else Touch(t.part) for t in touches)
