"""Bundles: the attributes that keep one are written together."""

import ast
from collections.abc import Iterator

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.constants import constant
from ziggurat.runtime.compiler.expressions import lower
from ziggurat.runtime.compiler.scope import Scope
from ziggurat.runtime.compiler.statements import STATEMENTS, SkipIfNone, state_call, statement
from ziggurat.runtime.kernel.forms.settings import natural_default
from ziggurat.runtime.kernel.table import Slots, Table


@statement(ir.Clear)
def _clear(fn: Scope, node: ir.Clear) -> list[ast.stmt]:
    skip = SkipIfNone(fn)
    return skip.run(_empty(fn, node, None if node.of is None else skip(node.of)))


@statement(ir.Begin)
def _begin(fn: Scope, node: ir.Begin) -> list[ast.stmt]:
    """What is given is worked out before anything is written: it may speak of the bundle itself."""
    skip = SkipIfNone(fn)
    given = {one.name: _noted(fn, one) for one in node.given}
    before = [made for _, lines in given.values() for made in lines]
    owner = None
    if node.of is not None:
        owner = ir.Local(fn.fresh(), node.of.type)
        skip.before.append(py.assign(fn.bind(owner.name), lower(fn, node.of)))
        if fn.may_be_none(node.of):
            skip.risky.append(lower(fn, owner))
    made = [_empty(fn, node, None if owner is None else lower(fn, owner))]
    for target, value in _writes(
        fn, node, owner, {name: local for name, (local, _) in given.items()}
    ):
        made += STATEMENTS[ir.Assign](fn, ir.Assign(target, None, "=", value, at=node.at))
    return [*before, *skip.run(*made)]


def _noted(fn: Scope, one: ir.GivenField) -> tuple[ir.Local, list[ast.stmt]]:
    local = ir.Local(fn.fresh(), one.expr.type)
    if fn.may_be_none(one.expr):
        fn.lacking.add(local.name)
    return local, STATEMENTS[ir.Let](fn, ir.Let(local.name, one.expr))


def _writes(
    fn: Scope, node: ir.Begin, of: ir.Expr | None, given: dict[str, ir.Local]
) -> Iterator[tuple[ir.AttrOf, ir.Expr]]:
    """That it is there; what a field begins with, unless that is nothing; what is given."""
    rules = fn.shared.ruleset
    yield ir.AttrOf(of, node.bundle, ir.Type("bool")), ir.Lit(True, ir.Type("bool"))
    for field in rules.bundles[node.bundle].fields:
        attribute = rules.attributes[rules.bundles[node.bundle].attribute(field.name)]
        target = ir.AttrOf(of, attribute.id, attribute.type)
        if field.default is not None and field.default != natural_default(field.type):
            yield target, field.default
        if field.name in given:
            yield target, given[field.name]


def _empty(fn: Scope, node: ir.Begin | ir.Clear, of: ast.expr | None) -> ast.stmt:
    slots = fn.constant("bundle", node.bundle)
    return state_call("clear", slots, py.const(None) if of is None else of)


@constant("bundle")
def _bind_bundle(table: Table, id_: str) -> tuple[Slots, ...]:
    return tuple(table.attributes[one] for one in table.ruleset.bundles[id_].attributes)
