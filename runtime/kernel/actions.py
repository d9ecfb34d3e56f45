"""Actions of players: which are possible, with which arguments, and why not.

Parameters are found from left to right. An option is offered only if the rest can be filled in too,
so that nobody starts an action they cannot finish. A requirement is looked at as soon as all it
speaks of is known.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from ziggurat.runtime.kernel.errors import RUNTIME_FAILURES, Refused
from ziggurat.runtime.kernel.forms.actions import Action, ActionParam
from ziggurat.runtime.kernel.forms.requirements import Requirement
from ziggurat.runtime.kernel.program import Bound
from ziggurat.runtime.kernel.signatures import Function
from ziggurat.runtime.kernel.state import FUEL, State
from ziggurat.runtime.kernel.walking import free

TRIES = 200  # partial choices looked at before an action counts as possible
Args = tuple[Any, ...]  # the actor, then the parameters so far


@attrs.frozen(eq=False)
class Need:
    """A requirement and its function."""

    rule: Requirement
    holds: Function


@attrs.frozen(eq=False)
class Plan:
    """An action made ready: its functions by parameter, and its requirements by the number of
    parameters they speak of; `opening` are the functions of those that speak of none. `bit` is that
    of the thing its users must hold, None for everybody. `options` finds all options of a
    parameter, `each` one after the other, where that is quicker; `source` finds what options are
    among, `where` tells which of these are. `sure` are parameters of which any option will do,
    because nothing comes after them, `spoken` those that the source of a later one speaks of."""

    id: str
    rule: Action
    bit: int | None
    opening: tuple[Function, ...]
    needs: tuple[tuple[Need, ...], ...]
    options: tuple[Function, ...]
    each: tuple[Function | None, ...]
    source: tuple[Function, ...]
    where: tuple[Function | None, ...]
    single: tuple[bool, ...]
    sure: tuple[bool, ...]
    spoken: tuple[bool, ...]
    least: tuple[Function | None, ...]
    most: tuple[Function | None, ...]


class Actions:
    """The actions of one program at one table."""

    def __init__(self, bound: Bound) -> None:
        self.bound = bound
        self.rules = bound.program.ruleset.actions
        self.plans = {action.id: self._plan(action) for action in self.rules.values()}
        self.by_phase: dict[str, list[Plan]] = {}
        for plan in self.plans.values():
            self.by_phase.setdefault(plan.rule.phase, []).append(plan)

    def _plan(self, action: Action) -> Plan:
        bound, id_ = self.bound, action.id
        numbers = range(len(action.params))
        needs: list[list[Need]] = [[] for _ in range(len(numbers) + 1)]
        for number, level in enumerate(bound.program.need_levels[id_]):
            function = bound["action", id_, "needs", number]
            needs[level].append(Need(action.needs[number], function))
        kind, _, thing = action.thing.partition(".")
        known = bound.table.thing_ids.get((kind, thing), -1)
        return Plan(
            id_,
            action,
            bound.table.bit.get(known, 0) if action.thing else None,
            tuple(need.holds for need in needs[0]),
            tuple(map(tuple, needs)),
            tuple(bound["action", id_, "options", number] for number in numbers),
            tuple(bound.get("action", id_, "each", number) for number in numbers),
            tuple(
                bound.get("action", id_, "source", number)
                or bound["action", id_, "options", number]
                for number in numbers
            ),
            tuple(bound.get("action", id_, "where", number) for number in numbers),
            tuple(param.single for param in action.params),
            tuple(number + 1 == len(numbers) and not needs[number + 1] for number in numbers),
            tuple(
                any(param.name in free(later.source) for later in action.params[number + 1 :])
                for number, param in enumerate(action.params)
            ),
            tuple(bound.get("action", id_, "least", number) for number in numbers),
            tuple(bound.get("action", id_, "most", number) for number in numbers),
        )

    def menu(self, state: State, phase: str, player: int) -> "Menu":
        return Menu(self.bound, state, player, self.by_phase.get(phase, ()))

    def offer(self, state: State, phase: str, player: int) -> "Menu | None":
        """What a player who comes to act may do; None if that is nothing."""
        menu = self.menu(state, phase, player)
        return menu if menu.any() else None

    def refuse(self, state: State, phase: str, player: int, action: str, args: Args) -> None:
        """Raise `Refused` with the reason if the whole action is not legal now."""
        plan = self.plans.get(action)
        if plan is None or plan.rule.phase != phase:
            raise Refused(f"There is no action '{action}' here.")
        rule, menu = plan.rule, self.menu(state, phase, player)
        if not menu.may_use(plan):
            raise Refused(f"Only holders of {rule.thing.partition('.')[2]} may do that.", rule.at)
        if len(args) != len(rule.params):
            wanted = len(rule.params)
            raise Refused(f"'{action}' takes {wanted} arguments, not {len(args)}.", rule.at)
        known: Args = (player,)
        _check_needs(menu, plan, known)
        for param, argument in zip(rule.params, args, strict=True):
            self._check_argument(menu, plan, known, param, argument)
            known = (*known, argument)
            _check_needs(menu, plan, known)

    def _check_argument(
        self, menu: "Menu", plan: Plan, known: Args, param: ActionParam, given: Any
    ) -> None:
        options = menu.candidates(plan, known)
        meta = plan.rule.meta
        if param.single:
            if given not in options:
                said = self.bound.table.name(given, param.type)
                raise Refused(f"{said} is not possible as '{param.name}'.", param.at, meta)
            return
        low, high = menu.bounds(plan, known)
        members = tuple(given)
        if any(member not in options for member in members) or len(set(members)) != len(members):
            raise Refused(f"Not all of these are possible as '{param.name}'.", param.at, meta)
        if not low <= len(members) <= high:
            wanted = str(low) if low == high else f"{low} to {high}"
            raise Refused(f"'{param.name}' takes {wanted}, not {len(members)}.", param.at, meta)


def _check_needs(menu: "Menu", plan: Plan, args: Args) -> None:
    need = menu.failing(plan, args)
    if need is not None:
        rule = need.rule
        raise Refused(rule.reason or f"'{plan.id}' is not allowed.", rule.at, rule.meta)


class Menu:
    """What one player may do in one position. What was found once is remembered."""

    __slots__ = (
        "_bound",
        "_candidates",
        "_found",
        "_guesses",
        "_left",
        "_ways",
        "plans",
        "player",
        "state",
    )

    def __init__(self, bound: Bound, state: State, player: int, plans: Sequence[Plan]) -> None:
        self._bound = bound
        self.state = state
        self.player = player
        self.plans = plans
        self._candidates: dict[tuple[str, Args], Sequence[Any]] = {}
        self._ways: dict[tuple[str, Args], int] = {}
        self._guesses: dict[tuple[str, Args], int] = {}
        self._found: list[Plan] = []
        self._left = iter(plans)

    def _find(self) -> bool:
        """Look for one more action the player may take."""
        self.state.fuel = FUEL
        for plan in self._left:
            if self.opens(plan) and self.completable(plan, (self.player,)):
                self._found.append(plan)
                return True
        return False

    def any(self) -> bool:
        """Is there anything the player may do?"""
        return bool(self._found) or self._find()

    def available(self) -> list[Plan]:
        """The actions the player may take."""
        while self._find():
            pass
        return self._found

    def may_use(self, plan: Plan) -> bool:
        """Whether the action is for the player at all: some are only for holders of a thing."""
        return plan.bit is None or bool(self.state.held[self.player] & plan.bit)

    def opens(self, plan: Plan) -> bool:
        """May the player think of it: does all hold that can be told before anything is chosen?"""
        state, player, bit = self.state, self.player, plan.bit
        if bit is not None and not state.held[player] & bit:
            return False
        try:
            for holds in plan.opening:
                if not holds(state, player):
                    return False
        except RUNTIME_FAILURES as wrong:
            raise self._bound.as_rules_error(wrong, plan.id) from wrong
        return True

    def failing(self, plan: Plan, args: Args) -> Need | None:
        """The first requirement about exactly these parameters that fails."""
        try:
            for need in plan.needs[len(args) - 1]:
                if not need.holds(self.state, *args):
                    return need
        except RUNTIME_FAILURES as wrong:
            raise self._bound.as_rules_error(wrong, plan.id) from wrong
        return None

    def _call(self, plan: Plan, function: Function, args: Args) -> Any:
        try:
            return function(self.state, *args)
        except RUNTIME_FAILURES as wrong:
            raise self._bound.as_rules_error(wrong, plan.id) from wrong

    def candidates(self, plan: Plan, args: Args) -> Sequence[Any]:
        """The options of the next parameter before anything about the rest is asked."""
        key = (plan.id, args)
        found = self._candidates.get(key)
        if found is None:
            found = self._call(plan, plan.options[len(args) - 1], args)
            self._candidates[key] = found
        return found

    def bounds(self, plan: Plan, args: Args) -> tuple[int, int]:
        """How many members the next parameter, a set, must have at least and at most."""
        number = len(args) - 1
        size = len(self.candidates(plan, args))
        least, most = plan.least[number], plan.most[number]
        low = max(0, self._call(plan, least, args)) if least else 0
        high = min(size, self._call(plan, most, args)) if most else size
        return low, high

    def options(self, plan: Plan, args: Args) -> list[Any]:
        """The options of the next parameter that lead to a complete action.

        For a set these are its candidates; which of them go together is seen when it is given.
        """
        self.state.fuel = FUEL
        found = self.candidates(plan, args)
        if not plan.single[len(args) - 1]:
            return list(found)
        return [option for option in found if self.fits(plan, (*args, option))]

    def fits(self, plan: Plan, args: Args) -> bool:
        """Do the last argument's requirements hold, and can the rest be filled in?"""
        if plan.needs[len(args) - 1] and self.failing(plan, args) is not None:
            return False
        return self.completable(plan, args)

    def completable(self, plan: Plan, args: Args, left: list[int] | None = None) -> bool:
        """Is there a way to fill in the remaining parameters? After `TRIES` it is taken for yes."""
        number = len(args) - 1
        if number == len(plan.single):
            return True
        if not plan.single[number]:
            low, high = self.bounds(plan, args)
            return low <= high
        sure = plan.sure[number]
        left = [TRIES] if left is None else left
        try:
            for option in self._each(plan, args):
                if sure:
                    return True
                left[0] -= 1
                if left[0] < 0:
                    return True
                grown = (*args, option)
                if self.failing(plan, grown) is None and self.completable(plan, grown, left):
                    return True
        except RUNTIME_FAILURES as wrong:
            raise self._bound.as_rules_error(wrong, plan.id) from wrong
        return False

    def _each(self, plan: Plan, args: Args) -> Iterable[Any]:
        """The options of the next parameter, as far as somebody wants to know them."""
        each = plan.each[len(args) - 1]
        if each is None or (plan.id, args) in self._candidates:
            return self.candidates(plan, args)
        found: Iterable[Any] = each(self.state, *args)
        return found

    def guesses(self, plan: Plan, args: Args) -> int:
        """How many actions begin like this, if all of every source were an option."""
        found = self._guesses.get((plan.id, args))
        if found is None:
            found = self._guesses[plan.id, args] = self._guess(plan, args)
        return found

    def _guess(self, plan: Plan, args: Args) -> int:
        number = len(args) - 1
        if number == len(plan.single) or not plan.single[number]:
            return 1
        options = self._source(plan, args)
        if plan.spoken[number]:
            return sum([self.guesses(plan, (*args, option)) for option in options])
        return len(options) * self.guesses(plan, (*args, None)) if options else 0

    def _source(self, plan: Plan, args: Args) -> Sequence[Any]:
        found: Sequence[Any] = self._call(plan, plan.source[len(args) - 1], args)
        return found

    def guess(self, plan: Plan, which: int) -> Args | None:
        """One of these by its number, up to the first set; None if the rules do not allow it."""
        known: Args = (self.player,)
        asked = known
        while len(known) <= len(plan.single) and plan.single[len(known) - 1]:
            number = len(known) - 1
            options = self._source(plan, asked)
            if plan.spoken[number]:
                for option in options:
                    ways = self.guesses(plan, (*asked, option))
                    if which < ways:
                        break
                    which -= ways
                asked = (*asked, option)
            else:
                at, which = divmod(which, self.guesses(plan, (*asked, None)))
                option = options[at]
                asked = (*asked, None)
            known = (*known, option)
            where = plan.where[number]
            if where is not None and not self._call(plan, where, known):
                return None
            if self.failing(plan, known) is not None:
                return None
        return known

    def ways(self, plan: Plan, args: Args) -> int:
        """How many actions begin like this; a set, and what comes behind it, is one."""
        number = len(args) - 1
        if plan.needs[number] and self.failing(plan, args) is not None:
            return 0
        if number == len(plan.single):
            return 1
        if not plan.single[number]:
            low, high = self.bounds(plan, args)
            return int(low <= high)
        if plan.sure[number]:
            return len(self._call(plan, plan.options[number], args))
        found = self._ways.get((plan.id, args))
        if found is None:
            options = self.candidates(plan, args)
            found = sum([self.ways(plan, (*args, option)) for option in options])
            self._ways[plan.id, args] = found
        return found
