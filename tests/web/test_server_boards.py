"""Boards are drawn away from the server, once however many ask, and kept on the disk."""

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.web.server import Made, Server, running
from ziggurat.studio.web import drawing

PEOPLE = 18


@pytest.fixture
def drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the processes that drew boards; none is kept of tests before."""
    processes = []
    run = subprocess.run

    def counted(words: list[str], **more: Any) -> Any:
        processes.append(words)
        return run(words, **more)

    monkeypatch.setattr(drawing.subprocess, "run", counted)
    monkeypatch.setattr(drawing, "cache_folder", lambda: tmp_path / "cache")
    return processes


def open_board(server: Server, table: Made, parts: tuple[str, ...]) -> set[tuple[str, ...]]:
    """Let many open the board of a table at once, and return what they got."""

    def look(_: int) -> tuple[str, ...]:
        replies = [server.get(f"{table.path}/{part}", table.onlooker) for part in parts]
        assert [reply.status_code for reply in replies] == [200] * len(parts)
        return tuple(reply.text for reply in replies)

    with ThreadPoolExecutor(PEOPLE) as pool:
        return set(pool.map(look, range(PEOPLE)))


def test_a_board_is_drawn_once_and_kept_as_text(tmp_path: Path, drawn: list[list[str]]) -> None:
    parts = ("rules", "map.svg", "map.json")
    with running(tmp_path) as server:
        (first,) = open_board(server, server.make("marches", 2), parts)
        assert len(drawn) == 1
    (path,) = (tmp_path / "cache" / drawing.FOLDER).iterdir()
    assert path.read_text().startswith('{"map": "<svg')
    with running(tmp_path) as server:
        table = server.make("marches", 2)
        (second,) = open_board(server, table, parts)
        assert len(drawn) == 1
    assert first == second
    path.write_text('{"map": "<svg')
    with running(tmp_path) as server:
        table.server = server
        (third,) = open_board(server, table, parts)
    assert (len(drawn), third) == (2, first)


def test_a_board_that_is_not_drawn_is_tried_again(
    tmp_path: Path, drawn: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path) as server:
        table = server.make("marches", 2)
        with monkeypatch.context() as patched:
            patched.setattr(drawing.sys, "executable", "/nowhere/python")
            refused = server.get(f"{table.path}/map.svg", table.onlooker)
        assert (refused.status_code, refused.json()["error"]) == (503, drawing.FAILED)
        assert server.get(f"{table.path}/map.svg", table.onlooker).status_code == 200
