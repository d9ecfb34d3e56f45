"""Sets, lists and maps, and what goes over their members."""

import ast

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.expressions import (
    charged,
    empty,
    expression,
    key_function,
    lower,
    operation,
    or_zero,
    test,
)
from ziggurat.runtime.compiler.scope import Scope
from ziggurat.runtime.kernel.walking import is_light


@operation("set", "list")
def _members(fn: Scope, node: ir.Op) -> ast.expr:
    if node.type.name == "map":
        return ast.Dict([], [])
    parts = [lower(fn, arg) for arg in node.args]
    sure = not any(fn.may_be_none(arg) for arg in node.args)
    if sure and (node.op == "list" or len(parts) < 2):
        return py.tuple_of(parts)
    return py.call("a_list" if node.op == "list" else "a_set", py.tuple_of(parts))


@operation("nth")
def _nth(fn: Scope, node: ir.Op) -> ast.expr:
    items, number = node.args
    return py.call("nth", or_zero(fn, items), or_zero(fn, number), empty(node.type))


@operation("map")
def _map(fn: Scope, node: ir.Op) -> ast.expr:
    parts = [lower(fn, arg) for arg in node.args]
    return ast.Dict(list(parts[::2]), parts[1::2])


@operation("union", "minus")
def _joined(fn: Scope, node: ir.Op) -> ast.expr:
    of_maps = {"union": "merged", "minus": "without"}
    helper = of_maps[node.op] if node.type.name == "map" else node.op
    return py.call(helper, *[charged(fn, arg) for arg in node.args])


@operation("common")
def _common(fn: Scope, node: ir.Op) -> ast.expr:
    helper = "common_of_list" if node.args[0].type.name == "list" else "common"
    return py.call(helper, *[charged(fn, arg) for arg in node.args])


@operation("size")
def _size(fn: Scope, node: ir.Op) -> ast.expr:
    return py.call("len", or_zero(fn, node.args[0]))


@operation("empty")
def _empty(fn: Scope, node: ir.Op) -> ast.expr:
    return py.negated(or_zero(fn, node.args[0]))


@operation("one_of")
def _one_of(fn: Scope, node: ir.Op) -> ast.expr:
    of = node.args[0]
    helper = "first_of" if of.type.name in ("set", "range") else "lowest"
    return py.call(helper, charged(fn, of))


@expression(ir.Loop)
def _loop(fn: Scope, node: ir.Loop) -> ast.expr:
    source = charged(fn, node.source, node.where, node.body)
    form = ast.ListComp if is_light((node.where, node.body)) else ast.GeneratorExp
    itself = node.body is None or node.body == ir.Local(node.var, node.body.type)
    with fn.local(node.var) as var:
        where = None if node.where is None else test(fn, node.where)
        body = py.name(var)
        if node.body is not None and not itself:
            body = _LOOP_BODY.get(node.fn, lower)(fn, node.body)
    plain = source if where is None else py.listed(py.name(var), var, source, where)
    match node.fn:
        case "count":
            return py.call("len", plain)
        case "every":
            return py.call("all", py.listed(body, var, source, where, form=form))
        case "any":
            if where is None:
                return py.compare(py.call("len", source), ">", py.const(0))
            return py.call("any", py.listed(where, var, source, form=form))
        case "sum":
            return py.call("sum", py.listed(body, var, source, where))
        case "max" | "min" as which:
            inner = plain if itself else py.listed(body, var, source, where)
            return py.call(which, inner, default=py.const(0))
        case "first" if node.order is None:
            return py.call("next", py.listed(body, var, source, where, form=ast.GeneratorExp), NONE)
        case "first":
            assert node.order is not None
            return py.call("min", plain, key=key_function(fn, node.order), default=NONE)
        case "list":
            make = "a_list" if node.body is not None and fn.may_be_none(node.body) else "tuple"
            if node.order is None:
                return py.call(make, plain if itself else py.listed(body, var, source, where))
            plain = py.call("sorted", plain, key=key_function(fn, node.order))
            return py.call(make, plain if itself else py.listed(body, var, plain))
    if itself and node.source.type.name != "list":
        return py.call("tuple", plain)
    return py.call("a_set", py.listed(body, var, source, where, form=ast.SetComp))


@expression(ir.Reach)
def _reach(fn: Scope, node: ir.Reach) -> ast.expr:
    starts = charged(fn, node.source)
    steps = NONE if node.steps is None else or_zero(fn, node.steps)
    with fn.local(node.var) as var:
        onward = py.function_of([var], or_zero(fn, node.through))
        where = NONE if node.where is None else py.function_of([var], test(fn, node.where))
        cost = NONE if node.cost is None else py.function_of([var], or_zero(fn, node.cost))
    if node.cost is not None:
        walk = starts, onward, where, cost, steps, fn.site(node)
        return py.call("reach_within", py.name("S"), *walk)
    return py.call("reach", py.name("S"), starts, onward, where, steps, fn.site(node))


_LOOP_BODY = {"sum": or_zero, "max": or_zero, "min": or_zero, "every": test}
NONE = py.const(None)
