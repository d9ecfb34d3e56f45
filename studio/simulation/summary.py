"""What the games of one ruleset add up to. Games come one by one, so many fit into memory."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from ziggurat import FAILED, FINISHED, GameRecord
from ziggurat.studio.simulation.plan import Rules
from ziggurat.studio.simulation.silence import Used
from ziggurat.studio.simulation.statistics import Series

ALL, WINNERS, LAST = "all", "winners", "last"
ENOUGH = 0.2  # of the games must still run for a turn to be drawn
Seat = dict[str, Any]


def _sums() -> Series:
    return Series(total=True)


class Summary:
    """Series (a number for each game) and counts, by what they are about."""

    def __init__(self, stack: str, rules: Rules) -> None:
        self.stack = stack
        self.rules = rules
        self.games = 0
        self.seconds = 0.0
        self.finished: list[int] = []
        self.unfinished: list[int] = []
        self.failed: list[tuple[int, str]] = []
        self.used = Used()
        # Who plays what: wins are 0 or 1, points the score at the end.
        self.wins: defaultdict[str, Series] = defaultdict(Series)
        self.points: defaultdict[str, Series] = defaultdict(Series)
        self.ranks: defaultdict[str, Series] = defaultdict(Series)
        self.policy_wins: defaultdict[str, Series] = defaultdict(Series)
        self.policy_points: defaultdict[str, Series] = defaultdict(Series)
        self.policy_seats: Counter[str] = Counter()
        # The whole game: its length, the winner's points and the like.
        self.whole: defaultdict[str, Series] = defaultdict(Series)
        self.lengths: Counter[int] = Counter()
        # Value, turn: how often each number was seen.
        self.over_time: dict[str, defaultdict[tuple[str, int], Counter[int]]] = {
            group: defaultdict(Counter) for group in (ALL, WINNERS, LAST)
        }
        self.reached: Counter[int] = Counter()
        self.ends: defaultdict[str, Series] = defaultdict(Series)
        self.winner_ends: defaultdict[str, Series] = defaultdict(Series)
        # Kind and thing: the share of players who hold it at the end, of winners, first turns.
        self.held: defaultdict[tuple[str, str], Series] = defaultdict(_sums)
        self.held_by_winner: defaultdict[tuple[str, str], Series] = defaultdict(_sums)
        self.first: defaultdict[tuple[str, str], Counter[int]] = defaultdict(Counter)
        # Rule and sentence.
        self.said: defaultdict[tuple[str, str], Series] = defaultdict(_sums)
        self.amounts: defaultdict[tuple[str, str], Series] = defaultdict(_sums)
        self.said_in: defaultdict[tuple[str, str], Counter[int]] = defaultdict(Counter)
        self.about: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        # Rule, sentence and a thing it names.
        self.named: defaultdict[tuple[str, str, str], Series] = defaultdict(_sums)
        self.named_in: defaultdict[tuple[str, str, str], Counter[int]] = defaultdict(Counter)
        self.decisions: defaultdict[str, Series] = defaultdict(_sums)
        # Phase and value: gained, lost, a player and turn.
        self.changes: defaultdict[tuple[str, str, bool], Series] = defaultdict(_sums)

    def add_all(self, records: Iterable[GameRecord]) -> "Summary":
        for record in records:
            self.add(record)
        return self

    def add(self, record: GameRecord) -> None:
        seed = record["seed"]
        self.games += 1
        self.seconds += record["seconds"]
        if record["outcome"] == FAILED:
            self.failed.append((seed, record["error"]))
            return
        self.used.add(record)
        ended = record["outcome"] == FINISHED
        (self.finished if ended else self.unfinished).append(seed)
        players: list[Seat] = record["players"]
        self._over_time(record, players, ended)
        if not ended:
            return
        self._results(seed, record, players)
        self._holdings(seed, record, players)
        self._events(seed, record, players)

    def often(self, turn: int) -> bool:
        """Whether enough games came to a turn to say something of it."""
        return self.reached[turn] >= ENOUGH * max(self.reached.values(), default=0)

    def _results(self, seed: int, record: GameRecord, players: list[Seat]) -> None:
        by_policy: defaultdict[str, list[int]] = defaultdict(list)
        for number, player in enumerate(players):
            what = player["plays"] or f"seat {number + 1}"
            self.wins[what].add(seed, player["rank"] == 1)
            self.points[what].add(seed, player["score"])
            self.ranks[what].add(seed, player["rank"])
            by_policy[player["policy"]].append(player["score"])
            self.policy_seats[player["policy"]] += 1
            self.policy_wins[player["policy"]].add(seed, player["rank"] == 1)
        for policy, scores in by_policy.items():
            self.policy_points[policy].add(seed, sum(scores) / len(scores))
        scores = sorted(player["score"] for player in players)
        winner = next(player["score"] for player in players if player["rank"] == 1)
        last = next(player["score"] for player in players if player["rank"] == len(players))
        self.lengths[record["turns"]] += 1
        whole = {
            "Turns": record["turns"],
            "Decisions": record["answers"],
            "Winner’s score": winner,
            "Average score": sum(scores) / len(scores),
            "Last player’s score": last,
            "Lead of the winner": winner - (scores[-2] if len(scores) > 1 else 0),
        }
        if winner:
            whole["Last as share of winner"] = last / winner
        for name, value in whole.items():
            self.whole[name].add(seed, value)

    def _over_time(self, record: GameRecord, players: list[Seat], ended: bool) -> None:
        seed = record["seed"]
        for turn, rows in enumerate(record["values"]):
            self.reached[turn] += 1
            for seat, row in enumerate(rows):
                groups = [ALL]
                if ended and players[seat]["rank"] == 1:
                    groups.append(WINNERS)
                if ended and players[seat]["rank"] == len(players):
                    groups.append(LAST)
                for name, value in zip(self.rules.measured, row, strict=True):
                    for group in groups:
                        self.over_time[group][name, turn][value] += 1
        if ended and record["values"]:
            rows = record["values"][-1]
            best = next(seat for seat, player in enumerate(players) if player["rank"] == 1)
            for number, name in enumerate(self.rules.measured):
                self.ends[name].add(seed, sum(row[number] for row in rows) / len(rows))
                self.winner_ends[name].add(seed, rows[best][number])

    def _holdings(self, seed: int, record: GameRecord, players: list[Seat]) -> None:
        for seat, kind, thing, turn, lost in record["held"]:
            self.first[kind, thing][turn] += 1
            if lost is None:
                self.held[kind, thing].add(seed, 1 / len(players))
                if players[seat]["rank"] == 1:
                    self.held_by_winner[kind, thing].add(seed)

    def _events(self, seed: int, record: GameRecord, players: list[Seat]) -> None:
        for turn, number, _, thing, times, amount in record["events"]:
            rule, sentence = record["sentences"][number]
            self.said[rule, sentence].add(seed, times)
            self.amounts[rule, sentence].add(seed, amount)
            self.said_in[rule, sentence][turn] += times
            if thing:
                self.about[rule, sentence][thing] += times
                self.named[rule, sentence, thing].add(seed, times)
                self.named_in[rule, sentence, thing][turn] += times
        for _, path, times in record["decisions"]:
            self.decisions[path].add(seed, times)
        shares = len(players) * max(record["turns"], 1)
        for phase, value, _, gained, lost in record["changes"]:
            self.changes[phase, value, True].add(seed, gained / shares)
            self.changes[phase, value, False].add(seed, lost / shares)
