"""Stand-ins for machines that are not here: other checkouts, encodings, processes and file systems.

`tests/studio/test_simulate.py` has processes that are spawned. All of them run on one Linux
machine; the workflow in `.github` runs the suite on the others.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ziggurat.dsl.packs import Search
from ziggurat.runtime.bots.policies import Random
from ziggurat.runtime.game.game import start
from ziggurat.runtime.saves import save as saves
from ziggurat.runtime.saves.cache import load_program
from ziggurat.studio.cli import main
from ziggurat.studio.commands import COMMANDS

ROOT = Path(__file__).parents[1]
PACKS = ROOT / "tests" / "packs"
STRICT = ("-X", "warn_default_encoding", "-W", "error::EncodingWarning")


def run(folder: Path, *words: str, checkout: Path = ROOT) -> str:
    """Return what a command prints that runs from another checkout, in a process of its own."""
    env = os.environ | {"PYTHONPATH": str(checkout / "src"), "ZIGGURAT_CACHE": str(folder / "kept")}
    command = [sys.executable, *STRICT, "-m", "ziggurat", *words]
    done = subprocess.run(
        command, cwd=folder, env=env, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A checkout as Git for Windows makes it: with its line ends, and without links."""
    folder = tmp_path / "My games für alle"
    settings = ("core.autocrlf=true", "core.symlinks=false")
    options = [word for setting in settings for word in ("--config", setting)]
    subprocess.run(["git", "clone", "-q", *options, str(ROOT), str(folder)], check=True)
    return folder


@pytest.mark.slow
def test_a_checkout_of_windows_has_the_same_bytes_and_works(clone: Path) -> None:
    rules = [*clone.rglob("*.rules"), *clone.rglob("*.py")]
    assert [path for path in rules if b"\r" in path.read_bytes()] == []
    assert not any(path.is_symlink() for path in clone.rglob("*"))
    assert "clean" in run(clone, "check", "west", checkout=clone)
    assert "0 would be formatted" in run(clone, "fmt", "--check", "content/west", checkout=clone)


@pytest.mark.slow
def test_packs_with_line_ends_of_windows_are_formatted_and_clean(tmp_path: Path) -> None:
    shutil.copytree(PACKS / "race", tmp_path / "race")
    for path in [*tmp_path.rglob("*.rules"), *tmp_path.rglob("*.toml")]:
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert "clean" in run(tmp_path, "check", "./race")
    assert "0 would be formatted" in run(tmp_path, "fmt", "--check", "race")


@pytest.mark.slow
def test_no_command_depends_on_the_encoding_of_the_system(tmp_path: Path) -> None:
    packs = ("--packs", str(PACKS))
    run(tmp_path, "new", "variant", "mud", "--on", "race", *packs)
    run(tmp_path, "check", "./mud", *packs)
    run(tmp_path, "test", "./mud", *packs)
    run(tmp_path, "diff", "race", "./mud", "-o", "mud.html", "--format", "html", *packs)
    run(tmp_path, "fmt", "./mud")
    run(tmp_path, "book", "race", *packs)
    run(tmp_path, "demo", "--stack", "race", *packs)
    run(tmp_path, "simulate", "race", "--games", "4", "--jobs", "2", "--out", "games", *packs)
    assert "\r" not in "".join(
        path.read_bytes().decode() for path in (tmp_path / "mud").rglob("*") if path.is_file()
    )


@pytest.fixture
def _held(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Refuse to replace or remove a file that this process has open, as Windows does."""

    def is_open(path: Path) -> bool:
        handles = Path("/proc/self/fd")
        return any(
            os.path.realpath(handle) == os.path.realpath(path) for handle in handles.iterdir()
        )

    def guarded(name: str) -> None:
        work = getattr(Path, name)

        def refuse(path: Path, *more: object, **options: object) -> object:
            for touched in (path, *more):
                if isinstance(touched, Path) and is_open(touched):
                    raise PermissionError(13, "The file is used by another process", str(touched))
            return work(path, *more, **options)

        monkeypatch.setattr(Path, name, refuse)

    for name in ("replace", "rename", "unlink"):
        guarded(name)
    return iter(())


@pytest.mark.slow
@pytest.mark.posix
@pytest.mark.usefixtures("_held")
def test_nothing_replaces_or_removes_a_file_that_it_has_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program, _ = load_program("race", Search((PACKS,)))
    assert program is not None
    game = start(program, seats=["ana", "ben"], seed=1)
    save = saves.Save(tmp_path / "a.zig", saves.header_of(game, "0.1.0", {}), game)
    save.create()
    bot = Random(1)
    for _ in range(60):
        if save.game.pending:
            face = save.game.decisions[0]
            save.answer(face.name(bot.decide(save.game, save.game.pending[0])), face.decider)
    save.write_snapshot()
    save.continue_in(tmp_path / "b.zig")
    save.close()
    again, told = saves.load(tmp_path / "a.zig", lambda header: program)
    assert again.game.state.digest() == save.game.state.digest()
    assert told == []
    words = ["simulate", "race", "--games", "3", "--jobs", "1", "--packs", str(PACKS)]
    assert main([*words, "--out", "games"]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert "Usage" in capsys.readouterr().out
