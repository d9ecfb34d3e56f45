"""Compiled rules against the reference evaluator: random rules on random states."""

from collections.abc import Callable
from typing import Any

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.runtime.little import LITTLE, states, values
from tests.runtime.little_steps import rulesets
from tests.runtime.packed import program
from ziggurat.runtime.game.game import start
from ziggurat.runtime.kernel.errors import BudgetExceeded, RulesError
from ziggurat.runtime.kernel.program import walked_program
from ziggurat.runtime.kernel.requests import (
    ChooseOneRequest,
    ChooseSomeRequest,
    DecisionRequest,
    SelectRequest,
)
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import Table
from ziggurat.runtime.programs import compile_ruleset


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    try:
        result = function(*args)
    except (RulesError, BudgetExceeded, ArithmeticError):
        return "impossible"
    return tuple(result) if isinstance(result, list) else result


@settings(max_examples=100)
@given(st.data())
def test_values_mean_the_same_compiled_and_walked(data: st.DataObject) -> None:
    value = data.draw(values())
    ruleset = attrs.evolve(LITTLE, values={**LITTLE.values, "v": value})
    table = Table(ruleset, ["reds", "Someone", "blues"])
    compiled = compile_ruleset(ruleset).bind(table)["value", "v"]
    walked = walked_program(ruleset).bind(table)["value", "v"]
    for _ in range(3):
        state = data.draw(states(table))
        for player in table.players:
            for area in range(table.A):
                assert outcome(compiled, state, player, area) == outcome(
                    walked, state, player, area
                )


def answer_to(ask: DecisionRequest, number: int) -> Any:
    """Some legal answer, another one for another number."""
    if isinstance(ask, ChooseOneRequest):
        options = [*ask.options, *([None] if ask.optional else [])]
        return options[number % len(options)]
    if isinstance(ask, ChooseSomeRequest):
        assert ask.least is not None
        return tuple(sorted(ask.options[: max(ask.least, number % 2)]))
    if isinstance(ask, SelectRequest):
        return tuple(sorted(ask.options[i] for i in ask.solver.example()))
    return dict(zip(ask.options, ask.solver.example(), strict=True))


def told(ask: DecisionRequest) -> tuple[Any, ...]:
    return (ask.site, ask.decider, tuple(ask.options), ask.holes, ask.kind, ask.least, ask.most)


def play(procedure: Callable[..., Any], state: State, args: tuple[int, int]) -> list[Any]:
    """Run a step to its end, answering; everything that could be seen of it."""
    answers: tuple[Any, ...] = ()
    seen: list[Any] = []
    for number in range(60):
        work = state.copy()
        work.answers = answers
        try:
            given = procedure(work, *args)
        except DecisionRequest as ask:
            seen.append(told(ask))
            answer = answer_to(ask, number)
            seen.append(ask.allows(answer))
            answers = (*work.answers, (ask.site, answer, ask.decider))
        else:
            return [*seen, given, work.position(), work.news]
    return seen


@settings(max_examples=100)
@given(st.data())
def test_steps_do_the_same_compiled_and_walked(data: st.DataObject) -> None:
    ruleset = data.draw(rulesets())
    table = Table(ruleset, ["reds", "Someone", "blues"])
    program = compile_ruleset(ruleset)
    compiled = program.bind(table)["procedure", "q"]
    walked = walked_program(ruleset, program.sites).bind(table)["procedure", "q"]
    for _ in range(2):
        state = data.draw(states(table))
        args = (data.draw(st.integers(0, 2)), data.draw(st.integers(0, table.A - 1)))
        assert outcome(play, compiled, state, args) == outcome(play, walked, state, args)


def test_a_yes_that_nobody_chose_is_the_same_answer_compiled_and_walked() -> None:
    rules = program("""
phase play "Play" {
  each player p in players {
    choose sure by p from {yes, no} where it "Sure?"
    choose a by p from areas "Where?"
    set p.score = a.limit if sure else 0
  }
}
""")
    games = [start(one, 2, seed=1) for one in (rules, walked_program(rules.ruleset))]
    assert games[0].state.answers
    assert games[0].state.digest() == games[1].state.digest()
