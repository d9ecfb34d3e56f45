"""Advice of the rules made ready: what scores the options of a decision, and the actions."""

from ziggurat.runtime.actions import Actions
from ziggurat.runtime.program import Bound, Function

# About an action as a whole, and about each of its parameters.
ActAdvice = tuple[Function | None, tuple[Function | None, ...]]


def advice_of(bound: Bound) -> dict[str, Function]:
    """What scores each target of advice; several pieces of advice about one add up."""
    found: dict[str, list[Function]] = {}
    for number, advice in enumerate(bound.program.ruleset.advice):
        found.setdefault(advice.target, []).append(bound["advice", number])
    return {target: some[0] if len(some) == 1 else _sum(some) for target, some in found.items()}


def act_advice_of(actions: Actions, advice: dict[str, Function]) -> dict[str, ActAdvice]:
    """The advice about each action that has some: about it as a whole, and by parameter."""
    found = {
        plan.id: (
            advice.get(plan.id),
            tuple(advice.get(f"{plan.id}.{param.name}") for param in plan.rule.params),
        )
        for plan in actions.plans.values()
    }
    return {id_: (whole, parts) for id_, (whole, parts) in found.items() if whole or any(parts)}


def _sum(functions: list[Function]) -> Function:
    return lambda *args: sum(function(*args) for function in functions)
