"""What play saves itself. Nobody may notice it: the same answers lead to the same positions."""

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.shortcuts import ALL, NONE, bot
from tests.golden.games import program as shipped
from tests.runtime.packed import program
from ziggurat.runtime.game import start
from ziggurat.runtime.lowering.near import Nearness
from ziggurat.runtime.policies import Policy, Random, play
from ziggurat.runtime.program import Bound, Program, compile_ruleset
from ziggurat.runtime.state import State

PACKS = str(Path(__file__).parents[1] / "packs")
NEAR = """
value owners_in(a: area): int = count(o in owners where any(chip of o in a))
value around(p: player, a: area): int =
    sum(count(up chip of p in b) * owners_in(b) for b in a.near) + count(chip of owners in a.near)
value settled(p: player, a: area): int =
    count(b in a.near with chip of p where b.limit > count(chip of p in bag)) + owners_in(a)
value at_hand(p: player, a: area): int =
    sum(n for n in 1..count(chip of p on board)) + count(chip of p in bank) + owners_in(a)
value crowded(p: player, a: area, b: area): int =
    sum(n for n in 1..count(up chip of p in a)) + 10 * owners_in(b) - count(chip of owners in a)
value nobody(p: player): int = sum(a.limit for a in areas)
value two_away(p: player, a: area): int = sum(around(p, b) for b in a.near)
value everywhere(p: player, a: area): int = sum(owners_in(b) for b in areas) + owners_in(a)
value upright(p: player, a: area): int = count(up chip of p on board) + owners_in(a)
value through(p: player, a: area): int = owners_in(first(b in a.near)) + count(q in players)
phase play "Play" { once { end game } }
procedure go(p: player, a: area, b: area) { move 1 chip of p from a to b }
procedure flip(p: player, a: area, b: area) { turn 1 chip of p in a as down }
procedure unflip(p: player, a: area, b: area) { turn all chip of players in {a, b} as up }
procedure home(p: player, a: area, b: area) { remove all chip of players from {a, b} }
procedure come(p: player, a: area, b: area) { place 2 chip of p in b }
procedure lay(p: player, a: area, b: area) { move 1 chip of p from a to bank }
"""
ABOUT_ONE = ("owners_in",)
ABOUT_TWO = ("around", "settled", "at_hand", "two_away", "everywhere", "upright", "through")
CHANGES = ("go", "flip", "unflip", "home", "come", "lay")


@cache
def made(text: str) -> Program:
    return program(text)


def playing() -> tuple[Bound, State]:
    game = start(made(NEAR), 2)
    return game.run.bound, game.state.copy()


def read(bound: Bound, state: State) -> list[Any]:
    areas, players = range(bound.table.A), bound.table.players
    found = [bound["value", name](state, a) for name in ABOUT_ONE for a in areas]
    for name, p, a in product(ABOUT_TWO, players, areas):
        found.append(bound["value", name](state, p, a))
    for p, a, b in product(players, areas, areas):
        found.append(bound["value", "crowded"](state, p, a, b))
    return found


def test_where_a_value_looks_is_known_beforehand() -> None:
    near = Nearness(made(NEAR).ruleset)
    assert near.of("owners_in") == {"a"}
    assert near.of("crowded") == {"a", "b"}
    assert near.of("nobody") == set()
    for far in ABOUT_TWO:
        assert near.of(far) is None, far


STEPS = st.lists(
    st.tuples(st.sampled_from(CHANGES), st.integers(0, 1), st.integers(0, 2), st.integers(0, 2)),
    min_size=1,
    max_size=10,
)


@given(STEPS)
def test_what_is_noted_about_places_follows_every_change(changes: list[tuple[Any, ...]]) -> None:
    bound, state = playing()
    read(bound, state)
    for change, *args in changes:
        bound["procedure", change](state, *args)
        assert read(bound, state) == read(bound, state.copy()), change


@given(STEPS, STEPS)
def test_forks_never_take_each_others_notes(
    ones: list[tuple[Any, ...]], others: list[tuple[Any, ...]]
) -> None:
    bound, state = playing()
    read(bound, state)
    one, other = state.fork(), state.fork()
    for (change, *args), (another, *theirs) in zip(ones, others, strict=False):
        bound["procedure", change](one, *args)
        bound["procedure", another](other, *theirs)
        assert read(bound, one) == read(bound, one.copy())
        assert read(bound, other) == read(bound, other.copy())
    assert read(bound, state) == read(bound, state.copy())


# ---- whole games


def course(ruled: Program, players: int, seed: int, policy: Policy) -> list[Any]:
    """All that happens in a game."""
    game = start(ruled, players, seed=seed)
    digests: list[str] = []
    play(game, policy, 300, lambda now: digests.append(now.digest))
    return [game.answers(), game.state.events(), digests]


@pytest.mark.parametrize("policy", ["advised", "random"])
@pytest.mark.parametrize(("stack", "players"), [("race", 3), ("west", 5)])
def test_games_without_shortcuts_are_the_same(stack: str, players: int, policy: str) -> None:
    quick = shipped(stack, (PACKS,))
    slow = compile_ruleset(quick.ruleset, near=False)
    played = course(quick, players, 7, bot(policy, 7, NONE))
    assert course(slow, players, 7, bot(policy, 7, ALL)) == played
    assert played[0]


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
