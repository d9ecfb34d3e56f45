"""Things that own pieces: the owner that each of them is."""

from ziggurat.runtime.kernel.evaluator import Env, Evaluator, operation
from ziggurat.runtime.kernel.forms.core import Op
from ziggurat.runtime.kernel.state import State


@operation("owner_of")
def _owner_of(run: Evaluator, state: State, expr: Op, env: Env) -> int | None:
    (thing,) = run.operands(state, expr, env)
    return None if thing is None else run.table.owner_of(thing)


@operation("owners_of")
def _owners_of(run: Evaluator, state: State, expr: Op, env: Env) -> tuple[int | None, ...]:
    (things,) = run.operands(state, expr, env)
    return tuple(run.table.owner_of(thing) for thing in things)
