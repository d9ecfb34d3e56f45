"""What a seat may know of rules that ran: the positions they saw, and the names in them.

A name is hidden if it comes from something hidden: it is worked out again as the seat would, from
positions that are veiled for it and from the names it may know.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from ziggurat.proving.tracing import Origin, Origins
from ziggurat.proving.veil import Unseen, veiled
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.game.log import is_hidden
from ziggurat.runtime.kernel.evaluator import Evaluator
from ziggurat.runtime.kernel.state import FUEL, State

HIDDEN = (Unseen, KeyError)  # a name that is left out is missing


class Sight:
    """The eyes of a seat, or of somebody who sees all (`seat` None)."""

    def __init__(self, game: Game, seat: int | None) -> None:
        self.program, self.table, self.seat = game.run.bound.program, game.table, seat
        self.run = Evaluator(game.table)
        self._known: dict[int, bool] = {}

    def hear(self, told: Iterable[tuple[int | None, Origin]]) -> None:
        """Names that were told are known."""
        self._known |= {id(origin): True for to, origin in told if to in (None, self.seat)}

    def state(self, state: State) -> State:
        """A position to be looked at."""
        new = state.copy() if self.seat is None else veiled(self.table, state, self.seat)
        new.fuel = FUEL
        return new

    def env(self, env: Mapping[str, Any], origins: Origins) -> dict[str, Any]:
        """The names that may be known."""
        if self.seat is None:
            return dict(env)
        return {name: env[name] for name in env if self._visible(origins.get(name))}

    def _visible(self, origin: Origin | None) -> bool:
        if origin is None:
            return False
        if id(origin) not in self._known:
            self._known[id(origin)] = origin.open or self._worked_out(origin)
        return self._known[id(origin)]

    def _worked_out(self, origin: Origin) -> bool:
        if origin.path:
            return self.is_told(origin.path, origin.node.type, origin.env["by"])
        if origin.state is None:
            return False
        state, env = self.state(origin.state), self.env(origin.env, origin.origins)
        node = origin.node
        try:
            if isinstance(node, ir.For | ir.Stage):
                where = node.where if isinstance(node, ir.For) else node.condition
                assert node.source is not None
                self.run.members(state, node.source, where, node.order, env, node.var)
            elif node is not None:
                type_ = ir.Type("bool") if isinstance(node, ir.May) else node.type
                secret = getattr(node, "secret", False)
                by = self.run.evaluate(state, node.by, env)
                return self.is_told(node.path, type_, by, secret)
            elif origin.expr is not None:
                self.run.evaluate(state, origin.expr, env)
        except HIDDEN:
            return False
        return True

    def is_told(self, path: str, type_: ir.Type, by: Any, secret: bool = False) -> bool:
        """Whether the seat may know an answer of somebody."""
        hidden = secret or is_hidden(self.program, self.table, path, type_)
        return by == self.seat or not hidden
