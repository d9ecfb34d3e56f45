"""Actions of players: which are possible, with which arguments, and why not.

Parameters are found from left to right. An option is offered only if the rest can be filled in too,
so that nobody starts an action he cannot finish. A requirement is looked at as soon as all it
speaks of is known.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from dsl import ir
from runtime.errors import Refused
from runtime.program import Bound
from runtime.state import FUEL, State

TRIES = 200  # partial choices looked at before an action counts as possible


@attrs.frozen
class Need:
    """A requirement, the number of parameters it speaks of, and its function."""

    rule: ir.Requirement
    level: int
    holds: Any


class Actions:
    """The actions of one program at one table."""

    def __init__(self, bound: Bound) -> None:
        self.bound = bound
        self.rules = bound.program.ruleset.actions
        self.by_phase: dict[str, list[ir.Action]] = {}
        self.needs: dict[str, list[Need]] = {}
        self._bit: dict[str, int] = {}
        for action in self.rules.values():
            self.by_phase.setdefault(action.phase, []).append(action)
            levels = bound.program.need_levels[action.id]
            self.needs[action.id] = [
                Need(need, level, bound["action", action.id, "needs", number])
                for number, (need, level) in enumerate(zip(action.needs, levels, strict=True))
            ]
            kind, _, thing = action.thing.partition(".")
            known = bound.table.thing_ids.get((kind, thing))
            self._bit[action.id] = bound.table.bit.get(known, 0) if known is not None else 0

    def failing(self, state: State, action: ir.Action, args: tuple[Any, ...]) -> Need | None:
        """The first requirement about exactly these parameters (actor first) that fails."""
        level = len(args) - 1
        for need in self.needs[action.id]:
            if need.level == level and not need.holds(state, *args):
                return need
        return None

    def may_use(self, state: State, player: int, action: ir.Action) -> bool:
        """Whether the action is for this player at all: some are only for holders of a thing."""
        return not action.thing or bool(state.held[player] & self._bit[action.id])

    def available(self, state: State, phase: str, player: int) -> Iterator[ir.Action]:
        """The actions a player may take now."""
        state.fuel = FUEL
        for action in self.by_phase.get(phase, ()):
            if (
                self.may_use(state, player, action)
                and self.failing(state, action, (player,)) is None
                and self.completable(state, action, (player,))
            ):
                yield action

    def candidates(self, state: State, action: ir.Action, args: tuple[Any, ...]) -> Sequence[Any]:
        """The options of the next parameter before anything about the rest is asked."""
        function = self.bound["action", action.id, "options", len(args) - 1]
        options: Sequence[Any] = function(state, *args)
        return options

    def bounds(self, state: State, action: ir.Action, args: tuple[Any, ...]) -> tuple[int, int]:
        """How many members the next parameter, a set, must have at least and at most."""
        number = len(args) - 1
        size = len(self.candidates(state, action, args))
        least = self.bound.get("action", action.id, "least", number)
        most = self.bound.get("action", action.id, "most", number)
        low = max(0, least(state, *args)) if least else 0
        high = min(size, most(state, *args)) if most else size
        return low, high

    def options(self, state: State, action: ir.Action, args: tuple[Any, ...]) -> list[Any]:
        """The options of the next parameter that lead to a complete action.

        For a set these are its candidates; which of them go together is seen when it is given.
        """
        state.fuel = FUEL
        found = self.candidates(state, action, args)
        if not action.params[len(args) - 1].single:
            return list(found)
        return [option for option in found if self.fits(state, action, (*args, option))]

    def fits(self, state: State, action: ir.Action, args: tuple[Any, ...]) -> bool:
        """Do the last argument's requirements hold, and can the rest be filled in?"""
        return self.failing(state, action, args) is None and self.completable(state, action, args)

    def completable(self, state: State, action: ir.Action, args: tuple[Any, ...]) -> bool:
        """Is there a way to fill in the remaining parameters? After `TRIES` it is taken for yes."""
        return self._completable(state, action, args, [TRIES])

    def _completable(
        self, state: State, action: ir.Action, args: tuple[Any, ...], left: list[int]
    ) -> bool:
        number = len(args) - 1
        if number == len(action.params):
            return True
        tries: Iterator[Any] = iter(self.candidates(state, action, args))
        if not action.params[number].single:
            low, high = self.bounds(state, action, args)
            if low > high:
                return False
            if number + 1 == len(action.params) and not self._speaks_of(action, number + 1):
                return True
            left[0] = 0
            return True
        for option in tries:
            left[0] -= 1
            if left[0] < 0:
                return True
            grown = (*args, option)
            if self.failing(state, action, grown) is None and self._completable(
                state, action, grown, left
            ):
                return True
        return False

    def _speaks_of(self, action: ir.Action, level: int) -> bool:
        return any(need.level == level for need in self.needs[action.id])

    def refuse(
        self, state: State, phase: str, player: int, action: str, args: Sequence[Any]
    ) -> None:
        """Raise `Refused` with the reason if the whole action is not legal now."""
        state.fuel = FUEL
        rule = self.rules.get(action)
        if rule is None or rule.phase != phase:
            raise Refused(f"There is no action '{action}' here.")
        if not self.may_use(state, player, rule):
            raise Refused(f"Only holders of {rule.thing.partition('.')[2]} may do that.", rule.at)
        if len(args) != len(rule.params):
            wanted = len(rule.params)
            raise Refused(f"'{action}' takes {wanted} arguments, not {len(args)}.", rule.at)
        known: tuple[Any, ...] = (player,)
        self._check_needs(state, rule, known)
        for param, argument in zip(rule.params, args, strict=True):
            self._check_argument(state, rule, known, param, argument)
            known = (*known, argument)
            self._check_needs(state, rule, known)

    def _check_needs(self, state: State, action: ir.Action, args: tuple[Any, ...]) -> None:
        need = self.failing(state, action, args)
        if need is not None:
            meta = need.rule.meta if need.rule.meta != ir.NO_META else action.meta
            raise Refused(need.rule.reason or f"'{action.id}' is not allowed.", need.rule.at, meta)

    def _check_argument(
        self,
        state: State,
        action: ir.Action,
        known: tuple[Any, ...],
        param: ir.ActionParam,
        given: Any,
    ) -> None:
        options = self.candidates(state, action, known)
        if param.single:
            if given not in options:
                said = self.bound.table.name(given, param.type)
                reason = f"{said} is not possible as '{param.name}'."
                raise Refused(reason, param.at, action.meta)
            return
        low, high = self.bounds(state, action, known)
        members = tuple(given)
        if any(member not in options for member in members) or len(set(members)) != len(members):
            raise Refused(
                f"Not all of these are possible as '{param.name}'.", param.at, action.meta
            )
        if not low <= len(members) <= high:
            wanted = str(low) if low == high else f"{low} to {high}"
            raise Refused(
                f"'{param.name}' takes {wanted}, not {len(members)}.", param.at, action.meta
            )
