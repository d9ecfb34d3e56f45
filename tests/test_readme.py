"""The README's setup commands work for somebody who copies them."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SETUP = re.findall(r"^python3 -m venv .*$", README, re.M)
SYSTEM_PYTHON = Path("/usr/bin/python3")


def test_readme_has_one_command_to_play_and_one_to_test() -> None:
    assert [command.rpartition("&& ")[2] for command in SETUP] == ["ziggurat demo", "pytest"]


def test_ci_runs_the_readme_test_command() -> None:
    pattern = re.search(r"grep -m 1 '(.*)' README.md", (ROOT / ".ci/run").read_text("utf-8"))
    assert pattern is not None
    assert [line for line in README.splitlines() if re.search(pattern[1], line)] == SETUP[1:]


def test_readme_is_short_enough() -> None:
    assert len(README.split()) <= 1200
    lines = README.split("\n")
    assert [line for line in lines if len(line) > 100 and not line.startswith(("|", "!["))] == []


@pytest.mark.slow
def test_demo_command_works_in_bare_environment(tmp_path: Path) -> None:
    """Run the first command with the distribution's own Python and nothing in the environment."""
    if not SYSTEM_PYTHON.exists():
        pytest.skip("this system has no Python of its own")
    checkout = tmp_path / "a checkout"
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    for name in filter(None, tracked):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, checkout / name, follow_symlinks=False)
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path / "home"), "LANG": "C.UTF-8"}
    environment |= {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    result = subprocess.run(
        ["bash", "-c", SETUP[0]], cwd=checkout, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "The game ends" in result.stdout or "wins" in result.stdout
