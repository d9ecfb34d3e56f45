"""Pieces and places: whose, which, in which state and where; counting them."""

from typing import Any

from ziggurat.dsl.diagnostics import did_you_mean, nearest
from ziggurat.dsl.ir import Count, Expr, Having, PileRef, Type, Units, Whereabouts
from ziggurat.dsl.linking.context import BAD, Context
from ziggurat.dsl.linking.expressions import expression, fitted, lower, want
from ziggurat.dsl.linking.types import (
    BOOL,
    INT,
    NONE,
    OWNER,
    WRONG,
    fits,
    of_kind,
    set_of,
)

BOX = "box"
NOWHERE = Whereabouts("everywhere")


def units(cx: Context, node: Any) -> Units:
    """`ready token of p`: the pieces meant, and whose they are."""
    if node.rule == "units":
        name, owner = node.parts
        state = None
    else:
        state, name, owner = node.parts
    pieces = piece_names(cx, name)
    if state is not None and pieces:
        check_state(cx, pieces, state)
    whose = lower(cx, owner, OWNER)
    many = whose.type.name in ("set", "list")
    if many:
        whose = fitted(cx, whose, set_of(OWNER), owner)
    elif not fits(whose.type, OWNER) or whose.type == NONE:
        what = cx.world.describe(whose.type)
        cx.error("Z301", f"Pieces belong to owners, but this is {what}.", owner)
    return Units(pieces, str(state) if state is not None else None, whose, many)


def piece_names(cx: Context, name: Any) -> tuple[str, ...]:
    """The pieces behind a name: one, or all of a group."""
    world = cx.world
    if name in world.pieces:
        return (str(name),)
    if name in world.groups:
        return world.groups[name].members
    for word in ("piece",):
        new = world.renamed(word, str(name), cx.file.source.pack)
        if new in world.pieces:
            return (new,)
    advice = did_you_mean(name, (*world.pieces, *world.groups))
    cx.error("Z211", f"There is no piece called `{name}`.", name, advice)
    return ()


def check_state(cx: Context, pieces: tuple[str, ...], state: Any) -> None:
    """Every piece meant must know the state."""
    lacking = [one for one in pieces if state not in cx.world.pieces[one].states]
    if not lacking:
        return
    known = [s for one in pieces for s in cx.world.pieces[one].states]
    near = nearest(state, known)
    listed = ", ".join(f"`{one}`" for one in dict.fromkeys(known))
    advice = (
        f"Did you mean `{near}`?"
        if near
        else (f"Its states are {listed}." if known else "Give it one: `states: ready, spent`.")
    )
    cx.error("Z210", f"A {lacking[0]} has no state `{state}`.", state, advice)


def where(cx: Context, node: Any) -> Whereabouts:
    """`in a`, `on board`, or nothing at all."""
    if node.rule == "on_board":
        return board(cx, node)
    if node.rule == "anywhere":
        return NOWHERE
    return place(cx, node.parts[0])


def board(cx: Context, node: Any) -> Whereabouts:
    if not cx.world.place_kind:
        cx.error("Z320", "There is no board: no kind has the role `place`.", node)
    return Whereabouts("board")


def place(cx: Context, node: Any) -> Whereabouts:
    """A place for pieces: an area, a set of areas, the board, or one every owner has."""
    world = cx.world
    if node.rule == "name":
        name = str(node.parts[0])
        if name not in cx.names:
            if name == "board":
                return board(cx, node)
            if name == BOX:
                return Whereabouts("own", id=BOX)
            if name in world.places:
                return _own(cx, node, name)
    area = of_kind(world.place_kind) if world.place_kind else WRONG
    found = lower(cx, node, area)
    if found.type.name in ("set", "list"):
        return Whereabouts("areas", fitted(cx, found, set_of(area), node))
    if found.type is not WRONG and not fits(found.type, area):
        message = f"Pieces cannot be here: this is {world.describe(found.type)}."
        found = cx.wrong("Z301", message, node, _place_advice(cx))
    return Whereabouts("area", found)


def _own(cx: Context, node: Any, name: str) -> Whereabouts:
    if cx.world.places[name].cards:
        cx.error("Z301", f"`{name}` is a place for cards, not for pieces.", node, _place_advice(cx))
    return Whereabouts("own", id=name)


def _place_advice(cx: Context) -> str:
    own = [one.id for one in cx.world.places.values() if not one.cards]
    kind = cx.world.place_kind or "place"
    listed = "".join(f", `{name}`" for name in own)
    return (
        f"Pieces can be in a place of kind {kind}, a set of them, on the `board`{listed} or `box`."
    )


@expression("places_with")
def _places_with(cx: Context, node: Any, wanted: Type | None) -> Expr:
    source, some = node.parts
    kind = cx.world.place_kind
    if not kind:
        return cx.wrong("Z320", "There is no board: no kind has the role `place`.", node)
    areas = set_of(of_kind(kind))
    found = want(cx, source, areas)
    meant = units(cx, some)
    return Having(found, meant, areas, at=cx.at(node)) if found is not BAD else BAD


def counted(cx: Context, node: Any, exists: bool) -> Expr:
    """`count(token of p in a)` and `any(token of p in a)`."""
    some, place_node = node.parts
    meant = units(cx, some)
    there = where(cx, place_node)
    return Count(meant, there, exists, BOOL if exists else INT, at=cx.at(node))


def pile(cx: Context, node: Any) -> PileRef | None:
    """A place for cards, in a statement; None after saying what is wrong."""
    found = lower(cx, node)
    if isinstance(found, PileRef):
        return found
    if found.type is not WRONG:
        known = [one.id for one in cx.world.places.values() if one.cards]
        message = f"This must be a place for cards, but it is {cx.world.describe(found.type)}."
        advice = (
            f"Places for cards are {', '.join(f'`{one}`' for one in known)}." if known else None
        )
        cx.error("Z301", message, node, advice)
    return None
