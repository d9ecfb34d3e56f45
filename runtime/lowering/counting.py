"""Counting pieces: indexing and slices of the one array they live in."""

import ast

from dsl import ir
from runtime.lowering import expressions as ex
from runtime.lowering import python as py
from runtime.lowering.scope import Scope

Row = tuple[str, str | None]


def rows(units: ir.Units) -> list[Row]:
    return [(piece, units.state) for piece in units.pieces]


def count(fn: Scope, node: ir.Count) -> ast.expr:
    made = _total(fn, node)
    return py.compare(made, ">", py.const(0)) if node.exists else made


def exists(fn: Scope, node: ir.Count) -> ast.expr:
    """Whether there are any, as a condition: any of the rows will do."""
    if not node.exists:
        return count(fn, node)
    if node.units.many or node.where.kind in ("areas", "everywhere"):
        return _total(fn, node)

    def make(owner: ast.expr, area: ast.expr | None = None) -> ast.expr:
        if node.where.kind == "board":
            return py.either([py.call("any", _slice(fn, row, owner)) for row in rows(node.units)])
        return py.either([cell(fn, row, owner, node.where, area) for row in rows(node.units)])

    return ex.through(fn, (node.units.owner, *_area(node.where)), make, lambda: py.const(0))


def _area(where: ir.Whereabouts) -> tuple[ir.Expr, ...]:
    return (where.expr,) if where.kind == "area" and where.expr is not None else ()


def _slice(fn: Scope, row: Row, owner: ast.expr) -> ast.expr:
    return py.item(fn.part("P"), py.item(fn.constant("slices", *row), owner))


def cell(
    fn: Scope, row: Row, owner: ast.expr, where: ir.Whereabouts, area: ast.expr | None
) -> ast.expr:
    """The number of pieces of one row in one place."""
    if area is None:
        return py.item(fn.part("P"), py.item(fn.constant("cells", *row, where.id), owner))
    return area_cell(fn, row, owner, area)


def area_cell(fn: Scope, row: Row, owner: ast.expr, area: ast.expr) -> ast.expr:
    return py.item(fn.part("P"), py.binary(py.item(fn.constant("row", *row), owner), "+", area))


def _total(fn: Scope, node: ir.Count) -> ast.expr:
    units, where = node.units, node.where
    if units.many:
        source = ex.charged(fn, units.owner)
        var = fn.fresh()

        def of_all(area: ast.expr | None = None) -> ast.expr:
            one = _of_one(fn, units, where, py.name(var), area)
            return py.call("sum", py.listed(one, var, source))

        return ex.through(fn, _area(where), of_all, lambda: py.const(0))

    def of_one(owner: ast.expr, area: ast.expr | None = None) -> ast.expr:
        return _of_one(fn, units, where, owner, area)

    return ex.through(fn, (units.owner, *_area(where)), of_one, lambda: py.const(0))


def _of_one(
    fn: Scope, units: ir.Units, where: ir.Whereabouts, owner: ast.expr, area: ast.expr | None
) -> ast.expr:
    """All rows of one owner, added up."""
    if where.kind == "board":
        return py.sums([py.call("sum", _slice(fn, row, owner)) for row in rows(units)])
    if where.kind == "everywhere":
        return py.sums(
            [
                py.call("sum", py.item(fn.part("P"), py.item(fn.constant("whole", *row), owner)))
                for row in rows(units)
            ]
        )
    if where.kind == "areas":
        assert where.expr is not None
        var = fn.fresh()
        extra: list[tuple[str, ast.expr]] = []
        owner = _once(fn, owner, extra)
        cells = py.sums([area_cell(fn, row, owner, py.name(var)) for row in rows(units)])
        source = ex.charged(fn, where.expr)
        return py.call("sum", py.listed(cells, var, source, None, extra))
    return py.sums([cell(fn, row, owner, where, area) for row in rows(units)])


def having(fn: Scope, node: ir.Having) -> ast.expr:
    """Those places that have some. Over the whole board one slice answers it."""
    units = node.units
    whole = isinstance(node.source, ir.All) and fn.shared.is_board(node.source.of)
    source = ex.have(fn, node.source)

    def of_one(owner: ast.expr) -> ast.expr:
        if whole and len(units.pieces) == 1:
            return py.call("tuple", py.call("compress", source, _slice(fn, rows(units)[0], owner)))
        extra: list[tuple[str, ast.expr]] = []
        owner = _once(fn, owner, extra)
        found = py.either([area_cell(fn, row, owner, area) for row in rows(units)])
        return py.call("tuple", py.listed(area, var, source, found, extra))

    var = fn.fresh()
    area = py.name(var)
    if not units.many:
        return ex.through(fn, (units.owner,), of_one, lambda: py.tuple_of([]))
    extra: list[tuple[str, ast.expr]] = []
    owner_var = fn.fresh()
    cells = [area_cell(fn, row, py.name(owner_var), area) for row in rows(units)]
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
