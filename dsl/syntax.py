"""The syntax tree: what an author wrote, with positions, before names mean anything.

Two node classes are enough: `Declaration` for the one form all declarations share, and `Node` for
everything else, named after its rule in `grammar.lark`. Leaves are lark tokens (strings that know
their offsets). Optional parts that are absent are None, so parts have fixed places.
"""

from typing import Any

import attrs
from lark import Token

from ziggurat.dsl.diagnostics import Source, Span

Leaf = Token
Part = "Node | Declaration | Token | None"


@attrs.frozen(eq=False)
class Node:
    """One application of a grammar rule: `Node('let', (name, expression))`."""

    rule: str
    parts: tuple[Any, ...]
    start: int
    end: int


@attrs.frozen(eq=False)
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

    def span(self, node: "Node | Declaration | Token") -> Span:
        if isinstance(node, Token):
            return Span(self.source, node.start_pos or 0, node.end_pos or 0)
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
