"""Expressions of the ruleset as Python expressions: what all of them share.

Each form is lowered in its family, `runtime/compiler/forms`, which registers it here. `lower` gives
a value, `test` something that is only asked whether it is true, which may be cheaper: a bit test
need not become a yes or no first. Where an expression may be none, `or_zero` gives what none counts
as, and `null_safe` what reading through none gives.
"""

import ast
from collections.abc import Callable, Iterable
from typing import Any

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.scope import Scope
from ziggurat.runtime.kernel.description import IT
from ziggurat.runtime.kernel.nodes import blank, zero
from ziggurat.runtime.kernel.registry import Registry
from ziggurat.runtime.kernel.walking import is_light

EXPRESSIONS = Registry[type, ast.expr]()
OPERATIONS = Registry[str, ast.expr]()
# Forms and operations that are cheaper as a condition than as a value.
CONDITIONS = Registry[type | str, ast.expr]()
COUNTLESS = ("int", "text", "range", "set", "list", "map")
expression, operation, condition = EXPRESSIONS.add, OPERATIONS.add, CONDITIONS.add


def lower(fn: Scope, node: ir.Expr) -> ast.expr:
    return py.locate(EXPRESSIONS[type(node)](fn, node), node.at, fn.file)


def test(fn: Scope, node: ir.Expr) -> ast.expr:
    """The expression as a condition."""
    what = node.op if isinstance(node, ir.Op) else type(node)
    return py.locate(CONDITIONS.get(what, lower)(fn, node), node.at, fn.file)


def or_zero(fn: Scope, node: ir.Expr, type_: ir.Type | None = None) -> ast.expr:
    """The expression where something is wanted: none counts as 0, no or the empty set, unless it
    may stand there (`type_`)."""
    value = lower(fn, node)
    missing = zero(node.type)
    if missing is None or (type_ is not None and type_.maybe) or not fn.may_be_none(node):
        return value
    return py.either([value, constant_of(missing)])


def null_safe(
    fn: Scope,
    nodes: Iterable[ir.Expr],
    make: Callable[..., ast.expr],
    missing: Callable[[], ast.expr],
    optional: Iterable[ir.Expr] = (),
) -> ast.expr:
    """What `make` makes of some expressions; `missing` if one that is not `optional` is none."""
    values: list[ast.expr] = []
    risky: list[ast.expr] = []
    once: list[tuple[str, ast.expr]] = []
    for node in nodes:
        value = lower(fn, node)
        if fn.may_be_none(node) and not any(node is other for other in optional):
            if not py.is_cheap(value):
                once.append((fn.fresh(), value))
                value = py.name(once[-1][0])
            risky.append(value)
        values.append(value)
    if not risky:
        return make(*values)
    made = py.conditional(py.known(risky), make(*values), missing())
    if not once:
        return made
    return py.call(py.function_of([var for var, _ in once], made), *[value for _, value in once])


def constant_of(value: Any) -> ast.expr:
    """A blank as an expression."""
    if value == () and not isinstance(value, range):
        return py.tuple_of([])
    if isinstance(value, range):
        return py.call("range", py.const(0))
    return ast.Dict([], []) if value == {} else py.const(value)


def empty(type_: ir.Type) -> ast.expr:
    """What stands where nothing was given."""
    return constant_of(blank(type_))


def key_of(fn: Scope, order: ir.OrderRef, var: str) -> ast.expr:
    """What the thing in a variable is sorted by; all are equal by an order about none."""
    name = fn.shared.function("order", order.order)

    def make(*args: ast.expr) -> ast.expr:
        return py.call(name, py.name("S"), *args, py.name(var))

    return null_safe(fn, order.args, make, lambda: py.tuple_of([]))


def key_function(fn: Scope, order: ir.OrderRef) -> ast.expr:
    var = fn.fresh()
    return py.function_of([var], key_of(fn, order, var))


def charged(fn: Scope, source: ir.Expr, *inside: Any) -> ast.expr:
    """A loop's source, paid for if the loop could be long or what it does could be."""
    out = or_zero(fn, source)
    if not may_be_long(source) and all(is_light(node) for node in inside):
        return out
    return py.call("charge", py.name("S"), out, fn.site(source))


def may_be_long(node: ir.Expr) -> bool:
    """Can rules let it grow? A set has no more members than there are things, a pile no more than
    there are cards; numbers, and lists of anything, have no such bound."""
    match node:
        case ir.Lit() | ir.FieldOf() | ir.All() | ir.Having() | ir.PileRef() | ir.Op(op="cards"):
            return False
        case ir.Op(op="set" | "list" | "map" | "others"):
            return False
        case ir.Loop(fn="list" | "set", source=source):
            return may_be_long(source)
        case ir.Op(op="if", args=(_, *others)):
            return any(map(may_be_long, others))
    return is_unbound(node.type)


def is_unbound(type_: ir.Type) -> bool:
    """Is there no end to how many members a collection of this type can have?"""
    members = type_.key if type_.name == "map" else type_.item
    countless = members is not None and members.name in COUNTLESS
    return type_.name in ("range", "list") or (type_.name in ("set", "map") and countless)


def members(
    fn: Scope, source: ir.Expr, where: ir.Expr | None, var: str = IT, *more: Any
) -> ast.expr:
    """The members of a set for which a condition holds, as they are at this moment; `more` is what
    will be done with each of them."""
    if where is None:
        return charged(fn, source, *more)
    found = charged(fn, source, where, *more)
    with fn.local(var) as own:
        return py.listed(py.name(own), own, found, test(fn, where))
