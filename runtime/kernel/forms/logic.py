"""What looks only at the operands it needs."""

from typing import Any

from ziggurat.runtime.kernel.evaluator import Env, Evaluator, operation
from ziggurat.runtime.kernel.forms.core import Op
from ziggurat.runtime.kernel.state import State


@operation("and")
def _and(run: Evaluator, state: State, expr: Op, env: Env) -> bool:
    return all(run.evaluate(state, arg, env) for arg in expr.args)


@operation("or")
def _or(run: Evaluator, state: State, expr: Op, env: Env) -> bool:
    return any(run.evaluate(state, arg, env) for arg in expr.args)


@operation("if")
def _if(run: Evaluator, state: State, expr: Op, env: Env) -> Any:
    condition, then, other = expr.args
    return run.evaluate(state, then if run.evaluate(state, condition, env) else other, env)
