"""What players hold."""

from ziggurat.dsl import ir
from ziggurat.runtime.kernel.evaluator import Env, Evaluator, operation
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps, statement


@operation("holds")
def _holds(run: Evaluator, state: State, expr: ir.Op, env: Env) -> bool:
    player, thing = run.operands(state, expr, env)
    return player is not None and thing is not None and state.holds(player, thing)


@statement(ir.Give)
def _give(run: Steps, state: State, node: ir.Give, env: Locals) -> None:
    thing, player = run.evaluate(state, node.thing, env), run.evaluate(state, node.player, env)
    if thing is not None and player is not None:
        (state.give if node.gain else state.take)(thing, player)
