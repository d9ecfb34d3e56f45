"""Expressions of the rules read in one moment of a game, in plain data."""

from typing import Any

from ziggurat.proving.veil import veiled
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.moment import Moment
from ziggurat.runtime.kernel.evaluator import Evaluator
from ziggurat.runtime.kernel.state import FUEL


class Reading:
    """A moment that is asked many things: as it is, or as a seat knows it."""

    def __init__(self, moment: Moment, seat: str | None = None) -> None:
        self._table = table = moment.table
        now = moment.now
        self._state = now.copy() if seat is None else veiled(table, now, table.seat_number(seat))
        self._evaluator = Evaluator(table)

    def read(self, expr: ir.Expr, kind: str = "", this: str = "") -> Any:
        """What an expression is now; `this` in it is the thing of a kind. Raises `Unseen` where it
        depends on what is hidden from the seat."""
        env = {"this": self._table.thing_ids[kind, this]} if this else {}
        self._state.fuel = FUEL
        found = self._evaluator.evaluate(self._state, expr, env)
        return self._table.name(found, expr.type)
