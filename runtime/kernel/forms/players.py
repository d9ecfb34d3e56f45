"""Players among themselves: all others, who sits to the left, whether an owner is one."""

from typing import Any

from ziggurat.runtime.kernel.evaluator import Env, Evaluator, operation
from ziggurat.runtime.kernel.forms.core import Op
from ziggurat.runtime.kernel.nodes import blank
from ziggurat.runtime.kernel.state import State


@operation("others")
def _others(run: Evaluator, state: State, expr: Op, env: Env) -> tuple[int, ...]:
    (player,) = run.operands(state, expr, env)
    return () if player is None else tuple(p for p in run.table.players if p != player)


@operation("left_of")
def _left_of(run: Evaluator, state: State, expr: Op, env: Env) -> Any:
    (player,) = run.operands(state, expr, env)
    return blank(expr.type) if player is None else (player + 1) % len(run.table.players)


@operation("player")
def _player(run: Evaluator, state: State, expr: Op, env: Env) -> int | None:
    (owner,) = run.operands(state, expr, env)
    return owner if owner in run.table.players else None


@operation("is_player")
def _is_player(run: Evaluator, state: State, expr: Op, env: Env) -> bool:
    (owner,) = run.operands(state, expr, env)
    return owner in run.table.players
