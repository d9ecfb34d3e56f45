"""Every scenario of every pack in `content`, each as one test.

An edition runs all its scenarios, those of the packs it builds on included; a variant runs its own
on each edition it is made for, and the Short Game also on the Expert side.
"""

import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.stacks import linked, stacks
from ziggurat.dsl.ir import Scenario
from ziggurat.dsl.packs import BUILT_IN, Search, read_sources, resolve_stack
from ziggurat.proving.course import unwatched
from ziggurat.proving.coverage import coverage
from ziggurat.proving.scenarios import Performance, Result
from ziggurat.runtime.program import Program, compile_ruleset

STACKS = [
    *stacks(),
    ("west+expert+short_game", "short_game/"),
    ("east+expert+short_game", "short_game/"),
]


# What such a pack takes away takes scenarios of others along; which, only linking can tell.
TAKING_AWAY = ("expansion_project",)
Place = tuple[str, str]
_PART = re.compile(r"^for ([\w, ]+)$", re.M)
_REMOVED = re.compile(r'^remove scenario "([^"]*)"', re.M)
_HEAD = re.compile(r'^scenario "((?:[^"\\]|\\.)*)"([^{]*?)(?:(?:cites|tags) [^{]*)?\{', re.M)


@cache
def program(stack: str, trace: bool) -> Program:
    return compile_ruleset(linked(stack), trace)


@cache
def scenarios(stack: str) -> dict[Place, list[Scenario]]:
    """The scenarios by file and title; of a table of cases, those of all its rows."""
    titles = {*written(stack)}
    found: dict[Place, list[Scenario]] = {}
    for one in linked(stack).scenarios:
        places = [(one.at.file, title) for title in _whole_titles(one)]
        place = next((place for place in places if place in titles), places[0])
        found.setdefault(place, []).append(one)
    return found


def _whole_titles(one: Scenario) -> Iterator[str]:
    """The title; of a case also what stands before its cells, the longest first."""
    yield one.title
    parts = one.title.split(": ")
    for number in range(len(parts) - 1, 0, -1):
        if one.case:
            yield ": ".join(parts[:number])


def written(stack: str) -> Iterator[Place]:
    """File and title of the scenarios of a stack, found by looking at the texts only: whoever
    collects tests does not wait until everything is linked."""
    found, _ = resolve_stack(stack, Search((BUILT_IN,)))
    assert found is not None
    texts = [(one.path, _there(one.text, {*found.ids})) for one in read_sources(found)[0]]
    removed = {title for _, text in texts for title in _REMOVED.findall(text)}
    for path, text in texts:
        for title, heads in _HEAD.findall(text):
            wanted, _, unwanted = heads.replace("for ", "").partition("without")
            if title in removed:
                continue
            if {*wanted.split()} <= {*found.ids} and not {*unwanted.split()} & {*found.ids}:
                yield path, title


def _there(text: str, packs: set[str]) -> str:
    """A text without the parts for other stacks: `for west` holds down to the next such line."""
    first, *rest = _PART.split(text)
    parts = zip(rest[::2], rest[1::2], strict=True)
    return first + "".join(part for ids, part in parts if {*ids.split(", ")} <= packs)


def cases() -> Iterator[object]:
    for stack, own in STACKS:
        begins = own or (f"{stack}/" if stack in TAKING_AWAY else "")
        for file, title in written(stack):
            if file.startswith(begins):
                yield pytest.param(stack, (file, title), id=f"{stack}: {title}")


@pytest.mark.parametrize("stack", [stack for stack, _ in STACKS])
def test_a_stack_links_with_all_the_scenarios_that_are_written(stack: str) -> None:
    there = scenarios(stack)
    told = [place for place in written(stack) if place in there or stack not in TAKING_AWAY]
    assert sorted(there) == sorted(told)
    own = [place for place in written(stack) if place[0].startswith(f"{stack}/")]
    assert {*own} <= {*there}
    assert all(one.case for rows in there.values() if len(rows) > 1 for one in rows)


@cache
def ends(stack: str, place: Place, trace: bool) -> list[tuple[Result, str]]:
    """The results of a scenario, case by case and seed by seed, and the positions it comes to."""
    found = []
    for written in scenarios(stack)[place]:
        # What is said of the rules that run only the reference evaluator sees, which counts none.
        one = unwatched(written) if trace else written
        for seed in range(one.seeds):
            performance = Performance(program(stack, trace), one, seed)
            found.append((performance.result(), performance.game.state.digest()))
    return found


@pytest.mark.parametrize(("stack", "place"), list(cases()))
def test_scenario(stack: str, place: Place) -> None:
    """It passes on the program that is played, and a traced one comes to the same."""
    played, traced = (ends(stack, place, trace) for trace in (False, True))
    for (found, position), (counted, same_position) in zip(played, traced, strict=True):
        if not found.passed:
            told = counted.failure or found.failure
            pytest.fail(f"{found.scenario.title}\n{told}", pytrace=False)
        assert counted.passed
        assert same_position == position


def _taken_along(stack: str, file: str) -> bool:
    """Tags of others, whose scenarios went: the pack shows these rules under its own."""
    return stack in TAKING_AWAY and not file.startswith(f"{stack}/")


@pytest.mark.parametrize("stack", TAKING_AWAY)
def test_what_is_left_of_other_scenarios_ends_as_it_should(stack: str) -> None:
    others = [place for place in scenarios(stack) if not place[0].startswith(f"{stack}/")]
    assert len(others) > 300
    for place in others:
        test_scenario(stack, place)


@pytest.mark.parametrize(
    "stack",
    [pytest.param(stack, marks=pytest.mark.slow if own else ()) for stack, own in STACKS],
)
def test_scenarios_leave_nothing_out(stack: str) -> None:
    counted = [result for place in scenarios(stack) for result, _ in ends(stack, place, trace=True)]
    found = coverage(program(stack, trace=True), counted)
    told = {tag for tag, at in found.untested.items() if not _taken_along(stack, at.file)}
    assert told == set()
    assert found.unrun == ()
