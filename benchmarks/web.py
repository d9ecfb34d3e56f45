"""Tables in the browser under load: how long an answer takes while many play and look on.

`python -m benchmarks --only web` takes a minute, `python -m benchmarks.web --minutes 5` is whole.
"""

import argparse
import asyncio
import contextlib
import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import attrs

from benchmarks.clicker import Clicker, Line
from benchmarks.measure import Claim

TABLES, SEATS, VIEWERS = 20, 9, 40
AIM = 0.150  # seconds, for 99 of 100 answers
PAUSES = (0.25, 0.75)  # seconds a person thinks


@attrs.define
class Seen:
    """What was measured."""

    answers: list[float] = attrs.field(factory=list)
    options: int = 0
    refused: int = 0
    games: int = 0
    documents: int = 0
    size: int = 0
    acknowledged: Counter[str] = attrs.field(factory=Counter)  # by table
    lost: int = 0
    work: float = 0.0  # seconds of processor time of the server
    thought: float = 0.0  # and of the processes in which programs think

    def part(self, of: float) -> float:
        """How long that part of all answers took at most."""
        found = sorted(self.answers)
        return found[min(len(found) - 1, int(len(found) * of))] if found else 0.0


@contextlib.asynccontextmanager
async def server(folder: Path) -> AsyncIterator[tuple[str, int]]:
    """A server of its own process, by its address and process id."""
    code = "import sys; from ziggurat.studio.cli import main; sys.exit(main(sys.argv[1:]))"
    words = [sys.executable, "-c", code, "serve", "--port", "0", "--folder", str(folder)]
    process = await asyncio.create_subprocess_exec(
        *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    assert process.stdout is not None
    told = (await process.stdout.readline()).decode()
    found = re.search(r"http://[^/]+", told)
    assert found, told
    try:
        yield found[0], process.pid
    finally:
        process.terminate()
        await process.wait()


async def load(minutes: float, tables: int = TABLES, viewers: int = VIEWERS) -> Seen:
    """Play and look on for a while."""
    seen = Seen()
    with TemporaryDirectory() as folder:
        async with server(Path(folder)) as (home, pid):
            until = time.monotonic() + minutes * 60
            people = [
                _person(home, number, viewers // tables, seen, until) for number in range(tables)
            ]
            await asyncio.gather(*people)
            seen.work, seen.thought = _times(pid)
        seen.lost = _lost(Path(folder), seen.acknowledged)
    return seen


async def _person(home: str, number: int, viewers: int, seen: Seen, until: float) -> None:
    """One person's games, one after the other, each with its onlookers."""
    chance = Random(number)
    line = Line(home)
    await asyncio.sleep(number * 0.2)
    while time.monotonic() < until:
        seats = [{"by": "person"}] + [{"by": "bot"}] * (SEATS - 1)
        asked = {
            "stack": "west",
            "players": SEATS,
            "seats": seats,
            "seed": chance.randrange(1 << 30),
        }
        status, made = await line.ask("/api/tables", "", asked)
        if status == 429:
            await asyncio.sleep(1)
            continue
        path = f"/api/tables/{made['table']}"
        looking = [
            asyncio.create_task(_look(home, path, made["view"], seen)) for _ in range(viewers)
        ]
        try:
            await asyncio.wait_for(
                _game(home, line, path, made["seats"][0]["key"], seen, chance),
                until - time.monotonic(),
            )
            seen.games += 1
        except TimeoutError:
            return
        finally:
            for task in looking:
                task.cancel()


async def _game(home: str, line: Line, path: str, key: str, seen: Seen, chance: Random) -> None:
    clicker = Clicker(line, path, key, chance)
    stream = Line(home)
    asked = ""
    try:
        async for text in stream.events(f"{path}/events", key):
            seen.documents += 1
            seen.size += len(text)
            if b'"state":"over"' in text:
                return
            if b'"decisions":[]' in text:
                continue
            view = json.loads(text)
            decision = view["decisions"][0]["id"]
            if decision == asked:
                continue
            asked = decision
            await asyncio.sleep(chance.uniform(*PAUSES))
            await _answer(line, clicker, path, key, view, seen)
    finally:
        stream.close()


async def _answer(
    line: Line, clicker: Clicker, path: str, key: str, view: dict[str, object], seen: Seen
) -> None:
    """Answer, in another way if the first one came too late."""
    for _ in range(5):
        try:
            answer = await clicker.answer_to(view)
        except (LookupError, IndexError):
            seen.refused += 1
            answer = view["decisions"][0].get("end")  # type: ignore[index]
        data = {"decision": view["decisions"][0]["id"], "answer": answer}  # type: ignore[index]
        start = time.perf_counter()
        status, told = await line.ask(f"{path}/answer", key, data)
        seen.answers.append(time.perf_counter() - start)
        if status == 200:
            seen.acknowledged[path.rpartition("/")[2]] += 1
            return
        seen.refused += 1
        if told["error"] == "This was answered already.":
            return


async def _look(home: str, path: str, key: str, seen: Seen) -> None:
    stream = Line(home)
    try:
        async for text in stream.events(f"{path}/events", key):
            seen.documents += 1
            seen.size += len(text)
    finally:
        stream.close()


def _times(pid: int) -> tuple[float, float]:
    """The processor time of a process, and of those it has started."""
    own, others = 0.0, 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parts = stat.read_text().rpartition(")")[2].split()
            used = (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")
            if stat.parent.name == str(pid):
                own = used
            elif parts[1] == str(pid):
                others += used
    return own, others


def _lost(folder: Path, acknowledged: Counter[str]) -> int:
    """How many answers were acknowledged and are in no save."""
    lost = 0
    for table, number in acknowledged.items():
        lines = (folder / f"{table}.zig").read_text(encoding="utf-8").splitlines()
        found = sum(bool(re.match(r'\d+ \["player1", ', line)) for line in lines)
        lost += max(0, number - found)
    return lost


def web(minutes: float = 1.0) -> list[Claim]:
    """The claims about the server."""
    seen = asyncio.run(load(minutes))
    slowest = seen.part(0.99)
    what = f"{TABLES} tables of {SEATS}, {VIEWERS} looking on, for {minutes:g} min"
    each = 1000 / max(1, len(seen.answers))
    return [
        Claim(
            f"{what}: 99 of 100 answers",
            f"{slowest * 1000:.0f} ms",
            f"median {seen.part(0.5) * 1000:.0f} ms",
            "",
            f"< {AIM * 1000:.0f} ms",
            slowest < AIM,
        ),
        Claim(
            "answers that were acknowledged and are in no save",
            str(seen.lost),
            f"{len(seen.answers)} answers",
            "",
            "0",
            seen.lost == 0,
        ),
        Claim(
            "processor time of the server for an answer, and what bots and onlookers make of it",
            f"{seen.work * each:.0f} ms",
            f"bots {seen.thought * each:.0f} ms",
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.web", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--viewers", type=int, default=VIEWERS)
    given = parser.parse_args()
    seen = asyncio.run(load(given.minutes, given.tables, given.viewers))
    print(
        f"{len(seen.answers)} answers, {seen.refused} refused, {seen.games} games over, "
        f"{seen.documents} documents of {seen.size // max(1, seen.documents)} bytes, "
        f"{seen.lost} answers lost"
    )
    each = 1000 / max(1, len(seen.answers))
    used = f"server {seen.work * each:.1f} ms, programs {seen.thought * each:.1f} ms"
    print(f"processor time an answer: {used}")
    for part in (0.5, 0.9, 0.99, 0.999, 1.0):
        print(f"{part:6.1%}: {seen.part(part) * 1000:6.1f} ms")


if __name__ == "__main__":
    main()
