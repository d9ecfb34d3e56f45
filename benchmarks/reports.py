"""What a simulation takes that is large: its journal, going on with it, its report, the scheduler.

Few games are played; a folder of many holds the same ones under new seeds.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import attrs
import psutil
from distributed import Client

from benchmarks.measure import Claim, best, seconds, times
from benchmarks.positions import compiled_rules
from ziggurat import Arena, GameRecord, Trial
from ziggurat.studio.commands.simulate import simulate
from ziggurat.studio.simulation import cluster
from ziggurat.studio.simulation.journal import JOURNAL, SETTINGS, Journal, settings_of
from ziggurat.studio.simulation.lines import pack, write_line
from ziggurat.studio.simulation.plan import Rules

REAL = 20  # games that are played
SIZES = (500, 2000)  # games of a report
MANY = 1_000_000
HOUR, LESS = 3600, 1200  # aims for the report of so many, in seconds
FIRST, SCHEDULED = 100, 600  # games on a cluster, before and while that is measured
BATCH = int(cluster.BATCH / 0.35)  # games that workers are given together, of West with five
PORT = 28_786


def trial(players: int) -> Trial:
    return Trial("west", (), players, "advised", (), 20_000)


def play(players: int, games: int) -> list[GameRecord]:
    arena = Arena(compiled_rules("west"), trial(players))
    return [arena.play(seed) for seed in range(1, games + 1)]


def fill(folder: Path, records: Sequence[GameRecord], games: int) -> None:
    """Write a journal of so many games."""
    folder.mkdir()
    settings = settings_of([trial(5)], [Rules.of(compiled_rules("west"))])
    (folder / SETTINGS).write_text(json.dumps(settings), encoding="utf-8")
    with (folder / JOURNAL).open("wb") as file:
        for number in range(games):
            file.write(write_line({**records[number % len(records)], "seed": number + 1}))


def line_bytes(records: Sequence[GameRecord]) -> float:
    """Return how long a line of the journal is on average."""
    return sum(len(write_line(record)) for record in records) / len(records)


def plain_bytes(records: Sequence[GameRecord]) -> float:
    """Return how long plain JSON is on average, which journals held before."""
    return sum(len(_plain(record)) for record in records) / len(records)


def _plain(record: GameRecord) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode() + b"\n"


@attrs.frozen
class Cost:
    """What a report took: seconds of processor time, and bytes of memory at most."""

    seconds: float
    memory: int


def report_cost(folder: Path, games: int) -> Cost:
    """Make the report of a folder in a process of its own."""
    words = [sys.executable, "-m", "benchmarks.reports", str(folder), str(games)]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    used, memory = told.splitlines()[-1].split()
    return Cost(float(used), int(memory))


def make_report(folder: Path, games: int) -> None:
    """Make a report, and print what it took."""
    start = time.process_time()
    simulate("west", games=games, players=5, out=folder)
    used = time.process_time() - start
    unit = 1 if sys.platform == "darwin" else 1024
    print(used, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)


def resuming(folder: Path, records: Sequence[GameRecord], games: int) -> tuple[float, float]:
    """Return how long it takes to find out what is done, and how long with plain JSON."""
    lines = [_plain(record) for record in records]

    def read_plain() -> None:
        for number in range(games):
            json.loads(lines[number % len(lines)])

    journal = Journal(folder)
    return best(lambda: journal.done("west", range(1, games + 1)), 3), best(read_plain, 3)


@contextmanager
def process(*words: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run one of Dask's commands."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    running = subprocess.Popen([sys.executable, "-m", "dask", *words], **quiet)  # type: ignore[call-overload]
    try:
        yield running
    finally:
        running.kill()
        running.wait()


def scheduling() -> tuple[float, float]:
    """Return how long a scheduler works for a game given out in batches, and for one by itself."""
    packs = Path(__file__).parents[1] / "tests" / "packs"
    side = Trial("race", (str(packs),), 3, "advised", (), 1000)
    address = f"tcp://127.0.0.1:{PORT}"
    given = ("--no-dashboard", "--host", "127.0.0.1")
    spent = []
    with (
        process("scheduler", "--port", str(PORT), *given) as scheduler,
        process("worker", address, "--nthreads", "1", "--no-nanny", *given),
        Client(address, timeout=120) as client,
    ):
        client.wait_for_workers(1, timeout=120)
        usage = psutil.Process(scheduler.pid)
        most = cluster.MOST
        try:
            for cluster.MOST in (BATCH, 1):
                games = [(side, number) for number in range(FIRST + SCHEDULED)]
                run = cluster.play_all(client, games)
                for _ in range(FIRST):  # the worker reads the rules, and batches grow
                    next(run)
                before = sum(usage.cpu_times()[:2])
                for _ in run:
                    pass
                spent.append((sum(usage.cpu_times()[:2]) - before) / SCHEDULED)
        finally:
            cluster.MOST = most
    return spent[0], spent[1]


def reports() -> list[Claim]:
    five, nine = play(5, REAL), play(9, REAL // 4)
    long, longer = plain_bytes(five), plain_bytes(nine)
    with tempfile.TemporaryDirectory() as place:
        costs = []
        for games in SIZES:
            folder = Path(place) / str(games)
            fill(folder, five, games)
            costs.append(report_cost(folder, games))
        done, read = resuming(folder, five, games)
    few, many = costs
    a_game = (many.seconds - few.seconds) / (SIZES[1] - SIZES[0])
    million = a_game * MANY
    batched, single = scheduling()
    return [
        Claim("a line of the journal, five players in West (plain JSON before)",
              _kilobytes(line_bytes(five)), _kilobytes(long), times(line_bytes(five) / long),
              "≤ 8 KB", line_bytes(five) <= 8000),
        Claim("a line of the journal, nine players", _kilobytes(line_bytes(nine)),
              _kilobytes(longer), times(line_bytes(nine) / longer), "≤ 12 KB",
              line_bytes(nine) <= 12_000),
        Claim("a game of five on the wire", _kilobytes(sum(len(pack(r)) for r in five) / REAL)),
        Claim(f"finding out which of {SIZES[1]} games are done (reading plain JSON)",
              seconds(done), seconds(read), times(done / read), "≤ 1/10", done <= read / 10),
        Claim("processor time of the report, a game of five", seconds(a_game)),
        Claim(f"processor time of a report of {MANY:,} such games", seconds(million),
              seconds(HOUR), times(million / HOUR), "≤ 1 ×", million <= HOUR),
        Claim("the same, as was aimed at with DuckDB", seconds(million), seconds(LESS),
              times(million / LESS), "≤ 1 ×", million <= LESS),
        Claim(f"memory of the report of {SIZES[1]} games, against {SIZES[0]}",
              _kilobytes(many.memory), _kilobytes(few.memory), times(many.memory / few.memory),
              "≤ 1.15 ×", many.memory <= 1.15 * few.memory),
        Claim(f"processor time of the scheduler, a game in batches of {BATCH} (one by one)",
              seconds(batched), seconds(single), times(batched / single), "≤ 1 ms",
              batched <= 1e-3),
    ]  # fmt: skip


def _kilobytes(number: float) -> str:
    return f"{number / 1000:,.1f} KB"


if __name__ == "__main__":
    make_report(Path(sys.argv[1]), int(sys.argv[2]))
