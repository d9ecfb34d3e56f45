"""Decisions inside a step.

Each becomes: take the recorded answer if there is one; otherwise work out the options and ask. The
asking itself (answers that need no asking, and the stop when somebody must decide) is in
`runtime.step_decisions`; here only what it needs to know is gathered, and only when it is needed.
"""

import ast

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.expressions import (
    charged,
    key_function,
    lower,
    members,
    or_zero,
    test,
)
from ziggurat.runtime.compiler.forms.speech import holes
from ziggurat.runtime.compiler.scope import Scope
from ziggurat.runtime.compiler.statements import block, quantity, statement


@statement(ir.Choose)
def _choose(fn: Scope, node: ir.Choose) -> list[ast.stmt]:
    site = fn.site(node, node.path, node.meta)
    options = members(fn, node.source, node.where)
    if node.order is not None:
        options = py.call("sorted", options, key=key_function(fn, node.order))
    args = [py.name("S"), site, lower(fn, node.by), options, holes(fn, node.prompt)]
    if node.single:
        ask = py.call("choose", *args, py.const(node.optional), py.const(node.always))
    else:
        bounds = (quantity(fn, node.least), quantity(fn, node.most))
        ask = py.call("choose_some", *args, *bounds, py.const(node.always))
    return _asked(fn, fn.bind(node.name), site, ask)


@statement(ir.May)
def _may(fn: Scope, node: ir.May) -> list[ast.stmt]:
    site = fn.site(node, node.path, node.meta)
    var = fn.bind(node.name or f"may {node.path}")
    may = py.const(True) if node.when is None else test(fn, node.when)
    ask = py.call("may", py.name("S"), site, lower(fn, node.by), may, holes(fn, node.prompt))
    branch = py.when(py.name(var), block(fn, node.then), block(fn, node.other))
    return [*_asked(fn, var, site, ask), branch]


@statement(ir.Select)
def _select(fn: Scope, node: ir.Select) -> list[ast.stmt]:
    site = fn.site(node, node.path, node.meta)
    found = fn.fresh()
    before = py.assign(found, py.call("tuple", members(fn, node.source, node.where)))
    constraints = py.tuple_of(
        [py.tuple_of([_wish(fn, wish, found) for wish in parts]) for parts in node.constraints]
    )
    ask = py.call(
        "select", py.name("S"), site, lower(fn, node.by), py.name(found),
        holes(fn, node.prompt), constraints, py.const(node.relax),
    )  # fmt: skip
    return _asked(fn, fn.bind(node.name), site, ask, before)


@statement(ir.Divide)
def _divide(fn: Scope, node: ir.Divide) -> list[ast.stmt]:
    site = fn.site(node, node.path, node.meta)
    found = fn.fresh()
    before = py.assign(found, py.call("tuple", charged(fn, node.among, node.allowing)))
    with fn.local("it") as var:
        allowed = py.listed(or_zero(fn, node.allowing), var, py.name(found))
    ask = py.call(
        "divide", py.name("S"), site, lower(fn, node.by), py.name(found),
        holes(fn, node.prompt), or_zero(fn, node.total), allowed,
    )  # fmt: skip
    return _asked(fn, fn.bind(node.name), site, ask, before)


def _asked(fn: Scope, var: str, site: ast.expr, ask: ast.expr, *before: ast.stmt) -> list[ast.stmt]:
    """`var = recorded(S, site)`, and if nothing is recorded, `var = ask`."""
    return [
        py.assign(var, py.call("recorded", py.name("S"), site)),
        py.when(py.compare(py.name(var), "is", py.name("MISSING")), [*before, py.assign(var, ask)]),
    ]


def _wish(fn: Scope, wish: ir.Wish, found: str) -> ast.expr:
    parts = [fn.constant("text", wish.kind)]
    if wish.weight is not None:
        with fn.local("it") as var:
            parts.append(py.listed(or_zero(fn, wish.weight), var, py.name(found)))
    if wish.bound is not None:
        parts.append(or_zero(fn, wish.bound))
    return py.tuple_of(parts)
