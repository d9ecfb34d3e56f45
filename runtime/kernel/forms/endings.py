"""Letting somebody act again, and the end of the game."""

from ziggurat.dsl import ir
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps, statement


@statement(ir.Recall)
def _recall(run: Steps, state: State, node: ir.Recall, env: Locals) -> None:
    player = run.evaluate(state, node.player, env)
    if player is not None:
        state.recall(player)


@statement(ir.EndGame)
def _end(run: Steps, state: State, node: ir.EndGame, env: Locals) -> None:
    state.over = True
