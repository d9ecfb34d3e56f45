"""Counting and moving pieces: indexing and slices of the arrays they live in.

The pieces of one owner are in `pieces`; those of all owners together are kept in `sums`, so that
asking for them is one index as well.
"""

import ast
from collections.abc import Callable, Sequence

import attrs

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.constants import constant
from ziggurat.runtime.compiler.expressions import charged, condition, expression, null_safe, or_zero
from ziggurat.runtime.compiler.scope import Scope
from ziggurat.runtime.compiler.statements import SkipIfNone, quantity, state_call, statement
from ziggurat.runtime.kernel.table import PieceRows, Table

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
        what = "sums_cells" if self.owner is None else "cells"
        return py.item(self._cells(), self._item(what, *row, place))

    def on(self, row: Row, where: str) -> ast.expr:
        """On the board, or everywhere: a slice."""
        what = {"board": "slices", "everywhere": "whole"}[where]
        what = what if self.owner is not None else f"sums_{what}"
        return py.item(self._cells(), self._item(what, *row))

    def number(self, row: Row, where: str, all_of: str) -> ast.expr:
        """How many there are on the board (or everywhere), or whether there are any. Pieces are
        never lost, so those on the board are those that are not in the few places beside it."""
        twice = self.owner is None or py.is_cheap(self.owner)
        if row[1] is not None or where != "board" or not twice:
            return py.call(all_of, self.on(row, where))
        every = "" if self.owner is not None else "sums_"
        beside = py.item(self._cells(), self._item(f"{every}beside", *row))
        return py.binary(self._item(f"{every}supply", row[0]), "-", py.call("sum", beside))

    def _cells(self) -> ast.expr:
        return self.fn.part("N" if self.owner is None else "P")


def _in_question(fn: Scope, units: ir.Units, where: ir.Whereabouts, all_of: str) -> ast.expr | None:
    """Pieces of which only the game tells which they are: found by the thing in question."""
    which = units.which
    if which is None:
        return None
    place = (where.expr,) if where.kind == "area" and where.expr is not None else ()
    one_place = where.kind in ("area", "own")
    if not units.many and one_place and units.state is None:

        def cell(thing: ast.expr, owner: ast.expr, area: ast.expr | None = None) -> ast.expr:
            spot = area if area is not None else fn.constant("place", where.id)
            start = py.item(py.item(fn.constant("which_rows"), thing), owner)
            return py.item(fn.part("P"), py.binary(start, "+", spot))

        return null_safe(fn, (which, units.owner, *place), cell, lambda: py.const(0))

    def many(thing: ast.expr, *rest: ast.expr) -> ast.expr:
        owners = or_zero(fn, units.owner) if units.many else py.tuple_of([rest[0]])
        spots = py.tuple_of([rest[-1]]) if place else _spots(fn, where)
        rows = py.item(fn.constant("which_pieces"), thing)
        return py.call("count_some", py.name("S"), rows, owners, spots, _text(fn, units.state))

    owner = () if units.many else (units.owner,)
    return null_safe(fn, (which, *owner, *place), many, lambda: py.const(0))


def _spots(fn: Scope, where: ir.Whereabouts) -> ast.expr:
    """Several places, or one that every owner has."""
    if where.expr is not None:
        return charged(fn, where.expr)
    if where.kind == "own":
        return py.tuple_of([fn.constant("place", where.id)])
    return fn.constant(where.kind)


def _is_everybody(units: ir.Units) -> bool:
    owner = units.owner
    return units.many and isinstance(owner, ir.All) and owner.of in ("owner", "owners")


@expression(ir.Count)
def count(fn: Scope, node: ir.Count) -> ast.expr:
    made = _counted(fn, node, py.sums, "sum")
    return py.compare(made, ">", py.const(0)) if node.exists else made


@condition(ir.Count)
def exists(fn: Scope, node: ir.Count) -> ast.expr:
    """As a condition: whether there are any."""
    return _counted(fn, node, py.either, "any") if node.exists else count(fn, node)


def _counted(
    fn: Scope, node: ir.Count, join: Callable[[list[ast.expr]], ast.expr], all_of: str
) -> ast.expr:
    """The rows of all the pieces, joined; `all_of` joins those of many places or owners."""
    units, where = node.units, node.where
    told = _in_question(fn, units, where, all_of)
    if told is not None:
        return told
    areas = charged(fn, where.expr) if where.kind == "areas" and where.expr else None

    def at(owner: ast.expr | None, row: Row, area: ast.expr | None) -> ast.expr:
        whose = Pieces(fn, owner)
        return whose.in_place(row, where.id) if area is None else whose.in_area(row, area)

    def of(owner: ast.expr | None, area: ast.expr | None) -> ast.expr:
        whose = Pieces(fn, owner)
        if where.kind in ("area", "own"):
            return join([at(owner, row, area) for row in rows(units)])
        if areas is None:
            return join([whose.number(row, where.kind, all_of) for row in rows(units)])
        var = fn.fresh()
        extra: list[tuple[str, ast.expr]] = []
        whose = Pieces(fn, owner and _once(fn, owner, extra))
        cells = py.sums([whose.in_area(row, py.name(var)) for row in rows(units)])
        return py.call(all_of, py.listed(cells, var, areas, None, extra))

    place = (where.expr,) if where.kind == "area" and where.expr is not None else ()
    if not units.many:

        def of_one(owner: ast.expr, area: ast.expr | None = None) -> ast.expr:
            return of(owner, area)

        return null_safe(fn, (units.owner, *place), of_one, lambda: py.const(0))

    def of_many(area: ast.expr | None = None) -> ast.expr:
        if _is_everybody(units):
            return of(None, area)
        var = fn.fresh()
        return py.call(all_of, py.listed(of(py.name(var), area), var, charged(fn, units.owner)))

    return null_safe(fn, place, of_many, lambda: py.const(0))


@expression(ir.Having)
def having(fn: Scope, node: ir.Having) -> ast.expr:
    """Those places that have some. Over the whole board one slice answers it."""
    units = node.units
    if units.which is not None:
        return _having_some(fn, node, units.which)
    whole = isinstance(node.source, ir.All) and fn.shared.is_board(node.source.of)
    source = or_zero(fn, node.source)
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
        return null_safe(fn, (units.owner,), of, lambda: py.tuple_of([]))
    if _is_everybody(units):
        return of(None)
    owner_var = fn.fresh()
    cells = [Pieces(fn, py.name(owner_var)).in_area(row, area) for row in rows(units)]
    owners = _once(fn, or_zero(fn, units.owner), extra)
    found = py.call("any", py.listed(py.sums(cells), owner_var, owners))
    return py.call("tuple", py.listed(area, var, source, found, extra))


def _having_some(fn: Scope, node: ir.Having, which: ir.Expr) -> ast.expr:
    units = node.units

    def make(thing: ast.expr, owner: ast.expr | None = None) -> ast.expr:
        owners = or_zero(fn, units.owner) if owner is None else py.tuple_of([owner])
        rows = py.item(fn.constant("which_pieces"), thing)
        source, state = or_zero(fn, node.source), _text(fn, units.state)
        return py.call("having_some", py.name("S"), rows, owners, source, state)

    owner = () if units.many else (units.owner,)
    return null_safe(fn, (which, *owner), make, lambda: py.tuple_of([]))


def _once(fn: Scope, value: ast.expr, extra: list[tuple[str, ast.expr]]) -> ast.expr:
    """Something used in every round of a comprehension, worked out only once before it."""
    if py.is_plain(value):
        return value
    var = fn.fresh()
    extra.append((var, value))
    return py.name(var)


@statement(ir.Move)
def _move(fn: Scope, node: ir.Move) -> list[ast.stmt]:
    units, sure = node.units, SkipIfNone(fn)
    number = quantity(fn, node.quantity)
    owner = _owner(fn, sure, units)
    source, target = _place(fn, sure, node.source), _place(fn, sure, node.target)
    states = (_text(fn, units.state), _text(fn, node.state))
    kinds = _kinds(fn, sure, units)
    if len(kinds) == 1 and not units.many and node.source.kind in ("area", "own"):
        (rows,) = kinds
        made = state_call("move", rows, owner, source, target, number, *states)
        return sure.run(made)
    some = _of_many(units, kinds, owner, node.source, source)
    return sure.run(ast.Expr(py.call("move_many", *some, target, number, *states)))


@statement(ir.Turn)
def _turn(fn: Scope, node: ir.Turn) -> list[ast.stmt]:
    units, sure = node.units, SkipIfNone(fn)
    owner, where = _owner(fn, sure, units), _place(fn, sure, node.where)
    some = _of_many(units, _kinds(fn, sure, units), owner, node.where, where)
    states = (_text(fn, units.state), _text(fn, node.state))
    made = py.call("turn_many", *some, quantity(fn, node.quantity), *states)
    return sure.run(ast.Expr(made))


def _kinds(fn: Scope, skip: SkipIfNone, units: ir.Units) -> list[ast.expr]:
    if units.which is not None:
        return [py.item(fn.constant("which_pieces"), skip(units.which))]
    return [fn.constant("pieces", piece) for piece in units.pieces]


def _of_many(
    units: ir.Units,
    kinds: list[ast.expr],
    owner: ast.expr,
    where: ir.Whereabouts,
    place: ast.expr,
) -> list[ast.expr]:
    """The state, the kinds of pieces, their owners and the places."""
    return [
        py.name("S"),
        py.tuple_of(kinds),
        owner if units.many else py.tuple_of([owner]),
        py.tuple_of([place]) if where.kind in ("area", "own") else place,
    ]


def _owner(fn: Scope, skip: SkipIfNone, units: ir.Units) -> ast.expr:
    return or_zero(fn, units.owner) if units.many else skip(units.owner)


def _place(fn: Scope, skip: SkipIfNone, where: ir.Whereabouts) -> ast.expr:
    """One place, or several in a tuple."""
    if where.expr is not None:
        return skip(where.expr) if where.kind == "area" else or_zero(fn, where.expr)
    if where.kind == "own":
        return fn.constant("place", where.id)
    return fn.constant(where.kind)


def _text(fn: Scope, value: str | None) -> ast.expr:
    return py.const(None) if value is None else fn.constant("text", value)


@constant("pieces")
def _bind_pieces(table: Table, piece: str) -> PieceRows:
    return table.rows[piece]


@constant("which_pieces")
def _bind_which(table: Table) -> list[PieceRows | None]:
    """The piece that each thing is."""
    return [table.rows.get(one.id) if table.is_piece(one) else None for one in table.things]


@constant("which_rows")
def _bind_which_rows(table: Table) -> list[list[int] | None]:
    found = _bind_which(table)
    return [None if rows is None else _bind_row(table, rows.id, None) for rows in found]


@constant("place")
def _bind_place(table: Table, id_: str) -> int:
    return table.place_ids[id_]


@constant("board")
def _bind_board(table: Table) -> tuple[int, ...]:
    return tuple(range(table.A))


@constant("everywhere")
def _bind_everywhere(table: Table) -> tuple[int, ...]:
    return tuple(range(table.Q))


@constant("row")
def _bind_row(table: Table, piece: str, state: str | None) -> list[int]:
    """Where the row of each owner begins."""
    rows = table.rows[piece]
    first = rows.total if state is None else rows.states[state]
    return [first + owner * table.Q for owner in table.owners]


@constant("cells")
def _bind_cells(table: Table, piece: str, state: str | None, place: str) -> list[int]:
    return [start + table.place_ids[place] for start in _bind_row(table, piece, state)]


@constant("slices")
def _bind_slices(table: Table, piece: str, state: str | None) -> list[slice]:
    """What of each row is on the board."""
    return [slice(start, start + table.A) for start in _bind_row(table, piece, state)]


@constant("whole")
def _bind_whole(table: Table, piece: str, state: str | None) -> list[slice]:
    return [slice(start, start + table.Q) for start in _bind_row(table, piece, state)]


@constant("sums")
def _bind_sums(table: Table, piece: str, state: str | None) -> int:
    """Where the row of all owners together begins."""
    rows = table.rows[piece]
    return rows.sums if state is None else rows.state_sums[state]


@constant("sums_cells")
def _bind_sums_cells(table: Table, piece: str, state: str | None, place: str) -> int:
    return _bind_sums(table, piece, state) + table.place_ids[place]


@constant("sums_slices")
def _bind_sums_slices(table: Table, piece: str, state: str | None) -> slice:
    start = _bind_sums(table, piece, state)
    return slice(start, start + table.A)


@constant("sums_whole")
def _bind_sums_whole(table: Table, piece: str, state: str | None) -> slice:
    start = _bind_sums(table, piece, state)
    return slice(start, start + table.Q)


@constant("beside")
def _bind_beside(table: Table, piece: str, state: str | None) -> list[slice]:
    """What of each row is not on the board."""
    return [slice(start + table.A, start + table.Q) for start in _bind_row(table, piece, state)]


@constant("sums_beside")
def _bind_sums_beside(table: Table, piece: str, state: str | None) -> slice:
    start = _bind_sums(table, piece, state)
    return slice(start + table.A, start + table.Q)


@constant("supply")
def _bind_supply(table: Table, piece: str) -> Sequence[int]:
    return table.supply[piece]


@constant("sums_supply")
def _bind_sums_supply(table: Table, piece: str) -> int:
    return sum(table.supply[piece])
