"""How everybody stands, as far as one seat may know: a score may count what others hide."""

from typing import Any

from ziggurat.proving.evaluator import Evaluator
from ziggurat.proving.veil import Unseen, veiled
from ziggurat.runtime.game import Game


class Standing:
    """The values of players as a seat knows them. When a game is over, nothing is hidden."""

    def __init__(self, game: Game, seat: str) -> None:
        self._game = game
        number = game.table.owner_ids[seat]
        shown = game.shown(number)
        self._state = shown.copy() if game.over else veiled(game.table, shown, number)
        self._evaluator = Evaluator(game.table)

    def value(self, name: str, player: str) -> Any:
        """A value of a player, none if it depends on something that the seat may not see."""
        try:
            return self._read(name, player)
        except Unseen:
            return None

    def ranking(self) -> list[str]:
        """The seats, best first; as they sit where that would tell something hidden."""
        game = self._game
        order = next(iter(game.ruleset.turns.values())).ranking
        keys = game.ruleset.orders[order].keys if order else ()
        seats = list(game.seats)
        try:
            rank = {seat: [self._read(key, seat) for key in keys] for seat in seats}
        except Unseen:
            return seats
        return sorted(seats, key=lambda seat: rank[seat])

    def _read(self, name: str, player: str) -> Any:
        table = self._game.table
        found = self._evaluator.value(self._state, name, (table.owner_ids[player],))
        return table.name(found, self._game.ruleset.values[name].type)
