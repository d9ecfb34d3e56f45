"""Pieces and their places: whose, which, in which state and where; counting and moving them."""

from collections.abc import Iterable
from typing import Any

import attrs

from ziggurat.runtime.kernel.description import form, the_pieces
from ziggurat.runtime.kernel.evaluator import Env, Evaluator, HiddenPieces, expression
from ziggurat.runtime.kernel.nodes import Expr, Stmt, Type
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps, statement


@form()
@attrs.frozen
class Whereabouts:
    """Where pieces are: kind `area` (expr: one area), `areas` (expr: a set), `board`, `own` (id: a
    place every owner has, such as the stock), `everywhere`."""

    kind: str
    expr: Expr | None = None
    id: str = ""


@form(reads=lambda one: the_pieces(one.pieces))
@attrs.frozen
class Units:
    """Some pieces: kinds (a group is spelled out), a state or None for any, and whose they are.
    `owner` is an owner, or a set of owners when `many`. `which` is the thing that is the piece
    meant, where only a game tells (`pieces` are then all that it can be)."""

    pieces: tuple[str, ...]
    state: str | None
    owner: Expr
    many: bool = False
    which: Expr | None = None


@form()
@attrs.frozen
class Count(Expr):
    """How many of the units are there; `exists` asks only whether any is (a bool)."""

    units: Units
    where: Whereabouts
    exists: bool
    type: Type


@form()
@attrs.frozen
class Having(Expr):
    """Those places of `source` that have at least one of the units."""

    source: Expr
    units: Units
    type: Type


@form(writes=lambda one: the_pieces(one.units.pieces))
@attrs.frozen
class Move(Stmt):
    """Pieces from one place to another (place and remove are moves from and to the piece's home:
    Whereabouts('own', id=home)). quantity None means all."""

    quantity: Expr | None
    units: Units
    source: Whereabouts
    target: Whereabouts
    state: str | None


@form(writes=lambda one: the_pieces(one.units.pieces))
@attrs.frozen
class Turn(Stmt):
    """Pieces change their state where they are."""

    quantity: Expr | None
    units: Units
    where: Whereabouts
    state: str


def owners(run: Evaluator, state: State, units: Units, env: Env) -> list[int]:
    """Whose pieces these are."""
    owner = run.given(state, units.owner, env)
    return list(owner) if units.many else [] if owner is None else [owner]


def kinds(run: Evaluator, state: State, units: Units, env: Env) -> tuple[str, ...]:
    """Which pieces are meant."""
    if units.which is None:
        return units.pieces
    which = run.given(state, units.which, env)
    return () if which is None else (run.table.things[which].id,)


def places(run: Evaluator, state: State, where: Whereabouts, env: Env) -> list[int]:
    """The places that are meant, as indices."""
    if where.expr is not None:
        meant = run.given(state, where.expr, env)
        return list(meant) if where.kind == "areas" else [] if meant is None else [meant]
    if where.kind == "own":
        return [run.table.place_ids[where.id]]
    return list(range(run.table.A if where.kind == "board" else run.table.Q))


def _cells(
    run: Evaluator, state: State, units: Units, places: Iterable[int], env: Env
) -> list[int]:
    """Where the units are counted."""
    whose, rows = owners(run, state, units, env), run.table.rows
    return [
        (rows[piece].total if units.state is None else rows[piece].states[units.state])
        + owner * run.table.Q
        + place
        for place in places
        for owner in whose
        for piece in kinds(run, state, units, env)
        if units.state is None or units.state in rows[piece].states
    ]


def number(run: Evaluator, state: State, units: Units, places: Iterable[int], env: Env) -> int:
    """How many of the units stand in these places."""
    cells, pieces = _cells(run, state, units, places, env), state.pieces
    if isinstance(pieces, HiddenPieces):
        return pieces.together(cells)
    return sum(pieces[at] for at in cells)


@expression(Count)
def _count(run: Evaluator, state: State, expr: Count, env: Env) -> Any:
    where, pieces = places(run, state, expr.where, env), state.pieces
    if expr.exists and isinstance(pieces, HiddenPieces):
        cells = _cells(run, state, expr.units, where, env)
        return pieces.any_shown(cells) or pieces.together(cells) > 0
    found = number(run, state, expr.units, where, env)
    return found > 0 if expr.exists else found


@expression(Having)
def _having(run: Evaluator, state: State, expr: Having, env: Env) -> Any:
    source = run.given(state, expr.source, env)
    return tuple(place for place in source if number(run, state, expr.units, [place], env))


@statement(Move)
def _move(run: Steps, state: State, node: Move, env: Locals) -> None:
    left = run.number_of(state, node.quantity, env)
    whose = owners(run, state, node.units, env)
    sources = places(run, state, node.source, env)
    targets = places(run, state, node.target, env)
    for source in sources if targets else ():
        for owner in whose:
            for piece in kinds(run, state, node.units, env):
                rows, before = run.table.rows[piece], node.units.state
                moved = state.move(rows, owner, source, targets[0], left, before, node.state)
                left = None if left is None else left - moved
    if left:
        run.short_of(node, left)


@statement(Turn)
def _turn(run: Steps, state: State, node: Turn, env: Locals) -> None:
    left = run.number_of(state, node.quantity, env)
    whose = owners(run, state, node.units, env)
    for place in places(run, state, node.where, env):
        for owner in whose:
            for piece in kinds(run, state, node.units, env):
                rows, before = run.table.rows[piece], node.units.state
                turned = state.turn(rows, owner, place, left, before, node.state)
                left = None if left is None else left - turned
