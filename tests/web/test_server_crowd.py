"""A crowd: streams that fill the server keep no seated player from answering."""

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import attrs
import pytest

from benchmarks.clicker import Line
from tests.web.server import QUICK, running
from ziggurat.studio.web.limits import Limits

TABLES, STREAMS_OF_SEAT, STREAMS_OF_VIEW = 100, 2, 2


@pytest.mark.slow
def test_600_streams_keep_none_of_200_answers_out(tmp_path: Path) -> None:
    """With the usual limits of connections, and all of them from one address."""
    usual = Limits()
    names = ("connections", "connections_of_address", "reserved", "strangers", "streams")
    limits = attrs.evolve(QUICK, **{name: getattr(usual, name) for name in names})
    with running(tmp_path, limits) as server:
        tables = [server.make("race", 2, people=2) for _ in range(TABLES)]
        seats = [(table.path, key) for table in tables for key in table.seats.values()]
        views = [(table.path, table.onlooker) for table in tables]
        looking = [*seats * STREAMS_OF_SEAT, *views * STREAMS_OF_VIEW]
        found = asyncio.run(_answers(server.home, looking, seats))
    assert (len(looking), len(seats)) == (600, 200)
    assert found == {200: 200}


async def _answers(home: str, looking: list[Any], seats: list[Any]) -> Counter[int]:
    """Open all streams, let every seat answer at once, and count how that went."""
    lines = [Line(home) for _ in looking]
    streams = [
        line.events(f"{path}/events", key) for line, (path, key) in zip(lines, looking, strict=True)
    ]
    first = await asyncio.gather(*(anext(stream) for stream in streams))
    assert all(json.loads(text)["state"] == "playing" for text in first)

    async def answer(path: str, key: str) -> int:
        line = Line(home)
        status, _ = await line.ask(f"{path}/answer", key, {"decision": "0.0", "answer": []})
        line.close()
        return status

    found = Counter(await asyncio.gather(*(answer(*seat) for seat in seats)))
    for line in lines:
        line.close()
    return found
