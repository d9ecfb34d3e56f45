"""No text stops the language server: requests and loads have a limit of time."""

import asyncio
import itertools
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.editor.client import Client
from tests.editor.isles import RULES, lay_out
from ziggurat import Workspace
from ziggurat.studio.editor import time_limits
from ziggurat.studio.editor.desk import Bench, Desk
from ziggurat.studio.editor.time_limits import TimeLimit, TookTooLongError, limited


def work_forever() -> None:
    for _ in itertools.count():
        pass


def test_endless_work_is_interrupted() -> None:
    with pytest.raises(TookTooLongError, match=r"longer than 0\.05 seconds"), TimeLimit(0.05):
        work_forever()


def test_work_in_time_is_not_interrupted_later() -> None:
    with TimeLimit(0.05):
        pass
    time.sleep(0.1)


def test_work_after_limit_can_be_traced() -> None:
    """Once it could not: the first function that was traced never began. Thus a process of its own,
    which can be ended."""
    code = (
        "import sys\n"
        "from ziggurat.studio.editor.time_limits import TimeLimit\n"
        "with TimeLimit(60): pass\n"
        "sys.settrace(lambda *event: None)\n"
        "print((lambda: 'traced')())\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert run.stdout == "traced\n", run.stderr


def test_endless_request_fails_and_waiting_does_not_count() -> None:
    async def wait_and_answer() -> str:
        await asyncio.sleep(0.2)
        return "answer"

    async def wait_and_work() -> None:
        await asyncio.sleep(0)
        work_forever()

    assert asyncio.run(limited(wait_and_answer, 0.1)()) == "answer"
    with pytest.raises(TookTooLongError):
        asyncio.run(limited(wait_and_work, 0.05)())
    with pytest.raises(TookTooLongError):
        limited(work_forever, 0.05)()


def test_endless_load_is_given_up_and_next_text_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = lay_out(tmp_path, RULES)
    load = Workspace.load

    def load_or_work_forever(workspace: Workspace, *args: Any, **named: Any) -> Any:
        if any("endless" in text for text in workspace.search.shown.values()):
            work_forever()
        return load(workspace, *args, **named)

    monkeypatch.setattr(Workspace, "load", load_or_work_forever)
    published: list[Bench] = []
    failures: list[str] = []

    async def edit() -> None:
        desk = Desk(
            published.append,
            lambda path: None,
            lambda path: None,
            lambda bench, error: failures.append(str(error)),
        )
        monkeypatch.setattr(time_limits, "LOAD_SECONDS", 0.05)
        desk.open(path.as_uri(), path, "# endless\n")
        document = desk.documents[path.as_uri()]
        assert document.bench is not None
        assert await desk.up_to_date(document.bench) is None
        monkeypatch.setattr(time_limits, "LOAD_SECONDS", 600)
        desk.open(path.as_uri(), path, RULES)
        document = desk.documents[path.as_uri()]
        assert document.bench is not None
        assert await desk.up_to_date(document.bench) is not None
        desk.shut_down()

    asyncio.run(edit())
    assert failures == ["This took longer than 0.05 seconds, so it was given up."]
    assert len(published) == 1


def test_texts_that_once_hung_are_survived(tmp_path: Path) -> None:
    path = lay_out(tmp_path, RULES)
    with Client(tmp_path) as client:
        uri = client.open(path)
        for text in ("{a,\nb", 'isle n "N" { bridges south,\neast }', "scenario a of int"):
            client.change(uri, text)
            assert client.settled(uri)
            client.about("formatting", uri, options={"tabSize": 2, "insertSpaces": True})
        client.change(uri, RULES)
        assert client.settled(uri) == []
        assert client.about("hover", uri, (18, 8)) is not None
    assert client.errors.decode() == ""
