"""`ziggurat watch`: what is checked and run after a change."""

import subprocess
import sys
import threading
from io import StringIO
from pathlib import Path

from rich.console import Console

from tests.editor.isles import RULES, lay_out
from ziggurat import Search
from ziggurat.studio.watching import Watcher


def watcher(folder: Path) -> tuple[Watcher, Path, StringIO]:
    path = lay_out(folder)
    said = StringIO()
    found = Watcher("isles", Search.default((folder,)), Console(file=said, width=200))
    assert found.look()
    return found, path, said


def after(found: Watcher, path: Path, said: StringIO, text: str) -> str:
    said.seek(0)
    said.truncate()
    path.write_text(text, encoding="utf-8")
    found.look()
    return said.getvalue()


def test_only_a_changed_scenario_runs(tmp_path: Path) -> None:
    found, path, said = watcher(tmp_path)
    told = after(found, path, said, RULES.replace("strength(blue) == 2", "strength(blue) == 3"))
    assert "BROKEN  strength is counted" in told
    assert "1 run, 0 kept." in told
    told = after(found, path, said, RULES)
    assert "1 run, 1 kept." in told
    assert "run" not in after(found, path, said, RULES + "\n# nothing\n")


def test_a_changed_rule_runs_the_scenarios_that_reach_it(tmp_path: Path) -> None:
    found, path, said = watcher(tmp_path)
    first = RULES.replace("add n to", "add n + 0 to")
    assert "2 run" in after(found, path, said, first)
    other = first.replace("by +1 when a.room", "by +2 when a.room")
    told = after(found, path, said, other)
    assert "BROKEN  a token grows" in told
    assert "1 run, 0 kept." in told


def test_changed_data_run_everything_and_errors_nothing(tmp_path: Path) -> None:
    found, path, said = watcher(tmp_path)
    assert "2 run" in after(found, path, said, RULES.replace("cost: 10", "cost: 20"))
    told = after(found, path, said, RULES.replace("value keep", "valu keep"))
    assert "Z202" in told
    assert " run, " not in told


def test_a_change_while_it_works_ends_it(tmp_path: Path) -> None:
    found, path, _ = watcher(tmp_path)
    path.write_text(RULES.replace("cost: 10", "cost: 30"), encoding="utf-8")
    assert not found.look(wanted=lambda: False)
    assert found.look()


def test_the_command_tells_of_a_change_and_ends(tmp_path: Path) -> None:
    path = lay_out(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "ziggurat", "watch", "isles", "--packs", str(tmp_path)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    giving_up = threading.Timer(120, process.kill)
    giving_up.start()
    try:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line.startswith("Watching"):
                path.write_text(RULES.replace("== 2 }", "== 3 }"), encoding="utf-8")
            if "kept." in line:
                break
        told = "".join(lines)
        assert "BROKEN  strength is counted" in told
        assert "1 run, 0 kept." in told
    finally:
        giving_up.cancel()
        process.kill()
        process.communicate()
