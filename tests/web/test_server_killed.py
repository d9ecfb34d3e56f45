"""A server that is killed at any moment loses nothing that it has acknowledged, and goes on."""

import asyncio
import json
import os
import pickle
import re
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.clicker import Clicker, Line
from tests.runtime.shipped import program
from tests.web.server import PACKS
from ziggurat import Search, load_save
from ziggurat.studio.map.board import board

CODE = "import sys; from ziggurat.studio.cli import main; sys.exit(main(sys.argv[1:]))"
TABLES = 3
Acknowledged = dict[tuple[str, str, int], Any]  # table, seat, which of its answers


@pytest.mark.parametrize("kills", [4, pytest.param(100, marks=pytest.mark.slow)])
def test_killed_at_random(tmp_path: Path, kills: int) -> None:
    asyncio.run(_lives(tmp_path, kills))


@pytest.mark.parametrize("module", ["thinker", "drawing"])
def test_processes_end_without_a_word_when_the_server_is_killed(module: str) -> None:
    question = b'{"do": "think", "table": "preparedgame", "id": 1}\n'
    told = question if module == "thinker" else pickle.dumps(board(program("marches").ruleset))
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run(
        [sys.executable, "-m", f"ziggurat.studio.web.{module}"],
        input=told,
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (1, b"")


async def _lives(folder: Path, kills: int) -> None:
    """Many servers one after the other, each killed while people answer; then one that is not."""
    chance = Random(kills)
    seen: Acknowledged = {}
    tables: list[dict[str, Any]] = []
    for _ in range(kills):
        process, home = await _serve(folder)
        line = Line(home)
        for number in [n for n, one in enumerate(tables) if await _is_over(line, one)]:
            tables[number] = await _made(line, chance)
        while len(tables) < TABLES:
            tables.append(await _made(line, chance))
        line.close()
        left = [chance.randrange(1, 12)]  # answers until the end
        people = [
            asyncio.create_task(_person(home, table, seat, seen, chance, left, process.pid))
            for table in tables
            for seat in table["seats"]
            if seat["key"]
        ]
        await process.wait()
        for person in people:
            person.cancel()
        await asyncio.gather(*people, return_exceptions=True)
        assert process.returncode == -signal.SIGKILL
        _check(folder, seen)
    assert len(seen) >= kills
    process, home = await _serve(folder)
    line = Line(home)
    for table in tables:
        for key in (table["host"], table["view"], table["seats"][0]["key"]):
            status, view = await line.ask(f"/api/tables/{table['table']}", key)
            assert (status, view["table"]) == (200, table["table"])
    line.close()
    process.send_signal(signal.SIGINT)
    assert await process.wait() == 0


async def _serve(folder: Path) -> tuple[asyncio.subprocess.Process, str]:
    words = [sys.executable, "-c", CODE, "serve", "--port", "0", "--folder", str(folder)]
    process = await asyncio.create_subprocess_exec(
        *words, "--packs", str(PACKS), "--quiet", stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    told = (await process.stdout.readline()).decode()
    found = re.search(r"http://[^/]+", told)
    assert found, told
    return process, found[0]


async def _made(line: Line, chance: Random) -> dict[str, Any]:
    seats = [{"by": "person"}, {"by": "person"}, {"by": "bot"}]
    asked = {"stack": "race", "players": 3, "seats": seats, "seed": chance.randrange(1000)}
    status, table = await line.ask("/api/tables", "", asked)
    assert status == 201
    return table


async def _is_over(line: Line, table: dict[str, Any]) -> bool:
    status, view = await line.ask(f"/api/tables/{table['table']}", table["view"])
    assert status == 200
    return bool(view["state"] == "over")


async def _person(
    home: str,
    table: dict[str, Any],
    seat: dict[str, Any],
    seen: Acknowledged,
    chance: Random,
    left: list[int],
    pid: int,
) -> None:
    """Answer as fast as possible; whoever hears the last acknowledgement kills the server."""
    path, key = f"/api/tables/{table['table']}", seat["key"]
    line, stream = Line(home), Line(home)
    clicker = Clicker(line, path, key, chance)
    asked = ""
    try:
        async for text in stream.events(f"{path}/events", key):
            view = json.loads(text)
            if view["state"] == "over" and left[0] > 0:
                left[0] = 1  # when all are over, nobody would ever do it
                _kill(left, pid)
            if not view["decisions"] or view["decisions"][0]["id"] == asked:
                continue
            asked = view["decisions"][0]["id"]
            answer = await clicker.answer_to(view)
            data = {"decision": asked, "answer": answer}
            status, told = await line.ask(f"{path}/answer", key, data)
            if status == 200:
                seen[table["table"], seat["seat"], int(asked.partition(".")[2])] = answer
                _kill(left, pid)
            else:  # it may have come to the disk just before the server was killed the last time
                assert status == 409, told
    except (OSError, EOFError, LookupError):
        pass  # the server is gone
    finally:
        line.close()
        stream.close()


def _kill(left: list[int], pid: int) -> None:
    left[0] -= 1
    if left[0] == 0:
        os.kill(pid, signal.SIGKILL)


def _check(folder: Path, seen: Acknowledged) -> None:
    """Every answer that was acknowledged is in its save, where it was given."""
    for id_ in {table for table, _, _ in seen}:
        save, _ = load_save(folder / f"{id_}.zig", search=Search.default([PACKS]))
        own: dict[str, list[Any]] = {}
        for record in save.records:
            own.setdefault(record.seat, []).append(record.answer)
        for (table, seat, number), answer in seen.items():
            if table == id_:
                assert _same(own[seat][number], answer), (table, seat, number)


def _same(one: Any, other: Any) -> bool:
    """Whether two answers are one: members of a set have no order."""
    if isinstance(one, dict):
        return [*map(_key, one["args"])] == [*map(_key, other["args"])]
    return _key(one) == _key(other)


def _key(part: Any) -> Any:
    return sorted(part, key=str) if isinstance(part, list) else part
