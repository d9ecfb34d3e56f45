"""How often the statements of balance reports are right, and how often they are not.

`python -m benchmarks.calibration` prints the tables, and `--write` puts them into
`docs/simulation.md`. Nothing is played: games are drawn from those of `benchmarks.pool` or made of
their scores, and fixed seeds say which. So it is known what is true of them, and which statements
are mistakes.
"""

import argparse
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

import attrs

from benchmarks.pool import Pool, read
from ziggurat import GameRecord
from ziggurat.studio.simulation.conclusions import unlike_chance
from ziggurat.studio.simulation.judging import MEAN, PART, SHARE, Report
from ziggurat.studio.simulation.plan import Rules
from ziggurat.studio.simulation.sections import judged
from ziggurat.studio.simulation.statistics import (
    Numbers,
    allow_for_skew,
    difference,
    gap,
    mean,
    power,
    share,
    student_mean,
)
from ziggurat.studio.simulation.summary import Contender, Summary

PAGE = Path(__file__).parents[1] / "docs" / "simulation.md"
BEGIN, END = "<!-- calibration: begin -->", "<!-- calibration: end -->"
POOLS = {5: "west5", 9: "west9"}
# Kinds of figures, and what sort of number they are.
FIGURES = (
    ("whole game", "whole", MEAN),
    ("points", "sides.points", MEAN),
    ("values at the end", "ends", MEAN),
    ("sentences", "said", MEAN),
    ("decisions", "decisions", MEAN),
    ("wins", "sides.wins", SHARE),
    ("held by the winner", "held_by_winner", SHARE),
    ("held by players", "held", PART),
)
Draw = random.Random


@attrs.frozen
class Effort:
    """How much is drawn. These numbers are those of the page."""

    reports: int = 600
    whole_reports: int = 150  # with all figures, which takes longer
    samples: int = 2000


# ---- games that are drawn


def summarize(rules: Rules, records: Iterable[GameRecord]) -> Summary:
    """Return what records add up to, under the seeds 1, 2, 3, …"""
    side = Summary("west", rules)
    return side.add_all({**record, "seed": seed} for seed, record in enumerate(records, 1))


def compare(rules: Rules, old: Iterable[GameRecord], new: Iterable[GameRecord]) -> Report:
    """Return the report on pairs of records, under the seeds 1, 2, 3, …"""
    report = Report((Summary("west", rules), Summary("west", rules)))
    for seed, pair in enumerate(zip(old, new, strict=True), 1):
        for place, record in enumerate(pair):
            report.add(place, {**record, "seed": seed})
    return judged(report)


def strip(record: GameRecord) -> GameRecord:
    """Return a record with nothing but the main figures."""
    empty: dict[str, Any] = dict.fromkeys(("values", "held", "events", "decisions", "changes"), ())
    return {**record, **empty}


def rank(record: GameRecord, seats: Sequence[tuple[str, float]]) -> GameRecord:
    """Return a record in which these are played and have so many points; equal ones are level."""
    players = [
        {
            "name": f"player{number}",
            "plays": plays,
            "policy": "advised",
            "chose": False,
            "rank": 1 + sum(points > score for _, points in seats),
            "score": score,
        }
        for number, (plays, score) in enumerate(seats, 1)
    ]
    return {**strip(record), "players": players}


def level_games(draw: Draw, players: int, games: int) -> Iterator[GameRecord]:
    """Yield games in which it does not matter who plays what, nor where anybody sits."""
    records = read("west5").games
    scores = [player["score"] for record in records for player in record["players"]]
    names = [f"side {number}" for number in range(1, players + 1)]
    for _ in range(games):
        plays, points = draw.sample(names, players), draw.sample(scores, players)
        yield rank(draw.choice(records), list(zip(plays, points, strict=True)))


# ---- reports on nothing


def mistakes_about_chance(players: int, games: int, reports: int) -> float:
    """Return the share of reports on level games that say of anybody: more than chance."""
    draw = Draw(f"chance {players} {games}")
    rules = read("west5").rules
    named = 0
    for _ in range(reports):
        report = Report((summarize(rules, level_games(draw, players, games)),))
        named += any(True for _ in unlike_chance(report))
    return named / reports


@attrs.frozen
class Mistakes:
    """Shares of comparisons of a ruleset with itself that show a difference."""

    main: float  # of a main figure
    others: float  # of any other figure
    whole: float  # of any figure


def mistakes_of_comparing(pool: Pool, pairs: int, reports: int, *, whole: bool) -> Mistakes:
    """Return how often comparisons of a ruleset with itself show something.

    Without `whole`, the other figures are only those of the seats.
    """
    draw = Draw(f"equal {len(pool.games)} {pairs} {whole}")
    records = [record if whole else strip(record) for record in pool.games]
    shown: Counter[str] = Counter(main=0, others=0, whole=0)
    for _ in range(reports):
        drawn = draw.sample(records, 2 * pairs)
        halves = (drawn[:pairs], drawn[pairs:])
        report = compare(pool.rules, *halves)
        main, others = (
            any(map(report.is_beyond_chance, report.family(main=main))) for main in (True, False)
        )
        shown.update(main=main, others=others, whole=main or others)
    return Mistakes(**{name: number / reports for name, number in shown.items()})


# ---- intervals


def poisson(rate: float, draw: Draw) -> int:
    """Draw a count that has this mean."""
    count, total = 0, draw.expovariate(1)
    while total < rate:
        count, total = count + 1, total + draw.expovariate(1)
    return count


def geometric(rate: float, draw: Draw) -> int:
    """Draw a geometric count that has this mean."""
    return poisson(draw.expovariate(1 / rate), draw)


def inflated(some: float, rate: float, draw: Draw) -> int:
    """Draw a count that is 0 in most games."""
    return poisson(rate, draw) if draw.random() < some else 0


def normal(middle: float, draw: Draw) -> float:
    """Draw a number that is far from 0 or near to it, and spreads by 1."""
    return draw.gauss(middle, 1)


# Kinds of numbers: their name, their mean, the chance of a number other than 0, how to draw one.
KINDS: tuple[tuple[str, float, float, Callable[[Draw], float]], ...] = (
    *(("Poisson", m, 1 - math.exp(-m), partial(poisson, m)) for m in (0.2, 0.5, 2.0, 10.0)),
    *(("geometric", m, m / (1 + m), partial(geometric, m)) for m in (0.2, 0.5, 2.0, 10.0)),
    *(
        ("zero-inflated", some * m, some * (1 - math.exp(-m)), partial(inflated, some, m))
        for some, m in ((0.5, 2.0), (0.2, 3.0), (0.1, 3.0), (0.1, 10.0))
    ),
    *(("normal", m, 1.0, partial(normal, m)) for m in (3.0, 100.0)),
)


def coverage_of_means(games: int, samples: int) -> dict[str, float]:
    """Return how often intervals of means hold, for the worst numbers of each kind.

    Where all games say 0, the report says in at most what share of games something else happens,
    and that is what has to hold.
    """
    worst: dict[str, float] = {}
    for name, truth, happens, number in KINDS:
        draw = Draw(f"mean {name} {truth} {games}")
        held = 0
        for _ in range(samples):
            estimate = mean(Numbers.of(number(draw) for _ in range(games)))
            if estimate.flat:
                held += happens <= estimate.otherwise
            else:
                held += estimate.low <= truth <= estimate.high
        worst[name] = min(worst.get(name, 1.0), held / samples)
    return worst


def coverage_of_differences(pairs: int, samples: int) -> dict[str, float]:
    """Return how often limits of differences of means hold, for the worst means of each kind.

    Both rulesets have the same mean, or neighbouring ones. Where all pairs say the same, the report
    gives no interval.
    """
    worst: dict[str, float] = {}
    for name, some in groupby(KINDS, itemgetter(0)):
        kinds = list(some)
        cases = [*zip(kinds, kinds, strict=True), *pairwise(kinds), *pairwise(kinds[::-1])]
        for (_, before, _, old_number), (_, after, _, new_number) in cases:
            draw = Draw(f"difference {name} {before} {after} {pairs}")
            held = 0
            for _ in range(samples):
                old, new = (
                    [number(draw) for _ in range(pairs)] for number in (old_number, new_number)
                )
                change = allow_for_skew(
                    difference(Numbers.of(map(gap, old, new))), Numbers.of(old), Numbers.of(new)
                )
                held += change.flat or change.low <= after - before <= change.high
            worst[name] = min(worst.get(name, 1.0), held / samples)
    return worst


def widths_of_normal_means(games: int, samples: int) -> float:
    """Return how many times as wide as Student's the intervals of normal numbers are at most."""
    most = 0.0
    for middle in (3.0, 100.0):
        draw = Draw(f"width {middle} {games}")
        some = [Numbers.of(normal(middle, draw) for _ in range(games)) for _ in range(samples)]
        wide = math.fsum(e.high - e.low for e in map(mean, some))
        most = max(most, wide / math.fsum(e.high - e.low for e in map(student_mean, some)))
    return most


def coverage_of_shares(games: int) -> float:
    """Return how often limits of shares hold at least, exactly, for shares of 2 to 50 %."""
    estimates = [share(hits, games) for hits in range(games + 1)]
    return min(
        math.fsum(
            math.comb(games, hits) * chance**hits * (1 - chance) ** (games - hits)
            for hits, estimate in enumerate(estimates)
            if estimate.low <= chance <= estimate.high
        )
        for chance in (percent / 100 for percent in range(2, 51))
    )


def coverage_of_gaps(pairs: int, samples: int) -> float:
    """Return how often limits of a difference of wins hold, for the worst of some shares."""
    worst = 1.0
    for before, after in ((0.05, 0.05), (0.2, 0.2), (0.2, 0.3), (0.05, 0.15)):
        draw = Draw(f"gap {before} {after} {pairs}")
        held = 0
        for _ in range(samples):
            old, new = (
                [draw.random() < chance for _ in range(pairs)] for chance in (before, after)
            )
            gaps = Numbers.of(b - a for a, b in zip(old, new, strict=True))
            estimate = difference(gaps, most=1.0)
            held += estimate.low <= after - before <= estimate.high
        worst = min(worst, held / samples)
    return worst


def coverage_in_reports(pool: Pool, games: int, reports: int) -> dict[str, tuple[float, float]]:
    """Return how often intervals of games drawn from a pool hold the means of the pool.

    By kind of figure: of intervals that stand alone, and of all rows of a table together. Where all
    games say the same, the report gives no interval, so there is none that could be wrong.
    """
    draw = Draw(f"report {len(pool.games)} {games}")
    whole = Report((summarize(pool.rules, pool.games),))
    truths = {
        (path, key): whole.estimates(path, key, sort)[0].mean
        for _, path, sort in FIGURES
        for key in whole.keys(path)
    }
    alone: defaultdict[str, list[bool]] = defaultdict(list)
    together: defaultdict[str, list[bool]] = defaultdict(list)
    for _ in range(reports):
        report = Report((summarize(pool.rules, draw.choices(pool.games, k=games)),))
        for name, path, sort in FIGURES:
            keys = report.keys(path)
            rows = []
            for key in keys:
                truth = truths[path, key]
                for among, some in ((1, alone[name]), (len(keys), rows)):
                    (estimate,) = report.estimates(path, key, sort, among)
                    holds = estimate.low - 1e-9 <= truth <= estimate.high + 1e-9
                    some.append(holds or estimate.flat)
            together[name].append(all(rows))
    return {
        name: (sum(alone[name]) / len(alone[name]), sum(together[name]) / reports)
        for name, _, _ in FIGURES
    }


# ---- power


@attrs.frozen
class Power:
    """Shares of reports that show an effect: as the reports state it, and as it is measured."""

    figure: str
    effect: float
    pairs: int
    stated: float
    measured: float


def powers(pool: Pool, points: float, pairs: int, reports: int) -> list[Power]:
    """Return how often reports show that somebody has more points, and wins more often.

    The points are added to those of whoever plays a certain thing, and the game is ranked anew.
    """
    draw = Draw(f"power {len(pool.games)} {points} {pairs}")
    name = pool.games[0]["players"][0]["plays"]
    key = Contender(name, "advised")
    effects = {"points": points, "wins": _gain_of_wins(pool, name, points)}
    stated: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    for _ in range(reports):
        drawn = draw.sample(pool.games, 2 * pairs)
        helped = (_help(record, name, points) for record in drawn[pairs:])
        report = compare(pool.rules, map(strip, drawn[:pairs]), helped)
        family = len(report.family(main=True))
        for figure, effect in effects.items():
            deviation = report.pairs.gaps(f"sides.{figure}", key).deviation
            stated[figure] += power(effect, deviation, pairs, family)
            change = report.gaps[f"sides.{figure}", key]
            shown[figure] += report.is_beyond_chance(change) and change.change.mean > 0
    return [
        Power(figure, effect, pairs, stated[figure] / reports, shown[figure] / reports)
        for figure, effect in effects.items()
    ]


def _gain_of_wins(pool: Pool, name: str, points: float) -> float:
    """Return how many more games of a pool somebody wins who has so many points more."""
    helped = (_help(record, name, points) for record in pool.games)
    gains = compare(pool.rules, map(strip, pool.games), helped).pairs
    return gains.gaps("sides.wins", Contender(name, "advised")).mean


def _help(record: GameRecord, name: str, points: float) -> GameRecord:
    """Return a record in which whoever plays `name` has so many points more."""
    seats = [
        (player["plays"], player["score"] + points * (player["plays"] == name))
        for player in record["players"]
    ]
    return rank(record, seats)


# ---- the tables


def tables(effort: Effort) -> Iterator[str]:
    """Yield all tables, each with the sentence before it."""
    yield _mistakes(effort)
    yield _coverage(effort)
    yield _powers(effort)


def _mistakes(effort: Effort) -> str:
    rows = []
    for players in (3, 5, 9, 18):
        games = (10, 50, 200)
        shares = [mistakes_about_chance(players, n, effort.reports) for n in games]
        what = f"somebody wins more or less than chance: {players} players"
        rows.append(_mistake(what, games, "games", shares))
    for players, name in POOLS.items():
        pairs: tuple[int, ...] = (14, 30, 60)
        shares = [
            mistakes_of_comparing(read(name), n, effort.reports, whole=False).main for n in pairs
        ]
        rows.append(_mistake(f"a main figure differs: {players} players", pairs, "pairs", shares))
        pairs = (20, 60)
        mistakes = [
            mistakes_of_comparing(read(name), n, effort.whole_reports, whole=True) for n in pairs
        ]
        shares = [some.others for some in mistakes]
        rows.append(_mistake(f"another figure differs: {players} players", pairs, "pairs", shares))
        shares = [some.whole for some in mistakes]
        what = f"any figure differs: {players} players"
        rows.append(_mistake(what, pairs, "pairs", shares, "10 %"))
    return (
        f"**Mistakes**, in reports on games without any difference ({effort.reports} reports for"
        f" each number; {effort.whole_reports} where all figures are looked at):\n\n"
        + _table(["statement", "at most", "measured"], rows)
    )


def _mistake(
    what: str, sizes: Sequence[int], unit: str, shares: Sequence[float], most: str = "5 %"
) -> list[str]:
    return [f"{what}, {', '.join(map(str, sizes))} {unit}", most, ", ".join(map(_percent, shares))]


def _coverage(effort: Effort) -> str:
    sizes = (10, 30, 100)
    means = [coverage_of_means(n, effort.samples) for n in sizes]
    rows = [
        [f"mean, {name} (the worst of several)", *(_percent(some[name], 1) for some in means)]
        for name in dict.fromkeys(name for name, *_ in KINDS)
    ]
    rows.append(["share, exactly, the worst of 2 to 50 %",
                 *(_percent(coverage_of_shares(n), 1) for n in sizes)])  # fmt: skip
    differences = [coverage_of_differences(n, effort.samples // 2) for n in sizes]
    rows += [
        [f"difference of means, {name} (the worst of several)",
         *(_percent(some[name]) for some in differences)]
        for name in differences[0]
    ]  # fmt: skip
    rows.append(["difference of wins, the worst of several",
                 *(_percent(coverage_of_gaps(n, effort.samples), 1) for n in sizes)])  # fmt: skip
    drawn = [coverage_in_reports(read("west5"), n, effort.whole_reports) for n in sizes]
    rows += [
        [f"West, {name}: alone / all of a table",
         *(" / ".join(_percent(share, 1) for share in some[name]) for some in drawn)]
        for name, *_ in FIGURES
    ]  # fmt: skip
    widths = (f"{widths_of_normal_means(n, effort.samples // 10):.2f}" for n in sizes)
    rows.append(["width on normal data, times that of Student's t", *widths])
    return (
        f"**Intervals** hold in so many of 100 cases, where 95 are claimed ({effort.samples}"
        " samples of drawn numbers, half as many for differences of means;"
        f" {effort.whole_reports} samples of games of West):\n\n"
        + _table(["interval", *(f"{n} games" for n in sizes)], rows)
    )


def _powers(effort: Effort) -> str:
    cases = [
        case
        for points in (4, 8, 16)
        for pairs in (60, 150)
        for case in powers(read("west5"), points, pairs, effort.reports // 4)
    ]
    rows = [
        [_effect(case), str(case.pairs), _percent(case.stated), _percent(case.measured)]
        for case in sorted(cases, key=lambda case: (case.figure, case.effect, case.pairs))
    ]
    return (
        f"**Power**: how often a difference that is there is shown ({effort.reports // 4} reports"
        " each):\n\n" + _table(["difference", "pairs", "stated", "measured"], rows)
    )


def _effect(case: Power) -> str:
    if case.figure == "wins":
        return f"one of five wins {100 * case.effect:.0f} percentage points more often"
    return f"one of five has {case.effect} points more"


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _percent(part: float, digits: int = 1) -> str:
    return f"{100 * part:.{digits}f} %"


def text(effort: Effort) -> str:
    """Return what stands in the documentation."""
    return "\n".join(tables(effort))


def written(page: str) -> str:
    """Return what the documentation says."""
    return page.partition(BEGIN + "\n")[2].partition(END)[0]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration", description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the tables into the docs")
    found = text(Effort())
    if not parser.parse_args().write:
        print(found)
        return
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(page.replace(written(page), found), encoding="utf-8")


if __name__ == "__main__":
    main()
