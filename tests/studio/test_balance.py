"""What reports on balance say, and what they must not say."""

import json
import pickle
import random
import re
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from math import comb, inf
from pathlib import Path
from typing import Any

import duckdb
import pytest

from benchmarks.pool import read
from tests.studio.simulated import Seat, compared, record, rules, summary
from ziggurat import Trial, engine_hash
from ziggurat.proving.arena import Arena
from ziggurat.studio.cli import main
from ziggurat.studio.simulation import plots, student, workers
from ziggurat.studio.simulation.conclusions import Effect, paragraphs, plan
from ziggurat.studio.simulation.judging import Report
from ziggurat.studio.simulation.lines import columns_of
from ziggurat.studio.simulation.queries import TABLES
from ziggurat.studio.simulation.report import page
from ziggurat.studio.simulation.results import rivals
from ziggurat.studio.simulation.sections import judged
from ziggurat.studio.simulation.statistics import (
    Estimate,
    Figures,
    Numbers,
    allow_for_skew,
    difference,
    fewest_pairs,
    gap,
    mean,
    pairs_needed,
    power,
    share,
    smallest_effect,
    student_mean,
)
from ziggurat.studio.simulation.summary import Contender, Summary, win_shares
from ziggurat.studio.simulation.tables import Writer

LEVEL = """kind side seat plural sides {{ }}
side red "Red" {{ }}
side blue "Blue" {{ }}
side grey "Grey" {{ }}
attribute round of table: int = 0
attribute run of player: int = 0
value points(p: player) "Points": int = p.run
{order}
{phases}phase choosing {{ each player p {{
  choose mine by p from sides where not any(q in players where q.side is it) "Who are you?"
  set p.side = mine
}} }}
phase running "Running" {{
  each player p {{
    choose steps by p from 1..2 "How far?"
    add steps to p.run
  }}
  once {{
    add 1 to round
    if round >= 2 {{ end game }}
  }}
}}
turn main {{ start: {start}  phases: running  {turn} }}
"""
RUN = {
    "run": "r",
    **dict.fromkeys(("rules", "engine", "options", "policy"), ""),
    "players": 2,
    "limit": 9,
}
AHEAD = "order ahead(p: player) { far: -p.run }"


def pack(folder: Path, order: str = AHEAD, phases: str = "", start: str = "choosing",
         turn: str = "ranking: ahead  score: points  shows: points") -> Path:  # fmt: skip
    home = folder / "level"
    home.mkdir(parents=True, exist_ok=True)
    manifest = 'id = "level"\ntitle = "Level"\nversion = "1"\nplayers = "1-3"\n'
    (home / "pack.toml").write_text(manifest, encoding="utf-8")
    text = LEVEL.format(order=order, phases=phases, start=start, turn=turn)
    (home / "level.rules").write_text(text, encoding="utf-8")
    return home


def simulate(home: Path, *more: str) -> int:
    out = home.parent / "out"
    given = ["--jobs", "1", "--policy", "random", "--fresh", "--out", str(out)]
    return main(["simulate", str(home), *given, *more])


def lines(report: Report, effect: Effect | None = None) -> list[str]:
    """Return all that a report says in words."""
    return [line for some in paragraphs(report, effect or Effect()) for line in some]


def values(figures: Figures) -> dict[Any, float]:
    """Return what a single game says."""
    assert {numbers.number for numbers in figures.values()} == {1}
    return {key: numbers.mean for key, numbers in figures.items()}


def said(side: Summary) -> str:
    return "\n".join(lines(Report((side,))))


def games(number: int, *seats: tuple[str, str, Sequence[int]], seed: int = 1) -> list[list[Seat]]:
    """Return so many games in which each seat has one of several numbers of points."""
    draw = random.Random(seed)
    return [
        [(plays, policy, draw.choice(points)) for plays, policy, points in seats]
        for _ in range(number)
    ]


# ---- ties


def test_a_shared_first_place_is_shared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(pack(tmp_path), "--games", "30", "--players", "2") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "of the games ended level" in out
    players = f"'{tmp_path}/out/players.parquet'"
    level = duckdb.sql(
        f"select count(*) from {players} where won and win_share = 0.5 and rank = 1"
    ).fetchall()[0][0]
    assert level > 0
    wrong = duckdb.sql(
        f"select game from {players} group by game having round(sum(win_share), 9) <> 1"
        " or (min(score) = max(score)) <> (max(rank) = 1) or count(*) filter (not won and rank = 1)"
        " > 0"
    )
    assert wrong.fetchall() == []


def test_a_tie_is_told_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = pack(tmp_path, order="order ahead(p: player) { same: 0 }")
    assert main(["demo", str(home), "--players", "3"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert re.search(r"\w+, \w+ and \w+ share first place\.", out)
    assert out.count(" 1 ") >= 3
    assert main(["demo", str(home), "--players", "3", "--language", "de"]) == 0
    assert "teilen sich" in capsys.readouterr().out


def test_last_is_everybody_with_the_lowest_rank() -> None:
    side = summary([("red", "advised", 9), ("blue", "advised", 4), ("grey", "advised", 4)])
    assert values(side.whole)["Last player’s score"] == 4
    assert values(side.whole)["Lead of the winner"] == 5
    side = summary([("red", "advised", 9), ("blue", "advised", 9), ("grey", "advised", 4)])
    assert values(side.whole)["Lead of the winner"] == 0
    assert values(side.whole)["Winner’s score"] == 9


def test_first_place_has_equal_parts() -> None:
    assert win_shares([{"rank": 1}, {"rank": 3}, {"rank": 1}]) == [0.5, 0, 0.5]


# ---- sides with several seats, and several policies


def test_a_side_with_several_seats_is_the_mean_of_them() -> None:
    seats = [("blue", "advised", 20), ("blue", "advised", 10), ("red", "advised", 18)]
    side = summary(seats)
    blue, red = Contender("blue", "advised"), Contender("red", "advised")
    assert values(side.sides.points)[blue] == 15
    assert values(side.sides.wins)[blue] == 0.5
    assert values(side.sides.chances)[blue] == 1 / 3
    assert side.sides.fewest_seats == {blue: 2, red: 1}
    assert values(side.seats.wins)[Contender("seat 1", "advised")] == 1
    report = Report((summary(*[seats] * 20),))
    (estimate,) = report.estimates("sides.wins", blue, "share")
    assert (estimate.mean, estimate.high) == (0.5, 0.5)  # one of two seats can win, no more


def test_sides_are_compared_among_players_of_one_policy() -> None:
    """The search bot plays Grey, and wins: that says nothing about Grey."""
    draw = random.Random(5)
    found = []
    for _ in range(60):
        seats = [("red", "advised"), ("blue", "advised"), ("green", "advised")]
        draw.shuffle(seats)
        found.append(
            [
                ("grey", "search", 30.0),
                *((*one, float(draw.randrange(20))) for one in seats),
            ]
        )
    side = summary(*found)
    side.chose["search"] = side.finished
    side.chosen["search"]["grey"] = 60
    told = lines(Report((side,)))
    assert "search players won more often: 100 %" in "\n".join(told)
    assert not any("grey" in line.lower() and "often:" in line for line in told)
    assert any(
        "search players chose what they play in 60 of 60 games" in line
        and "grey (60 times)" in line
        for line in told
    )
    assert any("Nothing can be said about what search players play" in line for line in told)
    assert {key.name for key in side.sides.wins} == {"red", "blue", "green"}


# ---- the first phase


def test_what_the_first_phase_gives_is_recorded(tmp_path: Path) -> None:
    given = "phase giving { each player p { set p.run = 7 } }\n"
    home = pack(tmp_path, phases=given, start="giving, choosing")
    trial = Trial(str(home), (str(tmp_path),), 2, "random", (), 100)
    first = workers.arena(trial).play(1)["changes"]
    assert [row for row in first if row[0] == "giving"] == [
        ["giving", "points", 0, 7, 0],
        ["giving", "points", 1, 7, 0],
    ]


def test_gains_that_are_equal_in_all_games_are_told_as_such() -> None:
    """Parts of seats that are added up one by one differ in the last digit."""
    seats = [(name, "advised", 1) for name in "abcdefg"]
    report = Report((summary(), summary()))
    for seed in range(1, 13):
        for place, amount in enumerate((1, 3)):
            order = [amount * seed, 12 * amount - amount * seed, *[amount] * 5]
            gains = [["setup", "points", seat, gained, 0] for seat, gained in enumerate(order)]
            report.add(place, record(seed, seats, changes=gains))
    gap = report.gap("Setup: points gained", "changes", ("setup", "points", True))
    assert (gap.change.flat, gap.change.mean) == (True, pytest.approx(2 * 17 / 7))


def test_gains_that_a_variant_takes_away_are_compared() -> None:
    seats = [("red", "advised", 3), ("blue", "advised", 1)]
    report = Report((summary(), summary()))
    for seed in range(1, 13):
        for place, gained in enumerate((6, 0)):
            gains = [["play", "points", 0, gained, 0]] if gained else []
            report.add(place, record(seed, seats, changes=gains))
    told = lines(judged(report))
    assert (
        "play: points gained by a player in a turn down from 1 to 0: −1 (in all 12 pairs)" in told
    )


def test_equal_differences_of_numbers_with_fractions_are_equal() -> None:
    gaps = Numbers.of(gap(seed / 7, seed / 7 + 2.2) for seed in range(1, 20))
    assert difference(gaps).flat


def test_a_value_that_needs_the_first_phase_is_measured_after_it(tmp_path: Path) -> None:
    home = pack(
        tmp_path,
        order=f"attribute lots of table: int = 0\nvalue part(p: player): int = 6 / lots\n{AHEAD}",
        phases="phase giving { once { set lots = 2 } }\n",
        start="giving, choosing",
        turn="ranking: ahead  score: points  shows: part",
    )
    trial = Trial(str(home), (str(tmp_path),), 2, "random", (), 100)
    played = workers.arena(trial).play(1)
    assert (played["outcome"], played["error"]) == ("finished", "")


# ---- what is missing


def test_games_without_an_end_have_no_winner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = Arena._play

    def play(self: Arena, seed: int, book: object) -> str:
        if seed == 2:
            raise ValueError("bottomless")
        return real(self, seed, book)  # type: ignore[arg-type]

    monkeypatch.setattr(Arena, "_play", play)
    assert simulate(pack(tmp_path), "--games", "3", "--players", "2", "--limit", "3") == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "3 of 3 games are missing from all figures" in out
    assert "(2 did not come to an end, 1 broke)" in out
    assert "no game came to its end" in out
    rows = duckdb.sql(
        "select outcome, rank, won, win_share, score is null from"
        f" '{tmp_path}/out/players.parquet' join '{tmp_path}/out/games.parquet' using (game)"
    ).fetchall()
    assert rows == [("unfinished", None, None, None, False)] * 4


def test_a_finished_game_is_counted_although_others_are_not(tmp_path: Path) -> None:
    side = summary([("red", "advised", 9), ("blue", "advised", 4)])
    side.add(record(2, [("red", "advised", 9), ("blue", "advised", 4)], "unfinished"))
    assert "dash: 1 of 2 games are missing" in said(side)
    game = record(2, [("red", "advised", 9)], "unfinished")
    with Writer(tmp_path, {"dash": ()}, {"dash": RUN}, range(2, 3)) as writer:
        writer.add(2, columns_of(game))
        writer.write()
    rows = duckdb.sql(f"from '{tmp_path}/players.parquet'").fetchall()
    assert rows == [("r", "dash", 2, 0, "player1", "red", "advised", None, None, None, 9)]


# ---- few games


# From scipy 1.17: stats.beta.ppf(below, a, b).
@pytest.mark.parametrize(
    ("below", "a", "b", "known"),
    [(0.975, 1, 30, 0.115703), (0.025, 5, 6, 0.187086), (0.975, 6, 5, 0.812914),
     (0.001389, 3.5, 96.5, 0.003381), (0.998611, 4.5, 95.5, 0.129731)],
)  # fmt: skip
def test_beta(below: float, a: float, b: float, known: float) -> None:
    assert student.beta_quantile(below, a, b) == pytest.approx(known, abs=2e-6)


def test_exact_limits_hold_at_least_as_often_as_they_say() -> None:
    for number in (5, 10, 50):
        for chance in (0.02, 1 / 9, 0.2, 1 / 3, 0.5):
            held = sum(
                comb(number, hits) * chance**hits * (1 - chance) ** (number - hits)
                for hits in range(number + 1)
                if share(hits, number).low <= chance <= share(hits, number).high
            )
            assert held >= 0.95


def _draws(draw: random.Random, number: int) -> Iterator[tuple[str, float, list[int]]]:
    """Yield kinds of skewed counts: what they are called, their mean, and some of them."""

    def poisson(rate: float) -> int:
        count, total = 0, draw.expovariate(1)
        while total < rate:
            count, total = count + 1, total + draw.expovariate(1)
        return count

    for rate in (0.5, 2.0):
        yield f"poisson {rate}", rate, [poisson(rate) for _ in range(number)]
    for rate in (0.5, 5.0):
        grown = [poisson(draw.expovariate(1 / rate)) for _ in range(number)]
        yield f"geometric {rate}", rate, grown
    some = [poisson(3) if draw.random() < 0.2 else 0 for _ in range(number)]
    yield "mostly none", 0.6, some


@pytest.mark.parametrize("number", [10, 30, 100])
def test_intervals_of_skewed_counts_hold(number: int) -> None:
    """At least 93 % are wanted; chance moves a figure of 400 by 2 %."""
    draw, held = random.Random(number), Counter[str]()
    for _ in range(400):
        for name, truth, values in _draws(draw, number):
            one = mean(Numbers.of(values))
            held[name] += one.low <= truth <= one.high or (one.flat and not one.mean)
    assert min(held.values()) >= 0.91 * 400, held


def test_intervals_of_ordinary_numbers_are_hardly_wider() -> None:
    draw = random.Random(1)
    for number in (10, 30, 100):
        for middle in (3, 100):
            some = [Numbers.of(draw.gauss(middle, 1) for _ in range(number)) for _ in range(100)]
            wide = sum(one.high - one.low for one in map(mean, some))
            plain = sum(one.high - one.low for one in map(student_mean, some))
            assert wide < 1.2 * plain


def test_what_never_happens_may_happen_in_some_games() -> None:
    none = mean(Numbers.of([0] * 30))
    assert (none.flat, round(none.otherwise, 3)) == (True, 0.116)


# ---- differences: families, power, what is listed


def test_main_figures_are_a_family_of_their_own() -> None:
    old = games(40, ("red", "advised", range(20)), ("blue", "advised", range(20)))
    new = games(40, ("red", "advised", range(9, 29)), ("blue", "advised", range(20)), seed=2)
    report = compared(old, new)
    main = report.family(main=True)
    assert len(main) == 7 + 2 * 2
    assert {gap.label for gap in main} >= {"Turns", "red: wins", "blue: points"}
    assert any(not gap.is_main for gap in report.gaps.values())  # the seats
    told = lines(report)
    at = next(n for n, line in enumerate(told) if line.startswith("Beyond chance:"))
    assert told[at].endswith("of 11 main figures.")
    listed = told[at + 1 :]
    assert any(
        line.startswith("red: points up from ") and " to " in line and ": +" in line
        for line in listed
    )
    text = page(report, [Trial("a", (), 2, "advised", (), 9)] * 2, "ziggurat …", Effect())
    assert text.index("red: points up from") < text.index("At a glance</h2>")


def test_games_are_compared_with_those_of_the_same_seed() -> None:
    report = Report((summary(), summary()))
    old, new = {1: 3, 2: 5, 4: 4, 5: 9}, {1: 5, 3: 7, 4: 2, 5: 13}
    for seed in range(1, 6):
        for place, points in ((1, new), (0, old)):  # as the names of the rulesets are sorted
            if seed in points:
                seats = [("red", "advised", points[seed]), ("blue", "advised", 1)]
                report.add(place, record(seed, seats))
        report.add(0, record(seed + 10, seats, "unfinished"))
    red = Contender("red", "advised")
    assert report.pairs.number == 3
    gaps = report.pairs.gaps("sides.points", red)
    assert (gaps.number, gaps.mean, gaps.least, gaps.most) == (3, pytest.approx(4 / 3), -2, 4)
    known = statistics.correlation([3, 4, 9], [5, 2, 13])
    assert report.pairs.correlation(red) == pytest.approx(known)
    assert report.pairs.gaps("said", ("rule", "never said")).number == 3


def test_numbers_have_the_mean_and_deviation_of_what_was_added() -> None:
    values = [1e9 + 0.25 * n * n for n in range(9)]
    numbers = Numbers.of(values)
    assert numbers.mean == pytest.approx(statistics.mean(values), rel=1e-15)
    assert numbers.deviation == pytest.approx(statistics.stdev(values), rel=1e-12)
    assert numbers.total == pytest.approx(sum(values), rel=1e-15)
    assert numbers.joined_by(0).number == 10
    assert not numbers.is_flat
    assert (Numbers.of([3, 3]).is_flat, Numbers.of([3, 3]).deviation) == (True, 0)


def test_more_games_take_no_more_memory() -> None:
    """Ten times as many games that say the same: only the numbers in it have more digits."""
    pool = read("west5")
    report = Report((Summary("west", pool.rules), Summary("west", pool.rules)))
    sizes = []
    for seed in range(100):
        for place in (0, 1):
            report.add(place, {**pool.games[seed % 10], "seed": seed})
        sizes.append(len(pickle.dumps((report.pairs, report.sides))) if seed in (9, 99) else 0)
    assert sizes[99] < 1.1 * sizes[9]


def test_gains_and_losses_that_are_not_shown_have_limits() -> None:
    seats = [("red", "advised", range(20)), ("blue", "advised", range(20))]
    old, same = (games(60, *seats, seed=seed) for seed in (1, 2))
    better = games(60, ("red", "advised", range(40, 60)), seats[1], seed=2)
    report = compared(old, same)
    reaches = [
        max(report.gaps[f"sides.{name}", key].change.reach for key in report.keys("sides.points"))
        for name in ("wins", "points")
    ]
    assert (
        "No gain or loss of a player is shown. All the same, a player may gain or lose up to"
        f" {100 * reaches[0]:.0f} percentage points of wins and {plots.number(reaches[1])} points."
    ) in lines(report)
    (line,) = (line for line in lines(compared(old, better)) if "gain or loss" in line)
    assert re.fullmatch(r"No other gain or loss .* gain or lose up to [\d.]+ points\.", line)


def test_limits_of_differences_of_skewed_counts_reach_further_where_few_large_ones_came() -> None:
    draw = random.Random(1)
    old, new = ([draw.expovariate(1 / rate) // 1 for _ in range(20)] for rate in (0.5, 10))
    plain, change = differences(old, new)
    assert change.high - change.mean > 1.1 * (plain.high - plain.mean)
    assert change.mean - change.low == pytest.approx(plain.mean - plain.low, rel=0.02)
    assert (change.p, change.mean) == (plain.p, plain.mean)


def test_limits_of_differences_reach_further_where_one_ruleset_has_only_zeros() -> None:
    plain, change = differences([0, 0, 3, 0, 0, 5, 0, 0, 0, 0], [0] * 10)
    assert change.high > plain.high + 0.5


def test_limits_of_differences_of_ordinary_numbers_are_those_of_student() -> None:
    draw = random.Random(1)
    old, new = ([draw.gauss(100, 1) for _ in range(20)] for _ in range(2))
    plain, change = differences(old, new)
    assert (change.low, change.high) == pytest.approx((plain.low, plain.high), abs=0.01)


def differences(old: Sequence[float], new: Sequence[float]) -> tuple[Estimate, Estimate]:
    """Return a difference with Student's interval, and with one that allows for skew."""
    plain = difference(Numbers.of(map(gap, old, new)))
    return plain, allow_for_skew(plain, Numbers.of(old), Numbers.of(new))


def test_too_few_pairs_to_show_anything_is_said() -> None:
    old = games(5, ("red", "advised", (1,)), ("blue", "advised", (2,)))
    new = games(5, ("red", "advised", (90,)), ("blue", "advised", (2,)))
    told = "\n".join(lines(compared(old, new)))
    assert "5 pairs of games are too few: no difference of 11 main figures" in told
    assert f"It takes at least {fewest_pairs(11)} pairs" in told
    assert "none of" not in told


# The first is the sum done by hand with the normal distribution: (3.08 + 0.84)² · 0.37 / 0.01.
def test_power() -> None:
    spread = (0.2 * 0.8 + 0.3 * 0.7) ** 0.5
    assert pairs_needed(0.1, spread, 25) == pytest.approx(570, rel=0.02)
    assert pairs_needed(0.1, spread, 430) == pytest.approx(824, rel=0.02)
    assert power(0.1, spread, 577, 25) == pytest.approx(0.8, abs=0.005)
    assert power(0.1, spread, 5, 25) == 0
    assert smallest_effect(spread, 577, 25) == pytest.approx(0.1, abs=0.001)
    assert smallest_effect(spread, 5, 25) == inf
    assert "takes about" in plan(5, 60, Effect())
    assert "60 pairs notice it in" in plan(5, 60, Effect())


def test_power_is_told_of_the_effect_that_is_asked_for() -> None:
    seats = [("red", "advised", range(20)), ("blue", "advised", range(20))]
    old, new = (games(60, *seats, seed=seed) for seed in (1, 2))
    told = lines(compared(old, new), Effect(wins=0.2, points=3))
    assert any("changes by 20 percentage points: it takes about" in line for line in told)
    assert any("Points of a player that change by 3: it takes about" in line for line in told)
    assert any(re.search(r", and a change by [\d.]+ points in 80 %\.$", line) for line in told)


@pytest.mark.parametrize("given", ["wins", "wins=0", "wins=100", "luck=3", "points=-1", "points=x"])
def test_an_effect_that_is_none(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "race", "--effect", given]) == 2
    assert "is no change to notice" in " ".join(capsys.readouterr().err.split())


# ---- what cannot be concluded


def test_nothing_is_concluded_where_nothing_can_be() -> None:
    tie = [("red", "advised", 3), ("blue", "advised", 3)]
    assert "one game says what can happen" in said(summary(tie))
    assert "everybody shared first place in all games" in said(summary(*[tie] * 9))
    assert "the rules name no `score`" in said(summary(of=rules(score=""))) + said(
        summary([("red", "advised", 3)], of=rules(score=""))
    )
    assert "the rules name no `ranking`" in said(summary(tie, tie, of=rules(ranking="")))
    alone = said(summary([("red", "advised", 3)], [("red", "advised", 4)]))
    assert "with one player there is nobody to win against" in alone
    for text in (said(summary(tie)), alone):
        assert "More than chance" not in text
    assert "no game came to its end" in said(summary())


@pytest.mark.parametrize(
    ("order", "turn", "players"),
    [("order ahead(p: player) { same: 0 }", "ranking: ahead  score: points  shows: points", "3"),
     (AHEAD, "score: points  shows: points", "3"),
     (AHEAD, "ranking: ahead  score: points  shows: points", "1")],
    ids=["always level", "no ranking", "alone"],
)  # fmt: skip
def test_nothing_is_told_of_winners_where_nobody_wins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], order: str, turn: str, players: str
) -> None:
    assert simulate(pack(tmp_path, order, turn=turn), "--games", "9", "--players", players) == 0
    out = capsys.readouterr().out
    text = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "Average score" in out
    for word in ("Winner’s score", "Last player’s score", "Lead of the winner", "share of winner"):
        assert word not in out
        assert word not in text
    table = text[text.index("Values over time</h2>") :]
    assert '<th class="n">winner</th>' not in table[: table.index("</section>")]


def test_terminal_says_how_many_games_rows_are_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each of three sides is in some games of two players, each seat in all."""
    home = pack(tmp_path)
    assert simulate(home, "--games", "20", "--players", "2") == 0
    (number,) = duckdb.sql(
        f"select count(*) from '{tmp_path}/out/players.parquet' where plays = 'grey'"
    ).fetchall()[0]
    tables = capsys.readouterr().out
    assert 0 < number < 20
    assert re.search(rf"games +wins .*\n(?:.+\n)*?Grey +{number} +\d+ %", tables)
    assert re.search(r"Who wins, by seat *\n +wins +even chance", tables)
    assert re.search(r"Seat 1 +\d+ %", tables)


def test_single_pair_is_counted_in_the_singular(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = pack(tmp_path / "old"), pack(tmp_path / "new")
    (new / "pack.toml").write_text(
        (new / "pack.toml").read_text(encoding="utf-8").replace('"level"', '"other"'), "utf-8"
    )
    assert simulate(old, "--compare", str(new), "--games", "1", "--players", "2") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "in the one pair" in out
    assert "in all 1 pairs" not in out


def test_wins_by_side_seat_and_policy_share_one_chance_of_a_mistake() -> None:
    side = summary(*games(9, ("red", "advised", range(9)), ("blue", "random", range(9)),
                          ("red", "advised", range(9)), ("grey", "random", range(9))))  # fmt: skip
    assert rivals(Report((side,))) == 2 + 2 + 4  # sides of random players, policies, seats


def test_tables_of_several_runs_can_be_joined(tmp_path: Path) -> None:
    home = pack(tmp_path)
    runs = []
    for number, policy in enumerate(["random", "advised", "mixed", "random"]):
        out = tmp_path / f"out{number}"
        given = ["--games", "2", "--players", "2", "--jobs", "1", "--policy", policy]
        assert main(["simulate", str(home), *given, "--out", str(out)]) == 0
        runs.append(duckdb.sql(f"select distinct run from '{out}/decisions.parquet'").fetchall())
        for table in TABLES:
            columns = duckdb.sql(f"select * from '{out}/{table}.parquet'").columns
            assert columns[:3] == ["run", "stack", "game"]
    (run, engine, options) = duckdb.sql(
        f"select distinct run, engine, options from '{out}/games.parquet'"
    ).fetchall()[0]
    assert [(run,)] == runs[0] == runs[3]
    assert engine == engine_hash()
    assert json.loads(options) == {}
    assert len({str(one) for one in runs}) == 3
    kept = duckdb.sql(
        f"select value from parquet_kv_metadata('{out}/turns.parquet') where key = 'ziggurat'"
    ).fetchall()
    assert json.loads(kept[0][0])[0]["run"] == run
