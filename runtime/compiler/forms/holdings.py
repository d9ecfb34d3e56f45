"""What players hold: a bit for each thing."""

import ast
from typing import Any

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.constants import constant
from ziggurat.runtime.compiler.expressions import condition, null_safe, operation
from ziggurat.runtime.compiler.scope import Scope
from ziggurat.runtime.compiler.statements import SkipIfNone, state_call, statement
from ziggurat.runtime.kernel.table import Table


@condition("holds")
def _holds(fn: Scope, node: ir.Op) -> ast.expr:
    who, thing = node.args

    def make(player: ast.expr, other: ast.expr | None = None) -> ast.expr:
        held = py.item(fn.part("H"), player)
        if isinstance(thing, ir.ThingRef):
            return py.binary(held, "&", fn.constant("bit", thing.kind, thing.id))
        assert other is not None
        return py.binary(held, "&", py.item(fn.constant("bits"), other))

    asked = (who,) if isinstance(thing, ir.ThingRef) else (who, thing)
    return null_safe(fn, asked, make, lambda: py.const(0))


@operation("holds")
def _holds_value(fn: Scope, node: ir.Op) -> ast.expr:
    return py.compare(_holds(fn, node), "!=", py.const(0))


@statement(ir.Give)
def _give(fn: Scope, node: ir.Give) -> list[ast.stmt]:
    sure = SkipIfNone(fn)
    args = sure(node.thing), sure(node.player)
    return sure.run(state_call("give" if node.gain else "take", *args))


@constant("bit")
def _bind_bit(table: Table, kind: str, id_: str) -> int:
    return table.bit.get(table.thing_ids.get((kind, id_), -1), 0)


@constant("bits")
def _bind_bits(table: Table) -> Any:
    return table.bit
