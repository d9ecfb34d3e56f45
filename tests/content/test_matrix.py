"""All combinations of the games and variants that ship: each links clean and plays to its end, or
says why its packs do not go together.

Parts (boards, goods) come in with the games that are made of them, and are not combined here. A
pack is kept from another only where a source excludes it or data are missing; `EXCLUDED` is the
whole list.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

import pytest

from tests.content.test_whole_games import ends_properly
from tests.sampling import sampled
from tests.stacks import editions, linked, packs
from ziggurat.dsl.loading import load
from ziggurat.dsl.packs import BUILT_IN, Search, resolve_stack
from ziggurat.dsl.workspace import ParsedFiles

EXCLUDED = {
    ("west", "east"): "a game of its own",
    ("west", "mega"): "in mega already",
    ("east", "mega"): "in mega already",
    ("expansion_project", "west"): "a game of its own",
    ("expansion_project", "east"): "a game of its own",
    ("expansion_project", "mega"): "a game of its own",
    ("expansion_project", "expert"): "one side",
    ("expansion_project", "short_game"): "no rules for a short game",
    ("expansion_project", "special_buildings"): "of Western Empires",
    ("expansion_project", "few_players"): "for five players and more",
    ("east", "special_buildings"): "not among our sources",
    ("mega", "few_players"): "no scenario for three or four",
    ("seven_ages", "core"): "a game of its own",
}
SEARCH = Search((BUILT_IN,))


@cache
def variants() -> tuple[str, ...]:
    """What goes on top of a game, each after those it knows of."""
    found = [
        pack
        for pack in packs().values()
        if pack.id not in editions()
        and (pack.optional or not pack.incomplete)
        and not pack.language
    ]
    ordered: list[str] = []
    while found:
        ready = next(one for one in found if not {*_known(one.id)} & {other.id for other in found})
        found.remove(ready)
        ordered.append(ready.id)
    return tuple(ordered)


def _known(name: str) -> Iterator[str]:
    pack = packs()[name]
    return (need.id for need in (*pack.extends, *pack.requires, *pack.optional))


def brought_in(names: tuple[str, ...]) -> set[str]:
    """These packs and all that they are built on."""
    found, waiting = set[str](), [*names]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [need.id for need in (*packs()[name].extends, *packs()[name].requires)]
    return found


def reasons(names: tuple[str, ...]) -> list[str]:
    """Why packs do not go together; nothing if they do."""
    there = brought_in(names)
    return [why for pair, why in EXCLUDED.items() if there >= {*pair}]


@cache
def every() -> tuple[tuple[str, ...], ...]:
    """One game or two, with any variants."""
    games = [(one,) for one in editions()] + [*combinations(editions(), 2)]
    sets = [some for n in range(len(variants()) + 1) for some in combinations(variants(), n)]
    return tuple((*game, *some) for game in games for some in sets)


PLAYED = [names for names in every() if not reasons(names)]
REFUSED = [names for names in every() if reasons(names)]
# Whatever goes together with something is in one of these with it: conflicts are between two packs.
LARGEST = [names for names in PLAYED if not any({*names} < {*others} for others in PLAYED)]


def stacked(names: tuple[str, ...]) -> str:
    """As somebody writes it."""
    return "+".join(names)


@pytest.fixture(scope="module")
def parsed() -> ParsedFiles:
    return ParsedFiles()


def test_all_games_and_variants_are_combined() -> None:
    assert {name for names in every() for name in names} == {*editions(), *variants()}
    assert {
        "expert", "few_players", "secret_victory", "short_game", "short_game_east",
        "special_buildings",
    } == {*variants()}  # fmt: skip
    assert len(REFUSED) > len(PLAYED) > 40


@pytest.mark.parametrize(
    "names",
    [pytest.param(names, marks=() if names in LARGEST else pytest.mark.slow) for names in PLAYED],
    ids=stacked,
)
def test_it_links_clean(names: tuple[str, ...], parsed: ParsedFiles) -> None:
    result = load(stacked(names), SEARCH, parsed)
    assert result.ruleset is not None
    assert [str(one.message) for one in result.diagnostics if one.severity != "note"] == []
    assert result.ruleset.players


def test_packs_that_do_not_go_together_say_why() -> None:
    for names in REFUSED:
        stack, findings = resolve_stack(stacked(names), SEARCH)
        assert stack is None, names
        assert {finding.code for finding in findings} == {"Z023"}, names
        messages = [finding.message for finding in findings]
        for reason in reasons(names):
            assert any(reason in message for message in messages), names


def test_nothing_else_is_excluded() -> None:
    said = {frozenset({pack.id, need.id}) for pack in packs().values() for need in pack.conflicts}
    assert said == {frozenset(pair) for pair in EXCLUDED}
    assert all(need.reason for pack in packs().values() for need in pack.conflicts)


@pytest.mark.parametrize("names", sampled(LARGEST, 2, key=stacked), ids=stacked)
def test_the_largest_play_to_the_end(names: tuple[str, ...]) -> None:
    stack = stacked(names)
    ends_properly(stack, linked(stack).players[0], "advised", seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("names", [names for names in PLAYED if names not in LARGEST], ids=stacked)
def test_every_one_plays_to_the_end(names: tuple[str, ...]) -> None:
    stack = stacked(names)
    numbers = linked(stack).players
    for players, policy in (
        (numbers[0], "advised"),
        (numbers[-1], "advised"),
        (numbers[0], "mixed"),
    ):
        ends_properly(stack, players, policy, seed=players)
