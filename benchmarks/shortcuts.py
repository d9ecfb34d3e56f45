"""What each shortcut of play is worth: the same games with and without it.

A shortcut is less work for the same answers, so every way of playing must come to the same
position. They play in turns, so that all meet the same machine, and medians count.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from statistics import median
from time import process_time
from typing import Any

from benchmarks.measure import Claim, seconds, times, undisturbed
from benchmarks.positions import SEED, compiled_rules, new_game
from ziggurat.runtime.actions import Menu
from ziggurat.runtime.advice import ActAdvice
from ziggurat.runtime.policies import Advised, Policy, Random, play
from ziggurat.runtime.program import Program, compile_ruleset
from ziggurat.runtime.step_decisions import Ask

SHORTCUTS = {
    "near": "values noted until a place they look at changes",
    "picks": "only the best picks of a select tried",
    "chance": "actions that advice cannot be for not looked at",
}
ALL = frozenset(SHORTCUTS)
NONE: frozenset[str] = frozenset()
NEAR, PICKS, CHANCE = (frozenset((name,)) for name in SHORTCUTS)
ADVISED = (("west", 9, SEED), ("west", 7, SEED + 1), ("west", 5, SEED + 2))
SIZES = (("west", 5, SEED), ("west", 9, SEED), ("mega", 18, SEED))
RANDOM = tuple(("west", players, SEED + n) for players in (9, 7, 5) for n in range(3))
REPEATS = 3

One = tuple[str, int, int]  # stack, players, seed


class Laborious(Advised):
    """Advised play without shortcuts."""

    def __init__(self, seed: int, off: frozenset[str]) -> None:
        super().__init__(seed)
        self._off = off

    def _best_picks(self, ask: Ask, scores: Sequence[int]) -> tuple[int, ...]:
        """Asks of all picks whether they lead to an answer, again and again."""
        if "picks" not in self._off:
            return super()._best_picks(ask, scores)
        order = sorted(self._stream.shuffled(range(len(scores))), key=lambda n: -scores[n])
        chosen: list[int] = []
        while not ask.solver.complete(chosen):
            picks = ask.solver.next_picks(chosen)
            chosen.append(next(number for number in order if number in picks))
        return tuple(sorted(ask.options[number] for number in chosen))

    def _best_act(self, advice: Mapping[str, ActAdvice], menu: Menu) -> Any:
        """Looks at every action that may be taken."""
        if "chance" in self._off:
            advice = {id_: (whole, parts, None) for id_, (whole, parts, _) in advice.items()}
        return super()._best_act(advice, menu)


@cache
def rules(stack: str, near: bool) -> Program:
    found = compiled_rules(stack)
    return found if near else compile_ruleset(found.ruleset, near=False)


def bot(policy: str, seed: int, off: frozenset[str]) -> Policy:
    if policy == "random":
        return Random(seed)
    return Laborious(seed, off) if off - {"near"} else Advised(seed)


def played(policy: str, one: One, off: frozenset[str]) -> tuple[float, int, int, str]:
    """The time of a game, its answers, its players' turns, and where it came to."""
    stack, players, seed = one
    game = new_game(players, seed, rules(stack, "near" not in off))
    with undisturbed():
        start = process_time()
        answers = play(game, bot(policy, seed, off), 100_000)
        spent = process_time() - start
    return spent, answers, game.attribute("turn") * players, game.digest


def measured(
    policy: str, some: tuple[One, ...], ways: list[frozenset[str]]
) -> tuple[dict[frozenset[str], float], int, int]:
    """For each way of playing the time of all games; their answers and players' turns."""
    spent: dict[frozenset[str], list[float]] = {off: [0.0] * REPEATS for off in ways}
    answers = turns = 0
    for number in range(REPEATS):
        for one in some:
            found = {off: played(policy, one, off) for off in ways}
            assert len({tuple(came_to) for _, *came_to in found.values()}) == 1
            for off, (time, *_) in found.items():
                spent[off][number] += time
            if number == 0:
                answers += found[ways[0]][1]
                turns += found[ways[0]][2]
    return {off: median(some_times) for off, some_times in spent.items()}, answers, turns


def shortcuts() -> list[Claim]:
    claims = []
    for one in SIZES:
        found, _, turns = measured("advised", (one,), [NONE, ALL])
        now, before = found[NONE] / turns, found[ALL] / turns
        claims.append(
            Claim(f"a player's turn with {one[1]} ({one[0]}), against one without shortcuts",
                  seconds(now), seconds(before), f"1/{before / now:.2f}")
        )  # fmt: skip
    found, _, _ = measured("advised", ADVISED, [NONE, NEAR, PICKS, CHANCE])
    for off in (NEAR, PICKS, CHANCE):
        (name,) = off
        claims.append(
            Claim(f"advised games without “{name}”: {SHORTCUTS[name]}", seconds(found[off]),
                  seconds(found[NONE]), times(found[off] / found[NONE]))
        )  # fmt: skip
    found, answers, _ = measured("random", RANDOM, [NONE, NEAR])
    cost = found[NEAR] / found[NONE]
    return [
        *claims,
        Claim("random decisions a second", f"{answers / found[NONE]:,.0f}"),
        Claim("random games without “near”", seconds(found[NEAR]), seconds(found[NONE]),
              times(cost), "≥ 1.05 ×", cost >= 1.05),
    ]  # fmt: skip
