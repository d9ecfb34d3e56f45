"""Letting somebody act again, and the end of the game."""

import ast

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.scope import Scope
from ziggurat.runtime.compiler.statements import SkipIfNone, state_call, statement


@statement(ir.Recall)
def _recall(fn: Scope, node: ir.Recall) -> list[ast.stmt]:
    sure = SkipIfNone(fn)
    return sure.run(state_call("recall", sure(node.player)))


@statement(ir.EndGame)
def _end(fn: Scope, node: ir.EndGame) -> list[ast.stmt]:
    return [py.store(py.attribute("S", "over"), py.const(True))]
