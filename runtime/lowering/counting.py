"""Counting pieces: indexing and slices of the arrays they live in.

The pieces of one owner are in `pieces`; those of all owners together are kept in `sums`, so that
asking for them is one index as well.
"""

import ast
from collections.abc import Callable

import attrs

from ziggurat.dsl import ir
from ziggurat.runtime.lowering import expressions as ex
from ziggurat.runtime.lowering import python as py
from ziggurat.runtime.lowering.scope import Scope

Row = tuple[str, str | None]


def rows(units: ir.Units) -> list[Row]:
    return [(piece, units.state) for piece in units.pieces]


@attrs.frozen
class Pieces:
    """The rows of one owner, or of all together (None)."""

    fn: Scope
    owner: ast.expr | None

    def _item(self, what: str, *spec: str | None) -> ast.expr:
        """An entry of a table that has one for each owner."""
        found = self.fn.constant(what, *spec)
        return found if self.owner is None else py.item(found, self.owner)

    def in_area(self, row: Row, area: ast.expr) -> ast.expr:
        start = self._item("sums" if self.owner is None else "row", *row)
        return py.item(self._cells(), py.binary(start, "+", area))

    def in_place(self, row: Row, place: str) -> ast.expr:
        """In a place every owner has."""
        what = "sums_cell" if self.owner is None else "cells"
        return py.item(self._cells(), self._item(what, *row, place))

    def on(self, row: Row, where: str) -> ast.expr:
        """On the board, or everywhere: a slice."""
        what = {"board": "slices", "everywhere": "whole"}[where]
        what = what if self.owner is not None else f"sums_{what}"
        return py.item(self._cells(), self._item(what, *row))

    def _cells(self) -> ast.expr:
        return self.fn.part("N" if self.owner is None else "P")


def _is_everybody(units: ir.Units) -> bool:
    owner = units.owner
    return units.many and isinstance(owner, ir.All) and owner.of in ("owner", "owners")


def count(fn: Scope, node: ir.Count) -> ast.expr:
    made = _counted(fn, node, py.sums, "sum")
    return py.compare(made, ">", py.const(0)) if node.exists else made


def exists(fn: Scope, node: ir.Count) -> ast.expr:
    """As a condition: whether there are any."""
    return _counted(fn, node, py.either, "any") if node.exists else count(fn, node)


def _counted(
    fn: Scope, node: ir.Count, join: Callable[[list[ast.expr]], ast.expr], all_of: str
) -> ast.expr:
    """The rows of all the pieces, joined; `all_of` joins those of many places or owners."""
    units, where = node.units, node.where
    areas = ex.charged(fn, where.expr) if where.kind == "areas" and where.expr else None

    def at(owner: ast.expr | None, row: Row, area: ast.expr | None) -> ast.expr:
        whose = Pieces(fn, owner)
        return whose.in_place(row, where.id) if area is None else whose.in_area(row, area)

    def of(owner: ast.expr | None, area: ast.expr | None) -> ast.expr:
        whose = Pieces(fn, owner)
        if where.kind in ("area", "own"):
            return join([at(owner, row, area) for row in rows(units)])
        if areas is None:
            return join([py.call(all_of, whose.on(row, where.kind)) for row in rows(units)])
        var = fn.fresh()
        extra: list[tuple[str, ast.expr]] = []
        whose = Pieces(fn, owner and _once(fn, owner, extra))
        cells = py.sums([whose.in_area(row, py.name(var)) for row in rows(units)])
        return py.call(all_of, py.listed(cells, var, areas, None, extra))

    place = (where.expr,) if where.kind == "area" and where.expr is not None else ()
    if not units.many:

        def of_one(owner: ast.expr, area: ast.expr | None = None) -> ast.expr:
            return of(owner, area)

        return ex.through(fn, (units.owner, *place), of_one, lambda: py.const(0))

    def of_many(area: ast.expr | None = None) -> ast.expr:
        if _is_everybody(units):
            return of(None, area)
        var = fn.fresh()
        return py.call(all_of, py.listed(of(py.name(var), area), var, ex.charged(fn, units.owner)))

    return ex.through(fn, place, of_many, lambda: py.const(0))


def having(fn: Scope, node: ir.Having) -> ast.expr:
    """Those places that have some. Over the whole board one slice answers it."""
    units = node.units
    whole = isinstance(node.source, ir.All) and fn.shared.is_board(node.source.of)
    source = ex.have(fn, node.source)
    var = fn.fresh()
    area = py.name(var)
    extra: list[tuple[str, ast.expr]] = []

    def of(owner: ast.expr | None) -> ast.expr:
        if whole:
            found, *more = [Pieces(fn, owner).on(row, "board") for row in rows(units)]
            for other in more:
                found = py.call("map", py.name("or_"), found, other)
            return py.call("tuple", py.call("compress", source, found))
        whose = Pieces(fn, owner and _once(fn, owner, extra))
        test = py.either([whose.in_area(row, area) for row in rows(units)])
        return py.call("tuple", py.listed(area, var, source, test, extra))

    if not units.many:
        return ex.through(fn, (units.owner,), of, lambda: py.tuple_of([]))
    if _is_everybody(units):
        return of(None)
    owner_var = fn.fresh()
    cells = [Pieces(fn, py.name(owner_var)).in_area(row, area) for row in rows(units)]
    owners = _once(fn, ex.have(fn, units.owner), extra)
    found = py.call("any", py.listed(py.sums(cells), owner_var, owners))
    return py.call("tuple", py.listed(area, var, source, found, extra))


def _once(fn: Scope, value: ast.expr, extra: list[tuple[str, ast.expr]]) -> ast.expr:
    """Something used in every round of a comprehension, worked out only once before it."""
    if py.is_plain(value):
        return value
    var = fn.fresh()
    extra.append((var, value))
    return py.name(var)


ex.LOWER[ir.Count] = count
ex.LOWER[ir.Having] = having
ex.TESTS[ir.Count] = exists
