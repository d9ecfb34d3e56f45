"""Constrained choices against brute force over all subsets and all divisions."""

import random
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import within
from ziggurat.runtime.solver.solve import Selection, solve_divide, solve_select

Parts = list[list[tuple[Any, ...]]]
LINES = 2_000_000  # of Python, for one question


def subsets(count: int) -> list[frozenset[int]]:
    return [frozenset(i for i in range(count) if mask >> i & 1) for mask in range(1 << count)]


def groups(chosen: frozenset[int], near: Sequence[Sequence[int]]) -> int:
    left = set(chosen)
    found = 0
    while left:
        found += 1
        waiting = [left.pop()]
        while waiting:
            i = waiting.pop()
            joined = {j for j in left if j in near[i] or i in near[j]}
            left -= joined
            waiting += joined
    return found


def spare(chosen: frozenset[int], constraints: Parts) -> bool:
    totals = [p for c in constraints for p in c if p[0] in ("total_is", "total_at_least")]
    return any(
        not any(w[i] > 0 and sum(w[j] for j in chosen) - w[i] < bound for _, w, bound in totals)
        for i in chosen
    )


def holds(part: tuple[Any, ...], chosen: frozenset[int], constraints: Parts) -> bool:
    if part[0] == "connected":
        return groups(chosen, part[1]) <= 1
    if part[0] == "none_spare":
        return not spare(chosen, constraints)
    total = sum(part[1][i] for i in chosen)
    return {
        "total_is": total == part[2],
        "total_at_most": total <= part[2],
        "total_at_least": total >= part[2],
    }[part[0]]


def shortfall(part: tuple[Any, ...], chosen: frozenset[int]) -> tuple[int, ...]:
    if part[0] == "connected":
        return (max(1, groups(chosen, part[1])),)
    total = sum(part[1][i] for i in chosen)
    if total == part[2]:
        return (0,)
    return (1, total) if total > part[2] else (2, -total, -len(chosen))


def brute(count: int, constraints: Parts, relax: bool) -> list[frozenset[int]]:
    legal = subsets(count)
    for constraint in constraints:
        held = [s for s in legal if all(holds(p, s, constraints) for p in constraint)]
        if held or not relax:
            legal = held
            continue
        for part in constraint:
            if part[0] in ("total_is", "connected"):
                best = min(shortfall(part, s) for s in legal)
                legal = [s for s in legal if shortfall(part, s) == best]
    return legal or [frozenset()]


def check(count: int, constraints: Parts, relax: bool) -> None:
    """Every answer of a selection is what enumeration says, along a random legal path too."""
    items = [10 * i + 3 for i in range(count)]
    selection = solve_select(items, constraints, relax)
    legal = {frozenset(items[i] for i in s) for s in brute(count, constraints, relax)}
    assert frozenset(selection.example()) in legal
    forced = selection.forced()
    assert (frozenset(forced) if forced is not None else None) == (
        next(iter(legal)) if len(legal) == 1 else None
    )
    asked = solve_select(items, constraints, relax)
    picks = random.Random(count)
    chosen: list[int] = []
    while True:
        able = [s for s in legal if s >= set(chosen)]
        expected = [i for i in items if i not in chosen and any(i in s for s in able)]
        assert selection.next_picks(chosen) == expected
        assert [item for item in items if asked.may_pick(chosen, item)] == expected
        assert selection.complete(chosen) == (frozenset(chosen) in legal)
        if not expected:
            break
        chosen.append(picks.choice(expected))


@st.composite
def problems(draw: st.DrawFn) -> tuple[int, Parts]:
    count = draw(st.integers(0, 8))
    lowest = draw(st.sampled_from([0, 0, 0, -3]))
    weights = st.lists(st.integers(lowest, 6), min_size=count, max_size=count)
    kinds = st.sampled_from(["total_is", "total_at_most", "total_at_least"])
    near = st.lists(
        st.lists(st.integers(0, max(0, count - 1)), max_size=3), min_size=count, max_size=count
    )
    part = st.one_of(
        st.tuples(kinds, weights, st.integers(-2, 20)),
        st.tuples(st.just("connected"), near),
        st.just(("none_spare",)),
    )
    return count, draw(st.lists(st.lists(part, min_size=1, max_size=3), max_size=4))


@settings(max_examples=300)
@given(problems(), st.booleans())
def test_selections_are_what_enumeration_says(problem: tuple[int, Parts], relax: bool) -> None:
    check(problem[0], problem[1], relax)


def test_total_falls_back_to_the_least_above_and_then_to_everything() -> None:
    assert solve_select([1, 2], [[("total_is", [3, 5], 4)]], True).forced() == (2,)
    assert solve_select([1, 2, 3], [[("total_is", [3, 5, 0], 9)]], True).forced() == (1, 2, 3)


def test_what_cannot_hold_selects_nothing_without_relaxing() -> None:
    selection = solve_select([7, 8], [[("total_at_least", [1, 1], 3)]], False)
    assert selection.forced() == ()
    assert selection.next_picks([]) == []
    assert selection.complete([])
    assert not selection.complete([7])


def test_unknown_items_are_no_legal_answer() -> None:
    selection = solve_select([7, 8], [], True)
    assert not selection.complete([9])
    assert selection.next_picks([9]) == []


def test_very_wide_totals_are_compared_with_their_bounds() -> None:
    weights = [10**9, 2 * 10**9, 5]
    selection = solve_select([0, 1, 2], [[("total_is", weights, 2 * 10**9 + 5)]], True)
    assert selection.forced() == (1, 2)


def test_an_unknown_part_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="unknown part"):
        solve_select([1], [[("prettiest",)]], True)


def a_war(seed: int, count: int = 30) -> tuple[Parts, list[int]]:
    """A realm on a grid with holes: points to lose, connected, and two limits of the heir."""
    chance = random.Random(seed)
    cells = chance.sample([(x, y) for x in range(7) for y in range(6)], count)
    near = [[j for j, (a, b) in enumerate(cells) if abs(a - x) + abs(b - y) == 1] for x, y in cells]
    cities = [int(chance.random() < 0.3) for _ in cells]
    tokens = [0 if c and chance.random() < 0.7 else chance.randint(1, 4) for c in cities]
    points = [5 * c + t for c, t in zip(cities, tokens, strict=True)]
    wanted = max(1, sum(points) - 35)
    limits: list[tuple[Any, ...]] = [
        ("total_at_most", cities, chance.randint(0, 9)),
        ("total_at_most", tokens, chance.randint(5, 47)),
    ]
    return [[("connected", near)], [("total_is", points, wanted)], limits], points


@pytest.mark.parametrize("budget", [3, 20, 1000])
def test_single_picks_are_those_of_the_list_whatever_the_budget(budget: int) -> None:
    constraints, _ = a_war(5, 18)
    one, other = (solve_select(range(18), constraints, True, budget) for _ in range(2))
    chosen: list[int] = []
    while picks := other.next_picks(chosen):
        assert [item for item in range(18) if one.may_pick(chosen, item)] == picks
        chosen.append(picks[-1])


def play(selection: Selection, chance: random.Random) -> list[int]:
    chosen: list[int] = []
    while True:
        picks = selection.next_picks(chosen)
        if not picks:
            return chosen
        chosen.append(chance.choice(picks))


@pytest.mark.parametrize("budget", [1, 20, 1000])
def test_offered_picks_always_lead_to_an_answer_whatever_the_budget(budget: int) -> None:
    for seed in range(6):
        constraints, _ = a_war(seed)
        selection = solve_select(range(30), constraints, True, budget)
        chosen = play(selection, random.Random(seed))
        assert selection.complete(chosen)
        again = solve_select(range(30), constraints, True, budget)
        for n in range(len(chosen)):
            assert chosen[n] in again.next_picks(chosen[:n])


def test_the_game_s_hardest_selection_is_quick() -> None:
    for seed in range(20):
        constraints, _ = a_war(seed)
        within(LINES, lambda parts=constraints: solve_select(range(30), parts, True).next_picks([]))


def divisions(total: int, allowed: list[list[int]]) -> tuple[int, list[tuple[int, ...]]]:
    every = list(product(*allowed))
    above = [sum(d) for d in every if sum(d) >= total]
    target = min(above) if above else max(sum(d) for d in every)
    return target, [d for d in every if sum(d) == target]


@settings(max_examples=200)
@given(
    st.integers(-1, 25),
    st.lists(st.lists(st.integers(0, 7), min_size=1, max_size=4, unique=True), max_size=4),
)
def test_divisions_are_what_enumeration_says(total: int, allowed: list[list[int]]) -> None:
    division = solve_divide(total, allowed)
    target, legal = divisions(total, allowed)
    assert division.target == target
    assert division.example() in legal
    assert division.forced() == (legal[0] if len(legal) == 1 else None)
    partial: dict[int, int] = {}
    chance = random.Random(total)
    for i in sorted(range(len(allowed)), key=lambda i: -i):
        able = [d for d in legal if all(d[j] == n for j, n in partial.items())]
        assert division.choices(i, partial) == sorted({d[i] for d in able})
        partial[i] = chance.choice(division.choices(i, partial))
    assert division.complete(partial)
    assert not division.complete({**partial, len(allowed): 0})


def test_a_member_that_allows_nothing_gets_nothing() -> None:
    assert solve_divide(3, [[], [1, 2, 3]]).forced() == (0, 3)
