"""Answers to decisions in the table's numbers: what may be chosen, and what is chosen unasked."""

from typing import Any

from ziggurat.runtime.game.decisions import Decision
from ziggurat.runtime.kernel.requests import (
    ChooseOneRequest,
    ChooseSomeRequest,
    DecisionRequest,
    DivideRequest,
    SelectRequest,
)


def candidates(ask: DecisionRequest) -> list[Any]:
    """What may be chosen in some answer: options, members, or whoever may get something."""
    if isinstance(ask, SelectRequest):
        return [ask.options[number] for number in ask.solver.next_picks(())]
    if isinstance(ask, DivideRequest):
        numbers = range(len(ask.options))
        return [ask.options[n] for n in numbers if any(ask.solver.choices(n, {}))]
    return list(ask.options)


def members_of(answer: Any) -> list[Any]:
    """An answer as a list, so that one and a set of one are alike."""
    if isinstance(answer, dict):
        return sorted((member, number) for member, number in answer.items() if number)
    return sorted(answer) if isinstance(answer, tuple | list | set | range) else [answer]


def int_or_thing(members: list[Any]) -> Any:
    """The only answer, with yes and no as 1 and 0; None where there is not exactly one."""
    if len(members) != 1:
        return None
    return int(members[0]) if isinstance(members[0], bool) else members[0]


def first_option(face: Decision) -> Any:
    """What is answered without a script: the first option, the least, and to be done."""
    ask = face.pending.ask
    if ask is None:
        return None
    if isinstance(ask, ChooseOneRequest):
        return ask.options[0]
    if isinstance(ask, ChooseSomeRequest):
        return tuple(sorted(ask.options[: ask.least]))
    if isinstance(ask, SelectRequest):
        picked: list[int] = []
        while not ask.solver.complete(picked):
            picked.append(ask.solver.next_picks(picked)[0])
        return tuple(sorted(ask.options[number] for number in picked))
    amounts: dict[int, int] = {}
    for number in range(len(ask.options)):
        amounts[number] = ask.solver.choices(number, amounts)[0]
    return {member: amounts[number] for number, member in enumerate(ask.options)}
