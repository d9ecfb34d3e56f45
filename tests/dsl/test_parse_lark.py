"""Our parser against Lark's own: the same tree, with the same positions, for every real file.

Lark cannot know our line ends, so here is the obvious way to teach it them: blank out those before
a word that continues a line, drop those inside brackets and after an operator. `bare_lark` is also
what benchmarks measure against.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from lark import Lark, Token, Tree

from tests.sampling import sampled
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.grammar import lark_parser
from ziggurat.dsl.lexer import CANNOT_END, CONTINUING
from ziggurat.dsl.parse import parse_source
from ziggurat.dsl.syntax import Declaration, Node

ROOT = Path(__file__).parents[2]
FILES = sorted(
    path for room in ("content", "docs", "tests/packs") for path in (ROOT / room).rglob("*.rules")
)
_WORD = re.compile(r"[a-z]+(?![a-z0-9_:(.])")


def joined(text: str) -> str:
    """The text with the line ends blanked out that cannot separate items; of the same length."""
    lines = text.split("\n")
    joins = True
    for i in range(len(lines) - 1, -1, -1):
        line = lines[i]
        if i < len(lines) - 1:
            lines[i] = line + ("\v" if joins else "\n")
        bare = line.lstrip(" \t\r")
        if bare and not bare.startswith("#"):
            word = _WORD.match(bare)
            joins = bare[0] in '})]"' or bool(word and word.group().upper() in CONTINUING)
    return "".join(lines)


class Lines:
    """Drops the line ends inside round brackets and after what cannot end a line."""

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        depth = 0
        before = "_NL"
        for word in stream:
            if word.type == "_NL" and (depth or before == "_NL" or before in CANNOT_END):
                continue
            depth += (word.type in ("LPAR", "LSQB")) - (word.type in ("RPAR", "RSQB"))
            before = word.type
            yield word


@cache
def bare_lark(positions: bool = True) -> Lark:
    return lark_parser(postlex=Lines(), propagate_positions=positions)


def of_lark(part: Any) -> Any:
    if not isinstance(part, Tree):
        return leaf(part)
    place = (-1, -1) if part.meta.empty else (part.meta.start_pos, part.meta.end_pos)
    parts = [of_lark(child) for child in part.children]
    name = str(part.data)
    if name == "decl_by_title":
        word, title, heads, metas, block = parts
        parts = [word, None, None, title, heads, None, None, metas, block]
    if name == "decl_by_tag":
        word, path, title, metas, block = parts
        no_heads = ("heads", -1, -1)
        parts = [word, path, None, title, no_heads, None, None, metas, block]
    if name in ("decl", "decl_by_title", "decl_by_tag"):
        word, path, params, title, heads, type_, default, metas, block = parts
        title = title and title[3]
        inner = [path and path[3:], params and params[3:], title, heads[3:], type_, default]
        return ("declaration", *place, word, *inner, metas[3:], block and block[3:])
    return (name, *place, *parts)


def of_ours(part: Any) -> Any:
    if isinstance(part, Node):
        return (part.rule, part.start, part.end, *map(of_ours, part.parts))
    if not isinstance(part, Declaration):
        return leaf(part)
    inner = [
        tuple(map(of_ours, part.path)) or None,
        None if part.params is None else tuple(map(of_ours, part.params)),
        of_ours(part.title),
        tuple(map(of_ours, part.heads)),
        of_ours(part.type),
        of_ours(part.default),
        tuple(map(of_ours, part.metas)),
        None if part.items is None else tuple(map(of_ours, part.items)),
    ]
    return ("declaration", part.start, part.end, of_ours(part.word), *inner)


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def leaf(part: Token | None) -> Any:
    return part if part is None else (part.type, str(part), part.start_pos, part.end_pos)


@pytest.mark.parametrize("path", sampled(FILES, 8, name), ids=name)
def test_the_tree_is_the_one_lark_makes(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    theirs = of_lark(bare_lark().parse(joined(text), start="start"))
    file, findings = parse_source(Source(path.name, text))
    assert findings == []
    assert tuple(map(of_ours, file.tops)) == theirs[3:]
