"""The grammar as Lark reads it, through what Lark promises to keep: no private names here."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark

STARTS = ("start", "expr")
END = "$END"
_HERE = Path(__file__).parent
_NO_RULE = re.compile(r"^(?://|%|[A-Z_]+[.0-9]*: */).*$", re.MULTILINE)
_QUOTED = re.compile(r'"([^"\\\n]+)"')


def grammar_text() -> str:
    return (_HERE / "grammar.lark").read_text(encoding="utf-8")


@cache
def vocabulary() -> dict[str, Any]:
    """`words.toml`: how the tools call the parts of the language when they speak to people."""
    return tomllib.loads((_HERE / "words.toml").read_text(encoding="utf-8"))


def lark_parser(**options: Any) -> "Lark":
    """Lark's own parser of the grammar."""
    from lark import Lark

    return Lark(
        grammar_text(), parser="lalr", start=list(STARTS), maybe_placeholders=True, **options
    )


def lark_version() -> str:
    import lark

    return lark.__version__


@cache
def lark_with_positions() -> "Lark":
    """A parser that is fed one token after the other, and knows where each part stands."""
    return lark_parser(lexer="basic", propagate_positions=True)


def interactive(start: str = "start") -> Any:
    """A run of Lark's parser that is fed tokens."""
    return lark_with_positions().parse_interactive(start=start)


def spelled_by_lark() -> dict[str, str]:
    """Every fixed word and symbol of the grammar, and what Lark calls it."""
    texts = list(dict.fromkeys(_QUOTED.findall(_NO_RULE.sub("", grammar_text()))))
    # in one go: Lark prepares a scanner for every call
    tokens = list(lark_with_positions().lex(" ".join(texts)))
    kinds = dict(zip(texts, (str(token.type) for token in tokens), strict=True))
    several = {kind for kind in kinds.values() if [*kinds.values()].count(kind) > 1}
    return {text: kind for text, kind in kinds.items() if kind not in several}


def item_starts_by_lark(is_top: bool) -> frozenset[str]:
    """The kinds of tokens that can begin an item of a file or of a block."""
    from lark import Token

    parser = interactive()
    for kind in () if is_top else ("NAME", "NAME", "LBRACE"):
        parser.feed_token(Token(kind, "x", 0, end_pos=1))
    return terminals(parser)


def terminals(parser: Any) -> frozenset[str]:
    """The kinds of tokens that the state of a parser knows."""
    return frozenset(kind for kind in parser.choices() if kind.isupper())
