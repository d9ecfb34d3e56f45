"""Findings for programs and for a code review on GitHub; `report_text` shows them to people.

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
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ziggurat.dsl.diagnostics import Diagnostic, Severity, Source, Span

VERSION = 2
GITHUB = {"error": "error", "warning": "warning", "note": "notice"}


# Sources carry portable names; this turns one into a path for whoever reads of it, or None for what
# is not a file.
Locate = Callable[[Source], str | None]


def portable_name(source: Source) -> str:
    """The name that a source has on every machine."""
    return source.path


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """One sentence: how many errors, warnings and notes there are."""
    counts = _counts(diagnostics)
    parts = [_plural(number, word) for word, number in counts.items() if number]
    return " and ".join(parts) or _plural(0, "error")


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
