"""Findings: what the tools say to an author, and where.

Nothing in `dsl` raises for an author's mistake. Every stage returns its result together with
`Diagnostic`s, each with a stable code (a page of `dsl/catalogue` explains it), one plain sentence,
the place it is about, and a suggestion where one exists. How they are shown is `dsl.report`'s work.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Literal

import attrs

from ziggurat.dsl.nearest import did_you_mean, nearest

__all__ = [
    "FINDINGS_PER_FILE",
    "Diagnostic",
    "Findings",
    "Note",
    "Severity",
    "Source",
    "Span",
    "did_you_mean",
    "nearest",
]

# A note tells what came of something meant; nobody has to mend anything.
Severity = Literal["error", "warning", "note"]

_GRAVITY = ("error", "warning", "note")
_LINE_END = re.compile(r"\r\n|\n|\r")
FINDINGS_PER_FILE = 100
TOO_MANY = "Z008"


@attrs.frozen
class Source:
    """A text and the name people know it by: `west/taxes.rules`, never a path of one machine.

    Lines end at `\\n`, `\\r\\n` and `\\r`, and nowhere else.
    """

    path: str
    text: str = attrs.field(repr=False)
    pack: str = ""

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(end.end() for end in _LINE_END.finditer(self.text))]

    @property
    def line_count(self) -> int:
        return len(self._starts)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character offset, both counted from 1."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The inverse of `position`, kept within the line."""
        line = max(1, min(line, self.line_count))
        start = self._starts[line - 1]
        return start + max(0, min(column - 1, len(self.line(line))))

    def line(self, number: int) -> str:
        """The text of one line, without its end; empty for a line that is not there."""
        if not 1 <= number <= self.line_count:
            return ""
        start = self._starts[number - 1]
        end = self._starts[number] if number < self.line_count else len(self.text)
        return self.text[start:end].removesuffix("\n").removesuffix("\r")

    @property
    def lines(self) -> list[str]:
        """All lines, without their ends."""
        return [self.line(number) for number in range(1, self.line_count + 1)]

    def span(self, start: int, end: int) -> "Span":
        return Span(self, start, end)


@attrs.frozen
class Span:
    """A stretch of a source, in character offsets; `end` is the first character after it."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def end_line(self) -> int:
        return self.source.position(self.end)[0]

    @property
    def end_column(self) -> int:
        return self.source.position(self.end)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def contains(self, other: "Span") -> bool:
        return self.source == other.source and self.start <= other.start and other.end <= self.end

    def excerpt(self) -> str:
        """The source line on which the span begins."""
        return self.source.line(self.line)

    def __str__(self) -> str:
        line, column = self.source.position(self.start)
        return f"{self.source.path}:{line}:{column}"


@attrs.frozen
class Note:
    """A further place or fact that belongs to a finding, such as the first of two declarations."""

    message: str
    span: Span | None = None


@attrs.frozen
class Diagnostic:
    """One finding. `message` is a sentence; `suggestion` says what to do and is shown as help."""

    code: str
    message: str
    span: Span | None
    suggestion: str | None = None
    notes: tuple[Note, ...] = ()
    severity: Severity = "error"

    @property
    def is_error(self) -> bool:
        return self.severity == "error"

    @property
    def is_note(self) -> bool:
        return self.severity == "note"


class Findings:
    """Collects the findings of one run: each once, in the order of files and lines, not too many.

    A file with a thousand findings has one mistake and 999 echoes, so a file shows at most
    `FINDINGS_PER_FILE` of them, errors before warnings, and one last finding that says so.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic] = ()) -> None:
        self._seen: dict[tuple[str, str, Span | None], Diagnostic] = {}
        self.extend(diagnostics)

    def add(self, diagnostic: Diagnostic) -> None:
        key = (diagnostic.code, diagnostic.message, diagnostic.span)
        self._seen.setdefault(key, diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            self.add(diagnostic)

    def merge(self, other: "Findings") -> None:
        """Add all that others found, whether it would be shown or not."""
        self.extend(other._seen.values())

    def mark(self) -> int:
        """How far one has come, for `back_to`."""
        return len(self._seen)

    def since(self, mark: int) -> list[Diagnostic]:
        """What was added since the mark."""
        return list(self._seen.values())[mark:]

    def back_to(self, mark: int) -> None:
        """Forget what was added since the mark."""
        for key in list(self._seen)[mark:]:
            del self._seen[key]

    @property
    def has_errors(self) -> bool:
        return any(diagnostic.is_error for diagnostic in self._seen.values())

    def sources(self) -> set[Source]:
        """The texts that findings and their notes point at."""
        found: set[Source] = set()
        for diagnostic in self._seen.values():
            spans = (diagnostic.span, *(note.span for note in diagnostic.notes))
            found.update(span.source for span in spans if span)
        return found

    def __len__(self) -> int:
        return len(self._seen)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.ordered())

    def ordered(self) -> list[Diagnostic]:
        """All findings as they are to be shown; those without a place come first."""
        by_file: dict[str, list[Diagnostic]] = {}
        for diagnostic in self._seen.values():
            by_file.setdefault(_path(diagnostic), []).append(diagnostic)
        return [
            diagnostic
            for path in sorted(by_file)
            for diagnostic in _limited(sorted(by_file[path], key=_place))
        ]


def _path(diagnostic: Diagnostic) -> str:
    return diagnostic.span.source.path if diagnostic.span else ""


def _place(diagnostic: Diagnostic) -> tuple[int, int, str, str]:
    start, end = (diagnostic.span.start, diagnostic.span.end) if diagnostic.span else (0, 0)
    return start, end, diagnostic.code, diagnostic.message


def _limited(found: list[Diagnostic]) -> list[Diagnostic]:
    counted = [diagnostic for diagnostic in found if diagnostic.code != TOO_MANY]
    if len(counted) <= FINDINGS_PER_FILE or found[0].span is None:
        return found
    errors_first = sorted(counted, key=lambda diagnostic: _GRAVITY.index(diagnostic.severity))
    kept = sorted(errors_first[:FINDINGS_PER_FILE], key=_place)
    hidden = errors_first[FINDINGS_PER_FILE:]
    return [*kept, _too_many(kept[-1].span, hidden)]


def _too_many(last: Span | None, hidden: list[Diagnostic]) -> Diagnostic:
    more = "1 more finding" if len(hidden) == 1 else f"{len(hidden):,} more findings"
    return Diagnostic(
        TOO_MANY,
        f"This file has {more}, not shown.",
        last and Span(last.source, len(last.source.text), len(last.source.text)),
        "Mend the first ones and check again; many of the others will be gone.",
        severity=hidden[0].severity,
    )
