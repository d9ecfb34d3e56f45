"""What the two parsers share: the open blocks, what they tell the formatter, and declarations.

`dsl.table_parser` runs Lark's tables itself and is the one that is used; `dsl.lark_fallback` feeds
Lark's own parser, for a Lark whose tables are not understood. `dsl.recovery` mends either.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import attrs

from ziggurat.dsl.grammar import vocabulary
from ziggurat.dsl.lexer import CANNOT_END, NEW_LINE, TokenList
from ziggurat.dsl.syntax import Declaration, Node, Token
from ziggurat.dsl.tables import keywords

HOLE = "HOLE"
SHAPING = frozenset({NEW_LINE, "LBRACE", "RBRACE"})
DROPS_LINE = CANNOT_END | {NEW_LINE}


@attrs.define(eq=False)
class Frame:
    """An open block (or the file): where reading can go on when an item in it is broken.

    `height` is how much had been read (`Parser.height`) before the line end in front of the current
    item, or after the opening brace when the item is the first (`fresh`); `line` is the number of
    its first token.
    """

    height: int
    line: int
    opened: int = -1
    fresh: bool = True


class Parser(ABC):
    """One run over one list of tokens.

    `on_mistake` gets the parser, mends it and says where to go on; without it the run ends at the
    first mistake with None. For the formatter the run keeps which braces enclose `blocks`, which
    line ends separate items, and which words of the language were `read_as_names`. Most may be
    names (`to`, `give`); `misused` keeps the reserved ones, and what else could have stood in their
    place.
    """

    def __init__(
        self, tokens: TokenList, on_mistake: "Callable[[Parser, int], int] | None" = None
    ) -> None:
        self.tokens = tokens
        self.on_mistake = on_mistake
        self.frames: list[Frame | None] = [Frame(self.height, 0)]
        self.blocks: list[tuple[int, int]] = []
        self.line_ends: list[int] = []
        self.read_as_names: list[int] = []
        self.misused: dict[int, frozenset[str]] = {}

    @abstractmethod
    def run(self) -> Any:
        """Read all tokens; the value of the start symbol, or None after an unmended mistake."""

    @property
    @abstractmethod
    def height(self) -> int:
        """How much has been read; `cut` goes back to it."""

    @abstractmethod
    def cut(self, height: int) -> None:
        """Forget everything above this height."""

    @abstractmethod
    def feed(self, kind: str, leaf: Token | None, at: int) -> None:
        """Read one token that nobody wrote; it must be one that fits (see `fits`)."""

    @abstractmethod
    def fits(self, kind: str) -> bool:
        """Whether a token of this kind could be read now."""

    @abstractmethod
    def expected(self) -> frozenset[str]:
        """The kinds of tokens that could be read now."""

    @abstractmethod
    def in_block(self) -> bool:
        """Whether the brace that was just read opens a block."""

    def shape(self, kind: str, at: int) -> None:
        """Keep the frames right after a brace or a line end has been read."""
        if kind == NEW_LINE:
            frame = self.frames[-1]
            assert frame is not None, "line ends are never part of an expression"
            self.line_ends.append(at)
            frame.height = self.height - 1
            frame.line = at + 1
            frame.fresh = False
        elif kind == "LBRACE":
            self.frames.append(Frame(self.height, at + 1, at) if self.in_block() else None)
        else:
            closed = self.frames.pop()
            if closed is not None:
                self.blocks.append((closed.opened, at))


def soft_kinds() -> frozenset[str]:
    """The words of the language, which are names where the grammar has no other use for them."""
    return frozenset(keywords().values())


def reserved_kinds() -> frozenset[str]:
    """Those of them that must not be names."""
    return frozenset(keywords()[word] for word in vocabulary()["reserved"]["words"])


def declaration(
    start: int,
    end: int,
    word: Token,
    path: Node,
    params: Node | None,
    title: Node | None,
    heads: Node,
    type_: Node | None,
    default: Any,
    metas: Node,
    block: Node | None,
) -> Declaration | str:
    if word.type == HOLE:
        return HOLE
    return Declaration(
        word=word,
        path=path.parts,
        params=params.parts if params else None,
        title=title.parts[0] if title else None,
        heads=heads.parts,
        type=type_,
        default=default,
        metas=metas.parts,
        items=block.parts if block else None,
        start=start,
        end=end,
    )


def declaration_by_title(
    start: int, end: int, word: Token, title: Node, heads: Node, metas: Node, block: Node
) -> Declaration:
    return Declaration(
        word=word,
        path=(),
        params=None,
        title=title.parts[0],
        heads=heads.parts,
        type=None,
        default=None,
        metas=metas.parts,
        items=block.parts,
        start=start,
        end=end,
    )


def declaration_by_tag(
    start: int, end: int, word: Token, tag: Node, title: Node, metas: Node, block: Node
) -> Declaration:
    found = declaration_by_title(start, end, word, title, _NO_HEADS, metas, block)
    return attrs.evolve(found, path=tag.parts)


_NO_HEADS = Node("heads", (), -1, -1)
# How the rules of the grammar that are declarations become one.
DECLARATIONS: dict[str, Callable[..., Declaration | str]] = {
    "decl": declaration,
    "decl_by_title": declaration_by_title,
    "decl_by_tag": declaration_by_tag,
}
