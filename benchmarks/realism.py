"""Do advised bots play like people? `python -m benchmarks.realism [games] [first seed]`

Plays nine-player Western games and prints their numbers beside what the records of 27 games played
by people show. `tests/content/test_play.py` holds the same numbers to generous bounds.
"""

import sys
import time
from collections.abc import Iterable, Sequence
from statistics import mean, median
from typing import Any

import attrs

from ziggurat.runtime.cache import load_program
from ziggurat.runtime.game import Game
from ziggurat.runtime.policies import Advised, Policy, Random
from ziggurat.runtime.program import Program
from ziggurat.runtime.scheduler import Scheduler
from ziggurat.runtime.state import FUEL, State
from ziggurat.runtime.table import Table

PARTS = ("step_points", "advance_points", "city_points")
LATE = range(10, 100)  # turns


@attrs.frozen
class Result:
    """How one player fared."""

    score: int
    advances: int
    steps: int
    parts: tuple[int, ...]
    advised: bool


@attrs.define
class Played:
    """One game: its turns, its players from first to last, and what was counted on the way."""

    turns: int = 0
    over: bool = False
    results: list[Result] = attrs.field(factory=list)
    cities: dict[int, list[int]] = attrs.field(factory=dict)  # by turn, after construction
    census: dict[int, list[int]] = attrs.field(factory=dict)
    first: dict[int, int] = attrs.field(factory=dict)  # by player: when the first advance came

    @property
    def last_share(self) -> float:
        return self.results[-1].score / self.results[0].score


class Room:
    """A ruleset laid out for a number of players; many games are played in it."""

    def __init__(self, stack: str = "west", players: int = 9, **options: Any) -> None:
        program, findings = load_program(stack)
        if program is None:
            raise SystemExit("\n".join(str(finding) for finding in findings))
        self.program: Program = program
        self.table = Table(program.ruleset, [f"player{n + 1}" for n in range(players)], options)
        self.run = Scheduler(program.bind(self.table))
        self.turn = next(iter(program.ruleset.turns.values()))

    def value(self, state: State, name: str, player: int) -> int:
        state.fuel = FUEL
        found: int = self.run.call(state, ("value", name), (player,))
        return found

    def play(self, seed: int, advised: Sequence[int] | None = None, limit: int = 60_000) -> Played:
        """A whole game; the `advised` seats take advice (all unless told), the others do not."""
        played = Played()
        taking = set(self.table.players if advised is None else advised)
        wise, wild = Advised(seed), Random(seed)
        who: list[Policy] = [wise if p in taking else wild for p in self.table.players]
        self.run.watch = lambda now: self._watch(now, played)
        try:
            game = Game.begin(self.run, seed)
            while game.pending and limit > 0:
                pending = game.pending[0]
                game.decide(0, who[pending.decider].decide(game, pending))
                limit -= 1
        finally:
            self.run.watch = None
        played.over = game.over
        ids = {name: player for player, name in enumerate(self.table.owner_names)}
        scores = game.scores()
        for name in game.ranking():
            player = ids[name]
            value = [self.value(game.state, part, player) for part in PARTS]
            held = self.value(game.state, "advances_held", player)
            steps = self.value(game.state, "steps_taken", player)
            played.results.append(Result(scores[name], held, steps, tuple(value), player in taking))
        return played

    def _watch(self, state: State, played: Played) -> None:
        """Between two phases."""
        here = self.run.position(state)
        if here.opening:
            return
        match here.ended:
            case "":
                played.turns += 1
            case "population_expansion":
                played.census[played.turns] = self._all(state, "tokens_on_board")
            case "city_construction":
                played.cities[played.turns] = self._all(state, "cities")
            case "advances_acquisition":
                for player, held in enumerate(self._all(state, "advances_held")):
                    if held:
                        played.first.setdefault(player, played.turns)

    def _all(self, state: State, name: str) -> list[int]:
        return [self.value(state, name, player) for player in self.table.players]


def counted(turns: Iterable[int], games: Sequence[Played], what: str) -> list[float]:
    """The average over all players in each of these turns of each game."""
    wanted = set(turns)
    return [
        mean(row) for game in games for turn, row in getattr(game, what).items() if turn in wanted
    ]


def spread(numbers: Iterable[float]) -> str:
    found = sorted(numbers)
    return f"{found[0]:g} to {found[-1]:g}, median {median(found):g}"


def rows(games: Sequence[Played]) -> list[tuple[str, str, str]]:
    """What was looked at, what people do, what the bots did."""
    everybody = [result for game in games for result in game.results]
    winners = [game.results[0] for game in games]
    points = sum(result.score for result in everybody)
    shares = [sum(r.parts[n] for r in everybody) / points for n in range(len(PARTS))]
    first = [turn for game in games for turn in game.first.values()]
    lasts = mean(game.last_share for game in games)
    late = counted(LATE, games, "census")
    return [
        ("turns", "15", spread(game.turns for game in games)),
        ("winner's points", "121 to 145 (all kinds: 97 to 160, median 145)",
         spread(r.score for r in winners)),
        ("last place, share of the winner's", "about 0.67", f"{lasts:.2f}"),
        ("winner's advances", "17 to 30, median 25", spread(r.advances for r in winners)),
        ("everybody's advances", "4 to 32, median 17", spread(r.advances for r in everybody)),
        ("first advances, turn", "6 or 7", f"{spread(first)}, mean {mean(first):.1f}"),
        ("cities, turns 6 and 7", "4", f"{mean(counted((6, 7), games, 'cities')):.1f}"),
        ("cities, turns 8 and 9", "6 to 7", f"{mean(counted((8, 9), games, 'cities')):.1f}"),
        ("cities later", "5 to 6", f"{mean(counted(LATE, games, 'cities')):.1f}"),
        ("tokens late (census)", "22 to 44",
         f"{mean(late):.1f} (averages of turns: {min(late):.0f} to {max(late):.0f})"),
        ("points from the A.S.T.", "more than half", f"{shares[0]:.0%}"),
        ("points from advances", "a third", f"{shares[1]:.0%}"),
        ("points from cities", "a twentieth", f"{shares[2]:.1%}"),
    ]  # fmt: skip


def main(games: int = 50, first: int = 1) -> None:
    room = Room()
    began = time.process_time()
    played = [room.play(seed) for seed in range(first, first + games)]
    spent = (time.process_time() - began) / games
    found = [("", "people", f"{games} advised games"), *rows(played)]
    left, middle = (max(len(row[n]) for row in found) for n in (0, 1))
    for name, people, bots in found:
        print(f"{name:{left}}  {people:{middle}}  {bots}")
    print(f"\n{spent:.2f} s of one core a game.")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
