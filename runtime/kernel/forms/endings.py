"""The course of the game: who may act again, and its end."""

import attrs

from ziggurat.runtime.kernel.description import COURSE, ENDS, form
from ziggurat.runtime.kernel.nodes import Expr, Stmt
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps, statement


@form(writes=lambda one: (COURSE,))
@attrs.frozen
class Recall(Stmt):
    player: Expr


@form(writes=lambda one: (COURSE,), ends=ENDS)
@attrs.frozen
class EndGame(Stmt):
    """After this statement nothing happens any more."""


@statement(Recall)
def _recall(run: Steps, state: State, node: Recall, env: Locals) -> None:
    player = run.evaluate(state, node.player, env)
    if player is not None:
        state.recall(player)


@statement(EndGame)
def _end(run: Steps, state: State, node: EndGame, env: Locals) -> None:
    state.over = True
