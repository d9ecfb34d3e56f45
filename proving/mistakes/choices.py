"""Mistakes about choices: somebody else decides, or too few or too many may be chosen."""

from collections.abc import Iterator
from typing import Any

import attrs

from ziggurat.proving.mistakes.sight import PLAYER, Change, Sight
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.description import described

_INT = ir.Type("int")
# The fields with how many are chosen, divided or summed up to.
_BOUNDS = {ir.Divide: ("total",), ir.Wish: ("bound",)}


def decider(node: Any, sight: Sight) -> Iterator[Change]:
    """Somebody else decides, or is told: everybody in sight who could be written there, or else
    whoever sits to the left."""
    field, word = ("to", "tell") if isinstance(node, ir.Say) else ("by", "by")
    if not (described(node).asks or isinstance(node, ir.Say)) or getattr(node, field) is None:
        return
    who: ir.Expr = getattr(node, field)
    others: list[ir.Expr] = [*sight.others(who)]
    if not others and who.type.name == PLAYER.name:
        others = [ir.Op("left_of", (who,), PLAYER, at=who.at)]
    for other in others:
        what = f"`{word} {sight.tell(who)}` made `{word} {sight.tell(other)}`{_of(node)}"
        yield Change(attrs.evolve(node, **{field: other}), what, who.at, "who")


def bound(node: Any, sight: Sight) -> Iterator[Change]:
    """One more, one less, or no bound. Numbers that are written out are changed as such."""
    if isinstance(node, ir.Choose | ir.ActionParam) and not node.single:
        yield from _how_many(node, sight)
    for field in _BOUNDS.get(type(node), ()):
        if (limit := getattr(node, field)) is not None:
            for new, what in _by_one(limit, sight):
                yield Change(attrs.evolve(node, **{field: new}), what + _of(node), node.at, "bound")
    match node:
        case ir.Op(op="range", args=args, at=at):
            for i, end in enumerate(args):
                for new, what in _by_one(end, sight):
                    moved = (*args[:i], new, *args[i + 1 :])
                    yield Change(attrs.evolve(node, args=moved), what, at, "bound")
        case ir.Choose(optional=True, at=at):
            what = f"`optionally` left out{_of(node)}"
            yield Change(attrs.evolve(node, optional=False), what, at, "bound")
        case ir.Select():
            yield from _constraints(node, sight)


def _how_many(node: ir.Choose | ir.ActionParam, sight: Sight) -> Iterator[Change]:
    least, most = node.least, node.most
    zero = ir.Lit(0, _INT)
    exact = least == most
    if least is not None and not isinstance(least, ir.Lit):
        for new, what in _by_one(least, sight):
            changed = attrs.evolve(node, least=new, most=new if exact else most)
            yield Change(changed, what + _of(node), node.at, "bound")
    if most is not None and not exact and not isinstance(most, ir.Lit):
        for new, what in _by_one(most, sight):
            yield Change(attrs.evolve(node, most=new), what + _of(node), node.at, "bound")
    if most is not None:
        what = f"the bound `at most {sight.tell(most)}` left out{_of(node)}"
        yield Change(attrs.evolve(node, most=None, least=least or zero), what, node.at, "bound")
    if least is not None and least != zero:
        what = f"the bound `at least {sight.tell(least)}` left out{_of(node)}"
        yield Change(attrs.evolve(node, least=zero), what, node.at, "bound")


def _by_one(expr: ir.Expr, sight: Sight) -> Iterator[tuple[ir.Expr, str]]:
    if isinstance(expr, ir.Lit):
        return
    one = ir.Lit(1, _INT)
    for op in ("+", "-"):
        new = ir.Op(op, (expr, one), _INT, at=expr.at)
        yield new, f"`{sight.tell(expr)}` made `{sight.tell(new)}`"


def _constraints(node: ir.Select, sight: Sight) -> Iterator[Change]:
    """A constraint or a part of one left out, or those that cannot be kept held to."""
    for i, parts in enumerate(node.constraints):
        for j, wish in enumerate(parts):
            rest = (*parts[:j], *parts[j + 1 :])
            kept = (*node.constraints[:i], *((rest,) if rest else ()), *node.constraints[i + 1 :])
            what = f"`{sight.tell(wish)}` left out{_of(node)}"
            yield Change(attrs.evolve(node, constraints=kept), what, wish.at, "bound")
    if node.relax:
        what = f"`relaxing from the last` left out{_of(node)}"
        yield Change(attrs.evolve(node, relax=False), what, node.at, "bound")


def _of(node: Any) -> str:
    """Which choice it is, if it has a name."""
    name = getattr(node, "path", "") or getattr(node, "name", "")
    return f" for {name}" if name else ""
