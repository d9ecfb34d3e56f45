"""Calls of values, procedures and blocks of things. None where something is wanted: no call."""

import ast
from collections.abc import Iterable

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.expressions import empty, expression, lower, null_safe
from ziggurat.runtime.compiler.scope import Scope
from ziggurat.runtime.compiler.statements import SkipIfNone, statement


@expression(ir.ValueCall)
def _call(fn: Scope, node: ir.ValueCall) -> ast.expr:
    wanted = fn.shared.nullability.wanted(node.value, node.args)
    optional = [arg for arg in node.args if not any(arg is other for other in wanted)]
    function = fn.shared.function("value", node.value)

    def make(*args: ast.expr) -> ast.expr:
        return py.call(function, py.name("S"), *args)

    return null_safe(fn, node.args, make, lambda: empty(node.type), optional)


@statement(ir.Do)
def _do(fn: Scope, node: ir.Do) -> list[ast.stmt]:
    sure = SkipIfNone(fn)
    function = fn.shared.function("procedure", node.procedure)
    args = _arguments(fn, fn.shared.ruleset.procedures[node.procedure].params, node.args, sure)
    return sure.run(ast.Expr(py.call(function, py.name("S"), *args)))


@statement(ir.Result)
def _result(fn: Scope, node: ir.Result) -> list[ast.stmt]:
    """A procedure that is not called gives nothing."""
    sure = SkipIfNone(fn)
    function = fn.shared.function("procedure", node.procedure)
    args = _arguments(fn, fn.shared.ruleset.procedures[node.procedure].params, node.args, sure)
    return _named(fn, node, sure, py.call(function, py.name("S"), *args))


def _named(
    fn: Scope, node: ir.Result | ir.BodyResult, sure: SkipIfNone, call: ast.expr
) -> list[ast.stmt]:
    given = fn.fresh()
    called = sure.run(py.assign(given, call))
    before = [py.assign(given, empty(node.type))] if sure.risky else []
    return [*before, *called, py.assign(fn.bind(node.name), py.name(given))]


@statement(ir.DoBody)
def _do_body(fn: Scope, node: ir.DoBody) -> list[ast.stmt]:
    sure = SkipIfNone(fn)
    return sure.run(ast.Expr(_body_call(fn, node, sure)))


@statement(ir.BodyResult)
def _body_result(fn: Scope, node: ir.BodyResult) -> list[ast.stmt]:
    """A thing without the block gives nothing."""
    sure = SkipIfNone(fn)
    call = _body_call(fn, node, sure)
    if not node.type.maybe:
        call = ast.BoolOp(ast.Or(), [call, empty(node.type)])
    return _named(fn, node, sure, call)


def _body_call(fn: Scope, node: ir.DoBody | ir.BodyResult, sure: SkipIfNone) -> ast.expr:
    thing = sure(node.thing)
    if fn.is_card(node.thing.type):
        thing = py.item(fn.constant("faces"), thing)
    bodies = fn.constant("bodies", node.kind, node.body)
    function = py.method(bodies, "get", thing, py.name("nothing"))
    declared = fn.shared.ruleset.kinds[node.kind].bodies
    params = next((body.params for body in declared if body.name == node.body), ())
    args = _arguments(fn, params, node.args, sure)
    return py.call(function, py.name("S"), *args)


def _arguments(
    fn: Scope, params: Iterable[ir.Param], args: Iterable[ir.Expr], sure: SkipIfNone
) -> list[ast.expr]:
    """What is handed to a procedure, which is not called with none where it wants something."""
    return [
        lower(fn, arg) if param.type.maybe else sure(arg)
        for param, arg in zip(params, args, strict=True)
    ]
