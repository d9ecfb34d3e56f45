"""Sentences: what they say about the moment."""

import ast

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.expressions import expression, lower
from ziggurat.runtime.compiler.scope import Scope
from ziggurat.runtime.compiler.statements import SkipIfNone, state_call, statement


@statement(ir.Say)
def _say(fn: Scope, node: ir.Say) -> list[ast.stmt]:
    sure = SkipIfNone(fn)
    if node.to is not None and node.others is not None:
        both = py.tuple_of([*_holes(fn, node.text), *_holes(fn, node.others)])
        return [state_call("say", lower(fn, node.to), fn.site(node), both)]
    to = py.const(None) if node.to is None else sure(node.to)
    return sure.run(state_call("say", to, fn.site(node), holes(fn, node.text)))


@expression(ir.Agreement)
def _agreement(fn: Scope, node: ir.Agreement) -> ast.expr:
    """The log keeps the number; the word is found when the sentence is read."""
    return lower(fn, node.of)


def holes(fn: Scope, text: ir.Text) -> ast.expr:
    """What a sentence says about the moment: the values of its holes."""
    return py.tuple_of(_holes(fn, text))


def _holes(fn: Scope, text: ir.Text) -> list[ast.expr]:
    return [lower(fn, part) for part in text.parts if not isinstance(part, str)]
