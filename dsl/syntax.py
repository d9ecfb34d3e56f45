"""The syntax tree: what an author wrote, with positions, before names mean anything.

Two node classes are enough: `Declaration` for the one form all declarations share, and `Node` for
everything else, named after its rule in `grammar.lark`. Leaves are tokens. Optional parts that are
absent are None, so parts have fixed places. Trees are never changed once they are made, since they
are kept for the next time (not frozen, because making them would take half as long again).
"""

from functools import cached_property
from typing import Any

import attrs

from ziggurat.dsl.diagnostics import Source, Span


class Token(str):
    """A word of the text as one leaf of the tree: a string that knows its kind and its offsets."""

    __slots__ = ("end_pos", "start_pos", "type")

    type: str
    start_pos: int
    end_pos: int

    def __new__(cls, type_: str, text: str, start: int, end: int) -> "Token":
        self = str.__new__(cls, text)
        self.type = type_
        self.start_pos = start
        self.end_pos = end
        return self

    def __repr__(self) -> str:
        return f"Token({self.type!r}, {str(self)!r})"


@attrs.define(eq=False)
class Node:
    """One application of a grammar rule: `Node('let', (name, expression))`."""

    rule: str
    parts: tuple[Any, ...]
    start: int
    end: int


def as_name(token: Token) -> Node:
    """A word as the expression it would be if it stood alone."""
    return Node("name", (token,), token.start_pos, token.end_pos)


@attrs.define(eq=False)
class Declaration:
    """A kind, an id, a title, a block: `area thera "Thera" { … }`.

    `word` is the kind as written. `path` holds the parts of the id (empty when only a title names
    the declaration, as in scenarios). `heads` are the words between title and block. `items` is
    None when there is no block at all.
    """

    word: Token
    path: tuple[Token, ...]
    params: "tuple[Node, ...] | None"
    title: Token | None
    heads: "tuple[Node, ...]"
    type: "Node | None"
    default: "Node | Token | None"
    metas: "tuple[Node, ...]"
    items: "tuple[Node | Declaration, ...] | None"
    start: int
    end: int

    @property
    def id(self) -> str:
        return ".".join(self.path)


@attrs.frozen(eq=False)
class File:
    """A parsed file: its source, its top-level nodes in order, and its comments."""

    source: Source
    tops: "tuple[Node | Declaration, ...]"
    comments: tuple[Token, ...]

    @cached_property
    def cites(self) -> tuple[Node, ...]:
        """The citations that stand for themselves and hold for what is below them, in order."""
        nodes = (top for top in self.tops if isinstance(top, Node))
        return tuple(top for top in nodes if top.rule == "cites")

    def span(self, node: "Node | Declaration | Token") -> Span:
        if isinstance(node, Token):
            return Span(self.source, node.start_pos, node.end_pos)
        return Span(self.source, node.start, node.end)


def outline(part: Any) -> Any:
    """A tree as plain data, with every position: equal for equal trees."""
    if isinstance(part, Token):
        return part.type, str(part), part.start_pos, part.end_pos
    if isinstance(part, tuple):
        return tuple(map(outline, part))
    if isinstance(part, Node | Declaration):
        names = (field.name for field in attrs.fields(type(part)))
        return type(part), *(outline(getattr(part, name)) for name in names)
    return part
