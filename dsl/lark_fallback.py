"""Lark's own parser in the place of ours, for a Lark whose tables are not understood.

It is fed our tokens one after the other, so it sees the same line ends and the same words read as
names, and its trees and findings are the same; it takes several times as long. To go back after a
mistake it reads everything before that place again.
"""

from typing import Any

import lark

from ziggurat.dsl.codes import all_codes, page
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.grammar import END, interactive, spelled_by_lark, terminals
from ziggurat.dsl.lexer import NEW_LINE, TokenList, tokenize
from ziggurat.dsl.parser_base import (
    DECLARATIONS,
    DROPS_LINE,
    HOLE,
    SHAPING,
    Parser,
    reserved_kinds,
    soft_kinds,
)
from ziggurat.dsl.syntax import Node, Token, outline
from ziggurat.dsl.table_parser import Program, TableParser
from ziggurat.dsl.tables import Tables


class LarkParser(Parser):
    """A run of Lark's interactive parser; `height` counts the tokens it has been fed."""

    def __init__(self, tokens: TokenList, start: str = "start", on_mistake: Any = None) -> None:
        self._start = start
        self._fed: list[lark.Token] = []
        self._lark = interactive(start)
        super().__init__(tokens, on_mistake)

    def run(self) -> Any:
        soft, reserved = soft_kinds(), reserved_kinds()
        kinds = self.tokens.kinds
        before = ""
        at = 0
        while True:
            kind = kinds[at]
            if kind == NEW_LINE and before in DROPS_LINE:
                at += 1
                continue
            if kind in soft and kind not in self._lark.choices():
                if kind in reserved:
                    self.misused[at] = terminals(self._lark)
                self.read_as_names.append(at)
                kind = "NAME"
            try:
                found = self._read(self._token(kind, at))
            except lark.UnexpectedToken:
                if self.on_mistake is None:
                    return None
                at = self.on_mistake(self, at)
                before = ""
                continue
            if kind == END:
                return _converted(found)
            if kind in SHAPING:
                self.shape(kind, at)
            before = kind
            at += 1

    def _token(self, kind: str, at: int) -> lark.Token:
        start, end = self.tokens.starts[at], self.tokens.ends[at]
        return lark.Token(kind, self.tokens.source.text[start:end], start, end_pos=end)

    def _read(self, token: lark.Token) -> Any:
        found = self._lark.feed_token(token)
        self._fed.append(token)
        return found

    @property
    def height(self) -> int:
        return len(self._fed)

    def cut(self, height: int) -> None:
        del self._fed[height:]
        self._lark = interactive(self._start)
        for token in self._fed:
            self._lark.feed_token(token)

    def feed(self, kind: str, leaf: Token | None, at: int) -> None:
        start = self.tokens.starts[at]
        if leaf is None:
            self._read(lark.Token(kind, "", start, end_pos=start))
        else:
            self._read(lark.Token(kind, str(leaf), leaf.start_pos, end_pos=leaf.end_pos))
        if kind in SHAPING:
            self.shape(kind, at - 1)

    def fits(self, kind: str) -> bool:
        return kind in self.expected()

    def expected(self) -> frozenset[str]:
        return frozenset(self._lark.accepts())

    def in_block(self) -> bool:
        return "LET" in self._lark.choices()


def _converted(tree: Any) -> Any:
    """Lark's tree as our nodes; from the leaves up, since a tree may be deeper than recursion."""
    made: dict[int, Any] = {}
    for part in tree.iter_subtrees() if isinstance(tree, lark.Tree) else ():
        made[id(part)] = _node(part, [_part(made, child) for child in part.children])
    return _part(made, tree)


def _part(made: dict[int, Any], part: Any) -> Any:
    if isinstance(part, lark.Tree):
        return made[id(part)]
    if part is None:
        return None
    return Token(part.type, str(part), part.start_pos, part.end_pos)


def _node(tree: Any, parts: list[Any]) -> Any:
    name = str(tree.data)
    start, end = (-1, -1) if tree.meta.empty else (tree.meta.start_pos, tree.meta.end_pos)
    if name == "decl" and not parts[0]:
        return HOLE
    if name in DECLARATIONS:
        return DECLARATIONS[name](start, end, *parts)
    return Node(name, tuple(part for part in parts if part is not HOLE), start, end)


def agrees_with_lark(tables: Tables) -> bool:
    """Whether tables give the trees of Lark's own parser, for every example of the catalogue."""
    if tables.literals != spelled_by_lark():
        return False
    program = Program(tables)
    for code in all_codes():
        found = page(code)
        text = found.sections["Right"] if found else ""
        tokens = tokenize(Source("", text.partition("```rules\n")[2].partition("```")[0]))
        try:
            ours = TableParser(tokens, program=program).run()
        except Exception:  # tables that are not what they seem may do anything
            return False
        if outline(ours) != outline(LarkParser(tokens).run()):
            return False
    return True
