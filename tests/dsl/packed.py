"""Broken packs on disk, one mistake each, and what `ziggurat check` says about them.

A case is a folder of packs written in one text: first the command, then each file after a line such
as `==> west/pack.toml`; a line `==> west/a.rules -> ../b.rules` makes a link. What no text can hold
(a pipe, a picture, 2,001 files) is made by a function of `MADE`.
"""

import io
import os
import re
import tempfile
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

from ziggurat.dsl import packs
from ziggurat.studio.cli import main

BROKEN = Path(__file__).with_name("broken_packs")
MINE = "check mine"
MANIFEST = 'id = "mine"\ntitle = "Mine"\nversion = "1.0"\n'
_FILE = re.compile(r"^==> (\S+)(?: -> (\S+))?\n", re.MULTILINE)


def mine(name: str, data: bytes) -> Callable[[], None]:
    """A pack `mine` with this file in it."""

    def make() -> None:
        Path("mine").mkdir()
        Path("mine/pack.toml").write_text(MANIFEST, encoding="utf-8")
        Path("mine", name).write_bytes(data)

    return make


def pipe() -> None:
    mine("a.rules", b"")()
    os.mkfifo("mine/b.rules")


def many_files() -> None:
    mine("a.rules", b"")()
    for number in range(packs.PACK_FILES):
        Path(f"mine/{number}.rules").touch()


MADE: dict[str, Callable[[], None]] = {
    "Z001_pipe": pipe,
    "Z002_too_large": mine("all.rules", b"# Everything.\n" * 80_000),
    "Z002_manifest": mine("pack.toml", MANIFEST.encode() + b"# Remark.\n" * 7_000),
    "Z003_encoding": mine("a.rules", "# Café\nvalue rate: int = 1\n".encode("latin-1")),
    "Z003_manifest": mine("pack.toml", MANIFEST.replace("Mine", "Café").encode("latin-1")),
    "Z004_picture": mine("board.rules", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
    "Z005_too_many_files": many_files,
}


def cases() -> list[str]:
    return sorted([*MADE, *(path.stem for path in BROKEN.glob("*.packs"))])


def golden(case: str) -> Path:
    return BROKEN / f"{case}.txt"


def shown(case: str) -> str:
    """The command, what its author sees, and the exit code; no packs but those of the case."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        if case in MADE:
            MADE[case]()
            command = MINE
        else:
            command = _write((BROKEN / f"{case}.packs").read_text(encoding="utf-8"))
        out = io.StringIO()
        with (
            patch.dict(os.environ, {"COLUMNS": "80", packs.ENVIRONMENT: ""}),
            patch.object(packs, "BUILT_IN", Path("nowhere")),
            redirect_stdout(out),
            redirect_stderr(out),
        ):
            code = main([*command.split(), "--packs", "."])
    return f"$ ziggurat {command} --packs .\n{out.getvalue()}exit code {code}\n"


def _write(text: str) -> str:
    """Make the files of a case in the working folder; its command."""
    command, *parts = _FILE.split(text)
    for name, target, content in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if target:
            path.symlink_to(target)
        else:
            path.write_text(content, encoding="utf-8")
    return command.strip().removeprefix("$ ziggurat ")
