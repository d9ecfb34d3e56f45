"""Cards in piles, and their faces."""

import ast
from typing import Any

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.constants import constant
from ziggurat.runtime.compiler.expressions import (
    empty,
    expression,
    lower,
    null_safe,
    operation,
    or_zero,
)
from ziggurat.runtime.compiler.scope import Scope
from ziggurat.runtime.compiler.statements import SkipIfNone, state_call, statement
from ziggurat.runtime.kernel.table import Table


@expression(ir.PileRef)
def _pile(fn: Scope, node: ir.PileRef) -> ast.expr:
    def make(key: ast.expr | None = None) -> ast.expr:
        return py.item(fn.part("C"), pile(fn, node, key))

    keys = () if node.key is None else (node.key,)
    return null_safe(fn, keys, make, lambda: py.tuple_of([]))


def pile(fn: Scope, node: ir.PileRef, key: ast.expr | None = None) -> ast.expr:
    """The index of a pile."""
    base = fn.constant("pile", node.place)
    return base if key is None else py.binary(base, "+", key)


@operation("cards")
def _cards(fn: Scope, node: ir.Op) -> ast.expr:
    return or_zero(fn, node.args[0])


@operation("top")
def _top(fn: Scope, node: ir.Op) -> ast.expr:
    return py.call("first_of", or_zero(fn, node.args[0]))


@operation("is_kind", "face")
def _face(fn: Scope, node: ir.Op) -> ast.expr:
    """Whether a card or thing is of a kind (`c is kind`), and the face itself (`c.kind`)."""
    card, kind = node.args
    assert isinstance(kind, ir.Lit)

    def make(of: ast.expr) -> ast.expr:
        if node.op == "face":
            return py.item(fn.constant("faces_of", kind.value), of)
        if fn.is_card(card.type):
            of = py.item(fn.constant("faces"), of)
        return py.compare(of, "in", fn.constant("kind", kind.value))

    return null_safe(fn, (card,), make, lambda: empty(node.type))


@statement(ir.Put)
def _put(fn: Scope, node: ir.Put) -> list[ast.stmt]:
    sure = SkipIfNone(fn)
    cards = or_zero(fn, node.cards) if node.many else py.tuple_of([lower(fn, node.cards)])
    made = state_call("put", cards, _pile_of(fn, sure, node.pile), fn.constant("text", node.how))
    return sure.run(made)


@statement(ir.Shuffle)
def _shuffle(fn: Scope, node: ir.Shuffle) -> list[ast.stmt]:
    sure = SkipIfNone(fn)
    return sure.run(state_call("shuffle", _pile_of(fn, sure, node.pile)))


def _pile_of(fn: Scope, skip: SkipIfNone, node: ir.PileRef) -> ast.expr:
    return pile(fn, node, None if node.key is None else skip(node.key))


@constant("pile")
def _bind_pile(table: Table, place: str) -> int:
    return table.pile_base[place]


@constant("faces")
def _bind_faces(table: Table) -> Any:
    return table.face


@constant("faces_of")
def _bind_faces_of(table: Table, kind: str) -> list[int | None]:
    ids = table.kind_range[kind]
    return [face if face in ids else None for face in table.face]


@constant("kind")
def _bind_kind(table: Table, kind: str) -> range:
    return table.kind_range[kind]
