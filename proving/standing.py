"""How everybody stands, as far as one seat may know: a score may count what others hide."""

from collections.abc import Callable
from typing import Any

from ziggurat.proving.veil import Unseen, veiled
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.game.moment import Moment, shared_ranks
from ziggurat.runtime.kernel.errors import InternalError
from ziggurat.runtime.kernel.evaluator import Evaluator
from ziggurat.runtime.kernel.state import FUEL


class Standing:
    """The values of players as a seat knows them, in a game or a moment of one. When it is over,
    nothing is hidden.

    The compiled rules are asked, on a position in which what is hidden cannot be read: pages show
    this of everybody after every answer. Where they go about it in a way that the veil does not
    know, the reference evaluator is.
    """

    def __init__(self, game: Moment, seat: str) -> None:
        self._game = game
        number = game.table.seat_number(seat)
        shown = game.shown(number) if isinstance(game, Game) else game.now
        self._state = shown.copy() if game.over else veiled(game.table, shown, number)

    def value(self, name: str, player: str) -> Any:
        """A value of a player, none if it depends on something that the seat may not see."""
        return self._value(name, player)

    def value_with(self, name: str, player: str, kind: str, thing: str) -> Any:
        """A value of a player and a thing, none if the seat may not know it."""
        return self._value(name, player, self._game.table.thing_ids[kind, thing])

    def value_between(self, name: str, player: str, other: str) -> Any:
        """Return a value of a player and another one, none if the seat may not know it."""
        return self._value(name, player, self._game.table.owner_ids[other])

    def _value(self, name: str, player: str, *more: int) -> Any:
        table = self._game.table
        who = table.owner_ids[player]
        try:
            found = self._called(
                ("value", name),
                who,
                lambda: Evaluator(table).value(self._state, name, (who, *more)),
                *more,
            )
        except Unseen:
            return None
        return table.name(found, self._game.ruleset.values[name].type)

    def ranking(self) -> list[str]:
        """Return the seats, best first; as they sit where that would tell something hidden."""
        return list(self.ranks()) or list(self._game.seats)

    def ranks(self) -> dict[str, int]:
        """Return the rank of every seat, best first; nothing where it would tell something hidden.

        Seats that are level share a rank: 1, 1, 3.
        """
        game = self._game
        order = next(iter(game.ruleset.turns.values())).ranking
        if not order:
            return shared_ranks(dict.fromkeys(game.seats, ()))
        keys = game.ruleset.orders[order].keys

        def ranked(seat: str) -> Any:
            who, run = game.table.owner_ids[seat], Evaluator(game.table)
            return self._called(
                ("order", order),
                who,
                lambda: tuple(run.value(self._state, key, (who,)) for key in keys),
            )

        try:
            return shared_ranks({seat: ranked(seat) for seat in game.seats})
        except Unseen:
            return {}

    def _called(
        self, key: tuple[str, str], who: int, instead: Callable[[], Any], *more: int
    ) -> Any:
        self._state.fuel = FUEL
        try:
            return self._game.run.call(self._state, key, (who, *more))
        except InternalError:
            self._state.fuel = FUEL
            return instead()
