"""Where lines come from: an editor with completion on a terminal, plain lines everywhere else."""

import sys
from collections.abc import Callable, Iterable
from typing import Protocol, TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.shortcuts import CompleteStyle

Complete = Callable[[str], list[str]]


class Reader(Protocol):
    """Reads a line. Raises EOFError when there are no more."""

    terminal: bool

    def line(self, prompt: str, complete: Complete, seat: str) -> str: ...


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


class EditingReader:
    """A line editor with completion; each seat has its own history, so nobody reads another's."""

    terminal = True

    def __init__(self) -> None:
        self._sessions: dict[str, PromptSession[str]] = {}

    def line(self, prompt: str, complete: Complete, seat: str) -> str:
        session = self._sessions.setdefault(seat, PromptSession())
        return session.prompt(
            prompt,
            completer=_Words(complete),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
        )


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
