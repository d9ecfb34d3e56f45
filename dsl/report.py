"""How findings are shown: to people, to programs, and to a code review on GitHub.

The shape of the JSON is stable; fields may be added, never renamed or removed:

    {"version": 2,
     "errors": 1, "warnings": 0, "notes": 0,
     "findings": [
       {"code": "Z…", "severity": "error", "message": "…", "suggestion": "…" or null,
        "location": {"path": "packs/my_west/taxes.rules", "pack": "west", "file": "taxes.rules",
                     "line": 12, "column": 10, "end_line": 12, "end_column": 17, "start": 301,
                     "end": 308} or null,
        "notes": [{"message": "…", "location": {…} or null}]}]}

`path` leads to the file from the working folder; `file` is its path in the pack, which is the same
everywhere. Lines and columns count from 1, `start` and `end` are character offsets from 0, and the
end is the first character after the place.
"""

import json
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ziggurat.dsl.diagnostics import Diagnostic, Severity, Source, Span

VERSION = 2
TAB = "    "
STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}
GITHUB = {"error": "error", "warning": "warning", "note": "notice"}


# Sources carry portable names; this turns one into a path for whoever reads of it, or None for what
# is not a file.
Locate = Callable[[Source], str | None]


def portable_name(source: Source) -> str:
    """The name that a source has on every machine."""
    return source.path


def render_human(
    diagnostics: Sequence[Diagnostic], console: Console, locate: Locate = portable_name
) -> None:
    """Print findings with their source lines to a console, which decides about colour and width."""
    for diagnostic in diagnostics:
        console.print(human(diagnostic, console.width, locate), soft_wrap=True, highlight=False)
        console.print()


def human_text(
    diagnostics: Iterable[Diagnostic], width: int = 80, locate: Locate = portable_name
) -> str:
    """The same as plain text, for files and tests."""
    return "".join(f"{human(diagnostic, width, locate).plain}\n\n" for diagnostic in diagnostics)


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """One sentence: how many errors, warnings and notes there are."""
    counts = _counts(diagnostics)
    parts = [_plural(number, word) for word, number in counts.items() if number]
    return " and ".join(parts) or _plural(0, "error")


def human(diagnostic: Diagnostic, width: int = 80, locate: Locate = portable_name) -> Text:
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
        _append_place(text, diagnostic.span, gutter, width, style, locate)
    for note in diagnostic.notes:
        _append_remark(text, "note", note.message, gutter, width)
        if note.span:
            _append_place(text, note.span, gutter, width, "bold cyan", locate)
    if diagnostic.suggestion:
        _append_remark(text, "help", diagnostic.suggestion, gutter, width)
    return text


def render_json(diagnostics: Sequence[Diagnostic], locate: Locate = portable_name) -> str:
    """Findings for programs; the shape is documented at the top of this module."""
    counts = _counts(diagnostics)
    shape = {
        "version": VERSION,
        "errors": counts["error"],
        "warnings": counts["warning"],
        "notes": counts["note"],
        "findings": findings_shape(diagnostics, locate),
    }
    return json.dumps(shape, indent=2, ensure_ascii=False)


def findings_shape(diagnostics: Iterable[Diagnostic], locate: Locate) -> list[dict[str, Any]]:
    """Findings as JSON has them."""
    return [_finding(diagnostic, locate) for diagnostic in diagnostics]


def render_github(diagnostics: Iterable[Diagnostic], locate: Locate = portable_name) -> str:
    """Workflow commands that GitHub shows beside the lines of a change.

    What is not a file has an annotation without a place.
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


def _append_place(
    text: Text, span: Span, gutter: int, width: int, style: str, locate: Locate
) -> None:
    line = span.line
    text.append(f"\n{' ' * gutter}--> ", "dim")
    path = locate(span.source) or span.source.path
    text.append(f"{_clean(path)}:{line}:{span.column}")
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
    whole = span.end - span.start if span.end_line == span.line else len(line) - column
    # An enormous line is cut to its surroundings first, so that the rest costs nothing.
    first = max(0, column - room)
    before = _clean(line[first:column])
    length = min(whole, room)
    marked = _clean(line[column : column + length])
    after = _clean(line[column + length : column + length + room])
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


def _finding(diagnostic: Diagnostic, locate: Locate) -> dict[str, Any]:
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "suggestion": diagnostic.suggestion,
        "location": _location(diagnostic.span, locate),
        "notes": [
            {"message": note.message, "location": _location(note.span, locate)}
            for note in diagnostic.notes
        ],
    }


def _location(span: Span | None, locate: Locate) -> dict[str, Any] | None:
    if span is None:
        return None
    pack, name = span.source.pack, span.source.path
    return {
        "path": locate(span.source) or name,
        "pack": pack or None,
        "file": name.removeprefix(f"{pack}/") if pack else name,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "start": span.start,
        "end": span.end,
    }


def _annotation(diagnostic: Diagnostic, locate: Locate) -> str:
    span = diagnostic.span
    path = locate(span.source) if span else None
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
