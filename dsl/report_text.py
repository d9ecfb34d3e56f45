"""Findings for people: heading, location, source line with carets, notes, help."""

import textwrap
from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ziggurat.dsl.diagnostics import Diagnostic, Span
from ziggurat.dsl.report import Locate, portable_name

TAB = "    "
STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}


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
    """Return findings as plain text."""
    return "".join(f"{human(diagnostic, width, locate).plain}\n\n" for diagnostic in diagnostics)


def human(diagnostic: Diagnostic, width: int = 80, locate: Locate = portable_name) -> Text:
    """Return one finding."""
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
    """Return the first line of a span in `room` cells, and where its carets begin and how many."""
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
    """Replace tabs and control characters, so that text is safe and measurable on a terminal."""
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
