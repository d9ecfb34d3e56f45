"""Shells complete stacks, folders and files with the scripts that Ziggurat installs."""

import os
import select
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.editor.isles import lay_out
from ziggurat.studio.cli import main

pytestmark = [pytest.mark.slow, pytest.mark.posix]
PATIENCE = 120.0  # seconds without a letter
# A line that is begun, and how it goes on after the tabulator key.
LINES = {
    "ziggurat check expans": "ziggurat check expansion_project",
    "ziggurat test west+exper": "ziggurat test west+expert",
    "ziggurat check is": "ziggurat check isles/",
    "ziggurat map west -o pict": "ziggurat map west -o picture.svg",
    "ziggurat simul": "ziggurat simulate",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lay_out(tmp_path)
    (tmp_path / "picture.svg").touch()
    return tmp_path


def environment(home: Path) -> dict[str, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "HOME": str(home), "TERM": "xterm"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return home


def test_fish(folder: Path, home: Path) -> None:
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    assert main(["--install-completion", "--shell", "fish"]) == 0
    for line, completed in LINES.items():
        done = subprocess.run(
            ["fish", "-c", f"complete -C '{line}'"],
            cwd=folder, env=environment(home), capture_output=True, text=True, check=True,
        )  # fmt: skip
        words = [offer.split("\t")[0] for offer in done.stdout.splitlines()]
        assert completed.rpartition(" ")[2] in words, line


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_terminal(shell: str, line: str, folder: Path, home: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    assert main(["--install-completion", "--shell", shell]) == 0
    start = {"bash": ["bash", "-i"], "zsh": ["zsh", "-i"]}[shell]
    if shell == "zsh":
        with (home / ".zshrc").open("a", encoding="utf-8") as settings:
            settings.write("\nautoload -Uz compinit && compinit -u\n")
    completed = LINES[line]
    shown = type_line(start, line, completed, folder, environment(home))
    after = shown.rpartition(completed)[2]
    assert completed.endswith("/") <= (not after.startswith(" ")), shown


def type_line(
    start: list[str], line: str, completed: str, folder: Path, environment: dict[str, str]
) -> str:
    """Type a line and the tabulator key, until it is completed. Return what the terminal shows."""
    import pty

    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe(start[0], start, environment)
    try:
        os.write(terminal, b"echo $((6 * 7))\n")  # the answer shows that the shell is ready
        read_until(terminal, "42")
        os.write(terminal, f"{line}\t".encode())
        shown = read_until(terminal, completed)
        os.write(terminal, b"X")  # shows whether a space has been put behind
        shown += read_until(terminal, "X")
    finally:
        os.close(terminal)
        os.waitpid(child, 0)
    return shown


def read_until(terminal: int, text: str) -> str:
    """Return what a terminal shows up to a text. Fail if it does not come in time."""
    shown = ""
    while text not in shown:
        if not select.select([terminal], [], [], PATIENCE)[0]:
            pytest.fail(f"`{text}` did not appear: {shown!r}")
        shown += os.read(terminal, 65536).decode(errors="replace")
    return shown
