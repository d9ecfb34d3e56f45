"""`ziggurat simulate`: many games, the same whatever interrupts them and however many play."""

import json
import math
import multiprocessing
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections import Counter
from multiprocessing import connection
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ziggurat import Trial
from ziggurat.proving import arena as playing
from ziggurat.proving.arena import Arena, policies
from ziggurat.studio.cli import main
from ziggurat.studio.simulation import student, workers
from ziggurat.studio.simulation.journal import JOURNAL, SETTINGS, Journal
from ziggurat.studio.simulation.plots import swings, ticks, whiskers
from ziggurat.studio.simulation.queries import TABLES
from ziggurat.studio.simulation.statistics import (
    Numbers,
    beyond_chance,
    difference,
    mean,
    part,
    quantile,
    share,
)

PACKS = Path(__file__).parents[1] / "packs"
RACE = Trial("race", (str(PACKS),), 3, "advised", (), 1000)
VARIANT = """id = "lavish"
title = "More cards"
version = "1"
"""


def simulate(out: Path, *more: str, stack: str = "race") -> int:
    given = ["--packs", str(PACKS), "--out", str(out), *more]
    for name, value in (("--players", "3"), ("--jobs", "1")):
        given += [] if name in given else [name, value]
    return main(["simulate", stack, *given])


def records(out: Path) -> dict[tuple[str, int], dict[str, Any]]:
    """The games of a folder by stack and seed, without what the clock says."""
    found = {}
    for record in Journal(out).records():
        del record["seconds"]
        found[record["stack"], record["seed"]] = record
    return found


def rows(out: Path, query: str) -> list[tuple[Any, ...]]:
    """The answer to a query in which tables are called by their names."""
    for name in TABLES:
        query = re.sub(rf"\b(from|join) {name}\b", rf"\1 '{out}/{name}.parquet'", query)
    found: list[tuple[Any, ...]] = duckdb.sql(query).fetchall()
    return found


@pytest.fixture(scope="module")
def ten(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("ten")
    assert simulate(out, "--games", "10") == 0
    return out


def test_tables(ten: Path) -> None:
    assert rows(ten, "select count(*), min(game), max(game) from games") == [(10, 1, 10)]
    assert rows(ten, "select distinct outcome, error from games") == [("finished", None)]
    assert rows(ten, "select count(*), round(sum(win_share), 9) from players") == [(30, 10)]
    last = rows(
        ten,
        "select p.score, t.points from players p join turns t using (run, game, seat)"
        " where t.turn = (select max(turn) from turns u where u.game = p.game)",
    )
    assert len(last) == 30
    assert all(score == points for score, points in last)
    said = rows(ten, "select distinct sentence from events where rule like 'run%'")
    assert said == [("[p] comes to [spot of].",)]
    held = rows(ten, "select distinct kind, lost from holdings where turn > 0")
    assert held == [("trick", None)]
    gained = rows(ten, "select sum(gained) from changes where phase = 'run' and value = 'points'")
    assert gained[0][0] > 0


def test_what_sentences_are_about_is_told_with_its_turns(ten: Path) -> None:
    text = (ten / "report.html").read_text(encoding="utf-8")
    text = text[text.index('<section id="named">') :]
    named = rows(
        ten, "select thing, sum(times) / 10 from events"
        " where sentence = '[p] comes to [spot of].' group by 1"
    )  # fmt: skip
    assert len(named) > 1
    card = text[text.index("[p] comes to") :].partition("</table>")[0]
    assert card.count("<tr>") == len(named) + 1
    for thing, times in named:
        title = thing.replace("_", " ")
        row = re.search(rf"<tr><td>{title}</td>.*?</tr>", card, re.IGNORECASE | re.DOTALL)
        assert row, thing
        assert f'data-key="{times:.6g}"' in row[0]


def test_gains_are_right_and_losses_left_of_nothing() -> None:
    picture = ET.fromstring(swings("Coins", [("Tax", [(4.0, 0.0)]), ("Shop", [(0.0, 2.0)])]))
    zero = float(picture.find("line").attrib["x1"])  # type: ignore[union-attr]
    (gain, loss) = ((float(r.attrib["x"]), float(r.attrib["width"])) for r in picture.iter("rect"))
    assert gain[0] == pytest.approx(zero)
    assert loss[0] + loss[1] == pytest.approx(zero)
    assert gain[1] == pytest.approx(2 * loss[1], rel=0.01)
    assert swings("Coins", [("Tax", [(0.0, 0.0)])]) == ""


def test_every_decision_is_counted(ten: Path) -> None:
    (total,) = rows(ten, "select sum(times) from decisions")[0]
    assert rows(ten, "select sum(answers) from games") == [(total,)]
    paths = {path for (path,) in rows(ten, "select distinct path from decisions")}
    assert {"run.c", "buy", "market.done"} <= paths


def test_the_report_has_the_hash_of_the_journal(ten: Path) -> None:
    (settings,) = json.loads((ten / SETTINGS).read_text(encoding="utf-8"))["rulesets"].values()
    told = (ten / "report.html").read_text(encoding="utf-8")
    assert f"; rules {settings['rules'][:12]};" in told


def test_the_report_needs_nothing_else(ten: Path) -> None:
    text = (ten / "report.html").read_text(encoding="utf-8")
    assert not re.search(r"https?://|\bsrc=|<link|@import|url\(", text)
    pictures = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert pictures
    for picture in pictures:
        ET.fromstring(picture)
    for words in (
        "Who wins",
        "Boots",
        "[p] comes to [spot of].",
        "Length of games",
        "run.c",
        "from turn to turn",
        "What it is about",
        "Gains and losses by phase",
    ):
        assert words in text
    assert "nan" not in re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)


@pytest.mark.parametrize("method", ["fork", "spawn"] if sys.platform == "linux" else ["spawn"])
def test_processes_do_not_matter(
    ten: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    monkeypatch.setattr(workers, "_method", lambda: method)
    assert simulate(tmp_path, "--games", "10", "--jobs", "2") == 0
    assert records(tmp_path) == records(ten)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are never copied elsewhere")
def test_processes_are_copied_only_where_no_other_thread_runs() -> None:
    # In a process of its own: which threads other tests have left here says nothing.
    program = """
import threading
from ziggurat.studio.simulation import workers
done = threading.Event()
other = threading.Thread(target=done.wait)
alone = workers._method()
other.start()
print(alone, workers._method())
done.set()
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.stdout.split() == ["fork", "spawn"], ran.stderr


def test_closing_before_the_first_game_ends_all_processes() -> None:
    before = set(multiprocessing.active_children())
    games = workers.play_all([(RACE, seed) for seed in range(50)], 2)
    started = set(multiprocessing.active_children()) - before
    assert started
    games.close()
    # Whether one is alive cannot be asked while the pool's own thread is about to reap it.
    for process in started:
        assert connection.wait([process.sentinel], 60)


def test_games_are_those_of_their_seeds(ten: Path, tmp_path: Path) -> None:
    assert simulate(tmp_path, "--games", "2", "--seed", "7") == 0
    assert records(tmp_path) == {key: r for key, r in records(ten).items() if key[1] in (7, 8)}


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seeds that are played in this process."""
    seeds: list[int] = []
    real = workers.play_one

    def play(side: Trial, seed: int) -> playing.GameRecord:
        seeds.append(seed)
        return real(side, seed)

    monkeypatch.setattr(workers, "play_one", play)
    return seeds


def test_more_games_play_only_the_new_ones(ten: Path, tmp_path: Path, played: list[int]) -> None:
    assert simulate(tmp_path, "--games", "4") == 0
    assert simulate(tmp_path, "--games", "10") == 0
    assert played == list(range(1, 11))
    assert records(tmp_path) == records(ten)
    assert simulate(tmp_path, "--games", "3") == 0
    assert len(played) == 10
    assert rows(tmp_path, "select count(*) from games") == [(3,)]


def test_a_cut_off_line_is_played_again(ten: Path, tmp_path: Path, played: list[int]) -> None:
    assert simulate(tmp_path, "--games", "5") == 0
    journal = tmp_path / JOURNAL
    journal.write_bytes(journal.read_bytes()[:-20])
    assert simulate(tmp_path, "--games", "5") == 0
    assert played == [1, 2, 3, 4, 5, 5]
    assert all(json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines())
    assert records(tmp_path) == {key: r for key, r in records(ten).items() if key[1] <= 5}


def test_an_interrupted_run_goes_on(
    ten: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    real = workers.play_one

    def play(side: Trial, seed: int) -> playing.GameRecord:
        if seed == 4:
            raise KeyboardInterrupt
        return real(side, seed)

    with monkeypatch.context() as patch:
        patch.setattr(workers, "play_one", play)
        assert simulate(tmp_path, "--games", "10") == 130
    told = " ".join(capsys.readouterr().out.split())
    assert "3 of 10 games are played and kept" in told
    assert "The same command goes on" in told
    assert not (tmp_path / "report.html").exists()
    assert simulate(tmp_path, "--games", "10") == 0
    assert records(tmp_path) == records(ten)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is another thing there")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_kill_with_processes(tmp_path: Path, sent: signal.Signals) -> None:
    # A shell starts background jobs with SIGINT ignored, which children inherit.
    code = (
        "import signal, sys; from ziggurat.studio.cli import main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler); sys.exit(main())"
    )
    given = ["simulate", "race", "--packs", str(PACKS), "--games", "100000", "--jobs", "2"]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *given, "--out", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=PACKS.parents[1],
        start_new_session=True,
    )
    journal = tmp_path / JOURNAL
    while process.poll() is None and not (journal.exists() and journal.stat().st_size):
        time.sleep(0.05)
    process.send_signal(sent)
    out, err = process.communicate()  # ends when no process is left that could write there
    assert process.returncode == 130, err.decode()
    assert b"The same command" in b" ".join(out.split())
    assert b"Traceback" not in err
    assert len(records(tmp_path)) == len(journal.read_bytes().splitlines()) > 0


def test_compared_rules_are_played_by_a_number_that_suits_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = tmp_path / "mods" / "small"
    small.mkdir(parents=True)
    manifest = 'id = "small"\ntitle = "Small"\nversion = "1"\nextends = ["race"]\nplayers = "{}"\n'
    more = ["race", "--compare", "race+small", "--packs", str(small.parent), "--packs", str(PACKS)]
    small.joinpath("pack.toml").write_text(manifest.format("2-3"))
    out = ["simulate", *more, "--games", "2", "--out", str(tmp_path / "out")]
    assert main(out) == 0
    report = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "--players 3" in report
    assert main([*out, "--players", "5", "--fresh"]) == 2
    assert "`race` and `race+small` are for 2 to 3 players, not 5" in _flat(capsys)
    small.joinpath("pack.toml").write_text(manifest.format("8-9"))
    assert main(out) == 2
    assert "no number of players suits both `race` and `race+small`" in _flat(capsys)


def _flat(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().err.split())


def test_compare(ten: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pack = tmp_path / "packs" / "lavish"
    pack.mkdir(parents=True)
    (pack / "pack.toml").write_text(VARIANT + 'extends = ["race"]\n', encoding="utf-8")
    rules = "amend option hand_size { default: 4 }\n"
    (pack / "lavish.rules").write_text(rules, encoding="utf-8")
    out = tmp_path / "out"
    more = ["--games", "10", "--compare", "race+lavish", "--packs", str(pack.parent)]
    assert simulate(out, *more) == 0
    found = records(out)
    assert {key for key in found if key[0] == "race"} == set(records(ten))
    assert {key[1] for key in found if key[0] == "race+lavish"} == set(range(1, 11))
    assert found["race", 1] == records(ten)["race", 1]
    text = (out / "report.html").read_text(encoding="utf-8")
    assert "race → race+lavish" in text
    assert "difference" in text
    assert "(10 pairs)" in text
    assert "Holm" in text
    said = " ".join(capsys.readouterr().out.split())
    assert "Who wins" in said
    main, others = re.findall(r"The (\d+) main figures .*? so are the (\d+) others", text)[0]
    assert f"of {main} main figures" in said
    assert f"of {others} other figures (exploration)" in said
    counts = rows(out, "select stack, count(*) from games group by 1 order by 1")
    assert counts == [("race", 10), ("race+lavish", 10)]


def test_a_game_without_end_is_unfinished(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert simulate(tmp_path, "--games", "3", "--limit", "7") == 0
    assert "3 reached the limit of answers" in capsys.readouterr().out
    assert rows(tmp_path, "select distinct outcome, answers from games") == [("unfinished", 7)]
    assert "did not end within 7 answers" in (tmp_path / "report.html").read_text("utf-8")


def test_a_broken_game_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = Arena._play

    def play(self: Arena, seed: int, book: playing.Book) -> str:
        if seed == 2:
            raise ValueError("the <bog> is bottomless")
        return real(self, seed, book)

    monkeypatch.setattr(Arena, "_play", play)
    assert simulate(tmp_path, "--games", "3") == 1
    assert "2 games finished, 1 broke" in capsys.readouterr().out
    assert rows(tmp_path, "select game, error from games where outcome = 'failed'") == [
        (2, "ValueError: the <bog> is bottomless")
    ]
    assert "&lt;bog&gt; is bottomless" in (tmp_path / "report.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--players", "2"], "with players 3, not 2"),
        (["--policy", "random"], "with policy advised, not random"),
        (["--option", "hand_size=3"], "with other options"),
    ],
)
def test_other_settings_do_not_mix(
    ten: Path, more: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = records(ten)
    assert simulate(ten, "--games", "10", *more) == 2
    complaint = capsys.readouterr().err
    assert told in complaint
    assert "--fresh" in complaint
    assert records(ten) == before


def test_fresh(tmp_path: Path) -> None:
    assert simulate(tmp_path, "--games", "2") == 0
    assert simulate(tmp_path, "--games", "2", "--policy", "random", "--fresh") == 0
    assert {p["policy"] for r in records(tmp_path).values() for p in r["players"]} == {"random"}


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--option", "hand_sise=3"], "no option `hand_sise`"),
        (["--option", "hand_size=many"], "is a number"),
        (["--option", "hand_size"], "NAME=VALUE"),
        (["--players", "9"], "is for 2 to 6 players"),
        (["--compare", "race"], "compared with itself"),
    ],
)
def test_mistakes(
    tmp_path: Path, more: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert simulate(tmp_path / "out", *more) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_options_reach_the_game(tmp_path: Path) -> None:
    assert simulate(tmp_path, "--games", "2", "--option", "hand_size=1") == 0
    assert "run.c" not in {path for (path,) in rows(tmp_path, "select path from decisions")}


def test_mixed_seats_change_from_game_to_game(tmp_path: Path) -> None:
    side = Trial("race", (), 3, "mixed", (), 1)
    assert policies(side, 1) == ["advised", "random", "advised"]
    assert policies(side, 2) == ["random", "advised", "random"]
    assert simulate(tmp_path, "--games", "4", "--policy", "mixed") == 0
    assert "By policy" in (tmp_path / "report.html").read_text("utf-8")


def test_one_that_looks_ahead_moves_on_by_a_seat(tmp_path: Path) -> None:
    side = Trial("race", (), 3, "one_search", (), 1)
    assert policies(side, 1) == ["advised", "search", "advised"]
    assert policies(side, 3) == ["search", "advised", "advised"]
    assert simulate(tmp_path, "--games", "3", "--policy", "one_search") == 0
    assert "By policy" in (tmp_path / "report.html").read_text("utf-8")
    found = rows(tmp_path, "select policy, count(*) from players group by 1 order by 1")
    assert found == [("advised", 6), ("search", 3)]


def test_an_arena_can_be_used_again() -> None:
    one = workers.arena(RACE)
    first, second = one.play(3), one.play(3)
    del first["seconds"], second["seconds"]
    assert first == second
    assert len(first["values"]) == first["turns"] + 1


@pytest.mark.parametrize(
    ("outside", "freedom", "known"),
    [(0.05, 1, 12.7062), (0.05, 2, 4.3027), (0.05, 5, 2.5706), (0.05, 30, 2.0423),
     (0.001, 10, 4.5869), (0.01, 120, 2.6174), (0.0001, 3, 28.0001)],
)  # fmt: skip
def test_student(outside: float, freedom: int, known: float) -> None:
    assert student.quantile(outside, freedom) == pytest.approx(known, rel=1e-4)
    assert student.tail(known, freedom) == pytest.approx(outside, rel=1e-3)


def test_intervals() -> None:
    one = share(5, 10)
    assert (one.low, one.high) == (pytest.approx(0.187, abs=1e-3), pytest.approx(0.813, abs=1e-3))
    two = mean(Numbers.of([-1, 2, 3, 4, 7]))
    assert (two.mean, two.low) == (3, pytest.approx(3 - 3.620, abs=0.001))
    gap = difference(Numbers.of([1, 1, 1]))
    assert (gap.mean, gap.number, gap.flat, gap.p) == (1, 3, True, 0.25)
    none = difference(Numbers.of([2, 0]))
    assert none.mean == 1
    assert not none.apart


@pytest.mark.parametrize("hits", [0, 1, 29, 30])
def test_intervals_at_the_ends_have_a_width_and_stay_inside(hits: int) -> None:
    for one in (share(hits, 30), part(Numbers.of([1.0] * hits + [0.0] * (30 - hits)))):
        assert 0 <= one.low <= one.mean <= one.high <= 1
        assert 0.08 < one.high - one.low < 0.2
    assert share(0, 30).high == pytest.approx(1 - share(30, 30).low)


def test_intervals_of_shares_hold_as_often_as_they_say() -> None:
    """Exactly, over all outcomes of fifty games: near 0 and 1 as well."""
    for chance in (0.02, 0.11, 0.5, 0.9, 0.98):
        held = 0.0
        for hits in range(51):
            one = share(hits, 50)
            if one.low <= chance <= one.high:
                held += math.comb(50, hits) * chance**hits * (1 - chance) ** (50 - hits)
        assert held >= 0.95


def test_many_rows_make_wider_intervals() -> None:
    numbers = Numbers.of([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    assert mean(numbers, among=20).high > mean(numbers).high
    assert share(3, 10, among=20).high > share(3, 10).high
    assert share(0, 10, among=20).high == pytest.approx(1 - (0.05 / 20 / 2) ** 0.1)


def test_few_pairs_that_differ_are_not_beyond_chance() -> None:
    gaps = Numbers.of(int(pair < 5) for pair in range(50))
    plain, careful = (difference(gaps, most=most) for most in (0, 1))
    assert plain.p < 0.05 < careful.p
    same = difference(Numbers.of([0] * 50), most=1)
    assert (same.mean, same.p) == (0, 1)
    assert same.low < 0 < same.high


def test_holm() -> None:
    assert beyond_chance([]) < 0
    assert beyond_chance([0.04]) == 0.04
    assert beyond_chance([0.04, 0.04]) < 0
    assert beyond_chance([0.01, 0.04, 0.5]) == 0.01
    assert beyond_chance([0.01, 0.02, 0.03]) == 0.03
    fifty = [n / 50 for n in range(1, 51)]  # nothing but chance
    assert beyond_chance(fifty) < 0


def test_few_games_show_nothing_however_alike_they_are() -> None:
    assert difference(Numbers.of(9 - 0.001 * pair for pair in range(6))).p == 2**-5


def test_figures_in_the_terminal(
    ten: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ten, tmp_path / "out")
    capsys.readouterr()
    assert simulate(tmp_path / "out", "--games", "10") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert re.search(r"Turns [\d.]+ (in all 10 games|[\d.]+ to [\d.]+)", said)
    assert (
        "10 games do not show that anybody wins more or less often than by an even chance" in said
    )


def test_quantiles() -> None:
    assert quantile(Counter({1: 5, 2: 4, 9: 1}), 0.5) == 1
    assert quantile(Counter({1: 5, 2: 4, 9: 1}), 0.95) == 9


def test_plots_survive_little() -> None:
    assert whiskers("none", []) == ""
    ET.fromstring(whiskers("one", [("a < b", [mean(Numbers.of([1.0]))])]))
    assert ticks(0, 10) == [0, 2, 4, 6, 8, 10]
    assert ticks(3, 3) == [3]
