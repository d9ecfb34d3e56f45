"""Sentences: what they say about the moment."""

import ast

from ziggurat.dsl import ir
from ziggurat.runtime.lowering import python as py
from ziggurat.runtime.lowering.expressions import expression, lower
from ziggurat.runtime.lowering.scope import Scope
from ziggurat.runtime.lowering.statements import SkipIfNone, state_call, statement


@statement(ir.Say)
def _say(fn: Scope, node: ir.Say) -> list[ast.stmt]:
    sure = SkipIfNone(fn)
    to = py.const(None) if node.to is None else sure(node.to)
    return sure.run(state_call("say", to, fn.site(node), holes(fn, node.text)))


@expression(ir.Agreement)
def _agreement(fn: Scope, node: ir.Agreement) -> ast.expr:
    """The log keeps the number; the word is found when the sentence is read."""
    return lower(fn, node.of)


def holes(fn: Scope, text: ir.Text) -> ast.expr:
    """What a sentence says about the moment: the values of its holes."""
    parts = [lower(fn, part) for part in text.parts if not isinstance(part, str)]
    return py.tuple_of(parts)
