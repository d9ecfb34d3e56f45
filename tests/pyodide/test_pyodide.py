"""The engine computes the same in a browser's Python, Pyodide, as in CPython."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.editor import npm

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LIBRARIES = ("attr", "attrs", "cattrs", "lark", "packaging", "platformdirs", "polib", "tomli_w",
             "typing_extensions")  # fmt: skip


def bundle(archive: Path) -> None:
    """Pack the engine, its content, the golden games and the libraries as one import path."""
    folders = {
        "src/ziggurat": "ziggurat",
        "tests/golden": "tests/golden",
        "tests/packs": "tests/packs",
    }
    folders |= {name: f"ziggurat/{name}" for name in ("dsl", "runtime", "proving", "content")}
    libraries = Path(sys.modules["attr"].__file__ or "").parents[1]
    with zipfile.ZipFile(archive, "w") as out:
        for folder, name in folders.items():
            _add(out, ROOT / folder, name)
        for library in LIBRARIES:
            found = libraries / library
            _add(out, found if found.is_dir() else found.with_suffix(".py"), library)


def _add(out: zipfile.ZipFile, path: Path, name: str) -> None:
    if path.is_file():
        out.write(path, f"{name}{path.suffix}")
        return
    for file in sorted(path.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            out.write(file, f"{name}/{file.relative_to(path).as_posix()}")


def run_in_node(archive: Path, cache: Path, environment: dict[str, str]) -> dict[str, Any]:
    command = ["node", str(HERE / "run.mjs"), str(archive), str(HERE / "program.py"), str(cache)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def run_in_cpython() -> dict[str, Any]:
    command = [sys.executable, str(HERE / "program.py")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


@pytest.mark.slow
def test_pyodide_computes_the_same_as_cpython(tmp_path: Path) -> None:
    environment = npm.install("pyodide")
    archive, cache = tmp_path / "engine.zip", tmp_path / "cache.zip"
    bundle(archive)
    expected = run_in_cpython()["results"]
    assert run_in_node(archive, cache, environment)["results"] == expected
    # Parser tables and compiled programs of the first run are there: Lark is not needed again.
    assert run_in_node(archive, cache, environment) == {"results": expected, "lark": False}
