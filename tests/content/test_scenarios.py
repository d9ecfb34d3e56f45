"""Every scenario of every pack in `content`, each as one test.

An edition runs all its scenarios, those of the packs it builds on included; a variant runs its own
on each edition it is made for, and the Short Game also on the Expert side. A scenario that several
stacks share runs on one of them in the normal tier, and on the others with `-m slow`.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from operator import itemgetter
from zlib import crc32

import pytest

from tests.stacks import compiled, linked, stacks
from ziggurat.dsl.packs import BUILT_IN, Search, read_sources, resolve_stack
from ziggurat.proving.course import unwatched
from ziggurat.proving.coverage import coverage
from ziggurat.proving.scenarios import Performance, Result
from ziggurat.runtime.kernel import Scenario

STACKS = [
    *stacks(),
    ("west+expert+short_game", "short_game/"),
    ("east+expert+short_game", "short_game/"),
]


# What such a pack takes away takes scenarios of others along; which, only linking can tell.
TAKING_AWAY = ("expansion_project",)
# Stacks whose traced scenarios and coverage the normal tier checks.
COVERED = ("west+special_buildings", "seven_ages")
Place = tuple[str, str]
_PART = re.compile(r"^for ([\w, ]+)$", re.M)
_TAGS = re.compile(r"\btags ([\w-]+(?:, [\w-]+)*)")
_REMOVED = re.compile(r'^remove scenario "([^"]*)"', re.M)
_HEAD = re.compile(r'^scenario "((?:[^"\\]|\\.)*)"([^{]*?)(?:(?:cites|tags) [^{]*)?\{', re.M)


@lru_cache(maxsize=2)
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
    return "".join(part for ids, part in _parts(text) if ids <= packs)


def _parts(text: str) -> Iterator[tuple[set[str], str]]:
    """Yield the parts of a text with the packs that each is for, none of them at the beginning."""
    first, *rest = _PART.split(text)
    yield set(), first
    for ids, part in zip(rest[::2], rest[1::2], strict=True):
        yield {*ids.split(", ")}, part


def tags_for_others(stack: str) -> set[str]:
    """Return the tags in parts of a stack's files that are for other stacks."""
    found, _ = resolve_stack(stack, Search((BUILT_IN,)))
    assert found is not None
    parts = [part for source in read_sources(found)[0] for part in _parts(source.text)]
    lists = [tags for ids, part in parts if not ids <= {*found.ids} for tags in _TAGS.findall(part)]
    return {tag for tags in lists for tag in tags.split(", ")}


def cases(traced: bool = False) -> Iterator[tuple[str, object]]:
    """Yield stacks with their scenarios. All but one stack of each scenario are slow; where they
    are `traced`, those of covered stacks are all there are."""
    stacks_of: dict[Place, list[str]] = {}
    for stack, own in STACKS:
        begins = own or (f"{stack}/" if stack in TAKING_AWAY else "")
        for place in written(stack):
            if place[0].startswith(begins):
                stacks_of.setdefault(place, []).append(stack)
    for (file, title), there in stacks_of.items():
        draw = crc32(title.encode())
        sample = there[draw % len(there)]
        for stack in there:
            if traced and (stack != sample or stack not in COVERED):
                continue
            marks = () if stack == sample else pytest.mark.slow
            yield stack, pytest.param(stack, (file, title), id=f"{stack}: {title}", marks=marks)


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
            performance = Performance(compiled(stack, trace), one, seed)
            found.append((performance.result(), performance.game.state.digest()))
    return found


def in_order_of_stacks(traced: bool = False) -> list[object]:
    """Return all cases so that few rulesets are in memory at once."""
    return [case for _, case in sorted(cases(traced), key=itemgetter(0))]


@pytest.mark.parametrize(("stack", "place"), in_order_of_stacks())
def test_scenario(stack: str, place: Place) -> None:
    for at, (result, _) in enumerate(ends(stack, place, trace=False)):
        if not result.passed:
            told = ends(stack, place, trace=True)[at][0].failure or result.failure
            pytest.fail(f"{result.scenario.title}\n{told}", pytrace=False)


@pytest.mark.parametrize(("stack", "place"), in_order_of_stacks(traced=True))
def test_a_traced_scenario_comes_to_the_same(stack: str, place: Place) -> None:
    played, traced = (ends(stack, place, trace) for trace in (False, True))
    for (result, position), (counted, same_position) in zip(played, traced, strict=True):
        assert counted.passed == result.passed
        assert same_position == position


@pytest.mark.slow
@pytest.mark.parametrize("stack", [stack for stack, _ in STACKS])
def test_all_traced_scenarios_of_a_stack_come_to_the_same(stack: str) -> None:
    for place in scenarios(stack):
        test_a_traced_scenario_comes_to_the_same(stack, place)


def _taken_along(stack: str, file: str) -> bool:
    """Tags of others, whose scenarios went: the pack shows these rules under its own."""
    return stack in TAKING_AWAY and not file.startswith(f"{stack}/")


@pytest.mark.slow
@pytest.mark.parametrize("stack", TAKING_AWAY)
def test_what_is_left_of_other_scenarios_ends_as_it_should(stack: str) -> None:
    others = [place for place in scenarios(stack) if not place[0].startswith(f"{stack}/")]
    assert len(others) > 300
    for place in others:
        test_scenario(stack, place)


@pytest.mark.parametrize(
    "stack",
    [
        pytest.param(stack, marks=() if stack in COVERED else pytest.mark.slow)
        for stack, _ in STACKS
    ],
)
def test_scenarios_leave_nothing_out(stack: str) -> None:
    counted = [result for place in scenarios(stack) for result, _ in ends(stack, place, trace=True)]
    found = coverage(compiled(stack, trace=True), counted)
    told = {tag for tag, at in found.untested.items() if not _taken_along(stack, at.file)}
    assert told - tags_for_others(stack) == set()
    assert found.unrun == ()
