"""Journals of simulations: what stands in them, and what happens when it is not what was played."""

import json
import signal
import subprocess
import sys
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from ziggurat import Trial
from ziggurat.proving import arena as playing
from ziggurat.proving.arena import Arena
from ziggurat.studio.cli import main
from ziggurat.studio.console import OK, USAGE, UsageError
from ziggurat.studio.simulation import journal as journals
from ziggurat.studio.simulation import workers
from ziggurat.studio.simulation.asked import Asked, check_record
from ziggurat.studio.simulation.journal import JOURNAL, REPLACED, SETTINGS, Journal
from ziggurat.studio.simulation.lines import read_head, read_line, write_line

FULL = Path("/dev/full")
PACKS = Path(__file__).parents[1] / "packs"
RACE = Trial("race", (str(PACKS),), 3, "advised", (), 1000)


def simulate(out: Path, *more: str) -> int:
    given = ["--packs", str(PACKS), "--out", str(out), "--players", "3"]
    jobs = [] if "--jobs" in more else ["--jobs", "1"]
    return main(["simulate", "race", *given, *jobs, *more])


def records(out: Path) -> dict[int, dict[str, Any]]:
    kept = {record["seed"]: record for record in Journal(out).records()}
    for record in kept.values():
        del record["seconds"]
    return kept


def said(capsys: pytest.CaptureFixture[str]) -> str:
    told = capsys.readouterr()
    return " ".join((told.out + told.err).split())


@pytest.fixture
def ten(tmp_path: Path) -> Path:
    out = tmp_path / "ten"
    assert simulate(out, "--games", "10") == OK
    return out


def change_line(out: Path, seed: int, **values: Any) -> None:
    """Let the journal say something else of a game."""
    lines = (out / JOURNAL).read_bytes().splitlines(keepends=True)
    for number, line in enumerate(lines):
        record = read_line(line)
        assert record is not None
        if record["seed"] == seed:
            lines[number] = write_line({**record, **values})
    (out / JOURNAL).write_bytes(b"".join(lines))


def change_settings(out: Path, **values: Any) -> None:
    settings = json.loads((out / SETTINGS).read_text())
    settings["rulesets"]["race"] |= values
    (out / SETTINGS).write_text(json.dumps(settings))


def make_old(out: Path, format_: int) -> None:
    """Write a journal as versions before 0.3.0 did."""
    records = [dict(record) for record in Journal(out).records()]
    for record in records:  # events stood in the order in which they came
        record["events"] = sorted(record["events"], key=itemgetter(0))
    lines = [json.dumps(record) for record in records]
    (out / JOURNAL).write_text("".join(f"{line}\n" for line in lines))
    settings = json.loads((out / SETTINGS).read_text())
    settings["format"] = format_
    settings["rulesets"]["race"] = {
        **settings["rulesets"]["race"], "rules": "0123456789abcdef"
    }  # fmt: skip
    del settings["rulesets"]["race"]["engine"]
    (out / SETTINGS).write_text(json.dumps(settings))


def all_by_turns(games: dict[int, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return games with events in one order, whichever order a format has."""
    return [
        {**games[seed], "events": sorted(games[seed]["events"], key=str)} for seed in sorted(games)
    ]


def test_a_line_gives_its_record_back_and_shows_damage() -> None:
    record = json.loads(json.dumps(workers.arena(RACE).play(3)))
    line = write_line(record)
    assert read_line(line) == record
    head = read_head(line)
    assert head is not None
    assert (head.stack, head.seed, head.outcome) == ("race", 3, "finished")
    for damaged in (line[:-20], line[:200] + b"?" + line[201:], b"{}\n", b"\n", b"\xff\xfe\n"):
        assert read_head(damaged) is None
        assert read_line(damaged) is None


def test_lines_are_a_quarter_of_plain_json() -> None:
    record = Arena(*_west()).play(1)
    plain = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    assert len(write_line(record)) < min(8_000, len(plain) / 4)


def _west() -> Any:
    from ziggurat import load_program

    program, _ = load_program("west")
    return program, Trial("west", (), 5, "advised", (), 20_000)


def test_a_damaged_line_is_played_again(ten: Path) -> None:
    before = records(ten)
    data = bytearray((ten / JOURNAL).read_bytes())
    data[150] ^= 1
    (ten / JOURNAL).write_bytes(bytes(data))
    assert len(records(ten)) == 9
    assert simulate(ten, "--games", "10") == OK
    assert records(ten) == before


def test_records_must_be_of_the_game_that_was_asked_for() -> None:
    record = workers.arena(RACE).play(3)
    assert check_record(Asked(RACE, 3), record) is record
    others = (
        Asked(RACE, 4),
        Asked(Trial("race", (), 5, "advised", (), 1000), 3),
        Asked(Trial("race", (), 3, "random", (), 1000), 3),
        Asked(Trial("race", (), 3, "advised", (), 2), 3),
        Asked(Trial("other", (), 3, "advised", (), 1000), 3),
    )
    for asked in others:
        with pytest.raises(UsageError, match="came back as another one"):
            check_record(asked, record)


def test_one_command_writes_to_a_folder(ten: Path, capsys: pytest.CaptureFixture[str]) -> None:
    owner = Journal(ten)
    owner.own()
    try:
        assert simulate(ten, "--games", "11") == USAGE
        assert "another command is simulating" in said(capsys)
    finally:
        owner.release()
    assert simulate(ten, "--games", "11") == OK


def test_a_run_whose_engine_changed_goes_on_only_if_its_games_are_the_same(
    ten: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change_settings(ten, engine="0" * 64, rules="0" * 64)
    assert simulate(ten, "--games", "12") == OK
    assert "its 10 games that were played again are the same. It goes on." in said(capsys)
    assert simulate(ten, "--games", "12") == OK
    assert "played again" not in said(capsys)
    change_settings(ten, engine="0" * 64, rules="0" * 64)
    change_line(ten, 7, turns=99)
    before = (ten / JOURNAL).read_bytes()
    assert simulate(ten, "--games", "14") == USAGE
    told = said(capsys)
    assert "of 12 played again 1 differ, first that of seed 7" in told
    assert "--fresh" in told
    assert (ten / JOURNAL).read_bytes() == before


@pytest.mark.parametrize("format_", [2, 3])
def test_journals_of_before_are_read_and_go_on(
    ten: Path, format_: int, capsys: pytest.CaptureFixture[str]
) -> None:
    before = records(ten)
    make_old(ten, format_)
    assert simulate(ten, "--games", "10") == OK
    assert "10 of 10 games were played before" in said(capsys)
    assert all_by_turns(records(ten)) == all_by_turns(before)


def test_journals_of_later_versions_are_refused(
    ten: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = json.loads((ten / SETTINGS).read_text())
    (ten / SETTINGS).write_text(json.dumps({**settings, "format": 99}))
    assert simulate(ten, "--games", "10") == USAGE
    assert "was written in format 99" in said(capsys)


@pytest.mark.parametrize("old", [False, True])
def test_verifying_replaces_games_that_threads_mixed_up(
    ten: Path, old: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    before = records(ten)
    assert simulate(ten, "--games", "10", "--verify", "3") == OK
    assert "3 games played again, all the same" in said(capsys)
    change_line(ten, 4, turns=99, events=[])
    change_line(ten, 9, values=[])
    if old:
        make_old(ten, 3)
    assert simulate(ten, "--games", "10", "--verify", "all") == 1
    assert "2 of 10 games played again differed (4, 9). They are replaced" in said(capsys)
    assert all_by_turns(records(ten)) == all_by_turns(before)
    lines = [read_line(line) for line in (ten / REPLACED).read_bytes().splitlines(keepends=True)]
    assert [line and line["seed"] for line in lines] == [4, 9]
    assert lines[0] is not None
    assert lines[0]["turns"] == 99


def test_another_engine_cannot_verify(ten: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (ten / JOURNAL).read_bytes()
    change_settings(ten, engine="0" * 64, rules="0" * 64)
    assert simulate(ten, "--games", "10", "--verify", "all") == USAGE
    assert "only the same ones can verify them" in said(capsys)
    assert simulate(ten, "--games", "10", "--verify", "some") == USAGE
    assert "must be a number of games, or `all`" in said(capsys)
    change_line(ten, 2, answers=1)
    make_old(ten, 3)
    before = (ten / JOURNAL).read_bytes()
    assert simulate(ten, "--games", "10", "--verify", "all") == USAGE
    assert "by another engine, as game 2 shows" in said(capsys)
    assert (ten / JOURNAL).read_bytes() == before


def test_failed_games_are_played_again_if_that_is_wanted(ten: Path) -> None:
    before = records(ten)
    change_line(ten, 5, outcome="failed", error="MemoryError: ")
    assert simulate(ten, "--games", "10") == 1
    assert simulate(ten, "--games", "10", "--retry-failed") == OK
    assert records(ten) == before


@pytest.mark.parametrize("trouble", [MemoryError, OSError])
def test_trouble_of_the_machine_is_not_a_broken_game(
    tmp_path: Path, trouble: type[Exception], monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    real, times = Arena._play, {2: 1, 3: 9}

    def play(self: Arena, seed: int, book: playing.Book) -> str:
        if times.get(seed):
            times[seed] -= 1
            raise trouble("too little")
        return real(self, seed, book)

    monkeypatch.setattr(Arena, "_play", play)
    assert simulate(tmp_path, "--games", "4") == USAGE
    told = said(capsys)
    assert "game 2 of `race` is played again" in told
    assert "game 3 of `race` could not be played" in told
    assert sorted(records(tmp_path)) == [1, 2, 4]
    times.clear()
    assert simulate(tmp_path, "--games", "4") == OK


@pytest.mark.skipif(sys.platform != "linux", reason="processes are copied there alone")
@pytest.mark.parametrize("deaths", [1, 99])
def test_games_of_a_killed_process_are_played_by_others(
    ten: Path, tmp_path: Path, deaths: int, capfd: pytest.CaptureFixture[str]
) -> None:
    """In a process of its own, because only copies of it have the patch."""
    program = f"""
import os, signal, sys
from pathlib import Path
from ziggurat.studio.cli import main
from ziggurat.studio.simulation import workers
real, marks = workers.Arena.play, Path({str(tmp_path)!r})
def play(self, seed):
    if seed == 3 and len(list(marks.glob("killed*"))) < {deaths}:
        (marks / f"killed{{os.getpid()}}").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return real(self, seed)
workers.Arena.play = play
workers._method = lambda: "fork"
sys.exit(main(sys.argv[1:]))
"""
    out = tmp_path / "out"
    given = ["simulate", "race", "--packs", str(PACKS), "--players", "3", "--out", str(out)]
    ran = subprocess.run(
        [sys.executable, "-c", program, *given, "--games", "10", "--jobs", "2"],
        capture_output=True,
        text=True,
    )
    if deaths == 1:
        assert ran.returncode == OK, ran.stderr
        assert records(out) == records(ten)
    else:
        assert ran.returncode == USAGE
        told = " ".join(ran.stderr.split())
        assert (
            "game 3 of `race` could not be played: the processes that played it were killed" in told
        )
        assert sorted(records(out)) == [1, 2, 4, 5, 6, 7, 8, 9, 10]


@pytest.mark.skipif(sys.platform != "linux", reason="processes are copied there alone")
def test_a_killed_command_leaves_no_process_and_no_lock(tmp_path: Path) -> None:
    given = ["simulate", "race", "--packs", str(PACKS), "--games", "100000", "--jobs", "2"]
    process = subprocess.Popen(
        [sys.executable, "-m", "ziggurat", *given, "--out", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    path = tmp_path / JOURNAL
    while process.poll() is None and not (path.exists() and path.stat().st_size):
        pass
    process.send_signal(signal.SIGKILL)
    process.communicate()  # ends when no process is left that could write there
    again = Journal(tmp_path)
    again.own()
    again.release()


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = Journal.append

    def append(journal: Journal, record: dict[str, Any]) -> None:
        if record["seed"] == 3:
            journal.close()
            journal._file = FULL.open("wb")
        real(journal, record)

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "append", append)
        assert simulate(tmp_path, "--games", "4") == USAGE
    assert "is full. All games before are kept" in said(capsys)
    assert sorted(records(tmp_path)) == [1, 2]
    assert simulate(tmp_path, "--games", "4") == OK


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
def test_a_disk_that_is_full_when_tables_are_written_keeps_those_of_before(
    ten: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (ten / "players.parquet").read_bytes()
    (ten / "players.new").symlink_to(FULL)
    assert simulate(ten, "--games", "10") == USAGE
    assert "is full. All games before are kept" in said(capsys)
    assert (ten / "players.parquet").read_bytes() == before
    assert simulate(ten, "--games", "10") == OK


def test_folders_are_merged(ten: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more, both = tmp_path / "more", tmp_path / "both"
    assert simulate(more, "--seed", "8", "--games", "6") == OK
    merge = ["--merge", str(ten), "--merge", str(more)]
    given = ["simulate", "race", "--packs", str(PACKS), "--out", str(both)]
    assert main([*given, *merge]) == OK
    assert records(both) == records(ten) | records(more)
    assert len((both / JOURNAL).read_bytes().splitlines()) == 13
    assert (both / "report.html").exists()
    assert main([*given, *merge]) == USAGE
    assert "holds games already" in said(capsys)
    change_line(more, 9, turns=99)
    assert main([*given, *merge, "--fresh"]) == USAGE
    assert "different games with one seed: 9 of `race`" in said(capsys)
    assert len(records(both)) == 13
    assert simulate(more, "--games", "2", "--policy", "random", "--fresh") == OK
    capsys.readouterr()
    assert main([*given, *merge, "--fresh"]) == USAGE
    assert "differ in policy (advised; random)" in said(capsys)


def test_a_million_seeds_take_little_memory() -> None:
    seeds = journals._Seeds()
    assert all(seeds.add(seed) for seed in range(100_000))
    assert not seeds.add(99_999)
    assert len(seeds._blocks) < 100
