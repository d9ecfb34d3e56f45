"""A cluster of machines with networks and homes of their own, and what happens to them in a run."""

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.studio.machines import Machine, can_make_machines, network
from tests.studio.test_cluster import PACKS, simulate
from ziggurat.studio.console import OK, USAGE
from ziggurat.studio.simulation.asked import plain
from ziggurat.studio.simulation.journal import JOURNAL, Journal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not can_make_machines(), reason="needs network namespaces"),
]
GAMES = 300
# Small batches and little patience, so that few games are enough.
SIMULATE = """
import sys
from ziggurat.studio.cli import main
from ziggurat.studio.simulation import cluster
cluster.MOST, cluster.SLOW_AT_LEAST = 2, 3
sys.exit(main(sys.argv[1:]))
"""


def games(out: Path) -> dict[int, dict[str, Any]]:
    return {record["seed"]: plain(record) for record in Journal(out).records()}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[int, dict[str, Any]]:
    out = tmp_path_factory.mktemp("expected")
    assert simulate(out, "--games", str(GAMES), "--jobs", "1") == OK
    return games(out)


@attrs.frozen
class Cluster:
    """A scheduler on the machine that leads, and a worker on each of the others."""

    lead: Machine
    others: list[Machine]
    out: Path

    @property
    def address(self) -> str:
        return f"tcp://{self.lead.address}:8786"

    def start(self, workers: int) -> None:
        words = ("dask", "scheduler", "--host", self.lead.address, "--no-dashboard")
        self.lead.start("-m", *words)
        for machine in self.others[:workers]:
            self.start_worker(machine)

    def start_worker(self, machine: Machine) -> None:
        words = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
        machine.start("-m", "dask", "worker", self.address, *words)

    def simulate(self) -> "subprocess.Popen[bytes]":
        words = ("--packs", str(PACKS), "--players", "3", "--games", str(GAMES))
        given = ("simulate", "race", *words, "--out", str(self.out), "--cluster", self.address)
        return self.lead.start("-c", SIMULATE, *given)

    @property
    def played(self) -> int:
        path = self.out / JOURNAL
        return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with network(tmp_path, 4) as (lead, *others):
        yield Cluster(lead, others, tmp_path / "out")


def play_until(cluster: Cluster, number: int) -> "subprocess.Popen[bytes]":
    """Start a run, and return it when so many games are in its journal."""
    run = cluster.simulate()
    while cluster.played < number:
        assert run.poll() is None, cluster.lead.said
        time.sleep(0.02)
    return run


def kill(machine: Machine) -> None:
    machine.running[0].kill()


def freeze(machine: Machine) -> None:
    machine.running[0].send_signal(signal.SIGSTOP)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (kill, "is gone; others play"),
        (Machine.unplug, "has brought nothing for"),
        (freeze, "has brought nothing for"),
    ],
)
def test_games_of_lost_machines_are_played_by_others(
    cluster: Cluster, expected: dict[int, Any], fault: Callable[[Machine], None], said: str
) -> None:
    cluster.start(2)
    run = play_until(cluster, 30)
    fault(cluster.others[0])
    assert run.wait() == OK, cluster.lead.said
    assert said in cluster.lead.said
    assert games(cluster.out) == expected


def test_the_same_command_goes_on_when_the_scheduler_is_back(
    cluster: Cluster, expected: dict[int, Any]
) -> None:
    cluster.start(2)
    run = play_until(cluster, 30)
    kill(cluster.lead)  # its scheduler came first
    assert run.wait() == USAGE, cluster.lead.said
    assert "the scheduler is gone. All games that came in are kept" in cluster.lead.said
    before = cluster.played
    for machine in cluster.others:
        machine.stop()
    cluster.start(3)
    assert 30 <= before < GAMES
    assert cluster.simulate().wait() == OK, cluster.lead.said
    assert games(cluster.out) == expected


def test_a_machine_that_leads_and_loses_power_goes_on(
    cluster: Cluster, expected: dict[int, Any]
) -> None:
    cluster.start(2)
    play_until(cluster, 30).kill()
    assert cluster.played < GAMES
    assert cluster.simulate().wait() == OK, cluster.lead.said
    assert games(cluster.out) == expected
