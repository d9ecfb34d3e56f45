"""From places in texts to places of the protocol, which counts lines from 0 and UTF-16 units.

Every client can count in UTF-16 units, so the server offers nothing else.
"""

import os
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from lsprotocol import types as lsp

from ziggurat import Source, Span, ir


class OutsideTextError(Exception):
    """An edit that does not fit the text it is meant for."""


def path_of(uri: str) -> Path | None:
    """Return the file that an address names, or None for an address of something else."""
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return None
    server = "" if parts.netloc in ("", "localhost") else f"//{parts.netloc}"
    name = server + parts.path
    # Since Python 3.14, `url2pathname` refuses servers on systems other than Windows.
    return Path(url2pathname(name) if os.name == "nt" else unquote(name))


@lru_cache(4096)
def uri_of(path: Path) -> str:
    return path.absolute().as_uri()


def position(source: Source, offset: int) -> lsp.Position:
    line, column = source.position(offset)
    return lsp.Position(line - 1, _units(source.line(line)[: column - 1]))


def span_range(span: Span) -> lsp.Range:
    return lsp.Range(position(span.source, span.start), position(span.source, span.end))


def offset(source: Source, place: lsp.Position) -> int:
    """Return the offset of a place. Beyond the end of a line it is the end of the line, beyond the
    last line the end of the text."""
    if place.line >= source.line_count:
        return len(source.text)
    line = source.line(place.line + 1)
    column, units = 0, 0
    if line.isascii():
        column = min(place.character, len(line))
    else:
        while column < len(line) and units < place.character:
            units += _units(line[column])
            column += 1
    return source.offset(place.line + 1, column + 1)


def edited(text: str, change: lsp.TextDocumentContentChangeEvent) -> str:
    """Return a text after an edit. Raise `OutsideTextError` if the edit lies beyond its end."""
    if isinstance(change, lsp.TextDocumentContentChangeWholeDocument):
        return change.text
    source = Source("", text)
    first, last = change.range.start, change.range.end
    # The end of a text without a line end may be given as the start of the line behind it.
    if last.line > source.line_count or (first.line, first.character) > (last.line, last.character):
        raise OutsideTextError
    return text[: offset(source, first)] + change.text + text[offset(source, last) :]


def range_at(source: Source, at: ir.At) -> lsp.Range:
    """The stretch that a part of a ruleset was written in."""
    start = source.offset(at.line, at.column)
    end = source.offset(at.end_line, at.end_column)
    return span_range(source.span(start, max(start, end)))


def word_start(source: Source, place: int) -> int:
    """Where the word begins that ends at a place, which may be empty."""
    while place > 0 and (source.text[place - 1].isalnum() or source.text[place - 1] == "_"):
        place -= 1
    return place


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
