"""Games that say why: a refused action is told with the reason of the rule that forbids it.

The machine knows which requirement failed. Which clause of which rule made it fail takes an
explanation, and explanations need the reference evaluator, which the machine does without.
"""

from typing import Any

from ziggurat.proving.explain import explain_action, forbidden
from ziggurat.runtime.game import Game
from ziggurat.runtime.state import State


class ExplainedGame(Game):
    """A game whose refusals carry the reason of the rule behind them. This is the public `Game`."""

    def reason(self, state: State, action: str, player: int, args: tuple[Any, ...]) -> str:
        found = explain_action(self.table, state, action, player, args)
        return found.reason if found is not None and forbidden(list(found.parts)) else ""


start = ExplainedGame.start
