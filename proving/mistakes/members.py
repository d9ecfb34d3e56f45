"""Mistakes about sets: another set, too many or too few in it, the wrong filter or order."""

from collections.abc import Iterator
from typing import Any

import attrs

from ziggurat.dsl.forms.sets import is_conversion
from ziggurat.proving.mistakes.sight import MOST_OTHERS, PLAYER, Change, Sight
from ziggurat.runtime import kernel as ir

_BOOL, _INT = ir.Type("bool"), ir.Type("int")
_FILTERED = (ir.Choose, ir.Select, ir.For, ir.Loop, ir.Reach, ir.Pick, ir.ActionParam)
_STAGES_OF_SOME = ("each", "at_once", "act")


def another_set(node: Any, sight: Sight) -> Iterator[Change]:
    """Another set of the same type; wider, narrower, or of the same form."""
    if not isinstance(node, ir.Expr) or node.type.name not in ("set", "list"):
        return
    if isinstance(node, ir.Loop) and is_conversion(node):
        return
    for new in _others(node, sight):
        what = f"`{sight.tell(node)}` made `{sight.tell(new)}`"
        yield Change(new, what, node.at, "set")


def _others(node: ir.Expr, sight: Sight) -> Iterator[ir.Expr]:
    if node.type.name == "set" and not isinstance(node, ir.All):
        yield from _everything(node, sight)
    match node:
        case ir.All(of="players"):
            yield from _others_of(node, sight)
        case ir.Having(source=source):
            yield source
        case ir.Op(op="+" | "common", args=(one, other)):
            yield from (one, other)
        case ir.Op(op="-", args=(one, _)):
            yield one
        case ir.Op(op="others", args=(who,)):
            for other in [*sight.others(who)][:MOST_OTHERS]:
                yield attrs.evolve(node, args=(other,))
        case ir.Op(op="set", args=args) if len(args) > 1:
            for i in range(len(args)):
                yield attrs.evolve(node, args=(*args[:i], *args[i + 1 :]))
        case ir.FieldOf(owner_kind=kind, field=field):
            for name in sight.known.like_field(kind, field):
                yield attrs.evolve(node, field=name)
        case ir.ValueCall(value=value):
            for like in sight.known.like_value(value):
                yield attrs.evolve(node, value=like.id)


def _everything(node: ir.Expr, sight: Sight) -> Iterator[ir.Expr]:
    """All that the set could have in it."""
    item = node.type.item
    if item is not None and item.name in ("player", "owner", *sight.known.ruleset.kinds):
        of = {"player": "players", "owner": "owners"}.get(item.name, item.name)
        yield ir.All(of, node.type, at=node.at)


def _others_of(node: ir.Expr, sight: Sight) -> Iterator[ir.Expr]:
    """All but one, whoever comes first."""
    for name, type_ in sight.names.items():
        if type_.name == PLAYER.name:
            yield ir.Op("others", (ir.Local(name, type_),), node.type, at=node.at)
            return


def another_filter(node: Any, sight: Sight) -> Iterator[Change]:
    """Those that are kept and those that are left out, the other way round."""
    stage = isinstance(node, ir.Stage) and node.kind in _STAGES_OF_SOME
    field = "condition" if stage else "where" if isinstance(node, _FILTERED) else ""
    test = getattr(node, field) if field else None
    if test is not None:
        denied = test.args[0] if _is_not(test) else ir.Op("not", (test,), _BOOL, at=test.at)
        what = f"`where {sight.tell(test)}` made `where {sight.tell(denied)}`"
        at = test.at if test.at.file else node.at
        yield Change(attrs.evolve(node, **{field: denied}), what, at, "filter")


def _is_not(test: ir.Expr) -> bool:
    return isinstance(test, ir.Op) and test.op == "not"


def another_order(node: Any, sight: Sight) -> Iterator[Change]:
    """No order or another one; of an order itself, keys swapped, left out or turned round."""
    order = getattr(node, "order", None)
    if isinstance(order, ir.OrderRef):
        told = f"`by {order.order}`"
        if not getattr(node, "grouped", False):
            yield Change(attrs.evolve(node, order=None), f"{told} left out", node.at, "order")
        for like in sight.known.like_order(order.order):
            new = attrs.evolve(node, order=attrs.evolve(order, order=like.id))
            yield Change(new, f"{told} made `by {like.id}`", node.at, "order")
    match node:
        case ir.Order(keys=keys, at=at):
            for i in range(len(keys) - 1):
                swapped = (*keys[:i], keys[i + 1], keys[i], *keys[i + 2 :])
                what = f"the keys {keys[i]} and {keys[i + 1]} swapped"
                yield Change(attrs.evolve(node, keys=swapped), what, at, "order")
            for i, key in enumerate(keys) if len(keys) > 1 else ():
                rest = (*keys[:i], *keys[i + 1 :])
                yield Change(attrs.evolve(node, keys=rest), f"the key {key} left out", at, "order")
        case ir.Value(id=id_, base=base, at=at) if id_ in sight.known.keys:
            opposite = ir.Op("neg", (base,), _INT, at=base.at)
            new = attrs.evolve(node, base=opposite)
            yield Change(new, "the key turned round", at, "order")
