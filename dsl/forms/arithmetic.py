"""Numbers: sums and products, signs, ranges; sets are added and taken away with the same signs."""

from typing import Any

from ziggurat.dsl.forms.logic import unlike
from ziggurat.dsl.linking.arguments import function_arguments
from ziggurat.dsl.linking.constants import ARITHMETIC, impossible
from ziggurat.dsl.linking.context import BAD, Context
from ziggurat.dsl.linking.expressions import (
    as_collection,
    cards_of,
    collection,
    expression,
    fitted,
    function,
    linked,
    want,
)
from ziggurat.dsl.linking.types import COLLECTIONS, NOTHING, join, set_of
from ziggurat.dsl.printing.printer import (
    POSTFIX,
    PRODUCT,
    SPAN,
    SUM,
    UNARY,
    Printed,
    Printer,
    between,
    operation,
)
from ziggurat.runtime.kernel.forms.core import Lit, Op
from ziggurat.runtime.kernel.nodes import ERROR_TYPE, INT, RANGE, Expr, Type


@expression("plus", "minus")
def _link_plus(cx: Context, node: Any, wanted: Type | None) -> Expr:
    left, right = node.parts
    hint = wanted if wanted is not None and wanted.name in COLLECTIONS else None
    a = linked(cx, left, hint)
    if a.type.name == "pile":
        a = cards_of(a)
    if a.type.name in COLLECTIONS:
        b, _ = collection(cx, right, a.type if a.type.item is not NOTHING else hint)
        type_ = join(a.type, b.type)
        if type_ is None or b.type.name not in COLLECTIONS:
            return unlike(cx, node, a, b, "These")
        a = as_collection(a, "set") if a.type.name == "list" else a
        b = as_collection(b, "set") if b.type.name == "list" else b
        item = type_.item or ERROR_TYPE
        type_ = a.type if node.rule == "minus" else set_of(item)
        return Op("union" if node.rule == "plus" else "minus", (a, b), type_, at=cx.at(node))
    a = fitted(cx, a, INT, left)
    return Op(ARITHMETIC[node.rule], (a, want(cx, right, INT)), INT, at=cx.at(node))


@expression("times", "divided", "divided_up", "modulo")
def _link_times(cx: Context, node: Any, wanted: Type | None) -> Expr:
    left, right = node.parts
    op = ARITHMETIC[node.rule]
    args = (want(cx, left, INT), want(cx, right, INT))
    if wrong := impossible(op, args):
        return cx.wrong("Z327", str(wrong), node, wrong.advice)
    return Op(op, args, INT, at=cx.at(node))


@expression("negate", "positive")
def _link_sign(cx: Context, node: Any, wanted: Type | None) -> Expr:
    found = want(cx, node.parts[0], INT)
    if node.rule == "positive":
        return found
    if isinstance(found, Lit) and isinstance(found.value, int):
        return Lit(-found.value, INT, at=cx.at(node))
    return Op("neg", (found,), INT, at=cx.at(node))


@expression("range")
def _link_range(cx: Context, node: Any, wanted: Type | None) -> Expr:
    low, high = node.parts
    return Op("range", (want(cx, low, INT), want(cx, high, INT)), RANGE, at=cx.at(node))


@function("abs")
def _link_abs(cx: Context, node: Any, wanted: Type | None) -> Expr:
    args = function_arguments(cx, node, "n")
    return Op("abs", (want(cx, args[0], INT),), INT, at=cx.at(node)) if args else BAD


for _sign in ("+", "-"):
    between(_sign, SUM, SUM, PRODUCT)


for _sign in ("*", "/", "mod"):
    between(_sign, PRODUCT, PRODUCT, UNARY)


between("union", SUM, SUM, PRODUCT, "+")


between("minus", SUM, SUM, PRODUCT, "-")


@operation("neg")
def _print_negative(printer: Printer, expr: Op) -> Printed:
    return f"-{printer.text(expr.args[0], POSTFIX)}", UNARY


@operation("/up")
def _print_rounded_up(printer: Printer, expr: Op) -> Printed:
    left, right = expr.args
    return f"{printer.text(left, PRODUCT)} / {printer.text(right, UNARY)} rounded up", PRODUCT


@operation("range")
def _print_range(printer: Printer, expr: Op) -> Printed:
    low, high = expr.args
    return f"{printer.text(low, SUM)}..{printer.text(high, SUM)}", SPAN
