"""How commands speak: consoles that behave in pipes and files, and the error every command may use.

Colour only on a terminal; `NO_COLOR` turns it off there too. What goes wrong with a request, rather
than with a pack, is a `UsageError`: one message, exit code 2.
"""

import errno
import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn, TextIO

from rich.console import Console

OK = 0
FOUND = 1
USAGE = 2
INTERNAL = 70
INTERRUPTED = 130
BROKEN_PIPE = 141
WINDOWS = sys.platform == "win32"


class UsageError(Exception):
    """The command cannot do what was asked; the text says why, and what to do instead."""


class _Console(Console):
    def on_broken_pipe(self) -> NoReturn:
        """Leave the decision to `studio.cli.main` instead of ending the process here."""
        raise BrokenPipeError


def console(stream: TextIO | None = None) -> Console:
    """A console for a stream, the standard output unless told otherwise."""
    return _Console(
        file=stream or sys.stdout,
        highlight=False,
        emoji=False,  # `a.rules:100:7` is a place
        soft_wrap=False,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
    )


def write_text(text: str, stream: TextIO | None = None) -> None:
    """Write to a stream, the standard output, what another program reads: always as UTF-8."""
    out: TextIO = stream or sys.stdout
    if not isinstance(out, io.TextIOWrapper):
        out.write(text)
        return
    out.flush()
    out.buffer.write(text.encode("utf-8", "replace"))
    out.flush()


def write_file(path: Path, text: str) -> None:
    """Write a file as UTF-8, whole or not at all. Raise `UsageError`."""
    from ziggurat import replace_file

    is_new = not path.exists()
    try:
        if is_new:
            path.touch()
        if path.is_file():
            replace_file(path, text.encode("utf-8"))
        else:  # as `/dev/stdout`
            path.write_bytes(text.encode("utf-8"))
    except OSError as error:
        with suppress(OSError):
            if is_new:
                path.unlink(missing_ok=True)
        raise UsageError(f"`{path}` cannot be written: {error.strerror}.") from error


def is_broken_pipe(error: OSError) -> bool:
    """Return whether nobody reads the output any more; Windows calls that an invalid argument."""
    is_invalid = WINDOWS and error.errno == errno.EINVAL and error.filename is None
    return is_invalid or isinstance(error, BrokenPipeError)


def complain(message: str) -> None:
    """One message on the error stream, for people; never a traceback."""
    console(sys.stderr).print(f"ziggurat: {message}", markup=False, soft_wrap=True)


@contextmanager
def stopped_by_kill() -> Iterator[None]:
    """`kill` stops what runs in several processes as Ctrl-C does, of which a background job of a
    shell hears nothing."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
