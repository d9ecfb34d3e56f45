"""Every scenario of every pack in `content`, each as one test.

An edition runs all its scenarios, those of the packs it builds on included; a variant runs its own
on each edition it is made for, and the Short Game also on the Expert side.
"""

from collections.abc import Iterator
from functools import cache

import pytest

from tests.stacks import stacks
from ziggurat.dsl.ir import Ruleset
from ziggurat.dsl.loading import load
from ziggurat.proving.coverage import coverage
from ziggurat.proving.scenarios import Result, run_scenario
from ziggurat.runtime.program import Program, compile_ruleset

STACKS = [
    *stacks(),
    ("west+expert+short_game", "short_game/"),
    ("east+expert+short_game", "short_game/"),
]


@cache
def linked(stack: str) -> Ruleset | None:
    return load(stack).ruleset


@cache
def program(stack: str) -> Program:
    ruleset = linked(stack)
    assert ruleset is not None
    return compile_ruleset(ruleset, trace=True)


def cases() -> Iterator[object]:
    for stack, own in STACKS:
        ruleset = linked(stack)
        for scenario in ruleset.scenarios if ruleset else ():
            if scenario.at.file.startswith(own):
                yield pytest.param(stack, scenario.id, id=f"{stack}: {scenario.title}")


@pytest.mark.parametrize("stack", [stack for stack, _ in STACKS])
def test_stack_links(stack: str) -> None:
    assert linked(stack) is not None, load(stack).diagnostics


@cache
def result(stack: str, scenario: str) -> Result:
    rules = program(stack)
    return run_scenario(rules, next(one for one in rules.ruleset.scenarios if one.id == scenario))


@pytest.mark.parametrize(("stack", "scenario"), list(cases()))
def test_scenario(stack: str, scenario: str) -> None:
    found = result(stack, scenario)
    if not found.passed:
        pytest.fail(f"{found.scenario.title}\n{found.failure}", pytrace=False)


@pytest.mark.parametrize(
    "stack",
    [pytest.param(stack, marks=pytest.mark.slow if own else ()) for stack, own in STACKS],
)
def test_scenarios_leave_nothing_out(stack: str) -> None:
    rules = program(stack)
    found = coverage(rules, [result(stack, one.id) for one in rules.ruleset.scenarios])
    assert found.untested == {}
    assert found.unrun == ()
