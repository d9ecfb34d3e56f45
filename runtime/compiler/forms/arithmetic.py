"""Numbers and ranges; what could grow without end is held within bounds."""

import ast
from typing import Any

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.constants import constant
from ziggurat.runtime.compiler.expressions import operation, or_zero
from ziggurat.runtime.compiler.scope import Scope
from ziggurat.runtime.kernel.table import Table
from ziggurat.runtime.kernel.walking import walk


@operation("+", "-", "*", "/", "/up", "mod")
def _arithmetic(fn: Scope, node: ir.Op) -> ast.expr:
    args = [or_zero(fn, arg) for arg in node.args]
    if node.op == "*" and sum(not is_tame(arg) for arg in node.args) > 1:
        return py.call("times", *args)
    if node.op == "/up":
        return py.minus(py.binary(py.minus(args[0]), "/", args[1]))
    out = args[0]
    for arg in args[1:]:
        out = py.binary(out, node.op, arg)
    return out


@operation("neg")
def _negative(fn: Scope, node: ir.Op) -> ast.expr:
    return py.minus(or_zero(fn, node.args[0]))


@operation("min", "max", "abs")
def _function(fn: Scope, node: ir.Op) -> ast.expr:
    return py.call(node.op, *[or_zero(fn, arg) for arg in node.args])


@operation("range")
def _range(fn: Scope, node: ir.Op) -> ast.expr:
    low, high = node.args
    ends = whole(low), whole(high)
    if None not in ends:
        return fn.constant("range", *ends)
    return py.call("span", or_zero(fn, low), or_zero(fn, high))


@constant("range")
def _bind_range(table: Table, low: int, high: int) -> range:
    return range(low, high + 1)


def whole(node: ir.Expr | None) -> int | None:
    """The number that is written, None if it has to be worked out."""
    match node:
        case ir.Lit(value=int(number)):
            return number
        case ir.Op(op="neg", args=(ir.Lit(value=int(number)),)):
            return -number
    return None


def is_tame(node: Any) -> bool:
    """Is it a number that rules cannot let grow: data, or so many pieces or members?"""
    match node:
        case ir.Lit() | ir.Count() | ir.FieldOf() | ir.OptionRef() | ir.Op(op="size" | "mod"):
            return True
        case ir.Op(op="index", args=(ir.FieldOf(), _)) | ir.Loop(fn="count"):
            return True
        case ir.Op(op="neg" | "abs" | "min" | "max", args=args) | ir.Op(op="if", args=(_, *args)):
            return all(is_tame(arg) for arg in args)
    return False


def may_grow(node: Any) -> bool:
    """Could it double its operands, or more, whenever it is worked out?"""
    return any(
        isinstance(part, ir.Op)
        and (
            part.op == "*"
            or (part.op in ("+", "-") and sum(not is_tame(arg) for arg in part.args) > 1)
        )
        for part in walk(node)
    )
