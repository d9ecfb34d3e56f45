"""Sentences with holes, and the steps that speak them: `say "{p} loses {n}."`."""

import re
from collections.abc import Iterator
from typing import Any

from ziggurat.dsl.linking.context import BAD, Context, elsewhere
from ziggurat.dsl.linking.expressions import guard, linked, want
from ziggurat.dsl.linking.narrowing import narrowing
from ziggurat.dsl.linking.statements import statement
from ziggurat.dsl.parse import parse_expression
from ziggurat.dsl.printing.layout import Line, quoted
from ziggurat.dsl.printing.printer import POSTFIX, Printed, Printer, prints, prints_lines
from ziggurat.dsl.syntax import Node, Token
from ziggurat.runtime.kernel.forms.core import Lit, Op
from ziggurat.runtime.kernel.forms.flow import If
from ziggurat.runtime.kernel.forms.speech import Agreement, Say, Text
from ziggurat.runtime.kernel.nodes import (
    ERROR_TYPE,
    INT,
    PLAYER,
    Expr,
    Stmt,
)

_HOLE = re.compile(r"\{([^{}]*)\}")


_SIMPLE = re.compile(r"[a-z_][a-z0-9_]*")


NO_TEXT = Text(())


def sentence(cx: Context, token: Token | Node | None) -> Text:
    """The parts of a text in turn; a brace without its partner is a finding."""
    if token is None:
        return NO_TEXT
    if isinstance(token, Node):
        return elsewhere(cx, token, sentence)
    written = str(token)[1:-1]
    if "{" not in written and "}" not in written:
        return Text((written,))
    parts: list[str | Expr] = []
    done = 0
    start = (token.start_pos or 0) + 1
    for match in _HOLE.finditer(written):
        _between_holes(cx, parts, written[done : match.start()], start + done)
        found = _hole(cx, match[1], start + match.start(1))
        if found is not BAD:
            parts.append(found)
        done = match.end()
    _between_holes(cx, parts, written[done:], start + done)
    return Text(tuple(parts))


def _between_holes(cx: Context, parts: list[str | Expr], text: str, start: int) -> None:
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
    of, *words = text.split("|")
    if words:
        return _agreement(cx, of, words, start)
    if _SIMPLE.fullmatch(text):
        node: Any = Node("name", (Token("NAME", text, start, start + len(text)),),
                         start, start + len(text))  # fmt: skip
        return _shown(cx, linked(cx, node), node)
    node = parse_expression(text)
    outer = cx.shift
    cx.shift = outer + start
    if node is None:
        span = cx.file.source.span(cx.shift, cx.shift + len(text))
        advice = "Write an expression between the braces, as in `{size(S)}`."
        cx.world.report("Z323", "This hole of the text cannot be read.", span, advice)
        found: Expr = BAD
    else:
        found = _shown(cx, linked(cx, node), node)
    cx.shift = outer
    return found


def _agreement(cx: Context, text: str, words: list[str], start: int) -> Expr:
    """The number comes from a number, from how many a set has, or from yes for more than one."""
    of = _hole(cx, text, start)
    span = cx.file.source.span(start + cx.shift, start + cx.shift + len(text))
    if len(words) != 2:
        message = "Words that agree with a number are two: one for 1, one for all others."
        cx.world.report("Z323", message, span, "Write them as in `{n|city|cities}`.")
        return BAD
    if of is BAD:
        return BAD
    if of.type.name == "bool":
        of = Op("if", (of, Lit(2, INT), Lit(1, INT)), INT, at=of.at)
    elif of.type.name in ("set", "list", "map"):
        of = Op("size", (of,), INT, at=of.at)
    elif of.type != INT:
        message = f"Words cannot agree with {cx.world.describe(of.type)}: it is no number."
        cx.world.report("Z301", message, span, "A number, a set or a yes-or-no stands before `|`.")
        return BAD
    return Agreement(of, tuple(words), at=of.at)


def _shown(cx: Context, found: Expr, node: Any) -> Expr:
    if found.type.name == "pile":
        return cx.wrong("Z301", "A pile of cards cannot be shown in a text.", node)
    return found if found.type is not ERROR_TYPE else BAD


@statement("say")
def _link_say(cx: Context, node: Any) -> Stmt:
    text, when = node.parts
    with narrowing(cx):
        test = guard(cx, when)
        found = Say(sentence(cx, text), None, at=cx.at(node))
    return found if test is None else If(test, (found,), (), at=cx.at(node))


@statement("tell")
def _link_tell(cx: Context, node: Any) -> Stmt:
    who, text, others, when = node.parts
    with narrowing(cx):
        test = guard(cx, when)
        told = sentence(cx, text)
        rest = sentence(cx, others) if others is not None else None
        found = Say(told, want(cx, who, PLAYER), rest, at=cx.at(node))
    return found if test is None else If(test, (found,), (), at=cx.at(node))


@prints(Agreement)
def _print_agreement(printer: Printer, node: Agreement) -> Printed:
    return "|".join((printer.text(node.of), *node.wordings)), POSTFIX


@prints(Text)
def _print_text(printer: Printer, text: Text) -> Printed:
    """A sentence with its holes, in quotes."""
    parts = (part if isinstance(part, str) else f"{{{printer.text(part)}}}" for part in text.parts)
    return quoted("".join(parts)), POSTFIX


@prints_lines(Say)
def _print_say(printer: Printer, stmt: Say, depth: int) -> Iterator[Line]:
    """Without wording only what one player alone learns is left: who, and of what."""
    if stmt.to is None:
        if printer.wording:
            yield Line(depth, f"say {printer.text(stmt.text)}", stmt.at)
        return
    text = stmt.text
    if not printer.wording:
        text = Text(tuple(part for part in text.parts if not isinstance(part, str)))
    to = printer.text(stmt.to, POSTFIX)
    has_others = stmt.others is not None and printer.wording
    others = f" others {printer.text(stmt.others)}" if has_others else ""
    yield Line(depth, f"tell {to} {printer.text(text)}{others}", stmt.at)
