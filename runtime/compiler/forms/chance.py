"""Chance inside a step."""

import ast

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.expressions import members
from ziggurat.runtime.compiler.scope import Scope
from ziggurat.runtime.compiler.statements import quantity, statement


@statement(ir.Pick)
def _pick(fn: Scope, node: ir.Pick) -> list[ast.stmt]:
    source = members(fn, node.source, node.where, "it")
    number = quantity(fn, node.quantity)
    path = fn.constant("text", node.path)
    return [py.assign(fn.bind(node.name), py.call("pick", py.name("S"), source, number, path))]
