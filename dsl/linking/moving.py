"""Steps that move pieces and cards, and give and take things."""

from typing import Any

from ziggurat.dsl import ir
from ziggurat.dsl.ir import Expr, Stmt, Whereabouts
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import collection, fitted, lower, want
from ziggurat.dsl.linking.pieces import check_state, pile, place, units, where
from ziggurat.dsl.linking.statements import candidates, name_local, statement
from ziggurat.dsl.linking.types import (
    COLLECTIONS,
    INT,
    PLAYER,
    WRONG,
    fits,
    list_of,
    optional,
    set_of,
)


def _quantity(cx: Context, node: Any) -> Expr | None:
    return None if node.rule == "all_of" else want(cx, node.parts[0], INT)


def _new_state(cx: Context, node: Any, pieces: tuple[str, ...]) -> str | None:
    if node is None:
        return None
    if pieces:
        check_state(cx, pieces, node.parts[0])
    return str(node.parts[0])


def _home(cx: Context, pieces: tuple[str, ...], node: Any) -> Whereabouts:
    homes = {cx.world.pieces[one].home: one for one in pieces}
    if len(homes) > 1:
        listed = " and ".join(f"the {one} in `{home}`" for home, one in homes.items())
        message = f"These pieces have different homes: {listed}."
        cx.error("Z318", message, node, "Say where to, with `move … from … to …`.")
    return Whereabouts("own", id=next(iter(homes), ""))


@statement("move")
def _move(cx: Context, node: Any) -> Stmt:
    quantity, some, source, goal, state = node.parts
    number = _quantity(cx, quantity)
    meant = units(cx, some)
    from_, to = place(cx, source), place(cx, goal)
    if to.kind in ("areas", "board"):
        cx.error("Z301", "Pieces can only be moved to one place.", goal)
    return ir.Move(number, meant, from_, to, _new_state(cx, state, meant.pieces), at=cx.at(node))


@statement("place")
def _place(cx: Context, node: Any) -> Stmt:
    quantity, some, goal, state = node.parts
    number = _quantity(cx, quantity)
    meant = units(cx, some)
    to = place(cx, goal)
    if to.kind in ("areas", "board"):
        cx.error("Z301", "Pieces can only be placed in one place.", goal)
    home = _home(cx, meant.pieces, some)
    return ir.Move(number, meant, home, to, _new_state(cx, state, meant.pieces), at=cx.at(node))


@statement("remove")
def _remove(cx: Context, node: Any) -> Stmt:
    quantity, some, source = node.parts
    number = _quantity(cx, quantity)
    meant = units(cx, some)
    home = _home(cx, meant.pieces, some)
    return ir.Move(number, meant, where(cx, source), home, None, at=cx.at(node))


@statement("turn")
def _turn(cx: Context, node: Any) -> Stmt:
    quantity, some, there, state = node.parts
    number = _quantity(cx, quantity)
    meant = units(cx, some)
    new = _new_state(cx, state, meant.pieces) or ""
    return ir.Turn(number, meant, where(cx, there), new, at=cx.at(node))


@statement("put", "put_top", "put_under")
def _put(cx: Context, node: Any) -> Stmt | None:
    what, into = node.parts
    goal = pile(cx, into)
    family = goal.type.item if goal is not None and goal.type.item else WRONG
    found = lower(cx, what)
    if found.type.name == "pile":
        found = collection(cx, what)[0]
    many = found.type.name in COLLECTIONS
    wanted = set_of(family) if many else family
    if family is WRONG and found.type is not WRONG:
        one = found.type.item if many else found.type
        if one is None or one.name not in cx.world.families:
            say = cx.world.describe(found.type)
            cx.error("Z301", f"Only cards can be put in a pile, and this is {say}.", what)
    elif not fits(found.type, wanted):
        fitted(cx, found, wanted, what)
    how = {"put": "in", "put_top": "top", "put_under": "under"}[node.rule]
    return ir.Put(found, many, goal, how, at=cx.at(node)) if goal is not None else None


@statement("shuffle")
def _shuffle(cx: Context, node: Any) -> Stmt | None:
    goal = pile(cx, node.parts[0])
    return ir.Shuffle(goal, at=cx.at(node)) if goal is not None else None


@statement("pick")
def _pick(cx: Context, node: Any) -> Stmt:
    quantity, name, source, filter_ = node.parts
    number = _quantity(cx, quantity) if quantity is not None else None
    found, item = collection(cx, source)
    test = candidates(cx, filter_, item)
    type_ = optional(item) if quantity is None else list_of(item)
    return ir.Pick(name_local(cx, name, type_, "pick"), number, found, test, at=cx.at(node))


@statement("give", "take")
def _give(cx: Context, node: Any) -> Stmt:
    what, who = node.parts
    thing = lower(cx, what)
    info = cx.world.kinds.get(thing.type.name)
    if thing.type is not WRONG and (info is None or "holdable" not in info.roles):
        say = cx.world.describe(thing.type)
        message = f"Only holdable things can be held, and this is {say}."
        advice = f"To change that, write `holdable` after `kind {info.id}`." if info else None
        cx.error("Z324", message, what, advice)
    elif node.rule == "give" and cx.scenario is None:
        # Things named outright are remembered one by one, all others by their kind.
        given = f"{thing.kind}.{thing.id}" if isinstance(thing, ir.ThingRef) else thing.type.name
        cx.world.given_kinds.add(given)
    return ir.Give(thing, want(cx, who, PLAYER), node.rule == "give", at=cx.at(node))
