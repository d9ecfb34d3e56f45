"""Do advised bots play like people? `python -m benchmarks.realism [games] [first seed] [stack]`

Plays games of five to nine players, by turns, and prints their numbers beside what the records of
27 games played by people show; then what is bought, which special abilities are used, who comes
last. With `--journal FILE` every game is written down as it ends, and games of the same rules and
advice that stand there are not played again. `tests/content/test_play.py` holds the same numbers
to bounds.
"""

import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import mean, median, stdev
from typing import Any

import attrs
import cyclopts
from cattrs.preconf.json import make_converter

from ziggurat import content_hash
from ziggurat.runtime.bots.policies import Advised, Policy, Random
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.kernel.scheduler import Scheduler
from ziggurat.runtime.kernel.state import FUEL, State
from ziggurat.runtime.kernel.table import SEAT_ATTRIBUTE, Table
from ziggurat.runtime.saves.cache import load_program

PARTS = ("step_points", "advance_points", "city_points")
SIZES = (5, 6, 7, 8, 9)
LATE = range(10, 100)  # turns
RARE = 0.01  # of the players hold it: who bought less often is told
SHARE = 0.2  # of the games in which an ability is held it should be used


@attrs.frozen
class Result:
    """How one player fared."""

    score: int
    advances: int
    steps: int
    parts: tuple[int, ...]
    advised: bool
    plays: str = ""
    bought: frozenset[str] = frozenset()  # what they held at any time


@attrs.define
class Played:
    """One game: its turns, its players from first to last, and what was counted on the way."""

    turns: int = 0
    over: bool = False
    seconds: float = 0.0  # of one core
    results: list[Result] = attrs.field(factory=list)
    cities: dict[int, list[int]] = attrs.field(factory=dict)  # by turn, after construction
    census: dict[int, list[int]] = attrs.field(factory=dict)
    first: dict[int, int] = attrs.field(factory=dict)  # by player: when the first advance came
    acts: Counter[str] = attrs.field(factory=Counter)
    said: Counter[str] = attrs.field(factory=Counter)  # by the path of the rule that says it
    held: dict[int, int] = attrs.field(factory=dict)  # by player: all they held at any time

    @property
    def last_share(self) -> float:
        return self.results[-1].score / self.results[0].score


class Room:
    """A ruleset laid out for a number of players; many games are played in it."""

    def __init__(
        self, stack: str = "west", players: int = 9, program: Program | None = None, **options: Any
    ) -> None:
        self.program = program or loaded(stack)
        names = [f"player{n + 1}" for n in range(players)]
        self.table = Table(self.program.ruleset, names, options)
        self.run = Scheduler(self.program.bind(self.table))
        self.turn = next(iter(self.program.ruleset.turns.values()))

    def value(self, state: State, name: str, player: int) -> int:
        state.fuel = FUEL
        found: int = self.run.call(state, ("value", name), (player,))
        return found

    def play(self, seed: int, advised: Sequence[int] | None = None, limit: int = 60_000) -> Played:
        """A whole game; the `advised` seats take advice (all unless told), the others do not."""
        played = Played()
        began = time.process_time()
        taking = set(self.table.players if advised is None else advised)
        wise, wild = Advised(seed), Random(seed)
        who: list[Policy] = [wise if p in taking else wild for p in self.table.players]
        game = Game.begin(self.run, seed, watch=lambda now: self._watch(now, played))
        while game.pending and limit > 0:
            pending = game.pending[0]
            answer = who[pending.decider].decide(game, pending)
            if pending.ask is None and answer is not None:
                played.acts[answer[0]] += 1
            game.decide(0, answer)
            limit -= 1
        self._close(game, played, taking)
        played.seconds = time.process_time() - began
        return played

    def _close(self, game: Game, played: Played, taking: set[int]) -> None:
        played.over = game.over
        ids = {name: player for player, name in enumerate(self.table.owner_names)}
        scores = game.scores()
        sites = self.program.sites
        for what, _, about, *_ in game.state.events():
            if what == "say":
                played.said[sites[about].rule] += 1
        for name in game.ranking():
            player = ids[name]
            value = [self.value(game.state, part, player) for part in PARTS]
            held = self.value(game.state, "advances_held", player)
            steps = self.value(game.state, "steps_taken", player)
            plays = self._plays(game.state, player)
            bought = self._named(played.held.get(player, 0))
            played.results.append(
                Result(scores[name], held, steps, tuple(value), player in taking, plays, bought)
            )

    def _plays(self, state: State, player: int) -> str:
        """What they play, by its id."""
        slots = [self.table.attributes[f"{SEAT_ATTRIBUTE}{k}"] for k in self.table.seat_kinds]
        things = [state.attrs[slot.slot(player)] for slot in slots]
        return "".join(self.table.things[thing].id for thing in things[:1] if thing is not None)

    def _named(self, held: int) -> frozenset[str]:
        table = self.table
        return frozenset(table.things[thing].id for thing, bit in table.bit.items() if held & bit)

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
                    played.held[player] = played.held.get(player, 0) | state.held[player]
                    if held:
                        played.first.setdefault(player, played.turns)

    def _all(self, state: State, name: str) -> list[int]:
        return [self.value(state, name, player) for player in self.table.players]


def loaded(stack: str) -> Program:
    program, findings = load_program(stack)
    if program is None:
        raise SystemExit("\n".join(str(finding) for finding in findings))
    return program


def counted(turns: Iterable[int], games: Sequence[Played], what: str) -> list[float]:
    """The average over all players in each of these turns of each game."""
    wanted = set(turns)
    return [
        mean(row) for game in games for turn, row in getattr(game, what).items() if turn in wanted
    ]


def spread(numbers: Iterable[float]) -> str:
    found = sorted(numbers)
    return f"{found[0]:g} to {found[-1]:g}, median {median(found):g}"


def likely(numbers: Iterable[float], places: int = 1) -> str:
    """The mean and how far the true one may lie from it, in 95 of 100 cases."""
    found = list(numbers)
    off = 1.96 * stdev(found) / len(found) ** 0.5 if len(found) > 1 else 0.0
    return f"{mean(found):.{places}f} ± {off:.{places}f}"


def share(times: int, of: int) -> str:
    """A share and where the true one may lie in 95 of 100 cases (Wilson)."""
    if not of:
        return "none"
    found, z = times / of, 1.96
    middle = (found + z * z / (2 * of)) / (1 + z * z / of)
    off = z * (found * (1 - found) / of + z * z / (4 * of * of)) ** 0.5 / (1 + z * z / of)
    return f"{found:.1%} ({max(0.0, middle - off):.1%} to {min(1.0, middle + off):.1%})"


def rows(games: Sequence[Played]) -> list[tuple[str, str, str]]:
    """What was looked at, what people do, what the bots did."""
    everybody = [result for game in games for result in game.results]
    winners = [game.results[0] for game in games]
    points = sum(result.score for result in everybody)
    shares = [sum(r.parts[n] for r in everybody) / points for n in range(len(PARTS))]
    first = [turn for game in games for turn in game.first.values()]
    late = counted(LATE, games, "census")
    return [
        ("turns", "15", spread(game.turns for game in games)),
        ("turns, mean", "", likely(game.turns for game in games)),
        ("winner's points", "121 to 145 (all kinds: 97 to 160, median 145)",
         spread(r.score for r in winners)),
        ("winner's points, mean", "", likely(r.score for r in winners)),
        ("last place, share of the winner's", "about 0.67",
         likely((game.last_share for game in games), 3)),
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
        ("cities taken by storm, a game", "",
         likely(game.said["attack_city"] for game in games)),
    ]  # fmt: skip


# ---- who buys, does and loses what ---------------------------------------------------------------


def bought(games: Sequence[Played]) -> dict[str, float]:
    """The share of players who had each thing that was ever held."""
    everybody = [result for game in games for result in game.results]
    times = Counter(thing for result in everybody for thing in result.bought)
    return {thing: number / len(everybody) for thing, number in times.items()}


def rare(program: Program, games: Sequence[Played]) -> dict[str, float]:
    """The things that can be held and hardly anybody had."""
    shares = bought(games)
    kinds = [kind for kind, rule in program.ruleset.kinds.items() if "holdable" in rule.roles]
    known = [thing for kind in kinds for thing in program.ruleset.things.get(kind, {})]
    return {thing: shares.get(thing, 0.0) for thing in known if shares.get(thing, 0.0) < RARE}


def abilities(program: Program, games: Sequence[Played]) -> dict[str, tuple[int, int]]:
    """Of each thing that gives its holders actions: in how many games it was held, and used."""
    acts: dict[str, list[str]] = {}
    for action in program.ruleset.actions.values():
        if action.thing:
            acts.setdefault(action.thing.partition(".")[2], []).append(action.id)
    found = {}
    for thing, names in acts.items():
        holding = [game for game in games if any(thing in r.bought for r in game.results)]
        used = [game for game in holding if any(game.acts[name] for name in names)]
        found[thing] = (len(holding), len(used))
    return found


def lasts(games: Sequence[Played]) -> dict[str, tuple[int, int]]:
    """Of everything that is played: in how many games, and in how many it came last."""
    played = Counter(result.plays for game in games for result in game.results)
    last = Counter(game.results[-1].plays for game in games)
    return {plays: (number, last[plays]) for plays, number in played.items()}


def report(program: Program, games: Sequence[Played]) -> None:
    shares = bought(games)
    print("\nbought, % of players (held at any time):")
    order = sorted(shares, key=lambda thing: -shares[thing])
    print("  " + ", ".join(f"{thing} {shares[thing]:.1%}" for thing in order))
    few = rare(program, games)
    everybody = sum(len(game.results) for game in games)
    seldom = {thing: round(shares[thing] * everybody) for thing in order[-5:]}
    print("the rarest: " + ", ".join(f"{t} {share(n, everybody)}" for t, n in seldom.items()))
    print(f"below {RARE:.0%}: " + (", ".join(f"{t} {s:.1%}" for t, s in few.items()) or "none"))
    print("abilities, games used / games held:")
    for thing, (held, used) in abilities(program, games).items():
        weak = "  <" if used < SHARE * held or not held else ""
        print(f"  {thing:20} {used} / {held} = {share(used, held)}{weak}")
    print("last, games last / games played, mean share of the winner's points:")
    for plays, (number, last) in sorted(lasts(games).items(), key=lambda x: -x[1][1] / x[1][0]):
        own = [
            result.score / game.results[0].score
            for game in games
            for result in game.results
            if result.plays == plays
        ]
        weak = "  <" if 3 * last > number else ""
        print(f"  {plays:12} {last} / {number} = {share(last, number)}, {likely(own, 2)}{weak}")


class Journal:
    """Games that were played before, by rules, players and seed; a line each, so cuts lose one."""

    def __init__(self, file: Path | None, program: Program) -> None:
        self.file = file
        self.rules = content_hash(program.ruleset)
        self.shape = make_converter()
        lines = file.read_text("utf-8").splitlines() if file and file.exists() else []
        entries = [json.loads(line) for line in lines if line.endswith("}")]
        self.known = {tuple(entry["key"]): entry["game"] for entry in entries}

    def played(self, room: Room, seed: int) -> Played:
        key = (self.rules, len(room.table.players), seed)
        if key in self.known:
            return self.shape.structure(self.known[key], Played)
        game = room.play(seed)
        if self.file:
            entry = json.dumps({"key": key, "game": self.shape.unstructure(game)})
            with self.file.open("a", encoding="utf-8") as out:
                out.write(entry + "\n")
        return game


def main(
    games: int = 50, first: int = 1, stack: str = "west", *sizes: int, journal: Path | None = None
) -> None:
    program = loaded(stack)
    rooms = [Room(players=players, program=program) for players in sizes or SIZES]
    book = Journal(journal, program)
    played = [book.played(rooms[n % len(rooms)], first + n) for n in range(games)]
    found = [("", "people", f"{games} advised games"), *rows(played)]
    left, middle = (max(len(row[n]) for row in found) for n in (0, 1))
    for name, people, bots in found:
        print(f"{name:{left}}  {people:{middle}}  {bots}")
    report(program, played)
    spent = sum(game.seconds for game in played)
    turns = sum(game.turns * len(game.results) for game in played)
    print(
        f"\n{spent / games:.2f} s of one core a game, {1000 * spent / turns:.2f} ms a turn of one."
    )


if __name__ == "__main__":
    cyclopts.run(main)
