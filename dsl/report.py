"""How findings are shown: to people, to programs, and to a code review on GitHub.

The shape of the JSON is stable; fields may be added, never renamed or removed:

    {"version": 1,
     "errors": 1, "warnings": 0, "notes": 0,
     "findings": [
       {"code": "Z…", "severity": "error", "message": "…", "suggestion": "…" or null,
        "location": {"pack": "west", "path": "west/taxes.rules", "line": 12, "column": 10,
                     "end_line": 12, "end_column": 17, "start": 301, "end": 308} or null,
        "notes": [{"message": "…", "location": {…} or null}]}]}

Lines and columns count from 1, `start` and `end` are character offsets from 0, and the end is the
first character after the place.
"""

import json
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ziggurat.dsl.diagnostics import Diagnostic, Severity, Source, Span

TAB = "    "
STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}
GITHUB = {"error": "error", "warning": "warning", "note": "notice"}


def render_human(diagnostics: Sequence[Diagnostic], console: Console) -> None:
    """Print findings with their source lines to a console, which decides about colour and width."""
    for diagnostic in diagnostics:
        console.print(human(diagnostic, console.width), soft_wrap=True, highlight=False)
        console.print()


def human_text(diagnostics: Iterable[Diagnostic], width: int = 80) -> str:
    """The same as plain text, for files and tests."""
    return "".join(f"{human(diagnostic, width).plain}\n\n" for diagnostic in diagnostics)


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """One sentence: how many errors, warnings and notes there are."""
    counts = _counts(diagnostics)
    parts = [_plural(number, word) for word, number in counts.items() if number]
    return " and ".join(parts) or _plural(0, "error")


def human(diagnostic: Diagnostic, width: int = 80) -> Text:
    """One finding: heading, place, source line with carets, notes, help."""
    style = STYLES[diagnostic.severity]
    places = [diagnostic.span, *(note.span for note in diagnostic.notes)]
    gutter = max((len(str(span.line)) for span in places if span), default=1)
    text = Text()
    heading = f"{diagnostic.severity}[{diagnostic.code}]: "
    lines = _wrapped(heading + _clean(diagnostic.message), width, 0)
    text.append(lines[0][: len(heading)], style)
    text.append(lines[0][len(heading) :], "bold")
    for line in lines[1:]:
        text.append("\n" + line, "bold")
    if diagnostic.span:
        _append_place(text, diagnostic.span, gutter, width, style)
    for note in diagnostic.notes:
        _append_remark(text, "note", note.message, gutter, width)
        if note.span:
            _append_place(text, note.span, gutter, width, "bold cyan")
    if diagnostic.suggestion:
        _append_remark(text, "help", diagnostic.suggestion, gutter, width)
    return text


def render_json(diagnostics: Sequence[Diagnostic]) -> str:
    """Findings for programs; the shape is documented at the top of this module."""
    counts = _counts(diagnostics)
    shape = {
        "version": 1,
        "errors": counts["error"],
        "warnings": counts["warning"],
        "notes": counts["note"],
        "findings": [_finding(diagnostic) for diagnostic in diagnostics],
    }
    return json.dumps(shape, indent=2, ensure_ascii=False)


def render_github(
    diagnostics: Iterable[Diagnostic], locate: Callable[[Source], str | None] | None = None
) -> str:
    """Workflow commands that GitHub shows beside the lines of a change.

    Sources carry portable names; `locate` turns one into a path within the repository that is
    being checked, or None for what is not a file (then the annotation has no place).
    """
    return "".join(f"{_annotation(diagnostic, locate)}\n" for diagnostic in diagnostics)


def _append_remark(text: Text, word: str, message: str, gutter: int, width: int) -> None:
    indent = gutter + 3
    start = f"{' ' * gutter} = {word}: "
    lines = _wrapped(start + _clean(message), width, indent + 2)
    text.append("\n" + lines[0][:indent], "dim")
    text.append(f"{word}:", "bold green" if word == "help" else "bold cyan")
    text.append(lines[0][indent + len(word) + 1 :])
    for line in lines[1:]:
        text.append("\n" + line)


def _append_place(text: Text, span: Span, gutter: int, width: int, style: str) -> None:
    line = span.line
    text.append(f"\n{' ' * gutter}--> ", "dim")
    text.append(f"{_clean(span.source.path)}:{line}:{span.column}")
    shown, before, marked = _clipped(span, width - gutter - 3)
    if not shown.strip():
        return
    text.append(f"\n{' ' * gutter} |\n{line:>{gutter}} | ", "dim")
    text.append(shown)
    text.append(f"\n{' ' * gutter} | ", "dim")
    text.append(" " * before + "^" * marked, style)


def _clipped(span: Span, room: int) -> tuple[str, int, int]:
    """The span's first line cut to `room` cells, and the cells before and under its carets."""
    room = max(room, 20)
    line = span.excerpt()
    column = min(span.column - 1, len(line))
    length = span.end - span.start if span.end_line == span.line else len(line) - column
    # An enormous line is cut to its surroundings first, so that the rest costs nothing.
    first = max(0, column - room)
    before = _clean(line[first:column])
    marked = _clean(line[column : column + min(length, room)])
    after = _clean(line[column + min(length, room) : column + length + room])
    left = "…" if first else ""
    if cell_len(before) > room // 2 and cell_len(line[first:]) + first > room:
        left, before = "…", _last_cells(before, room // 2)
    shown = left + before + marked + after
    if cell_len(shown) > room:
        shown = _first_cells(shown, room - 1) + "…"
    start = cell_len(left + before)
    return shown, start, max(1, min(cell_len(marked), room - start))


def _first_cells(text: str, cells: int) -> str:
    while cell_len(text) > cells:
        text = text[:-1]
    return text


def _last_cells(text: str, cells: int) -> str:
    while cell_len(text) > cells:
        text = text[1:]
    return text


def _clean(text: str) -> str:
    """Text that is safe and measurable on a terminal: tabs as spaces, no control characters."""
    text = text.replace("\t", TAB)
    return text if text.isprintable() else "".join(c if c.isprintable() else "�" for c in text)


def _wrapped(text: str, width: int, indent: int) -> list[str]:
    return textwrap.wrap(
        text,
        max(width, 40),
        subsequent_indent=" " * (indent or 2),
        break_long_words=True,
        break_on_hyphens=False,
        drop_whitespace=True,
        replace_whitespace=False,
    )


def _counts(diagnostics: Iterable[Diagnostic]) -> dict[Severity, int]:
    counts: dict[Severity, int] = {"error": 0, "warning": 0, "note": 0}
    for diagnostic in diagnostics:
        counts[diagnostic.severity] += 1
    return counts


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _finding(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "suggestion": diagnostic.suggestion,
        "location": _location(diagnostic.span),
        "notes": [
            {"message": note.message, "location": _location(note.span)} for note in diagnostic.notes
        ],
    }


def _location(span: Span | None) -> dict[str, Any] | None:
    if span is None:
        return None
    return {
        "pack": span.source.pack or None,
        "path": span.source.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "start": span.start,
        "end": span.end,
    }


def _annotation(diagnostic: Diagnostic, locate: Callable[[Source], str | None] | None) -> str:
    span = diagnostic.span
    path = (locate(span.source) if locate else span.source.path) if span else None
    place: dict[str, object] = {}
    if span and path is not None:
        place = {"file": path, "line": span.line, "endLine": span.end_line, "col": span.column}
        if span.line == span.end_line:
            # GitHub counts the last column as inside.
            place["endColumn"] = max(span.column, span.end_column - 1)
    place["title"] = diagnostic.code
    properties = ",".join(f"{key}={_property(str(value))}" for key, value in place.items())
    notes = [
        f"{note.message} ({note.span})" if note.span else note.message for note in diagnostic.notes
    ]
    help_line = [f"help: {diagnostic.suggestion}"] if diagnostic.suggestion else []
    message = "\n".join([diagnostic.message, *notes, *help_line])
    return f"::{GITHUB[diagnostic.severity]} {properties}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
