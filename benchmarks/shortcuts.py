"""What each shortcut of play is worth: the same games with and without it.

A shortcut is less work for the same answers, so every way of playing must come to the same
position; only where answers are drawn, other ones may be, as likely as before, and time is counted
by the answer. All play in turns, so that they meet the same machine, and medians count.
"""

from collections.abc import Mapping, Sequence
from statistics import median
from time import process_time
from typing import Any

from benchmarks.measure import Claim, seconds, times, undisturbed
from benchmarks.positions import SEED, compiled_rules, new_game
from ziggurat.runtime.bots.advice import ActAdvice
from ziggurat.runtime.bots.policies import Advised, Policy, Random, play
from ziggurat.runtime.kernel.actions import Menu
from ziggurat.runtime.kernel.requests import DecisionRequest
from ziggurat.runtime.kernel.state import FUEL, State

SHORTCUTS = {
    "notes": "what was noted kept over the end of a phase",
    "chance": "actions that advice cannot be for not looked at",
    "picks": "picks of a select asked about once, the best first",
}
GUESSES = "guesses"  # of random players: drawn until one is right, instead of counting right ones
ALL = frozenset(SHORTCUTS)
NONE: frozenset[str] = frozenset()
ADVISED = (("west", 9, SEED), ("west", 7, SEED + 1), ("west", 5, SEED + 2))
SIZES = (("west", 5, SEED), ("west", 9, SEED), ("mega", 18, SEED))
RANDOM = tuple(("west", players, SEED + n) for players in (9, 7, 5) for n in range(15))
REPEATS = 3

One = tuple[str, int, int]  # stack, players, seed
Played = tuple[float, int, int, str]  # seconds, answers, players' turns, where it came to


class Laborious(Advised):
    """Advised play without shortcuts."""

    def __init__(self, seed: int, off: frozenset[str]) -> None:
        super().__init__(seed)
        self._off = off

    def _best_picks(self, ask: DecisionRequest, scores: Sequence[int]) -> tuple[int, ...]:
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


class Counting(Random):
    """Plays at random among all that is right."""

    def _act(self, menu: Menu) -> Any:
        menu.state.fuel = FUEL
        return self._right_one(menu, [plan for plan in menu.plans if menu.opens(plan)])


def bot(policy: str, seed: int, off: frozenset[str]) -> Policy:
    if policy == "random":
        return Counting(seed) if GUESSES in off else Random(seed)
    return Laborious(seed, off) if off else Advised(seed)


def played(policy: str, one: One, off: frozenset[str]) -> Played:
    stack, players, seed = one
    game = new_game(players, seed, compiled_rules(stack))
    if "notes" in off:
        game.watch = State.forget
    with undisturbed():
        start = process_time()
        answers = play(game, bot(policy, seed, off), 100_000)
        spent = process_time() - start
    return spent, answers, game.attribute("turn") * players, game.digest


def measured(
    policy: str, some: tuple[One, ...], ways: list[frozenset[str]]
) -> dict[frozenset[str], tuple[float, int, int]]:
    """For each way of playing the time of all games, their answers and players' turns."""
    spent: dict[frozenset[str], list[float]] = {off: [0.0] * REPEATS for off in ways}
    counts = dict.fromkeys(ways, (0, 0))
    for number in range(REPEATS):
        for one in some:
            found = {off: played(policy, one, off) for off in ways}
            came_to = {tuple(rest) for off, (_, *rest) in found.items() if GUESSES not in off}
            assert len(came_to) == 1
            for off, (time, answers, turns, _) in found.items():
                spent[off][number] += time
                if number == 0:
                    counts[off] = (counts[off][0] + answers, counts[off][1] + turns)
    return {off: (median(spent[off]), *counts[off]) for off in ways}


def shortcuts() -> list[Claim]:
    claims = []
    for one in SIZES:
        found = measured("advised", (one,), [NONE, ALL])
        now, before = (time / turns for time, _, turns in (found[NONE], found[ALL]))
        claims.append(
            Claim(f"a player's turn with {one[1]} ({one[0]}), against one without shortcuts",
                  seconds(now), seconds(before), f"1/{before / now:.2f}")
        )  # fmt: skip
    ways = {name: frozenset((name,)) for name in SHORTCUTS}
    found = measured("advised", ADVISED, [NONE, *ways.values()])
    for name, off in ways.items():
        cost = found[off][0] / found[NONE][0]
        claims.append(
            Claim(f"advised games without “{name}”: {SHORTCUTS[name]}", seconds(found[off][0]),
                  seconds(found[NONE][0]), times(cost))
        )  # fmt: skip
    ways = {name: frozenset((name,)) for name in ("notes", GUESSES)}
    ways["both"] = frozenset(ways)
    found = measured("random", RANDOM, [NONE, *ways.values()])
    rates = {off: answers / time for off, (time, answers, _) in found.items()}
    claims.append(Claim("random decisions a second", f"{rates[NONE]:,.0f}"))
    for name, off in ways.items():
        gain = rates[NONE] / rates[off]
        bound = ("≥ 1.05 ×", gain >= 1.05) if name != "both" else ()
        claims.append(
            Claim(f"random decisions a second, against those without “{name}”",
                  f"{rates[NONE]:,.0f}", f"{rates[off]:,.0f}", times(gain), *bound)
        )  # fmt: skip
    return claims
