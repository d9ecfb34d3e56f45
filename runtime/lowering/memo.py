"""Values that are noted down: worked out once, and again only when something they read changed.

A state carries notes, a dict for each group of values that read the same parts of a position.
Whatever writes one of these parts throws the notes of the group away, so what is noted always
holds; copies share notes until one of them does. Values that read pieces are one group, because
pieces change all the time and each change should cost one store.
"""

import ast
from typing import Any

from ziggurat.dsl import ir
from ziggurat.dsl.forms.description import PIECES
from ziggurat.runtime.lowering import python as py
from ziggurat.runtime.lowering.purity import Purity


class Noting:
    """Which values of one ruleset are noted down, and what their groups read."""

    def __init__(self, ruleset: ir.Ruleset, purity: Purity) -> None:
        self._groups: dict[frozenset[str], int] = {}
        self._of: dict[str, int] = {}
        self._touched: dict[str, set[int]] = {}
        for value in ruleset.values.values():
            reads = purity.reads(value.id) if purity.is_worth_noting(value) else frozenset()
            if reads:
                kind = frozenset((PIECES,)) if PIECES in reads else reads
                group = self._of[value.id] = self._groups.setdefault(kind, len(self._groups))
                for part in reads:
                    self._touched.setdefault(part, set()).add(group)

    def group(self, value: str) -> int | None:
        return self._of.get(value)

    def forget(self, part: str) -> list[ast.stmt]:
        """What follows a change of a part of the position."""
        notes = py.attribute("S", "notes")
        groups = sorted(self._touched.get(part, ()))
        return [py.store(py.item(notes, py.const(group)), py.const(None)) for group in groups]

    def look_up(
        self, group: int, value: str, fresh: str, args: list[ast.expr], var: Any
    ) -> list[ast.stmt]:
        """The body of a function that looks its value up and notes it if it is not there."""
        own, key, found = var(), var(), var()
        notes = py.attribute("S", "notes")
        begin = ast.Assign(
            [ast.Name(own, ast.Store()), ast.Subscript(notes, py.const(group), ast.Store())],
            ast.Dict([], []),
        )
        work = py.call(fresh, py.name("S"), *args)
        return [
            py.assign(own, py.method(notes, "get", py.const(group))),
            py.when(py.compare(py.name(own), "is", py.const(None)), [begin]),
            py.assign(key, py.tuple_of([py.const(value), *args])),
            py.assign(found, py.method(py.name(own), "get", py.name(key), py.name("MISSING"))),
            py.when(
                py.compare(py.name(found), "is", py.name("MISSING")),
                [py.assign(found, py.call("note", py.name(own), py.name(key), work))],
            ),
            ast.Return(py.name(found)),
        ]
