"""Decisions: the four ways a rule asks somebody, each with a path of its own."""

from typing import Any

from lark import Token

from ziggurat.dsl import ir
from ziggurat.dsl.ir import Expr, Stmt, Type
from ziggurat.dsl.linking.calls import order_ref
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import collection, fitted, guard, lower, want
from ziggurat.dsl.linking.statements import block, candidates, name_local, statement, with_it
from ziggurat.dsl.linking.texts import sentence
from ziggurat.dsl.linking.types import (
    BOOL,
    INT,
    NONE,
    OWNER,
    WRONG,
    fits,
    map_of,
    optional,
    set_of,
)
from ziggurat.dsl.linking.world import Decision


def decider(cx: Context, node: Any) -> Expr:
    """Who decides: an owner, and nothing else."""
    found = lower(cx, node, OWNER)
    if found.type is not WRONG and (not fits(found.type, OWNER) or found.type == NONE):
        message = f"Only an owner can decide, and this is {cx.world.describe(found.type)}."
        return cx.wrong("Z313", message, node, "Write `by` a player or another owner.")
    return found


def register(cx: Context, name: Token, candidate: Type, answer: Type) -> str:
    """Give the decision its path, by which advice and scenarios know it."""
    path = f"{cx.path}.{name}"
    cx.world.decisions.setdefault(path, Decision(path, candidate, answer))
    return path


def bounds(cx: Context, node: Any) -> tuple[bool, Expr | None, Expr | None]:
    """How many are chosen: whether just one, and otherwise at least and at most how many."""
    if node is None:
        return True, None, None
    at = cx.at(node)
    zero = ir.Lit(0, INT, at=at)
    if node.rule == "any_number":
        return False, zero, None
    number = want(cx, node.parts[0], INT)
    if node.rule == "exactly":
        return False, number, number
    return (False, zero, number) if node.rule == "up_to" else (False, number, None)


@statement("choose")
def _choose(cx: Context, node: Any) -> Stmt:
    amount, name, by, source, filter_, order, prompt, styles = node.parts
    single, least, most = bounds(cx, amount)
    who = decider(cx, by)
    found, item = collection(cx, source)
    test = candidates(cx, filter_, item)
    sorted_ = order_ref(cx, order, item)
    words = {style.rule for style in styles.parts}
    text = sentence(cx, prompt)
    type_ = set_of(item) if not single else optional(item) if "optionally" in words else item
    path = register(cx, name, item, type_)
    return ir.Choose(
        name=name_local(cx, name, type_, "choice"),
        path=path,
        by=who,
        source=found,
        where=test,
        order=sorted_,
        single=single,
        least=least,
        most=most,
        optional="optionally" in words,
        always="ask_always" in words,
        secret="secretly" in words,
        prompt=text,
        type=type_,
        at=cx.at(node),
    )


@statement("may")
def _may(cx: Context, node: Any) -> Stmt:
    by, name, prompt, when, then, other = node.parts
    who = decider(cx, by)
    test = guard(cx, when)
    text = sentence(cx, prompt)
    path = register(cx, name, BOOL, BOOL)
    first, second = block(cx, then), block(cx, other)
    return ir.May(str(name), path, who, test, first, second, text, at=cx.at(node))


@statement("select")
def _select(cx: Context, node: Any) -> Stmt:
    name, by, source, filter_, prompt, constraints, relaxing = node.parts
    who = decider(cx, by)
    found, item = collection(cx, source)
    test = candidates(cx, filter_, item)
    wishes = with_it(
        cx,
        item,
        lambda: tuple(
            tuple(_wish(cx, part, item) for part in constraint.parts)
            for constraint in constraints.parts
        ),
    )
    text = sentence(cx, prompt)
    type_ = set_of(item)
    path = register(cx, name, item, type_)
    bound = name_local(cx, name, type_, "choice")
    relax = relaxing is not None
    return ir.Select(bound, path, who, found, test, wishes, relax, text, type_, at=cx.at(node))


def _wish(cx: Context, node: Any, item: Type) -> ir.Wish:
    at = cx.at(node)
    if node.rule == "none_spare":
        return ir.Wish("none_spare", at=at)
    if node.rule == "connected":
        near = fitted(cx, lower(cx, node.parts[0]), set_of(item), node.parts[0])
        return ir.Wish("connected", near, at=at)
    weight, bound = node.parts
    return ir.Wish(node.rule, want(cx, weight, INT), want(cx, bound, INT), at=at)


@statement("divide")
def _divide(cx: Context, node: Any) -> Stmt:
    total, name, among, by, prompt, allowing = node.parts
    number = want(cx, total, INT)
    found, item = collection(cx, among)
    who = decider(cx, by)
    amounts = with_it(cx, item, lambda: _amounts(cx, allowing))
    text = sentence(cx, prompt)
    type_ = map_of(item, INT)
    path = register(cx, name, item, type_)
    bound = name_local(cx, name, type_, "choice")
    return ir.Divide(bound, path, number, found, who, amounts, text, type_, at=cx.at(node))


def _amounts(cx: Context, node: Any) -> Expr:
    found, item = collection(cx, node)
    if not fits(item, INT):
        message = (
            f"This must be a range or a set of numbers, but it is {cx.world.describe(found.type)}."
        )
        return cx.wrong("Z301", message, node)
    return found
