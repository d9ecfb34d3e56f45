"""Players among themselves: all others, who sits to the left, whether an owner is one."""

from typing import Any

from ziggurat.dsl.forms.logic import player_of
from ziggurat.dsl.linking.arguments import function_arguments
from ziggurat.dsl.linking.context import BAD, Context
from ziggurat.dsl.linking.expressions import function, want
from ziggurat.dsl.linking.types import set_of
from ziggurat.dsl.printing.printer import COMPARED, POSTFIX, SPAN, Printed, Printer, operation
from ziggurat.runtime.kernel.forms.core import Local, Op
from ziggurat.runtime.kernel.nodes import OWNER, PLAYER, Expr, Type


@function("others")
def _link_others(cx: Context, node: Any, wanted: Type | None) -> Expr:
    args = function_arguments(cx, node, "p")
    if args is None:
        return BAD
    return Op("others", (want(cx, args[0], OWNER),), set_of(PLAYER), at=cx.at(node))


@function("left_of")
def _link_left_of(cx: Context, node: Any, wanted: Type | None) -> Expr:
    args = function_arguments(cx, node, "p")
    return Op("left_of", (want(cx, args[0], PLAYER),), PLAYER, at=cx.at(node)) if args else BAD


@function("player")
def _link_player(cx: Context, node: Any, wanted: Type | None) -> Expr:
    args = function_arguments(cx, node, "o")
    if args is None:
        return BAD
    owner = want(cx, args[0], OWNER)
    return player_of(owner, cx.at(node)) if owner.type.name == "owner" else owner


@operation("is_player")
def _print_is_player(printer: Printer, expr: Op) -> Printed:
    return f"{printer.text(expr.args[0], SPAN)} is player", COMPARED


@operation("player")
def _print_player(printer: Printer, expr: Op) -> Printed:
    """Of an owner whom a clause calls `holder` it is known that they are a player."""
    match expr.args[0]:
        case Local(name) if printer.aliases.get(name) == "holder":
            return "holder", POSTFIX
        case owner:
            return f"player({printer.text(owner)})", POSTFIX
