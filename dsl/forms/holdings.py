"""Things that players hold."""

from typing import Any

from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import expression, linked, want
from ziggurat.dsl.linking.settled import removed_thing, settled
from ziggurat.dsl.linking.statements import statement
from ziggurat.dsl.printing.printer import (
    COMPARED,
    POSTFIX,
    SPAN,
    SUM,
    Printer,
    between,
    prints_line,
)
from ziggurat.runtime.kernel.description import HOLDINGS, OPERATIONS_READ
from ziggurat.runtime.kernel.forms.core import Op, ThingRef
from ziggurat.runtime.kernel.forms.holdings import Give
from ziggurat.runtime.kernel.nodes import BOOL, ERROR_TYPE, OWNER, PLAYER, Expr, Stmt, Type


@expression("holds")
def _link_holds(cx: Context, node: Any, wanted: Type | None) -> Expr:
    who, what = node.parts
    player = want(cx, who, OWNER)
    removal = removed_thing(cx, what)
    if removal is not None:
        return settled(cx, node, removal)
    thing = linked(cx, what)
    info = cx.world.kinds.get(thing.type.name)
    if thing.type is not ERROR_TYPE and (info is None or "holdable" not in info.roles):
        say = cx.world.describe(thing.type)
        message = f"Only holdable things can be held, and this is {say}."
        advice = f"To change that, write `holdable` after `kind {info.id}`." if info else None
        return cx.wrong("Z324", message, what, advice)
    return Op("holds", (player, thing), BOOL, at=cx.at(node))


@statement("give", "take")
def _link_give(cx: Context, node: Any) -> Stmt:
    what, who = node.parts
    thing = linked(cx, what)
    info = cx.world.kinds.get(thing.type.name)
    if thing.type is not ERROR_TYPE and (info is None or "holdable" not in info.roles):
        say = cx.world.describe(thing.type)
        message = f"Only holdable things can be held, and this is {say}."
        advice = f"To change that, write `holdable` after `kind {info.id}`." if info else None
        cx.error("Z324", message, what, advice)
    elif node.rule == "give" and cx.scenario is None:
        # Things named outright are remembered one by one, all others by their kind.
        given = f"{thing.kind}.{thing.id}" if isinstance(thing, ThingRef) else thing.type.name
        cx.world.given_kinds.add(given)
    return Give(thing, want(cx, who, PLAYER), node.rule == "give", at=cx.at(node))


OPERATIONS_READ["holds"] = (HOLDINGS,)


between("holds", COMPARED, SPAN, SPAN)


@prints_line(Give)
def _print_give(printer: Printer, stmt: Give) -> str:
    thing, player = printer.text(stmt.thing, SUM), printer.text(stmt.player, POSTFIX)
    return f"give {thing} to {player}" if stmt.gain else f"take {thing} from {player}"
