"""Neovim and Emacs in versions that `docs/editor.md` asks for, of this system or unpacked.

`python -m tests.editor.newer_editors` prints how to start them.
"""

import os
import re
import shlex
import shutil
import subprocess

from tests.debian import SUITE, CannotUnpackError, Program, started, unpacked

PACKAGES = {"nvim": "neovim", "emacs": "emacs-nox"}
OLDEST = {"nvim": (0, 11), "emacs": (29, 0)}


def find_editor(name: str) -> Program:
    """Return an editor that is new enough. Raise `CannotUnpackError` if there is none."""
    installed = shutil.which(name)
    if installed is not None and is_new_enough(name, Program((installed,), {})):
        return Program((installed,), {})
    editor = _unpacked(name)
    if not is_new_enough(name, editor):
        least = ".".join(map(str, OLDEST[name]))
        raise CannotUnpackError(f"`{name}` of Debian {SUITE} is older than {least}")
    return editor


def is_new_enough(name: str, editor: Program) -> bool:
    """Return whether an editor starts and has the version that `docs/editor.md` asks for."""
    done = subprocess.run(
        [*editor.command, "--version"], capture_output=True, text=True, check=False,
        env={**os.environ, **editor.environment},
    )  # fmt: skip
    number = re.search(r"(\d+)\.(\d+)", done.stdout)
    return number is not None and tuple(map(int, number.groups())) >= OLDEST[name]


def _unpacked(name: str) -> Program:
    root = unpacked(PACKAGES[name])
    if name == "nvim":
        runtime = {"VIMRUNTIME": str(root / "usr/share/nvim/runtime")}
        return Program(started(root, "nvim"), runtime)
    (data,) = (root / "usr/share/emacs").glob("[0-9]*")
    (own,) = (root / "usr/libexec/emacs").glob("[0-9]*/*")
    lisp = [data / "lisp", *(path for path in (data / "lisp").rglob("*") if path.is_dir())]
    environment = {
        "EMACSDATA": str(data / "etc"),
        "EMACSPATH": str(own),
        "EMACSLOADPATH": ":".join(map(str, lisp)),
    }
    dump = (f"--dump-file={path}" for path in own.glob("*.pdmp"))
    return Program((*started(root, "emacs-nox"), *dump), environment)


def main() -> None:
    """Print how to start each editor, or why it cannot be had."""
    for name in PACKAGES:
        try:
            editor = find_editor(name)
        except CannotUnpackError as error:
            print(f"{name}: {error}")
        else:
            variables = (f"{key}={value}" for key, value in editor.environment.items())
            print(shlex.join(("env", *variables, *editor.command)))


if __name__ == "__main__":
    main()
