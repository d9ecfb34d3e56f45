"""Fields of things and attributes: one flat list of cells, which rules read and write."""

import ast
from typing import Any

import attrs

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.constants import constant
from ziggurat.runtime.compiler.expressions import (
    empty,
    expression,
    lower,
    null_safe,
    operation,
    or_zero,
)
from ziggurat.runtime.compiler.forms.arithmetic import is_tame, may_grow
from ziggurat.runtime.compiler.scope import Scope
from ziggurat.runtime.compiler.statements import SkipIfNone, statement
from ziggurat.runtime.kernel.nodes import zero
from ziggurat.runtime.kernel.table import Table

COLLECTIONS = ("set", "list", "map")
DENSE_KEYS = ("int", "text", "bool")


@expression(ir.FieldOf)
def _field(fn: Scope, node: ir.FieldOf) -> ast.expr:
    column = fn.constant("field", node.owner_kind, node.field)
    type_ = node.of.type

    def make(of: ast.expr) -> ast.expr:
        if type_.name in ("player", "owner"):
            slot = fn.constant("attr", f"player.{node.owner_kind}")
            played = py.item(fn.part("A"), py.binary(slot, "+", of))
            default = fn.constant("blank", node.owner_kind, node.field)
            return py.call("played", column, played, default)
        return py.item(column, py.item(fn.constant("faces"), of) if fn.is_card(type_) else of)

    return null_safe(fn, (node.of,), make, lambda: empty(node.type))


@expression(ir.AttrOf)
def _attribute(fn: Scope, node: ir.AttrOf) -> ast.expr:

    def make(of: ast.expr | None = None) -> ast.expr:
        at = slot(fn, node, of)
        if is_spread(node):
            return py.call("spread", fn.part("A"), at, fn.constant("keys", node.attr))
        return py.item(fn.part("A"), at)

    return null_safe(fn, objects(node), make, lambda: empty(node.type))


@operation("index")
def _index(fn: Scope, node: ir.Op) -> ast.expr:
    table, key = node.args
    if isinstance(table, ir.AttrOf) and is_spread(table):

        def make(*at: ast.expr) -> ast.expr:
            *of, index = at
            return py.item(fn.part("A"), slot(fn, table, of[0] if of else None, index))

        return null_safe(fn, (*objects(table), key), make, lambda: empty(node.type))
    return py.method(or_zero(fn, table), "get", lower(fn, key), empty(node.type))


def slot(fn: Scope, node: ir.AttrOf, of: ast.expr | None, key: ast.expr | None = None) -> ast.expr:
    """The index of an attribute's slot in the flat list: of an object, of a key."""
    out = fn.constant("attr", node.attr)
    if of is not None:
        wide = is_spread(node)
        at = py.binary(of, "*", fn.constant("width", node.attr)) if wide else of
        out = py.binary(out, "+", at)
    return out if key is None else py.binary(out, "+", key)


def is_spread(node: ir.AttrOf) -> bool:
    """Is the attribute a map with a slot for each key?"""
    type_ = node.type
    return type_.name == "map" and type_.key is not None and type_.key.name not in DENSE_KEYS


def objects(node: ir.AttrOf) -> tuple[ir.Expr, ...]:
    """What the attribute is of, nothing for the table's."""
    return () if node.of is None else (node.of,)


@statement(ir.Assign)
def _assign(fn: Scope, node: ir.Assign) -> list[ast.stmt]:
    target = node.target
    type_ = target.type
    sure = SkipIfNone(fn)
    of = None if target.of is None else sure(target.of)
    index = None if node.index is None else sure(node.index)
    cells = fn.part("A")
    bundle = fn.shared.ruleset.bundles.get(target.attr.rpartition(".")[0])
    if bundle is not None:  # what is not there is not changed
        sure.provided(
            py.item(cells, slot(fn, attrs.evolve(target, attr=bundle.id, type=ir.Type("bool")), of))
        )
    spread = is_spread(target)
    if index is not None and type_.item is not None:
        type_ = type_.item
    value = _assigned(fn, node, type_, sure)
    at = slot(fn, target, of, index if spread else None)
    if index is None and spread:
        keys, missing = fn.constant("keys", target.attr), empty(type_.item or type_)
        gather = py.call("gather", py.name("S"), at, keys, value, missing, fn.site(node))
        return sure.run(ast.Expr(gather))
    if index is None or spread:
        if node.op in ("+", "-") and not type_.maybe:
            return sure.run(py.augment(py.item(cells, at), node.op, value))
        if node.op == "=" and type_.name not in COLLECTIONS:
            return sure.run(py.store(py.item(cells, at), _stored(value, type_)))
    where, key = fn.fresh(), fn.fresh()
    old, new = py.item(cells, py.name(where)), py.item(cells, py.name(where))
    made = [py.assign(where, at)]
    if index is None or spread:
        changed = _changed(node.op, type_, old, value)
    else:
        before = py.method(old, "get", py.name(key), empty(type_))
        changed = py.call("entry", old, py.name(key), _changed(node.op, type_, before, value))
        made.append(py.assign(key, index))
    if target.type.name in COLLECTIONS:
        changed = py.method(py.name("S"), "keep", old, changed, fn.site(node))
    return sure.run(*made, py.store(new, changed))


def _changed(op: str, type_: ir.Type, old: ast.expr, value: ast.expr) -> ast.expr:
    """What an attribute, or an entry of one, becomes."""
    if op == "=":
        return _stored(value, type_)
    if op == "exclude":
        return py.call("exclude", old, value)
    if op == "include":
        return py.call(f"include_{type_.name}", old, value)
    return py.binary(py.either([old, py.const(0)]) if type_.maybe else old, op, value)


def _assigned(fn: Scope, node: ir.Assign, type_: ir.Type, sure: SkipIfNone) -> ast.expr:
    """What is assigned. None is kept only where it may be; a list takes in only what there is."""
    wanted = node.op == "=" or (node.op == "include" and type_.name == "list")
    if wanted and not type_.maybe and zero(node.expr.type) is None:
        return sure(node.expr)
    value = or_zero(fn, node.expr, type_)
    growing = may_grow(node.expr) or (node.op != "=" and not is_tame(node.expr))
    return py.call("bounded", value) if type_.name == "int" and growing else value


def _stored(value: ast.expr, type_: ir.Type) -> ast.expr:
    """Only plain numbers, never True and False, and only tuples are kept in the state."""
    if isinstance(value, ast.Constant):
        return py.const(int(value.value) if isinstance(value.value, bool) else value.value)
    if type_.name == "bool":
        return ast.UnaryOp(ast.UAdd(), value)
    if type_.name in ("set", "list") and not type_.maybe:
        return py.call("a_set" if type_.name == "set" else "tuple", value)
    return value


@constant("field")
def _bind_field(table: Table, kind: str, field: str) -> list[Any]:
    return table.fields[kind, field]


@constant("blank")
def _bind_blank(table: Table, kind: str, field: str) -> Any:
    fields = table.ruleset.kinds[kind].fields
    return table.field_default(next(one for one in fields if one.name == field))


@constant("attr")
def _bind_attr(table: Table, id_: str) -> int:
    """The place of object 0, key 0, whether or not there is one."""
    slots = table.attributes[id_]
    return slots.base - slots.first * slots.width - (slots.keys[0] if slots.keys else 0)


@constant("width")
def _bind_width(table: Table, id_: str) -> int:
    return table.attributes[id_].width


@constant("keys")
def _bind_keys(table: Table, id_: str) -> tuple[int, ...] | None:
    return table.attributes[id_].keys
