"""Steps that change attributes."""

from typing import Any

from ziggurat.dsl import ir
from ziggurat.dsl.ir import AttrOf, Expr, Stmt
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import lower, want
from ziggurat.dsl.linking.statements import statement
from ziggurat.dsl.linking.types import COLLECTIONS, INT, WRONG, fits


def target(cx: Context, node: Any) -> tuple[AttrOf, Expr | None] | None:
    """What a step may change: an attribute, or one entry of an attribute that is a map."""
    read_before = set(cx.world.uses.get(cx.user, ()))
    found = _target(cx, node)
    if found is not None and f"attribute {found[0].attr}" not in read_before:
        # To write something down is not to read it.
        cx.world.uses[cx.user].pop(f"attribute {found[0].attr}", None)
    return found


def _target(cx: Context, node: Any) -> tuple[AttrOf, Expr | None] | None:
    index = None
    if node.rule == "index":
        node, key = node.parts
        found = lower(cx, node)
        if found.type is WRONG:
            return None
        if found.type.name != "map" or found.type.key is None:
            cx.error("Z306", "Only a map has entries that can be set.", node)
            return None
        index = want(cx, key, found.type.key)
    else:
        found = lower(cx, node)
    if isinstance(found, AttrOf):
        return found, index
    if found.type is not WRONG:
        message = "Only attributes can be changed, and this is not one."
        advice = "Declare what changes during the game: `attribute name of player: int`."
        if isinstance(found, ir.FieldOf):
            message = "A field stays what it is; only attributes can be changed."
        if isinstance(found, ir.Local) and node.rule == "name":
            advice = f"Give a name another value with `let {node.parts[0]} = …`."
        cx.error("Z314", message, node, advice)
    return None


@statement("assign")
def _assign(cx: Context, node: Any) -> Stmt | None:
    found = target(cx, node.parts[0])
    if found is None:
        lower(cx, node.parts[1])
        return None
    attribute, index = found
    wanted = attribute.type if index is None else attribute.type.item or WRONG
    value = want(cx, node.parts[1], wanted)
    return ir.Assign(attribute, index, "=", value, at=cx.at(node))


@statement("add", "subtract")
def _add(cx: Context, node: Any) -> Stmt | None:
    amount, what = node.parts
    value = want(cx, amount, INT)
    found = target(cx, what)
    if found is None:
        return None
    attribute, index = found
    type_ = attribute.type if index is None else attribute.type.item or WRONG
    if not fits(type_, INT):
        message = f"Only numbers can be added to, and this is {cx.world.describe(type_)}."
        advice = (
            "Members are added to a set with `include … in …`." if type_.name == "set" else None
        )
        cx.error("Z301", message, what, advice)
    sign = "+" if node.rule == "add" else "-"
    return ir.Assign(attribute, index, sign, value, at=cx.at(node))


@statement("include", "exclude")
def _include(cx: Context, node: Any) -> Stmt | None:
    what, into = node.parts
    found = target(cx, into)
    if found is None:
        lower(cx, what)
        return None
    attribute, index = found
    type_ = attribute.type if index is None else attribute.type.item or WRONG
    if type_.name not in COLLECTIONS or type_.item is None:
        message = f"Only a set has members, and this is {cx.world.describe(type_)}."
        cx.error("Z301", message, into)
        return None
    value = want(cx, what, type_.item)
    return ir.Assign(attribute, index, node.rule, value, at=cx.at(node))
