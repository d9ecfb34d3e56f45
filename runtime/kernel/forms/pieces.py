"""Counting and moving pieces, one after the other."""

from collections.abc import Iterable
from typing import Any

from ziggurat.dsl import ir
from ziggurat.runtime.kernel.evaluator import Env, Evaluator, HiddenPieces, expression
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps, statement


def owners(run: Evaluator, state: State, units: ir.Units, env: Env) -> list[int]:
    """Whose pieces these are."""
    owner = run.given(state, units.owner, env)
    return list(owner) if units.many else [] if owner is None else [owner]


def kinds(run: Evaluator, state: State, units: ir.Units, env: Env) -> tuple[str, ...]:
    """Which pieces are meant."""
    if units.which is None:
        return units.pieces
    which = run.given(state, units.which, env)
    return () if which is None else (run.table.things[which].id,)


def places(run: Evaluator, state: State, where: ir.Whereabouts, env: Env) -> list[int]:
    """The places that are meant, as indices."""
    if where.expr is not None:
        meant = run.given(state, where.expr, env)
        return list(meant) if where.kind == "areas" else [] if meant is None else [meant]
    if where.kind == "own":
        return [run.table.place_ids[where.id]]
    return list(range(run.table.A if where.kind == "board" else run.table.Q))


def _cells(
    run: Evaluator, state: State, units: ir.Units, places: Iterable[int], env: Env
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


def number(run: Evaluator, state: State, units: ir.Units, places: Iterable[int], env: Env) -> int:
    """How many of the units stand in these places."""
    cells, pieces = _cells(run, state, units, places, env), state.pieces
    if isinstance(pieces, HiddenPieces):
        return pieces.together(cells)
    return sum(pieces[at] for at in cells)


@expression(ir.Count)
def _count(run: Evaluator, state: State, expr: ir.Count, env: Env) -> Any:
    where, pieces = places(run, state, expr.where, env), state.pieces
    if expr.exists and isinstance(pieces, HiddenPieces):
        cells = _cells(run, state, expr.units, where, env)
        return pieces.any_shown(cells) or pieces.together(cells) > 0
    found = number(run, state, expr.units, where, env)
    return found > 0 if expr.exists else found


@expression(ir.Having)
def _having(run: Evaluator, state: State, expr: ir.Having, env: Env) -> Any:
    source = run.given(state, expr.source, env)
    return tuple(place for place in source if number(run, state, expr.units, [place], env))


@statement(ir.Move)
def _move(run: Steps, state: State, node: ir.Move, env: Locals) -> None:
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


@statement(ir.Turn)
def _turn(run: Steps, state: State, node: ir.Turn, env: Locals) -> None:
    left = run.number_of(state, node.quantity, env)
    whose = owners(run, state, node.units, env)
    for place in places(run, state, node.where, env):
        for owner in whose:
            for piece in kinds(run, state, node.units, env):
                rows, before = run.table.rows[piece], node.units.state
                turned = state.turn(rows, owner, place, left, before, node.state)
                left = None if left is None else left - turned
