"""What may happen to machines of a cluster while games are played, and what a run makes of it."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import attrs
import pytest
from distributed import Client, versions

from tests.studio.test_cluster import PACKS, RACE, dask, scheduler, simulate, workers
from ziggurat.studio.console import OK, USAGE, UsageError
from ziggurat.studio.simulation import cluster
from ziggurat.studio.simulation.asked import Asked, plain
from ziggurat.studio.simulation.bundle import Bundle, Result
from ziggurat.studio.simulation.cluster import is_open, play_all
from ziggurat.studio.simulation.journal import Journal
from ziggurat.studio.simulation.lines import pack
from ziggurat.studio.simulation.workers import arena

__all__ = ["scheduler"]  # a fixture
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are other things there")
DOCS = Path(__file__).parents[2] / "docs"
OTHER_ENGINE = "from ziggurat.studio.simulation import bundle\nbundle.engine_hash = lambda: '0'\n"
NO_PACKAGE = "import sys\nsys.modules['ziggurat'] = None\n"
OTHER_PYTHON = "import platform\nplatform.python_version = lambda: '3.99.1'\n"
NO_MEMORY = """
from ziggurat.proving.arena import Arena
def play(self, seed, book):
    raise MemoryError
Arena._play = play
"""


def games(out: Path) -> dict[int, dict[str, Any]]:
    return {record["seed"]: plain(record) for record in Journal(out).records()}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[int, dict[str, Any]]:
    out = tmp_path_factory.mktemp("expected")
    assert simulate(out, "--games", "60", "--jobs", "1") == OK
    return games(out)


@contextmanager
def odd_worker(address: str, program: str, folder: Path) -> Iterator[None]:
    """Start a worker in which something is not as it should be."""
    preload = folder / "odd.py"
    preload.write_text(program, encoding="utf-8")
    given = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
    with Client(address) as client:
        before = len(client.nthreads())
        with dask("worker", address, *given, "--preload", str(preload)):
            client.wait_for_workers(before + 1, timeout=120)
            yield


def act_after(number: int, act: Callable[[], Any], patch: pytest.MonkeyPatch) -> None:
    """Do something once when so many games are in the journal."""
    append, count = Journal.append, [0]

    def counting(journal: Journal, record: dict[str, Any]) -> None:
        append(journal, record)
        count[0] += 1
        if count[0] == number:
            act()

    patch.setattr(Journal, "append", counting)


def said(capsys: pytest.CaptureFixture[str]) -> str:
    told = capsys.readouterr()
    return " ".join((told.out + told.err).split())


def test_keys_hold_the_whole_trial() -> None:
    trials = [
        RACE,
        attrs.evolve(RACE, players=4),
        attrs.evolve(RACE, policy="random"),
        attrs.evolve(RACE, limit=7),
        attrs.evolve(RACE, options=(("hand_size", 1),)),
    ]
    bundles = [Bundle.of(trial) for trial in trials]
    bundles.append(attrs.evolve(bundles[0], engine="another"))
    assert len({bundle.key for bundle in bundles}) == len(bundles)


def test_runs_on_one_cluster_do_not_mix(scheduler: str) -> None:
    sides = [RACE, attrs.evolve(RACE, players=5), RACE]
    with workers(scheduler, 1), Client(scheduler) as one, Client(scheduler) as two:
        runs = [
            play_all(client, [(side, seed) for seed in range(1, 16)])
            for client, side in zip((one, two, two), sides, strict=True)
        ]
        first = [next(run) for run in runs]
        runs[2].close()  # takes nothing from the first, which plays the same
        records = [[record, *run] for record, run in zip(first, runs, strict=True)]
    for side, came in zip(sides[:2], records[:2], strict=True):
        played = {record["seed"]: plain(record) for record in came}
        assert played == {seed: plain(arena(side).play(seed)) for seed in range(1, 16)}


def test_a_worker_with_other_code_is_left_out_by_its_name(
    scheduler: str, tmp_path: Path, expected: dict[int, dict[str, Any]],
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    out = tmp_path / "out"
    with odd_worker(scheduler, OTHER_ENGINE, tmp_path):
        assert simulate(out, "--games", "60", "--cluster", scheduler) == USAGE
        told = said(capsys)
        assert "no worker can play: tcp://127.0.0.1:" in told
        assert "plays by other code" in told
        with Client(scheduler) as client, dask("worker", scheduler, "--nthreads", "1"):
            client.wait_for_workers(2, timeout=120)
            assert simulate(out, "--games", "60", "--cluster", scheduler) == OK
            assert "is left out: this machine has a Ziggurat" in said(capsys)
    assert games(out) == expected


@pytest.mark.slow
def test_a_worker_without_ziggurat_is_left_out_by_its_name(
    scheduler: str, tmp_path: Path, expected: dict[int, dict[str, Any]],
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    out = tmp_path / "out"
    with odd_worker(scheduler, NO_PACKAGE, tmp_path):
        assert simulate(out, "--games", "60", "--cluster", scheduler) == USAGE
        assert "Ziggurat is not installed there" in said(capsys)
        with Client(scheduler) as client, dask("worker", scheduler, "--nthreads", "1"):
            client.wait_for_workers(2, timeout=120)
            assert simulate(out, "--games", "60", "--cluster", scheduler) == OK
    assert games(out) == expected


@pytest.mark.slow
def test_a_worker_with_another_python_is_named_and_plays(
    scheduler: str, tmp_path: Path, expected: dict[int, dict[str, Any]],
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    out = tmp_path / "out"
    with odd_worker(scheduler, OTHER_PYTHON, tmp_path):
        assert simulate(out, "--games", "60", "--cluster", scheduler) == OK
    assert re.search(r"tcp://\S+ has Python 3\.99\.1, not 3\.\d+\.\d+\.", said(capsys))
    assert games(out) == expected


def test_only_what_dask_says_of_python_alone_is_left_out() -> None:
    here = versions.get_versions()
    python = {**here["packages"], "python": "3.99.1.final.0"}
    told, more = (
        versions.error_message(here, {"tcp://10.0.0.1:1": {"packages": packages}}, here)["warning"]
        for packages in (python, {**python, "msgpack": "0.1"})
    )
    assert "3.99.1" in told
    assert re.match(cluster.OTHER_PYTHON, told)
    assert not re.match(cluster.OTHER_PYTHON, more)


@pytest.mark.slow
def test_a_worker_without_memory_loses_its_games_to_others(
    scheduler: str, tmp_path: Path, expected: dict[int, dict[str, Any]],
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    out = tmp_path / "out"
    with workers(scheduler, 1), odd_worker(scheduler, NO_MEMORY, tmp_path):
        assert simulate(out, "--games", "60", "--cluster", scheduler) == OK
    assert "is played elsewhere: MemoryError on tcp://127.0.0.1:" in said(capsys)
    assert games(out) == expected


@pytest.mark.slow
def test_games_of_a_frozen_worker_are_played_by_another(
    scheduler: str, tmp_path: Path, expected: dict[int, dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(cluster, "SLOW_AT_LEAST", 1)
    monkeypatch.setattr(cluster, "MOST", 1)
    with workers(scheduler, 2) as running:
        frozen = running[0].pid
        act_after(10, lambda: os.kill(frozen, signal.SIGSTOP), monkeypatch)
        try:
            assert simulate(tmp_path, "--games", "60", "--cluster", scheduler) == OK
        finally:
            os.kill(frozen, signal.SIGCONT)
    assert "has brought nothing for" in said(capsys)
    assert games(tmp_path) == expected


@pytest.mark.slow
def test_a_worker_that_comes_late_is_given_games(
    scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "LOOK", 0.0)
    monkeypatch.setattr(cluster, "MOST", 1)
    given = [(RACE, seed) for seed in range(1, 100_000)]
    given_to: set[str] = set()
    give = cluster._Run._give

    def noting(run: Any, place: Any, batch: list[Any]) -> None:
        given_to.add(place.address)
        give(run, place, batch)

    monkeypatch.setattr(cluster._Run, "_give", noting)
    with (
        workers(scheduler, 1),
        Client(scheduler) as client,
        closing(play_all(client, given)) as run,
    ):
        next(run)
        assert len(given_to) == 1
        with workers(scheduler, 0), dask("worker", scheduler, "--nthreads", "1", "--no-nanny"):
            while len(given_to) < 2:
                next(run)


def test_the_first_of_two_results_counts_and_a_different_second_one_is_an_error(
    scheduler: str,
) -> None:
    """A game that took too long was given to another worker, and both bring it."""
    record, sent = arena(RACE).play(3), Bundle.of(RACE)
    game, place = Asked(RACE, 3), cluster._Place("tcp://10.0.0.2:1", 1, None)  # type: ignore[arg-type]
    same, other = (
        Result(sent.key, 3, pack({**record, "turns": turns})) for turns in (record["turns"], 99)
    )
    with Client(scheduler) as client:
        for second in (same, other):
            run = cluster._Run(client, iter(()), print)
            run._bundles[RACE] = sent
            run._open[RACE, 3] = 2
            first = run._accept(game, same, place)
            assert first is not None
            assert plain(first) == plain(record)
            if second is same:
                assert run._accept(game, second, place) is None
            else:
                with pytest.raises(UsageError, match=r"differently on tcp://10\.0\.0\.2:1"):
                    run._accept(game, second, place)
        with pytest.raises(UsageError, match="sent another game"):
            run._accept(game, attrs.evolve(same, key="of another run"), place)


@pytest.mark.slow
def test_a_run_without_workers_says_so_and_waits_for_one(
    scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "SILENCE", 1)
    monkeypatch.setattr(cluster, "MOST", 1)
    seeds = range(1, 31)
    with ExitStack() as stack, workers(scheduler, 1) as running, Client(scheduler) as client:
        told = []

        def tell(text: str) -> None:
            told.append(text)
            if text.startswith("No workers") and len(told) == 2:
                stack.enter_context(dask("worker", scheduler, "--nthreads", "1", "--no-nanny"))

        run = play_all(client, [(RACE, seed) for seed in seeds], tell)
        records = [next(run)]
        running[0].kill()
        records += run
    assert "is gone; others play" in told[0]
    assert told[1].startswith("No workers for 1 s. `dask worker ADDRESS")
    assert sorted(record["seed"] for record in records) == list(seeds)


def test_a_lost_scheduler_is_told_and_the_command_goes_on(
    tmp_path: Path, expected: dict[int, dict[str, Any]], monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(cluster, "MOST", 1)
    file = tmp_path / "scheduler.json"
    given = ("--port", "0", "--no-dashboard", "--host", "127.0.0.1", "--scheduler-file", str(file))
    out = tmp_path / "out"
    with dask("scheduler", *given) as process, Client(scheduler_file=str(file), timeout=60) as own:
        address = own.scheduler_info()["address"]
        with workers(address, 1), monkeypatch.context() as patch:
            act_after(10, process.kill, patch)
            assert simulate(out, "--games", "60", "--cluster", address) == USAGE
    assert "the scheduler is gone. All games that came in are kept" in said(capsys)
    assert 10 <= len(games(out)) < 60
    assert simulate(out, "--games", "60", "--jobs", "1") == OK
    assert games(out) == expected


@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b""])
def test_something_else_answers(
    tmp_path: Path, answer: bytes, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    connections = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def respond() -> None:
            while True:
                try:
                    connections.append(server.accept()[0])
                    connections[-1].sendall(answer)
                except OSError:
                    return

        threading.Thread(target=respond, daemon=True).start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        assert simulate(tmp_path, "--games", "2", "--cluster", address) == USAGE
    assert f"no Dask scheduler answers at `{address}`" in said(capsys)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
def test_a_cluster_with_tls_is_started_as_the_docs_say(
    tmp_path: Path, expected: dict[int, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (DOCS / "clusters.md").read_text(encoding="utf-8")
    make, use = re.findall(r"```\n(.*?)```", page[page.index("## TLS") :], re.DOTALL)[:2]
    monkeypatch.chdir(tmp_path)
    subprocess.run(make, shell=True, check=True, capture_output=True)
    told = subprocess.run(["bash", "-c", f"{use}\nenv"], capture_output=True, text=True).stdout
    for line in told.splitlines():
        if line.startswith("DASK_"):
            monkeypatch.setenv(*line.split("=", 1))
    given = ("--no-dashboard", "--host", "127.0.0.1", "--scheduler-file", "scheduler.json")
    with dask("scheduler", "--protocol", "tls", "--port", "0", *given):
        file = Path("scheduler.json")
        while not (file.exists() and file.read_text().endswith("}")):
            time.sleep(0.02)
        address = json.loads(file.read_text())["address"]
        assert address.startswith("tls://")
        with dask("worker", address, "--nthreads", "1", "--no-dashboard"):
            command = [sys.executable, "-m", "ziggurat", "simulate", "race", "--packs", str(PACKS)]
            command += ["--players", "3", "--games", "60", "--out", "out", "--cluster", address]
            ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == OK, ran.stderr
    assert games(tmp_path / "out") == expected


def test_tls_without_a_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(tmp_path, "--games", "2", "--cluster", "tls://127.0.0.1:9") == USAGE
    assert "needs a certificate" in said(capsys)


@pytest.mark.parametrize(
    ("address", "open_to_all"),
    [
        ("tcp://127.0.0.1:8786", False),
        ("tcp://[::1]:8786", False),
        ("tcp://192.168.3.4:8786", False),
        ("tcp://10.1.2.3:8786", False),
        ("tcp://8.8.8.8:8786", True),
        ("8.8.8.8:8786", True),
        ("tls://8.8.8.8:8786", False),
    ],
)
def test_schedulers_on_public_addresses_are_open(address: str, open_to_all: bool) -> None:
    assert is_open(address) == open_to_all


def test_an_open_scheduler_is_warned_of_although_it_was_called_by_another_address(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """One that listens to every network of a machine may be called by `localhost` there."""
    own = {"address": "tcp://8.8.8.8:8786"}
    with workers(scheduler, 1), monkeypatch.context() as patch:
        patch.setattr(Client, "scheduler_info", lambda *_, **__: own)
        assert simulate(tmp_path, "--games", "2", "--cluster", scheduler) == OK
    assert "Warning: the scheduler at tcp://8.8.8.8:8786 can be reached" in said(capsys)


@pytest.mark.slow
def test_workers_that_are_started_as_the_docs_say_are_back_when_the_scheduler_is(
    tmp_path: Path,
) -> None:
    page = (DOCS / "clusters.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"while sleep 5; do dask worker .*", page)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    line = line.replace("tcp://10.0.0.1:8786", address).replace("--nworkers auto", "--nworkers 1")
    line = line.replace("sleep 5", "sleep 1").replace("dask", f"{sys.executable} -m dask")
    given = ("--port", str(port), "--no-dashboard", "--host", "127.0.0.1")
    loop = subprocess.Popen(
        ["bash", "-c", line], start_new_session=True, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        for _ in range(2):  # the second scheduler begins when the first was killed
            with dask("scheduler", *given), Client(address, timeout=60) as client:
                client.wait_for_workers(1, timeout=120)
    finally:
        os.killpg(loop.pid, signal.SIGKILL)
        loop.wait()
