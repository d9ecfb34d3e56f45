"""Advice of the rules made ready: what scores the options of a decision, and the actions."""

from weakref import WeakKeyDictionary

import attrs

from ziggurat.runtime.kernel.actions import Actions
from ziggurat.runtime.kernel.program import Bound
from ziggurat.runtime.kernel.scheduler import Scheduler
from ziggurat.runtime.kernel.signatures import Function

# About an action as a whole, and about each of its parameters; and whether the whole can be above
# 0, as far as that is known of a player before anything is chosen.
ActAdvice = tuple[Function | None, tuple[Function | None, ...], Function | None]


@attrs.frozen(eq=False)
class ReadyAdvice:
    """Scoring functions of one program at one table: by decision, and by action."""

    decisions: dict[str, Function]
    actions: dict[str, ActAdvice]


_READY: WeakKeyDictionary[Scheduler, ReadyAdvice] = WeakKeyDictionary()


def ready_advice(run: Scheduler) -> ReadyAdvice:
    """Return the advice of the rules that a scheduler runs."""
    found = _READY.get(run)
    if found is None:
        advice = advice_of(run.bound)
        found = _READY[run] = ReadyAdvice(advice, act_advice_of(run.actions, advice))
    return found


def advice_of(bound: Bound) -> dict[str, Function]:
    """What scores each target of advice; several pieces of advice about one add up."""
    found: dict[str, list[Function]] = {}
    for number, advice in enumerate(bound.program.ruleset.advice):
        found.setdefault(advice.target, []).append(bound["advice", number])
    return {target: some[0] if len(some) == 1 else _sum(some) for target, some in found.items()}


def act_advice_of(actions: Actions, advice: dict[str, Function]) -> dict[str, ActAdvice]:
    """The advice about each action that has some: about it as a whole, and by parameter."""
    chances = _chances(actions.bound)
    found = {
        plan.id: (
            advice.get(plan.id),
            tuple(advice.get(f"{plan.id}.{param.name}") for param in plan.rule.params),
            chances.get(plan.id),
        )
        for plan in actions.plans.values()
    }
    return {id_: about for id_, about in found.items() if about[0] or any(about[1])}


def _chances(bound: Bound) -> dict[str, Function]:
    """For each target what tells whether it has a chance, unless one piece of advice cannot."""
    found: dict[str, list[Function | None]] = {}
    for number, advice in enumerate(bound.program.ruleset.advice):
        found.setdefault(advice.target, []).append(bound.get("advice", number, "chance"))
    sure = {target: [one for one in some if one] for target, some in found.items()}
    return {
        target: some[0] if len(some) == 1 else _any(some)
        for target, some in sure.items()
        if len(some) == len(found[target])
    }


def _sum(functions: list[Function]) -> Function:
    return lambda *args: sum(function(*args) for function in functions)


def _any(functions: list[Function]) -> Function:
    return lambda *args: any(function(*args) for function in functions)
