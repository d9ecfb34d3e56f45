"""Things that players hold."""

import attrs

from ziggurat.runtime.kernel.description import HOLDINGS, form
from ziggurat.runtime.kernel.evaluator import Env, Evaluator, operation
from ziggurat.runtime.kernel.forms.core import Op
from ziggurat.runtime.kernel.nodes import Expr, Stmt
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps, statement


@form(writes=lambda one: (HOLDINGS,))
@attrs.frozen
class Give(Stmt):
    """A player comes to hold a thing (`gain`), or no longer does."""

    thing: Expr
    player: Expr
    gain: bool


@operation("holds")
def _holds(run: Evaluator, state: State, expr: Op, env: Env) -> bool:
    player, thing = run.operands(state, expr, env)
    return player is not None and thing is not None and state.holds(player, thing)


@statement(Give)
def _give(run: Steps, state: State, node: Give, env: Locals) -> None:
    thing, player = run.evaluate(state, node.thing, env), run.evaluate(state, node.player, env)
    if thing is not None and player is not None:
        (state.give if node.gain else state.take)(thing, player)
