"""Tables sleep when nobody plays, memory comes back, and whoever watches sees how the server is."""

import io
import logging
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.web.server import QUICK, Made, first_answer, running
from ziggurat.studio.web.house_key import HouseKeys
from ziggurat.studio.web.serving import log_to


def wait_until(found: Callable[[], object]) -> None:
    """Wait for something that comes by itself."""
    for _ in range(3000):
        if found():
            return
        time.sleep(0.02)
    raise AssertionError("it never came")


def play_to_the_end(table: Made, key: str) -> None:
    while (view := table.asked(key))["state"] == "playing":
        decision = view["decisions"][0]
        assert table.answer(key, decision["id"], first_answer(decision)).status_code == 200


def test_a_finished_table_sleeps_at_once_and_wakes_for_whoever_comes(tmp_path: Path) -> None:
    limits = attrs.evolve(QUICK, finished=0.1, resting=0.1, heartbeat=0.2)
    with running(tmp_path, limits) as server:
        table = server.make("race", 3)
        (key,) = table.seats.values()
        log: list[Any] = []

        def follow(state: str) -> None:
            """Read events until they tell of a state, and keep the log as a page does."""
            for view in events:
                log[view["log"]["from"] :] = view["log"]["lines"]
                if view["state"] == state:
                    return

        with table.events(table.host) as events:
            follow("playing")
            play_to_the_end(table, key)
            follow("over")
            before = len(log)
            wait_until(lambda: not server.hall.is_awake(table.id))
            wait_until(lambda: not server.hall.processes["programs"])  # it has no other table
            time.sleep(0.5)  # a sign of life: only a hash of what was sent is left
            assert not server.hall.is_awake(table.id)  # a stream keeps nothing awake
            assert table.do("undo").status_code == 200
            follow("playing")
            assert log == server.get(f"{table.path}/log", table.host).json()["lines"]
            assert len(log) < before
        play_to_the_end(table, key)
        wait_until(lambda: not server.hall.is_awake(table.id))
        (line,) = server.get("/api/tables", server.house_key).json()["tables"]
        assert line["state"] == "over"


def test_a_table_to_which_nobody_comes_sleeps(tmp_path: Path) -> None:
    with running(tmp_path, attrs.evolve(QUICK, idle=0.1)) as server:
        table = server.make("race", 2, people=2)
        key = next(iter(table.seats.values()))
        with table.events(key) as events:
            assert next(events)["decisions"]
            wait_until(lambda: not server.hall.is_awake(table.id))
            assert table.answer(key, "0.0", []).status_code == 200
            assert next(events)["state"] == "playing"


# ---- health, numbers, log


def test_numbers_tell_what_happened(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        assert server.get("/health").json() == {"status": "ok"}
        table = server.make("race", 2, people=2)
        key = next(iter(table.seats.values()))
        with table.events(key) as events:
            assert next(events)
            assert table.answer(key, "0.0", []).status_code == 200
            assert table.answer(key, "0.7", []).status_code == 409
            told = server.get("/metrics")
        numbers = dict(_numbers(told.text))
    assert told.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert {
        name: numbers[name]
        for name in (
            "ziggurat_tables_awake",
            "ziggurat_tables_asleep",
            "ziggurat_streams",
            'ziggurat_answers_total{by="person"}',
            'ziggurat_refusals_total{status="409"}',
            "ziggurat_answer_seconds_count",
            'ziggurat_answer_seconds_bucket{le="+Inf"}',
        )
    } == {
        "ziggurat_tables_awake": 1,
        "ziggurat_tables_asleep": 0,
        "ziggurat_streams": 1,
        'ziggurat_answers_total{by="person"}': 1,
        'ziggurat_refusals_total{status="409"}': 1,
        "ziggurat_answer_seconds_count": 1,
        'ziggurat_answer_seconds_bucket{le="+Inf"}': 1,
    }
    assert numbers["ziggurat_queue_seconds_count"] >= 2
    assert numbers['ziggurat_memory_bytes{process="server"}'] >= 0


def _numbers(text: str) -> Iterator[tuple[str, float]]:
    """Read numbers as Prometheus does: each has a help, a type and a value."""
    known = set()
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            known.add(line.split()[2])
        if not line.startswith("#"):
            name, _, value = line.rpartition(" ")
            family = re.sub(r"_(bucket|sum|count)$", "", name.partition("{")[0])
            assert known & {family, name.partition("{")[0]}
            yield name, float(value)


def test_numbers_need_the_key_where_others_can_come(tmp_path: Path) -> None:
    with running(tmp_path, keys=HouseKeys("secret")) as server:
        for path in ("/health", "/metrics"):
            assert [server.get(path, key).status_code for key in ("", "secret")] == [401, 200]


@pytest.mark.parametrize(
    ("level", "told", "not_told"),
    [
        ("debug", ["made (race, 2 players)", "answered 0.0", "refused 409"], []),
        ("info", ["made (race, 2 players)", "refused 409", "deleted"], ["player1 answered"]),
        ("warning", [], ["made", "refused"]),
    ],
)
def test_the_log_tells_what_was_wished(
    tmp_path: Path, level: str, told: list[str], not_told: list[str]
) -> None:
    out, log = io.StringIO(), logging.getLogger("ziggurat.web")
    before = log.handlers[:], log.level, log.propagate
    try:
        log_to(out, level)
        with running(tmp_path) as server:
            table = server.make("race", 2, people=2)
            key = next(iter(table.seats.values()))
            assert table.answer(key, "0.0", []).status_code == 200
            assert table.answer(key, "0.0", []).status_code == 409
            assert table.do("delete").status_code == 200
    finally:
        log.handlers[:], log.level, log.propagate = before
    text = out.getvalue()
    assert all(part in text for part in told)
    assert not any(part in text for part in not_told)
    assert key not in text
    for line in text.splitlines():
        assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} [A-Z]+ \S", line)
