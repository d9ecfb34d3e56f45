"""Players among themselves: all others, who sits to the left, whether an owner is one."""

import ast

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.constants import constant
from ziggurat.runtime.compiler.expressions import empty, null_safe, operation
from ziggurat.runtime.compiler.scope import Scope
from ziggurat.runtime.kernel.table import Table


@operation("others", "left_of")
def _neighbours(fn: Scope, node: ir.Op) -> ast.expr:
    def make(of: ast.expr) -> ast.expr:
        return py.item(fn.constant(node.op), of)

    return null_safe(fn, node.args, make, lambda: empty(node.type))


@operation("is_player")
def _is_player(fn: Scope, node: ir.Op) -> ast.expr:
    def make(of: ast.expr) -> ast.expr:
        return py.compare(of, "<", fn.constant("players"))

    return null_safe(fn, node.args, make, lambda: empty(node.type))


@operation("player")
def _player(fn: Scope, node: ir.Op) -> ast.expr:
    def make(of: ast.expr) -> ast.expr:
        return py.item(fn.constant("player_of"), of)

    return null_safe(fn, node.args, make, lambda: empty(node.type))


@constant("player_of")
def _bind_player_of(table: Table) -> list[int | None]:
    return [owner if owner in table.players else None for owner in table.owners]


@constant("others")
def _bind_others(table: Table) -> list[tuple[int, ...]]:
    return [tuple(p for p in table.players if p != owner) for owner in table.owners]


@constant("left_of")
def _bind_left_of(table: Table) -> list[int]:
    return [(owner + 1) % len(table.players) for owner in table.owners]


@constant("players")
def _bind_players(table: Table) -> int:
    return len(table.players)
