"""Where lines come from: an editor with completion on a terminal, plain lines everywhere else."""

import hashlib
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol, TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.application.current import get_app_session
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.input.typeahead import get_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPress, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.shortcuts import CompleteStyle

Complete = Callable[[str], list[str]]
ENTER = "⏎ "


class Reader(Protocol):
    """Reads a line. Raises EOFError when there are no more."""

    terminal: bool

    def line(self, prompt: str, complete: Complete, seat: str) -> str: ...
    def discard(self) -> str: ...
    def remember(self, save: Path) -> None: ...


class PlainReader:
    """Lines of a file or a pipe; they are repeated so that a transcript can be read."""

    terminal = False

    def __init__(self, source: TextIO, out: TextIO) -> None:
        self._source, self._out = source, out

    def line(self, prompt: str, complete: Complete, seat: str) -> str:
        self._out.write(prompt)
        self._out.flush()
        found = self._source.readline()
        if not found:
            self._out.write("\n")
            raise EOFError
        if not self._source.isatty():
            self._out.write(found if found.endswith("\n") else f"{found}\n")
        return found.rstrip("\n")

    def remember(self, save: Path) -> None:
        """Keep nothing: the lines are in a file already."""

    def discard(self) -> str:
        """Discard nothing: lines of a file are meant to be used in order."""
        return ""


class EditingReader:
    """A line editor with completion; each seat has its own history, so nobody reads another's."""

    terminal = True

    def __init__(self) -> None:
        self._sessions: dict[str, PromptSession[str]] = {}
        self._folder: Path | None = None

    def remember(self, save: Path) -> None:
        """Keep what each seat types beside a save, where only its owner can read it."""
        self._folder = save.with_name(f"{save.name}.typed")

    def line(self, prompt: str, complete: Complete, seat: str) -> str:
        if seat not in self._sessions:
            self._sessions[seat] = PromptSession(history=self._history(seat))
        session = self._sessions[seat]
        return session.prompt(
            prompt,
            completer=_Words(complete),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            color_depth=ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None,
            enable_suspend=True,
            key_bindings=_KEYS,
        )

    def _history(self, seat: str) -> History:
        """Return what a seat typed before; nothing where it cannot be kept."""
        if self._folder is None or not seat:
            return InMemoryHistory()
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            file = self._folder / hashlib.sha256(seat.encode()).hexdigest()[:16]
            file.touch(mode=0o600)
        except OSError:
            return InMemoryHistory()
        return FileHistory(file)

    def discard(self) -> str:
        """Discard the keys that were pressed since the last line; return what they were."""
        source = get_app_session().input
        keys = get_typeahead(source)
        with source.raw_mode():
            keys += [*source.read_keys(), *source.flush_keys()]
        return "".join(map(_shown, keys)).strip()


def _shown(key: KeyPress) -> str:
    if key.key in (Keys.ControlM, Keys.ControlJ):
        return ENTER
    return key.data if key.data.isprintable() else " "


_KEYS = KeyBindings()


@_KEYS.add("c-c")
def _clear_or_interrupt(event: KeyPressEvent) -> None:
    """Clear a line that was begun; on an empty one, interrupt."""
    if event.current_buffer.text:
        event.current_buffer.reset()
    else:
        event.app.exit(exception=KeyboardInterrupt())


class _Words(Completer):
    """Completes the last word of the line."""

    def __init__(self, complete: Complete) -> None:
        self._complete = complete

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        for word, size in completions(document.text_before_cursor, self._complete):
            yield Completion(f"{word} ", start_position=-size, display=word)


def completions(text: str, complete: Complete) -> list[tuple[str, int]]:
    """Words that go on from the last one typed, and how much of it they replace."""
    before, _, last = text.rpartition(" ")
    _, comma, part = last.rpartition(",")
    known = complete(before if not comma else f"{before} ")
    return [(word, len(part)) for word in sorted(known) if word.startswith(part.casefold())]


def reader() -> Reader:
    """The best that standard input and output allow."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return EditingReader()
    return PlainReader(sys.stdin, sys.stdout)
