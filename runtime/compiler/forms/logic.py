"""Comparing, and what follows from yes and no."""

import ast

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.expressions import (
    charged,
    condition,
    lower,
    may_be_long,
    operation,
    or_zero,
    test,
)
from ziggurat.runtime.compiler.scope import Scope


@operation("==", "!=")
def _equal(fn: Scope, node: ir.Op) -> ast.expr:
    left, right = node.args
    if isinstance(left, ir.Lit) and left.value is None:
        left, right = right, left
    if isinstance(right, ir.Lit) and right.value is None:
        operator = "is" if node.op == "==" else "is not"
        return py.compare(lower(fn, left), operator, py.const(None))
    one, two = (
        lower(fn, side) if not may_be_long(side) or fn.may_be_none(side) else charged(fn, side)
        for side in (left, right)
    )
    names = {left.type.name, right.type.name}
    if "range" in names and len(names) > 1:
        equal = py.call("same", one, two)
        return equal if node.op == "==" else py.negated(equal)
    return py.compare(one, node.op, two)


@operation("<", "<=", ">", ">=")
def _compared(fn: Scope, node: ir.Op) -> ast.expr:
    left, right = node.args
    return py.compare(or_zero(fn, left), node.op, or_zero(fn, right))


@operation("in")
def _in(fn: Scope, node: ir.Op) -> ast.expr:
    member, of = node.args
    members = or_zero(fn, of) if of.type.name == "range" else charged(fn, of)
    return py.compare(lower(fn, member), "in", members)


@operation("if")
def _if(fn: Scope, node: ir.Op) -> ast.expr:
    condition, then, other = node.args
    return py.conditional(test(fn, condition), lower(fn, then), lower(fn, other))


@operation("and", "or", "not")
def _logic(fn: Scope, node: ir.Op) -> ast.expr:
    """Logic as a value: its parts must be real yes-or-no values then."""
    args = [or_zero(fn, arg) for arg in node.args]
    if node.op == "not":
        return py.negated(args[0])
    return py.both(args) if node.op == "and" else py.either(args)


@condition("and", "or", "not")
def _logic_test(fn: Scope, node: ir.Op) -> ast.expr:
    args = [test(fn, arg) for arg in node.args]
    if node.op == "not":
        return py.negated(args[0])
    return py.both(args) if node.op == "and" else py.either(args)
