"""What the games of one ruleset add up to. Games come one by one, and none of them is kept."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

import attrs

from ziggurat import FAILED, FINISHED, GameRecord
from ziggurat.studio.simulation.plan import Rules
from ziggurat.studio.simulation.silence import Used
from ziggurat.studio.simulation.statistics import Figures, Numbers, correlation, gap

ALL, WINNERS, LAST = "all", "winners", "last"
STANDINGS = ("wins", "points", "ranks", "chances")
WINNER_FIGURES = (
    "Winner’s score",
    "Last player’s score",
    "Lead of the winner",
    "Last as share of winner",
)
FIGURES = (
    *(f"{group}.{name}" for group in ("sides", "seats") for name in STANDINGS),
    "policy_wins", "policy_chances", "policy_points", "whole", "ends", "winner_ends", "held",
    "held_by_winner", "said", "amounts", "named", "decisions", "changes",
)  # fmt: skip
ENOUGH = 0.2  # of the games must still run for a turn to be drawn
NAMED_FAILURES = 100
POINTS = "sides.points"
Seat = dict[str, Any]
GameFigures = dict[str, dict[Any, float]]  # what one game says, by figure and by what it is about


@attrs.frozen
class Contender:
    """What somebody plays, or the seat they have, as one policy plays it.

    Only contenders of the same policy can be compared: what two policies win says how well they
    play, not how good their sides are.
    """

    name: str
    policy: str


class Standings:
    """How contenders end: each number is the mean of the seats they have in a game.

    `wins` is about the games in which others of the same policy play something else, and `chances`
    is what it would be if it did not matter who plays what.
    """

    def __init__(self) -> None:
        self.wins, self.points, self.ranks, self.chances = (Figures() for _ in range(4))
        self.fewest_seats: dict[Contender, int] = {}

    def add(self, names: Sequence[str], players: Sequence[Seat]) -> None:
        """Add a game; `names` says what each seat counts as."""
        for policy in dict.fromkeys(player["policy"] for player in players):
            rivals = [n for n, player in enumerate(players) if player["policy"] == policy]
            shares = dict(zip(rivals, win_shares([players[n] for n in rivals]), strict=True))
            for name in dict.fromkeys(names[n] for n in rivals):
                own = [n for n in rivals if names[n] == name]
                key = Contender(name, policy)
                scores = [s for s in (players[n]["score"] for n in own) if s is not None]
                if scores:
                    self.points.note(key, _mean(scores))
                if len(own) < len(rivals):
                    self.wins.note(key, _mean([shares[n] for n in own]))
                    self.chances.note(key, 1 / len(rivals))
                    self.ranks.note(key, _mean([players[n]["rank"] for n in own]))
                    self.fewest_seats[key] = min(len(own), self.fewest_seats.get(key, len(own)))


def win_shares(players: Sequence[Seat]) -> list[float]:
    """Return the part of the victory of each player: 1/k for each of k who share the best rank."""
    best = min(player["rank"] for player in players)
    winners = [player["rank"] == best for player in players]
    return [won / sum(winners) for won in winners]


class Summary:
    """Figures (a number for each game) and counts, by what they are about."""

    def __init__(self, stack: str, rules: Rules) -> None:
        self.stack = stack
        self.rules = rules
        self.games = self.finished = self.unfinished = self.failed = 0
        self.failures: list[tuple[int, str]] = []  # the first ones: seed and error
        self.seconds = 0.0
        self.used = Used()
        # By what is played and by seat; where nothing is played but the seat, by seat only.
        self.sides = Standings()
        self.seats = Standings()
        self.level = 0  # games in which several share first place
        self.apart = 0  # games in which not everybody is level
        self.policy_wins, self.policy_chances, self.policy_points = (Figures() for _ in range(3))
        # By policy: in how many games it chose what it plays, and what it chose how often.
        self.chose: Counter[str] = Counter()
        self.chosen: defaultdict[str, Counter[str]] = defaultdict(Counter)
        # The whole game: its length, the winner's points and the like.
        self.whole = Figures()
        self.lengths: Counter[int] = Counter()
        # Value, turn: how often each number was seen.
        self.over_time: dict[str, defaultdict[tuple[str, int], Counter[int]]] = {
            group: defaultdict(Counter) for group in (ALL, WINNERS, LAST)
        }
        self.reached: Counter[int] = Counter()
        self.ends, self.winner_ends = Figures(), Figures()
        # Kind and thing: the share of players who hold it at the end, of winners, first turns.
        self.held, self.held_by_winner = Figures(total=True), Figures(total=True)
        self.first: defaultdict[tuple[str, str], Counter[int]] = defaultdict(Counter)
        # Rule and sentence.
        self.said, self.amounts = Figures(total=True), Figures(total=True)
        self.said_in: defaultdict[tuple[str, str], Counter[int]] = defaultdict(Counter)
        # Rule, sentence and a thing it names.
        self.named = Figures(total=True)
        self.named_in: defaultdict[tuple[str, str, str], Counter[int]] = defaultdict(Counter)
        self.decisions = Figures(total=True)
        # Phase and value: gained, lost, a player and turn.
        self.changes = Figures(total=True)
        self.figures: dict[str, Figures] = {name: attrgetter(name)(self) for name in FIGURES}

    def add_all(self, records: Iterable[GameRecord]) -> "Summary":
        for record in records:
            self.add(record)
        return self

    def add(self, record: GameRecord) -> GameFigures | None:
        """Add a game, and return what it says; nothing if it did not come to its end."""
        self.games += 1
        self.seconds += record["seconds"]
        if record["outcome"] == FAILED:
            self.failed += 1
            if self.failed <= NAMED_FAILURES:
                self.failures.append((record["seed"], record["error"]))
            return None
        self.used.add(record)
        ended = record["outcome"] == FINISHED
        players: list[Seat] = record["players"]
        self._over_time(record, players, ended)
        if not ended:
            self.unfinished += 1
            return None
        self.finished += 1
        self._results(record, players)
        self._holdings(record, players)
        self._events(record, players)
        return {name: figures.end_game() for name, figures in self.figures.items()}

    def often(self, turn: int) -> bool:
        """Whether enough games came to a turn to say something of it."""
        return self.reached[turn] >= ENOUGH * max(self.reached.values(), default=0)

    def _results(self, record: GameRecord, players: list[Seat]) -> None:
        seats = [f"seat {number + 1}" for number in range(len(players))]
        plays = [player["plays"] or seat for player, seat in zip(players, seats, strict=True)]
        self.sides.add(plays, players)
        self.seats.add(seats, players)
        shares = win_shares(players)
        self.level += max(shares) < 1
        self.apart += min(shares) < max(shares)
        for policy in dict.fromkeys(player["policy"] for player in players):
            own = [n for n, player in enumerate(players) if player["policy"] == policy]
            self.policy_wins.note(policy, sum(shares[n] for n in own))
            self.policy_chances.note(policy, len(own) / len(players))
            if self.has_score:
                self.policy_points.note(policy, _mean([players[n]["score"] for n in own]))
            chosen = [plays[n] for n in own if players[n]["chose"]]
            self.chose[policy] += bool(chosen)
            self.chosen[policy].update(chosen)
        self.lengths[record["turns"]] += 1
        self.whole.note("Turns", record["turns"])
        self.whole.note("Decisions", record["answers"])
        if self.has_score:
            self._scores(players)

    @property
    def has_winners(self) -> bool:
        """Return whether the rules rank players, and not all of them alike in every game."""
        return bool(self.rules.turn.ranking) and self.apart > 0

    @property
    def has_score(self) -> bool:
        """Return whether the rules say what counts as points."""
        return bool(self.rules.turn.score)

    def _scores(self, players: Sequence[Seat]) -> None:
        """Add what the score says of a whole game."""
        scores = [player["score"] for player in players]
        winner = _mean([player["score"] for player in _winners(players)])
        last = _mean([player["score"] for player in _last(players)])
        second = sorted(scores)[-2] if len(scores) > 1 else 0
        figures = (winner, last, winner - second, last / winner if winner else None)
        self.whole.note("Average score", _mean(scores))
        for name, figure in zip(WINNER_FIGURES, figures, strict=True):
            if figure is not None:
                self.whole.note(name, figure)

    def _over_time(self, record: GameRecord, players: list[Seat], ended: bool) -> None:
        best, lowest = (_winners(players), _last(players)) if ended else ([], [])
        groups = {
            ALL: range(len(players)),
            WINNERS: [seat for seat, player in enumerate(players) if player in best],
            LAST: [seat for seat, player in enumerate(players) if player in lowest],
        }
        for turn, rows in enumerate(record["values"]):
            self.reached[turn] += 1
            for group, seats in groups.items():
                columns = zip(*(rows[seat] for seat in seats if seat < len(rows)), strict=True)
                for name, values in zip(self.rules.measured, columns, strict=False):
                    counts = self.over_time[group][name, turn]
                    for value in values:
                        counts[value] += 1
        if ended and record["values"]:
            rows = record["values"][-1]
            winners = [rows[seat] for seat in groups[WINNERS]]
            for number, name in enumerate(self.rules.measured):
                self.ends.note(name, _mean([row[number] for row in rows]))
                self.winner_ends.note(name, _mean([row[number] for row in winners]))

    def _holdings(self, record: GameRecord, players: list[Seat]) -> None:
        shares = win_shares(players)
        for seat, kind, thing, turn, lost in record["held"]:
            self.first[kind, thing][turn] += 1
            if lost is None:
                self.held.note((kind, thing), 1 / len(players))
                if shares[seat]:
                    self.held_by_winner.note((kind, thing), shares[seat])

    def _events(self, record: GameRecord, players: list[Seat]) -> None:
        sentences = [tuple(sentence) for sentence in record["sentences"]]
        said_in = [self.said_in[sentence] for sentence in sentences]
        named: list[dict[str, int]] = [{} for _ in sentences]
        named_in: list[dict[str, Counter[int]]] = [{} for _ in sentences]
        said, amounts = [0] * len(sentences), [0] * len(sentences)
        for turn, number, _, thing, times, amount in record["events"]:
            said[number] += times
            amounts[number] += amount
            said_in[number][turn] += times
            if thing:
                if thing not in named[number]:
                    named[number][thing] = 0
                    named_in[number][thing] = self.named_in[(*sentences[number], thing)]
                named[number][thing] += times
                named_in[number][thing][turn] += times
        for number, sentence in enumerate(sentences):
            self.said.note(sentence, said[number])
            self.amounts.note(sentence, amounts[number])
            for thing, times in named[number].items():
                self.named.note((*sentence, thing), times)
        for _, path, times in record["decisions"]:
            self.decisions.note(path, times)
        turns = max(record["turns"], 1)
        changed: Counter[tuple[str, str, bool]] = Counter()
        for phase, value, _, gained, lost in record["changes"]:
            changed[phase, value, True] += gained
            changed[phase, value, False] += lost
        for key, amount in changed.items():
            shares = len(players) * (1 if self.rules.is_setup(key[0]) else turns)
            self.changes.note(key, amount / shares)


class Pairs:
    """Differences of two rulesets between games with the same seed, new minus old.

    Games come in the order of their seeds, so that none is kept but the last.
    """

    def __init__(self, side: Summary) -> None:
        self.number = 0
        self._gaps = {name: Figures(total=known.total) for name, known in side.figures.items()}
        self._points = (Figures(), Figures())  # of sides, in those games that have a partner
        self._seed: int | None = None
        self._games: dict[int, GameFigures] = {}

    def add(self, seed: int, place: int, game: GameFigures) -> None:
        """Add a finished game of the old ruleset (0) or of the new one (1)."""
        if seed != self._seed:
            self._seed, self._games = seed, {}
        self._games[place] = game
        if len(self._games) < 2:
            return
        self.number += 1
        old, new = self._games[0], self._games[1]
        for name, gaps in self._gaps.items():
            self._compare(gaps, old[name], new[name])
        for key in old[POINTS].keys() & new[POINTS].keys():
            for points, values in zip(self._points, (old, new), strict=True):
                points.note(key, values[POINTS][key])
        for points in self._points:
            points.end_game()

    @staticmethod
    def _compare(gaps: Figures, old: Mapping[Any, float], new: Mapping[Any, float]) -> None:
        for key in old.keys() | new.keys() if gaps.total else old.keys() & new.keys():
            gaps.note(key, gap(old.get(key, 0), new.get(key, 0)))
        gaps.end_game()

    def gaps(self, name: str, key: Any) -> Numbers:
        """Return how a figure differs."""
        return self._gaps[name].over(key, self.number)

    def correlation(self, contender: Contender) -> float:
        """Return how closely somebody's points in games with the same seed are correlated."""
        old, new = (points.over(contender, self.number) for points in self._points)
        return correlation(old, new, self.gaps(POINTS, contender))


def _winners(players: Sequence[Seat]) -> list[Seat]:
    """Return everybody who has won."""
    return [player for player in players if player["rank"] == 1]


def _last(players: Sequence[Seat]) -> list[Seat]:
    """Return everybody with the lowest rank."""
    lowest = max(player["rank"] for player in players)
    return [player for player in players if player["rank"] == lowest]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
