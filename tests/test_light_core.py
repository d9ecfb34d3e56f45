"""The engine needs few packages: programs can use it where the others are not installed."""

import subprocess
import sys
import textwrap
from pathlib import Path

PACKS = str(Path(__file__).parent / "packs")

# Everything here works without what only the commands and single features need.
PROGRAM = """
    import importlib.abc
    import os
    import sys
    import threading

    HEAVY = {
        "babel", "cyclopts", "duckdb", "h11", "lark", "prompt_toolkit", "pygments", "rich",
        "starlette", "uvicorn", "multiprocessing", "concurrent",
    }

    class Refuse(importlib.abc.MetaPathFinder):
        def find_spec(self, name, path=None, target=None):
            if name.partition(".")[0] in HEAVY:
                raise ImportError(f"the light core imported {name}")

    def refuse(*args, **kwargs):
        raise RuntimeError("the light core started a process or a thread")

    sys.meta_path.insert(0, Refuse())
    os.fork = os.posix_spawn = threading.Thread.start = refuse

    import ziggurat

    broken = ziggurat.load(sys.argv[1])
    findings = ziggurat.render_json(broken.diagnostics)
    assert '"code": "Z201"' in findings, findings

    search = ziggurat.Search.default([sys.argv[2]])
    race, clans = (ziggurat.load(stack, search).ruleset for stack in ("race", "clans"))
    assert ziggurat.diff(race, clans).entries
    assert ziggurat.explain(race, "2 + 2", players=["hare", "snail"], search=search).result == "4"

    program = ziggurat.compile_ruleset(race)
    assert ziggurat.run_scenario(program, race.scenarios[0]).passed

    game = ziggurat.start(program, players=3, seed=1)
    ziggurat.play(game, ziggurat.Advised(1))
    assert game.decision is None

    from ziggurat.studio.map.board import board
    from ziggurat.studio.map.svg import draw

    assert draw(board(race)).startswith("<svg")
"""


def test_engine_works_without_heavy_packages(tmp_path: Path) -> None:
    (tmp_path / "pack.toml").write_text('id = "broken"\ntitle = "Broken"\nversion = "1"\n')
    (tmp_path / "broken.rules").write_text("value two(): int = 1 + one\n")
    command = [sys.executable, "-c", textwrap.dedent(PROGRAM), str(tmp_path), PACKS]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
