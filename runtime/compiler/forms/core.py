"""Data, names and operations in general; each operation stands in the family it belongs to."""

import ast

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.constants import constant
from ziggurat.runtime.compiler.expressions import OPERATIONS, expression
from ziggurat.runtime.compiler.scope import Scope
from ziggurat.runtime.kernel.table import Table


@expression(ir.Lit)
def _literal(fn: Scope, node: ir.Lit) -> ast.expr:
    if isinstance(node.value, str):
        return fn.constant("text", node.value)
    return py.const(node.value)


@expression(ir.Local)
def _local(fn: Scope, node: ir.Local) -> ast.expr:
    return py.name(fn.env[node.name])


@expression(ir.ThingRef)
def _thing(fn: Scope, node: ir.ThingRef) -> ast.expr:
    return fn.constant("thing", node.kind, node.id)


@expression(ir.Op)
def _operation(fn: Scope, node: ir.Op) -> ast.expr:
    return OPERATIONS[node.op](fn, node)


@constant("text")
def _bind_text(table: Table, text: str) -> str:
    return text


@constant("thing")
def _bind_thing(table: Table, kind: str, id_: str) -> int | None:
    return table.thing_ids.get((kind, id_))
