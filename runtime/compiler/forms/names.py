"""What packs declare under a name: neutral owners, everything of a kind, options."""

import ast
from typing import Any

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler.constants import constant
from ziggurat.runtime.compiler.expressions import expression
from ziggurat.runtime.compiler.scope import Scope
from ziggurat.runtime.kernel.table import Table


@expression(ir.OwnerRef)
def _owner(fn: Scope, node: ir.OwnerRef) -> ast.expr:
    return fn.constant("owner", node.id)


@expression(ir.All)
def _all(fn: Scope, node: ir.All) -> ast.expr:
    return fn.constant("all", node.of)


@expression(ir.OptionRef)
def _option(fn: Scope, node: ir.OptionRef) -> ast.expr:
    return fn.constant("option", node.id)


@constant("owner")
def _bind_owner(table: Table, id_: str) -> int | None:
    return table.owner_ids.get(id_)


@constant("all")
def _bind_all(table: Table, of: str) -> tuple[int, ...]:
    return tuple(table.everything(of))


@constant("option")
def _bind_option(table: Table, id_: str) -> Any:
    return table.options[id_]
