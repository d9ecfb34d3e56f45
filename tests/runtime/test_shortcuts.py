"""What play saves itself. Nobody may notice it: the same answers lead to the same positions."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks.shortcuts import ALL, Laborious
from tests.golden.games import program as shipped
from tests.runtime.packed import program
from ziggurat.runtime.bots.policies import Advised, Policy, Random, play
from ziggurat.runtime.game.game import start
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.programs import compile_ruleset

PACKS = str(Path(__file__).parents[1] / "packs")


@cache
def made(text: str) -> Program:
    return program(text)


# ---- whole games


def course(ruled: Program, players: int, seed: int, policy: Policy) -> list[Any]:
    """All that happens in a game."""
    game = start(ruled, players, seed=seed)
    digests: list[str] = []
    play(game, policy, 300, lambda now: digests.append(now.digest))
    return [game.answers(), game.state.events(), digests]


@pytest.mark.parametrize(("stack", "players"), [("race", 3), ("west", 5)])
def test_games_without_shortcuts_are_the_same(stack: str, players: int) -> None:
    rules = shipped(stack, (PACKS,))
    played = course(rules, players, 7, Advised(7))
    assert course(rules, players, 7, Laborious(7, ALL)) == played
    assert played[0]


@pytest.mark.parametrize(("stack", "players"), [("race", 3), ("west", 5)])
@pytest.mark.parametrize("policy", [Advised, Random])
def test_games_of_straight_code_are_the_same(
    stack: str, players: int, policy: Callable[[int], Policy]
) -> None:
    rules = shipped(stack, (PACKS,))
    called = compile_ruleset(rules.ruleset, straight=False)
    assert course(called, players, 9, policy(9)) == course(rules, players, 9, policy(9))


# ---- how many ways there are to act

WAYS = """
phase play "Play" { players p act until done { } }
action go "Go" in play by p (
    origin from areas with chip of p,
    target from origin.near where it.limit + count(chip of p in it) > 1,
    n from 1..count(chip of p in origin) where roomy(target, it)) {
  needs n < 3 or target.limit > 2
  move n chip of p from origin to target
}
value roomy(a: area, n: int): bool = n <= sum(m for m in 1..a.limit)
"""


@pytest.mark.parametrize("seed", range(4))
def test_ways_are_counted_as_they_are_found(seed: int) -> None:
    game = start(made(WAYS), 2, seed=seed)
    play(game, Random(seed), 5 + seed)
    menu = game.pending[0].menu
    (go,) = menu.plans

    def found(args: tuple[Any, ...]) -> int:
        if len(args) - 1 == len(go.single):
            return 1
        return sum(found((*args, option)) for option in menu.options(go, args))

    assert menu.ways(go, (menu.player,)) == found((menu.player,)) > 0


@pytest.mark.parametrize("seed", range(4))
def test_every_way_to_act_is_one_right_guess(seed: int) -> None:
    game = start(made(WAYS), 2, seed=seed)
    play(game, Random(seed), 5 + seed)
    menu = game.pending[0].menu
    (go,) = menu.plans
    assert go.spoken == (True, False, False)
    guesses = [menu.guess(go, number) for number in range(menu.guesses(go, (menu.player,)))]
    right = [args for args in guesses if args is not None]
    assert len(right) == len(set(right)) == menu.ways(go, (menu.player,)) <= len(guesses)
    for args in right:
        run, state = game.run, game.state
        run.actions.refuse(state, "play", menu.player, "go", args[1:])


def test_whether_there_is_a_way_is_found_with_the_first_or_with_all() -> None:
    game = start(made(WAYS), 2)
    menu = game.pending[0].menu
    (go,) = menu.plans
    assert go.each[0] is None
    assert go.each[2] is not None
    for origin in menu.candidates(go, (menu.player,)):
        known = (menu.player, origin)
        for target in go.options[1](menu.state, *known):
            there = (*known, target)
            all_of_them = go.options[2](menu.state, *there)
            assert tuple(go.each[2](menu.state, *there)) == all_of_them
            fit = [n for n in all_of_them if menu.failing(go, (*there, n)) is None]
            assert menu.completable(go, there) == bool(fit)
