"""Whole games by bots, in every ruleset and size, keep the laws at every decision and end properly.

The normal tier plays every stack, every policy, and every number of players from 3 to 9, in one
game or another; `-m slow` plays each combination, 200 games an edition and policy, and 200 of
10 to 18 advised players; `-m soak` plays 5,000. Players that answer at random
get nowhere, so their games have a last turn; where every other player is sensible, the others come
to places where no sensible player goes.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.runtime.laws import Laws
from ziggurat.dsl.loading import load
from ziggurat.dsl.packs import Search
from ziggurat.runtime.bots.policies import Advised, Random, play
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.saves.cache import load_program

PACKS = Search.default([Path(__file__).parents[1] / "packs"])
SIZES = (5, 6, 7, 8, 9)
VARIANTS = {
    "west": ("west", "west+expert", "west+short_game", "west+expert+short_game"),
    "east": ("east", "east+expert", "east+short_game_east", "east+expert+short_game_east"),
}
STACKS = [stack for stacks in VARIANTS.values() for stack in stacks]
POLICIES = ("advised", "random", "mixed")
SMALL = [(f"{edition}+few_players", players) for edition in VARIANTS for players in (3, 4)]
GREAT = range(10, 19)
ANSWERS = 60_000
TURNS = 30


@cache
def program(stack: str) -> Program:
    found, _ = load_program(stack, PACKS)
    assert found is not None
    return found


def turns(game: Game) -> int:
    phases = next(iter(game.run.rules.turns.values())).phases
    return sum(event[0] == "phase" and event[2] == phases[0] for event in game.state.events())


def ends_properly(stack: str, players: int, policy: str, seed: int, **more: Any) -> None:
    wise, wild = Advised(seed), Random(seed)
    seats = {"advised": (wise, wise), "random": (wild, wild), "mixed": (wise, wild)}[policy]
    bots = [seats[number % 2] for number in range(players)]
    options = ({} if policy == "advised" else {"last_turn": 15}) | more
    game = start(program(stack), players, seed=seed, options=options)
    laws = Laws(game.table)
    laws.hold(game)
    play(game, bots, ANSWERS, laws.hold)
    assert game.over
    assert not game.pending
    assert sorted(game.ranking()) == sorted(game.table.owner_names[n] for n in game.table.players)
    assert sorted(game.ranks().values()) == list(
        range(1, players + 1)
    )  # their books break all ties
    assert turns(game) <= TURNS


def games_of_each_sort() -> Iterator[Any]:
    """Yield every stack, policy and size. One policy and size of each stack is not slow."""
    for number, stack in enumerate(STACKS):
        chosen = POLICIES[number % len(POLICIES)], SIZES[number % len(SIZES)]
        for policy, players in product(POLICIES, SIZES):
            marks = () if (policy, players) == chosen else pytest.mark.slow
            yield pytest.param(stack, policy, players, marks=marks)


@pytest.mark.parametrize(("stack", "policy", "players"), [*games_of_each_sort()])
def test_a_game_of_each_sort(stack: str, policy: str, players: int) -> None:
    ends_properly(stack, players, policy, seed=players)


@pytest.mark.parametrize(
    ("stack", "players", "policy"),
    [
        pytest.param(*small, policy, marks=() if (at + of) % 3 == 0 else pytest.mark.slow)
        for at, small in enumerate(SMALL)
        for of, policy in enumerate(POLICIES)
    ],
)
def test_a_game_of_three_and_four(stack: str, policy: str, players: int) -> None:
    ends_properly(stack, players, policy, seed=players)


@pytest.mark.parametrize(
    ("policy", "players"),
    [
        pytest.param(policy, players, marks=() if players == few else pytest.mark.slow)
        for policy, few in (("advised", 18), ("random", 12))
        for players in GREAT
    ],
)
def test_a_game_of_ten_and_more(policy: str, players: int) -> None:
    ends_properly("mega", players, policy, seed=players)


def test_a_pack_may_widen_an_edition() -> None:
    """It brings no more than the setup that core needs for the new number."""
    stack = "west_for_four"
    assert program(stack).ruleset.players == (4, 5, 6, 7, 8, 9)
    ends_properly(stack, 4, "advised", seed=4)
    result = load(stack, PACKS)
    assert result.diagnostics == ()


@pytest.mark.slow
@pytest.mark.parametrize("players", SIZES)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("stack", STACKS)
def test_ten_games_of_each_sort(stack: str, policy: str, players: int) -> None:
    for seed in range(1000, 1010):
        ends_properly(stack, players, policy, seed)


@pytest.mark.slow
@pytest.mark.parametrize(("stack", "players"), SMALL)
@pytest.mark.parametrize("policy", POLICIES)
def test_ten_games_of_three_and_four(stack: str, policy: str, players: int) -> None:
    for seed in range(1000, 1010):
        ends_properly(stack, players, policy, seed)


@pytest.mark.slow
@pytest.mark.parametrize("players", GREAT)
def test_two_hundred_games_of_ten_and_more(players: int) -> None:
    for seed in range(1000, 1000 + 200 // len(GREAT) + 1):
        ends_properly("mega", players, "advised", seed)


@pytest.mark.parametrize(
    ("players", "policy"),
    [
        (5, "advised"),
        (11, "mixed"),
        *(
            pytest.param(players, policy, marks=pytest.mark.slow)
            for players, policy in (
                (7, "random"), (8, "advised"), (12, "advised"), (15, "mixed"), (16, "random"),
                (18, "advised"),
            )
        ),
    ],
)  # fmt: skip
def test_a_game_of_the_expansion_project(players: int, policy: str) -> None:
    ends_properly("expansion_project", players, policy, seed=players)


def test_the_expansion_project_on_the_eastern_half() -> None:
    ends_properly("expansion_project", 6, "mixed", seed=6, half_of_board="east")


def test_people_come_and_go_in_the_expansion_project() -> None:
    """Players at random leave, and two wait for Civil Wars. Nobody asks those who left."""
    left: set[str] = set()
    options = {"last_turn": 15, "players_may_leave": True, "latecomers": 2}
    for seed in range(3):
        game = start(program("expansion_project"), 10, seed=seed, options=options)
        wise, wild = Advised(seed), Random(seed)

        def hold(game: Game) -> None:
            gone = {name for name in game.seats if game.attribute("gone", name)}
            waiting = {name for name in game.seats if game.attribute("awaited", name)}
            left.update(gone - waiting)
            deciders = {game.seats[pending.decider] for pending in game.pending}
            assert deciders.isdisjoint(gone - waiting)

        play(game, [wild, wise] * 5, ANSWERS, hold)
        assert game.over
    assert left


@pytest.mark.slow
@pytest.mark.parametrize("players", range(5, 19))
@pytest.mark.parametrize("policy", POLICIES)
def test_games_of_the_expansion_project_of_every_size(policy: str, players: int) -> None:
    for seed in range(1000, 1005):
        half = "east" if players < 10 and seed % 2 else "west"
        ends_properly("expansion_project", players, policy, seed, half_of_board=half)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10_000, 10_000 + 5_000 // (len(STACKS) * len(SIZES))))
def test_five_thousand_games(seed: int) -> None:
    for stack, players in product(STACKS, SIZES):
        ends_properly(stack, players, "advised", seed)
