"""Values that are remembered: worked out once, and again only when something they read changed.

A state carries notes, a dict for each group of values that read the same parts of a position.
Whatever writes one of these parts throws the notes of the group away, so what is noted always
holds; copies share notes until one of them does. Values that read pieces are one group, because
pieces change all the time and each change should cost one store. Values that read only the data of
things are a group that nothing throws away.
"""

import ast
from collections.abc import Iterable
from typing import Any

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.scope import Scope
from ziggurat.runtime.kernel.description import ATTRIBUTES, PIECES, Touch, described
from ziggurat.runtime.kernel.walking import calls, reads, walk

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

    def about(self, attribute: str) -> tuple[int, ...]:
        """The groups of values that read an attribute."""
        return tuple(sorted(self._touched.get(Touch(ATTRIBUTES, attribute), ())))

    def forget(self, node: ir.Stmt) -> list[ast.stmt]:
        """What follows a statement: whatever was noted about the parts it changes is void."""
        notes = py.attribute("S", "notes")
        parts = _coarse(described(node).writes(node))
        groups = {group for part in parts for group in self._touched.get(part, ())}
        return [
            py.store(py.item(notes, py.const(group)), ast.Dict([], [])) for group in sorted(groups)
        ]

    def look_up(
        self, group: int, value: ir.Value, fresh: str, args: list[ast.expr], scope: Scope
    ) -> list[ast.stmt]:
        """The body of a function that looks its value up and notes it if it is not there."""
        own, key, found = scope.fresh(), scope.fresh(), scope.fresh()
        pairs = zip(value.params, args, strict=True)
        long = [arg for param, arg in pairs if param.type.name in _LONG]
        work = py.call(fresh, py.name("S"), *args)
        if long or value.type.name in _LONG:
            new = [py.assign(found, py.call("note_short", py.name(own), py.name(key), work, *long))]
        else:
            full = py.compare(py.call("len", py.name(own)), ">=", py.name("NOTES"))
            place = ast.Subscript(py.name(own), py.name(key), ast.Store())
            new = [
                py.when(full, [ast.Expr(py.method(py.name(own), "clear"))]),
                ast.Assign([ast.Name(found, ast.Store()), place], work),
            ]
        return [
            py.assign(own, py.item(py.attribute("S", "notes"), py.const(group))),
            py.assign(key, py.tuple_of([py.const(value.id), *args])),
            py.assign(found, py.method(py.name(own), "get", py.name(key), py.name("MISSING"))),
            py.when(py.compare(py.name(found), "is", py.name("MISSING")), new),
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
