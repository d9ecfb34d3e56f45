"""The pieces and the owners that things of a kind with such a role are."""

from collections.abc import Mapping
from typing import Any

import attrs

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.counts import SUPPLY
from ziggurat.dsl.linking.world import World
from ziggurat.runtime.kernel.forms.equipment import Neutral, Piece, PieceGroup
from ziggurat.runtime.kernel.forms.kinds import Thing

Things = Mapping[str, Mapping[str, Thing]]


def piece_things(world: World) -> None:
    """Each thing of a kind with the role `piece` is a piece; the kind is the name of them all."""
    for info in world.kinds.values():
        if "piece" not in info.roles:
            continue
        home, page = _home(world, info.decl), world.things[info.id]
        for id_, decl in page.items():
            if id_ in world.pieces:
                message = f"There is a piece called `{id_}` already."
                world.report("Z305", message, decl.name_span, "Give it another name.")
                continue
            cx = Context(world, decl, f"{info.id} {id_}")
            world.pieces[id_] = Piece(
                id_, decl.title, 0, home, (), kind=info.id, at=cx.at(decl.node)
            )
        cx = Context(world, info.decl, f"kind {info.id}")
        world.groups[info.id] = PieceGroup(
            info.id, tuple(page), kind=info.id, at=cx.at(info.decl.node)
        )


def _home(world: World, decl: Any) -> str:
    """`kind troop piece in pool`: where those stand that are nowhere else; without it the box."""
    for head in decl.node.heads:
        if head.rule != "head_in":
            continue
        name = str(head.parts[0])
        if name == "box" or (name in world.places and not world.places[name].cards):
            world.notes.mentions.add(decl.file.span(head.parts[0]), "place", name)
            return name
        known = [one.id for one in world.places.values() if not one.cards]
        advice = did_you_mean(name, known) or f"Declare it: `place {name} of owner`."
        message = f"There is no place for pieces called `{name}`."
        world.report("Z212", message, decl.file.span(head.parts[0]), advice)
    return "box"


def with_supply(pieces: Mapping[str, Piece], things: Things) -> dict[str, Piece]:
    """Pieces that are things have as many as the field `supply` of the thing says."""
    return {
        id_: attrs.evolve(one, supply=_said(things[one.kind][id_]) or 0) if one.kind else one
        for id_, one in pieces.items()
    }


def owner_things(world: World, things: Things) -> dict[str, Neutral]:
    """Each thing of a kind with the role `owner` is an owner. What it has of each piece stands in
    its field `supply`, a map from a kind of pieces to numbers; of others it has what they say."""
    usual = {one.id: one.supply for one in with_supply(world.pieces, things).values()}
    out: dict[str, Neutral] = {}
    for info in world.kinds.values():
        for thing in things[info.id].values() if "owner" in info.roles else ():
            own = {str(key).partition(".")[2]: n for key, n in _said(thing) or ()}
            supply = tuple({**usual, **own}.items())
            out[thing.id] = Neutral(thing.id, thing.title, supply, kind=info.id, at=thing.at)
    return out


def _said(thing: Thing) -> Any:
    return next((one.value for one in thing.values if one.field == SUPPLY), None)
