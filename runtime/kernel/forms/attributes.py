"""What can be read after a dot, fields and attributes, and the steps that change attributes."""

from typing import Any

import attrs

from ziggurat.runtime.kernel.arithmetic import a_set
from ziggurat.runtime.kernel.description import Touch, form, the_attribute
from ziggurat.runtime.kernel.evaluator import Env, Evaluator, expression, operation
from ziggurat.runtime.kernel.forms.core import Op
from ziggurat.runtime.kernel.nodes import Expr, Stmt, Type, blank
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps, statement
from ziggurat.runtime.kernel.table import SEAT_ATTRIBUTE


def _seat(field: "FieldOf") -> tuple[Touch, ...]:
    """Which thing a seat plays is kept in an attribute."""
    through = field.of.type.name == "player"
    return (the_attribute(f"player.{field.owner_kind}"),) if through else ()


@form(reads=_seat)
@attrs.frozen
class FieldOf(Expr):
    """A field of a thing; `owner_kind` says which kind declares it. When `of` is a player the field
    is read through the thing the player plays; when it is a card, through its face (default if the
    face is of another kind)."""

    of: Expr
    owner_kind: str
    field: str
    type: Type


@form(reads=lambda one: (the_attribute(one.attr),))
@attrs.frozen
class AttrOf(Expr):
    """An attribute; `of` is None for the table. `attr` is the attribute's id."""

    of: Expr | None
    attr: str
    type: Type


@form(writes=lambda one: (the_attribute(one.target.attr),), variants={"op": {"+": "-", "-": "+"}})
@attrs.frozen
class Assign(Stmt):
    """op: `=`, `+`, `-`, `include`, `exclude`. `index` is set for `p.credits[g]`."""

    target: AttrOf
    index: Expr | None
    op: str
    expr: Expr


@expression(FieldOf)
def _field(run: Evaluator, state: State, expr: FieldOf, env: Env) -> Any:
    """A field is read through the thing a player plays, or through the face of a card."""
    thing = run.evaluate(state, expr.of, env)
    if thing is None:
        return blank(expr.type)
    if expr.of.type.name in ("player", "owner"):
        thing = state.attrs[run.table.attributes[SEAT_ATTRIBUTE + expr.owner_kind].slot(thing)]
        if thing is None:
            kind = run.ruleset.kinds[expr.owner_kind]
            return next(
                run.table.field_default(field) for field in kind.fields if field.name == expr.field
            )
    elif expr.of.type.name in run.table.families:
        thing = run.table.face[thing]
    return run.table.fields[expr.owner_kind, expr.field][thing]


@expression(AttrOf)
def _attribute(run: Evaluator, state: State, expr: AttrOf, env: Env) -> Any:
    slots = run.table.attributes[expr.attr]
    index = None if expr.of is None else run.evaluate(state, expr.of, env)
    if expr.of is not None and index is None:
        return blank(expr.type)
    if slots.keys is None:
        return state.attrs[slots.slot(index)]
    return {key: state.attrs[slots.slot(index, key)] for key in slots.keys}


@operation("index")
def _index(run: Evaluator, state: State, expr: Op, env: Env) -> Any:
    of, key = run.operands(state, expr, env)
    return of.get(key, blank(expr.type))


@statement(Assign)
def _assign(run: Steps, state: State, node: Assign, env: Locals) -> None:
    target = node.target
    of = None if target.of is None else run.evaluate(state, target.of, env)
    key = None if node.index is None else run.evaluate(state, node.index, env)
    item = target.type if node.index is None else target.type.item
    assert item is not None
    if (target.of is not None and of is None) or (node.index is not None and key is None):
        return
    bundle = run.ruleset.bundles.get(target.attr.rpartition(".")[0])
    if bundle is not None and not state.attrs[run.table.attributes[bundle.id].slot(of)]:
        return
    old = run.evaluate(state, target, env)
    amount = (run.evaluate if item.maybe else run.given)(state, node.expr, env)
    kept = node.op == "=" or (node.op == "include" and item.name == "list")
    if kept and amount is None and not item.maybe:
        return
    if node.index is None:
        new = changed(old, node.op, amount, target.type)
    else:
        new = {**old, key: changed(old.get(key, blank(item)), node.op, amount, item)}
    write(run, state, target.attr, of, new, node)


def write(run: Steps, state: State, attribute: str, of: int | None, new: Any, node: Stmt) -> None:
    """An attribute becomes something else; a map has a slot for each of its keys."""
    slots = run.table.attributes[attribute]
    if slots.keys is None:
        at = slots.slot(of)
        state.attrs[at] = state.keep(state.attrs[at], new, run.site(node))
        return
    type_ = run.ruleset.attributes[attribute].type
    for key in slots.keys:
        at = slots.slot(of, key)
        item = new.get(key, blank(type_.item or type_))
        state.attrs[at] = state.keep(state.attrs[at], item, run.site(node))


def changed(old: Any, op: str, amount: Any, type_: Type) -> Any:
    """What an attribute becomes. Sets stay sorted, and yes and no are kept as 1 and 0."""
    if op == "=":
        if type_.name == "set" and not type_.maybe:
            return a_set(amount)
        if type_.name == "list" and not type_.maybe:
            return tuple(amount)
        return int(amount) if isinstance(amount, bool) else amount
    if op in ("+", "-"):
        before = 0 if old is None else old
        return before + amount if op == "+" else before - amount
    if op == "exclude":
        return tuple(member for member in old if member != amount)
    grown = (*old, amount)
    return grown if type_.name == "list" else a_set(grown)
