"""Simulations on a Dask cluster: a real scheduler, real workers, one of them killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
import duckdb
import pytest
from distributed import Client

from ziggurat import Trial
from ziggurat.studio.cli import main
from ziggurat.studio.console import OK, USAGE
from ziggurat.studio.simulation import bundle, cluster
from ziggurat.studio.simulation.bundle import Bundle, Mismatch
from ziggurat.studio.simulation.journal import JOURNAL, Journal
from ziggurat.studio.simulation.queries import TABLES

PACKS = Path(__file__).parents[1] / "packs"
RACE = Trial("race", (str(PACKS),), 3, "advised", (), 1000)


def simulate(out: Path, *more: str) -> int:
    given = ["--players", "3", "--packs", str(PACKS), "--out", str(out), *more]
    return main(["simulate", "race", *given])


def table(out: Path, name: str) -> list[Any]:
    """The rows of a table, in one file or in many, without what the clock says."""
    files = out / f"{name}.parquet" if (out / f"{name}.parquet").exists() else out / name / "*"
    columns = "* exclude (seconds)" if name == "games" else "*"
    return duckdb.sql(f"select {columns} from read_parquet('{files}')").fetchall()


@contextmanager
def dask(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """One of Dask's own commands, as people start it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    file = tmp_path_factory.mktemp("dask") / "scheduler.json"
    given = ("--port", "0", "--no-dashboard", "--host", "127.0.0.1", "--scheduler-file", str(file))
    with dask("scheduler", *given), Client(scheduler_file=str(file), timeout=120) as client:
        yield client.scheduler.address


@contextmanager
def workers(address: str, number: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    given = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
    with Client(address) as client:
        if number == 0:
            yield []
            return
        with dask("worker", address, *given) as first, workers(address, number - 1) as others:
            client.wait_for_workers(number, timeout=120)
            yield [first, *others]


def test_a_cluster_plays_the_same_games_though_a_worker_is_killed(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert simulate(tmp_path / "here", "--games", "60", "--jobs", "1") == OK
    append = Journal.append
    with workers(scheduler, 2) as running:

        def killing(journal: Journal, record: dict[str, Any]) -> None:
            append(journal, record)
            if len(list(journal.records())) == 10:
                os.kill(running[0].pid, signal.SIGKILL)

        monkeypatch.setattr(Journal, "append", killing)
        there = tmp_path / "there"
        assert simulate(there, "--games", "60", "--cluster", scheduler, "--parts", "25") == OK
        assert running[0].wait() == -signal.SIGKILL
    assert [file.name for file in sorted((there / "players").iterdir())] == [
        "01-25.parquet", "26-50.parquet", "51-60.parquet",
    ]  # fmt: skip
    for name in TABLES:
        assert table(there, name) == table(tmp_path / "here", name)


def test_an_interrupted_cluster_goes_on(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    append = Journal.append

    def interrupting(journal: Journal, record: dict[str, Any]) -> None:
        append(journal, record)
        if len(list(journal.records())) == 5:
            raise KeyboardInterrupt

    with workers(scheduler, 1):
        with monkeypatch.context() as patch:
            patch.setattr(Journal, "append", interrupting)
            assert simulate(tmp_path, "--games", "20", "--cluster", scheduler) == 130
        assert "5 of 20 games are played and kept" in " ".join(capsys.readouterr().out.split())
        assert simulate(tmp_path, "--games", "20", "--cluster", scheduler) == OK
    assert len((tmp_path / JOURNAL).read_bytes().splitlines()) == 20


def test_clusters_that_are_not_there(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(cluster, "PATIENCE", 1)

    def told(address: str) -> str:
        assert simulate(tmp_path, "--games", "2", "--cluster", address) == USAGE
        return " ".join(capsys.readouterr().err.split())

    assert "no Dask scheduler answers at `tcp://127.0.0.1:9`" in told("tcp://127.0.0.1:9")
    assert "must look like `local:4`" in told("local:many")
    assert "no Dask scheduler answers at `nonsense`" in told("nonsense")
    assert "the scheduler has no workers" in told(scheduler)


def test_what_arrives_is_what_was_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = Bundle.of(RACE)
    assert {name.partition("/")[0] for name, _ in sent.files} == {"race"}
    assert bundle.play_bundle(sent, 3)["outcome"] == "finished"
    (name, _), *rest = sent.files
    other = Bundle.of(RACE).files[-1][1]
    with pytest.raises(Mismatch, match="did not arrive"):
        bundle.play_bundle(attrs.evolve(sent, files=((name, other), *rest)), 3)
    with pytest.raises(Mismatch, match="this machine has Ziggurat"):
        bundle.play_bundle(attrs.evolve(sent, version="0.0.1"), 3)


def test_packs_of_another_folder_travel_along(tmp_path: Path) -> None:
    mod = tmp_path / "mine"
    mod.mkdir()
    (mod / "pack.toml").write_text(
        'id = "mine"\ntitle = "Mine"\nversion = "1"\nextends = ["race"]\n', encoding="utf-8"
    )
    (mod / "mine.rules").write_text("amend trick boots { price: 1 }\n", encoding="utf-8")
    sent = Bundle.of(attrs.evolve(RACE, stack="race+mine", packs=(str(tmp_path), str(PACKS))))
    (mod / "mine.rules").write_text("what is here now does not matter", encoding="utf-8")
    assert bundle.play_bundle(sent, 1)["outcome"] == "finished"


@pytest.mark.slow
def test_ten_thousand_games_in_flat_memory(scheduler: str, tmp_path: Path) -> None:
    """The process that leads remembers little: after a tenth it has nearly all it ever has."""
    import psutil

    process = psutil.Process()
    sizes: dict[int, int] = {}
    append = Journal.append

    def measuring(journal: Journal, record: dict[str, Any]) -> None:
        append(journal, record)
        sizes[record["seed"]] = process.memory_info().rss if record["seed"] % 500 == 0 else 0

    with workers(scheduler, 2), pytest.MonkeyPatch.context() as patch:
        patch.setattr(Journal, "append", measuring)
        given = ("--games", "10000", "--cluster", scheduler, "--parts", "2500")
        assert simulate(tmp_path, *given) == OK
    early = max(size for seed, size in sizes.items() if seed <= 1000)
    late = max(size for seed, size in sizes.items() if seed > 9000)
    assert late < early * 1.25
    assert len(table(tmp_path, "games")) == 10_000
