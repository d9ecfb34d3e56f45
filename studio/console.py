"""How commands speak: consoles that behave in pipes and files, and the error every command may use.

Colour only on a terminal; `NO_COLOR` turns it off there too. What goes wrong with a request, rather
than with a pack, is a `UsageError`: one message, exit code 2.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn, TextIO

from rich.console import Console

OK = 0
FOUND = 1
USAGE = 2
INTERNAL = 70
INTERRUPTED = 130
BROKEN_PIPE = 141


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
