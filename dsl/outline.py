"""The shape of one text by itself, finished or not: its words, what can be folded, its calls."""

from collections.abc import Iterator
from typing import Any

import attrs

from ziggurat.dsl.diagnostics import Source, Span
from ziggurat.dsl.grammar import vocabulary
from ziggurat.dsl.lexer import tokenize
from ziggurat.dsl.linking.mentions import words_of
from ziggurat.dsl.linking.model import BUILT_IN
from ziggurat.dsl.parse import parse_source, read
from ziggurat.dsl.syntax import Declaration, Node, Token
from ziggurat.dsl.tables import keywords

COMMENT, TEXT, NUMBER, TAG, WORD = "comment", "text", "number", "tag", "word"
_SORTS = {"STRING": TEXT, "INT": NUMBER, "TAG": TAG}


@attrs.frozen
class Colour:
    """A stretch of a text and what sort of thing it is: comment, text, number, tag, or a word of
    the language."""

    start: int
    end: int
    sort: str


def colours(source: Source) -> list[Colour]:
    """All parts of a text that are no names, in order."""
    reading = read(source)
    tokens, names = reading.tokens, frozenset(reading.names)
    words = frozenset(keywords().values())
    found = [Colour(one.start_pos, one.end_pos, COMMENT) for one in reading.file.comments]
    for at, kind in enumerate(tokens.kinds):
        sort = WORD if kind in words and at not in names else _SORTS.get(kind)
        if sort is not None:
            found.append(Colour(tokens.starts[at], tokens.ends[at], sort))
    found += [
        Colour(top.word.start_pos, top.word.end_pos, WORD)
        for top in _declarations(reading.file.tops)
    ]
    return sorted(found, key=lambda one: one.start)


def _declarations(parts: Any) -> Iterator[Declaration]:
    for part in parts:
        if isinstance(part, Declaration):
            yield part
            yield from _declarations(part.items or ())
        elif isinstance(part, Node):
            yield from _declarations(part.parts)


def folds(source: Source) -> list[tuple[int, int]]:
    """The blocks that have several lines, as their first and last lines, counted from 1."""
    reading = read(source)
    tokens = reading.tokens
    lines = [
        (source.position(tokens.starts[first])[0], source.position(tokens.starts[last])[0])
        for first, last in reading.blocks
        if first >= 0
    ]
    return sorted({(first, last) for first, last in lines if last > first})


@attrs.frozen
class Call:
    """A call, or the target of a clause: its name, and where each argument begins and ends."""

    name: Span
    arguments: tuple[Span, ...]


def calls(source: Source) -> list[Call]:
    """Everything that is called with arguments."""
    file, _ = parse_source(source)
    found: list[Call] = []
    waiting: list[Any] = list(file.tops)
    while waiting:
        part = waiting.pop()
        if isinstance(part, Declaration):
            waiting += [*part.heads, part.default, *(part.items or ())]
        elif isinstance(part, Node):
            waiting += part.parts
            call = _call(part)
            if call is not None:
                name, args = call
                spans = (file.span(one) for one in args)
                found.append(Call(file.span(name), tuple(spans)))
    return sorted(found, key=lambda one: one.name.start)


def _call(node: Node) -> tuple[Token, tuple[Any, ...]] | None:
    args: tuple[Any, ...] = ()
    if node.rule == "call":
        args = node.parts[1:]
    elif node.rule in ("target", "order_ref") and node.parts[1] is not None:
        args = node.parts[1].parts
    words = words_of(node) if args else []
    return (words[-1], args) if words else None


def call_around(source: Source, offset: int) -> tuple[Span, int] | None:
    """The name of the innermost call that is open at a place, and which argument is written."""
    tokens = tokenize(Source(source.path, source.text[:offset], source.pack))
    depth = commas = 0
    for at in range(len(tokens.kinds) - 2, 0, -1):
        kind = tokens.kinds[at]
        if kind in ("RPAR", "RSQB", "RBRACE"):
            depth += 1
        elif kind in ("LSQB", "LBRACE") or (kind == "LPAR" and depth):
            depth -= 1
            if depth < 0:
                return None
        elif kind == "LPAR":
            name = tokens.text(at - 1)
            if not name.isidentifier():
                return None
            return source.span(tokens.starts[at - 1], tokens.ends[at - 1]), commas
        elif kind == "COMMA" and not depth:
            commas += 1
    return None


def language_words() -> dict[str, tuple[str, ...]]:
    """The words of the language: those that begin declarations, those that cannot be names, and all
    that have a meaning of their own somewhere."""
    reserved = tuple(sorted(vocabulary()["reserved"]["words"]))
    return {"declaring": BUILT_IN, "reserved": reserved, "words": tuple(sorted(keywords()))}
