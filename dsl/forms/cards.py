"""Cards and the piles they lie in."""

from typing import Any

from ziggurat.dsl.linking.arguments import function_arguments, wrong_number
from ziggurat.dsl.linking.context import BAD, Context
from ziggurat.dsl.linking.expressions import cards_of, collection, fitted, function, linked, want
from ziggurat.dsl.linking.statements import statement
from ziggurat.dsl.linking.types import COLLECTIONS, fits, of_kind, optional, set_of
from ziggurat.dsl.printing.printer import (
    COMPARED,
    POSTFIX,
    SPAN,
    SUM,
    Printed,
    Printer,
    operation,
    prints,
    prints_line,
)
from ziggurat.runtime.kernel.forms.cards import PileRef, Put, Shuffle
from ziggurat.runtime.kernel.forms.core import Lit, Op
from ziggurat.runtime.kernel.nodes import ERROR_TYPE, Expr, Stmt, Type


def pile_call(cx: Context, node: Any, name: str) -> Expr:
    """`hand(p)`: a place for cards, asked like a value."""
    place = cx.world.places[name]
    cx.mention("place", name, node)
    if not place.cards:
        message = f"`{name}` is a place for pieces; it is counted, not asked."
        return cx.wrong("Z224", message, node, f"Write for example `count(… in {name})`.")
    type_ = Type("pile", of_kind(place.cards))
    args = node.parts[1:]
    if place.of == "table":
        if args:
            wrong_number(cx, node, name, [], len(args))
            return BAD
        return PileRef(name, None, type_, at=cx.at(node))
    if len(args) != 1:
        wrong_number(cx, node, name, [place.of], len(args))
        return BAD
    return PileRef(name, want(cx, args[0], of_kind(place.of)), type_, at=cx.at(node))


def pile(cx: Context, node: Any) -> PileRef | None:
    """A place for cards, in a statement; None after saying what is wrong."""
    found = linked(cx, node)
    if isinstance(found, PileRef):
        return found
    if found.type is not ERROR_TYPE:
        known = [one.id for one in cx.world.places.values() if one.cards]
        message = f"This must be a place for cards, but it is {cx.world.describe(found.type)}."
        advice = (
            f"Places for cards are {', '.join(f'`{one}`' for one in known)}." if known else None
        )
        cx.error("Z301", message, node, advice)
    return None


@function("cards", "top")
def _link_cards(cx: Context, node: Any, wanted: Type | None) -> Expr:
    args = function_arguments(cx, node, "pile")
    if args is None:
        return BAD
    found = linked(cx, args[0])
    if found.type is ERROR_TYPE:
        return BAD
    if found.type.name != "pile":
        message = f"This must be a place for cards, but it is {cx.world.describe(found.type)}."
        return cx.wrong("Z301", message, args[0])
    if node.parts[0].parts[0] == "cards":
        return cards_of(found)
    return Op("top", (found,), optional(found.type.item or ERROR_TYPE), at=cx.at(node))


@statement("put", "put_top", "put_under")
def _link_put(cx: Context, node: Any) -> Stmt | None:
    what, into = node.parts
    goal = pile(cx, into)
    family = goal.type.item if goal is not None and goal.type.item else ERROR_TYPE
    found = linked(cx, what)
    if found.type.name == "pile":
        found = collection(cx, what)[0]
    many = found.type.name in COLLECTIONS
    wanted = set_of(family) if many else family
    if family is ERROR_TYPE and found.type is not ERROR_TYPE:
        one = found.type.item if many else found.type
        if one is None or one.name not in cx.world.families:
            say = cx.world.describe(found.type)
            cx.error("Z301", f"Only cards can be put in a pile, and this is {say}.", what)
    elif not fits(found.type, wanted):
        fitted(cx, found, wanted, what)
    how = {"put": "in", "put_top": "top", "put_under": "under"}[node.rule]
    return Put(found, many, goal, how, at=cx.at(node)) if goal is not None else None


@statement("shuffle")
def _link_shuffle(cx: Context, node: Any) -> Stmt | None:
    goal = pile(cx, node.parts[0])
    return Shuffle(goal, at=cx.at(node)) if goal is not None else None


@prints(PileRef)
def _print_pile(printer: Printer, pile: PileRef) -> Printed:
    place = printer.lexicon.name("place", pile.place)
    return (place if pile.key is None else f"{place}({printer.text(pile.key)})"), POSTFIX


def _kind(printer: Printer, kind: Expr) -> str:
    return printer.lexicon.name("kind", str(kind.value)) if isinstance(kind, Lit) else "?"


@operation("is_kind")
def _print_is_kind(printer: Printer, expr: Op) -> Printed:
    card, kind = expr.args
    return f"{printer.text(card, SPAN)} is {_kind(printer, kind)}", COMPARED


@operation("face")
def _print_face(printer: Printer, expr: Op) -> Printed:
    card, kind = expr.args
    return f"{printer.text(card, POSTFIX)}.{_kind(printer, kind)}", POSTFIX


_HOW = {"in": "in", "top": "on top of", "under": "under"}


@prints_line(Put)
def _print_put(printer: Printer, stmt: Put) -> str:
    return f"put {printer.text(stmt.cards, SUM)} {_HOW[stmt.how]} {printer.text(stmt.pile)}"


@prints_line(Shuffle)
def _print_shuffle(printer: Printer, stmt: Shuffle) -> str:
    return f"shuffle {printer.text(stmt.pile)}"
