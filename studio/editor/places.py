"""From places in texts to places of the protocol, which counts lines from 0 and UTF-16 units."""

from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from lsprotocol import types as lsp

from ziggurat import Source, Span, ir


def path_of(uri: str) -> Path | None:
    """The file that an address names; None for what is no file."""
    parts = urlsplit(uri)
    return Path(url2pathname(unquote(parts.path))) if parts.scheme == "file" else None


@lru_cache(4096)
def uri_of(path: Path) -> str:
    return path.absolute().as_uri()


def position(source: Source, offset: int) -> lsp.Position:
    line, column = source.position(offset)
    return lsp.Position(line - 1, _units(source.line(line)[: column - 1]))


def span_range(span: Span) -> lsp.Range:
    return lsp.Range(position(span.source, span.start), position(span.source, span.end))


def offset(source: Source, place: lsp.Position) -> int:
    """The offset of a place; beyond the end of a line it is the end."""
    line = source.line(place.line + 1)
    column, units = 0, 0
    if line.isascii():
        column = min(place.character, len(line))
    else:
        while column < len(line) and units < place.character:
            units += _units(line[column])
            column += 1
    return source.offset(place.line + 1, column + 1)


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
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2
