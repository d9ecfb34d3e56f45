"""Sentences with holes: `"{p} loses {n} cities."`, each hole an expression."""

import re
from typing import Any

from lark import LarkError, Token

from ziggurat.dsl.ir import Expr, Text
from ziggurat.dsl.linking.context import BAD, Context
from ziggurat.dsl.linking.expressions import lower
from ziggurat.dsl.linking.types import WRONG
from ziggurat.dsl.parse import parse_expression
from ziggurat.dsl.syntax import Node

_HOLE = re.compile(r"\{([^{}]*)\}")
_SIMPLE = re.compile(r"[a-z_][a-z0-9_]*")
NO_TEXT = Text(())


def sentence(cx: Context, token: Token | None) -> Text:
    """The parts of a text in turn; a brace without its partner is a finding."""
    if token is None:
        return NO_TEXT
    written = str(token)[1:-1]
    if "{" not in written and "}" not in written:
        return Text((written,))
    parts: list[str | Expr] = []
    done = 0
    start = (token.start_pos or 0) + 1
    for match in _HOLE.finditer(written):
        _plain(cx, parts, written[done : match.start()], start + done)
        found = _hole(cx, match[1], start + match.start(1))
        if found is not BAD:
            parts.append(found)
        done = match.end()
    _plain(cx, parts, written[done:], start + done)
    return Text(tuple(parts))


def _plain(cx: Context, parts: list[str | Expr], text: str, start: int) -> None:
    for brace in "{}":
        if brace in text:
            at = start + text.index(brace)
            span = cx.file.source.span(at + cx.shift, at + cx.shift + 1)
            message = "This brace of the text has no partner."
            cx.world.report(
                "Z323", message, span, "Write holes as in `{n}`, each in its own braces."
            )
    if text:
        parts.append(text)


def _hole(cx: Context, text: str, start: int) -> Expr:
    if _SIMPLE.fullmatch(text):
        node: Any = Node("name", (Token("NAME", text, start, 0, 0, 0, 0, start + len(text)),),
                         start, start + len(text))  # fmt: skip
        return _shown(cx, lower(cx, node), node)
    node = _parsed(text)
    outer = cx.shift
    cx.shift = outer + start
    if node is None:
        span = cx.file.source.span(cx.shift, cx.shift + len(text))
        advice = "Write an expression between the braces, as in `{size(S)}`."
        cx.world.report("Z323", "This hole of the text cannot be read.", span, advice)
        found: Expr = BAD
    else:
        found = _shown(cx, lower(cx, node), node)
    cx.shift = outer
    return found


def _parsed(text: str) -> Any:
    try:
        parsed = parse_expression(text)
    except LarkError:
        return None
    if isinstance(parsed, tuple):
        node, findings = parsed
        return None if findings else node
    return parsed


def _shown(cx: Context, found: Expr, node: Any) -> Expr:
    if found.type.name == "pile":
        return cx.wrong("Z301", "A pile of cards cannot be shown in a text.", node)
    return found if found.type is not WRONG else BAD
