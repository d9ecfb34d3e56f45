"""Things that own pieces: the owner that each of them is."""

import ast

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.constants import constant
from ziggurat.runtime.compiler.expressions import null_safe, operation, or_zero
from ziggurat.runtime.compiler.scope import Scope
from ziggurat.runtime.kernel.table import Table


@operation("owner_of")
def _owner_of(fn: Scope, node: ir.Op) -> ast.expr:
    def make(thing: ast.expr) -> ast.expr:
        return py.item(fn.constant("owner_of"), thing)

    return null_safe(fn, node.args, make, lambda: py.const(None))


@operation("owners_of")
def _owners_of(fn: Scope, node: ir.Op) -> ast.expr:
    var = fn.fresh()
    owner = py.item(fn.constant("owner_of"), py.name(var))
    return py.call("tuple", py.listed(owner, var, or_zero(fn, node.args[0])))


@constant("owner_of")
def _bind_owner_of(table: Table) -> list[int | None]:
    return [table.owner_of(thing) for thing in range(len(table.things))]
