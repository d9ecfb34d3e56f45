"""The board of a ruleset as a map wants it: spots with neighbours, marks and colours.

Which kind is the board the rules say themselves (the kind with the role `place`); what its things
carry is found by the conventional names of fields below. A pack without one of them gets a plainer
map, never an error.
"""

from collections.abc import Mapping
from typing import Any

import attrs

from ziggurat.dsl.ir import Kind, Ruleset, Thing
from ziggurat.studio.ruleset import title_of

X, Y = "x", "y"
LAND, WATER = "land", "water"
LIMIT, SEA, COASTAL = "limit", "sea", "coastal"
SITE, PLAIN, VOLCANO, REGION = "city_site", "flood_plain", "volcano", "region"
COLOUR = "colour"


class NoBoardError(Exception):
    """The ruleset has nothing to draw a map of; the text says what is missing."""


@attrs.frozen
class Pieces:
    """Pieces somebody has on a spot: what, how many, and how they are drawn.

    The first kind of piece a game declares (`rank` 0) is the one there is most of: a plain disc.
    """

    owner: str
    piece: str
    number: int
    colour: str
    rank: int = 0


@attrs.frozen
class Spot:
    """One place of the board."""

    id: str
    name: str
    x: float
    y: float
    land: tuple[str, ...]
    water: tuple[str, ...]
    sea: bool = False
    coastal: bool = False
    limit: int | None = None
    site: str = ""
    plain: str = ""
    volcano: str = ""
    region: str = ""


@attrs.frozen
class Board:
    """All spots by id, and the colour and name of each region."""

    title: str
    spots: Mapping[str, Spot]
    colours: Mapping[str, str]
    regions: Mapping[str, str]
    pieces: Mapping[str, tuple[Pieces, ...]] = attrs.field(factory=dict)


def board(ruleset: Ruleset) -> Board:
    """The board of a ruleset."""
    kind = next((kind for kind in ruleset.kinds.values() if "place" in kind.roles), None)
    if kind is None:
        raise NoBoardError("this ruleset has no kind of place, so there is no map to draw.")
    if not {X, Y} <= {field.name for field in kind.fields}:
        raise NoBoardError(f"a {kind.id} has no `x` and `y`, so nobody knows where to draw it.")
    things = ruleset.things.get(kind.id, {})
    spots = {thing.id: _spot(thing) for thing in things.values()}
    if not any(spot.x or spot.y for spot in spots.values()):
        raise NoBoardError("no place of this ruleset says where it lies.")
    regions = _regions(ruleset, kind)
    return Board(
        title=title_of(ruleset),
        spots=spots,
        colours={id_: _data(thing).get(COLOUR) or "" for id_, thing in regions.items()},
        regions={id_: thing.title or id_ for id_, thing in regions.items()},
    )


def _regions(ruleset: Ruleset, kind: Kind) -> dict[str, Thing]:
    field = next((field for field in kind.fields if field.name == REGION), None)
    return ruleset.things.get(field.type.name, {}) if field else {}


def _data(thing: Thing) -> dict[str, Any]:
    return {given.field: given.value for given in thing.values}


def _spot(thing: Thing) -> Spot:
    data = _data(thing)
    limit = data.get(LIMIT)
    return Spot(
        id=thing.id,
        name=thing.title or thing.id,
        x=float(data.get(X) or 0),
        y=float(data.get(Y) or 0),
        land=_names(data.get(LAND)),
        water=_names(data.get(WATER)),
        sea=bool(data.get(SEA)),
        coastal=bool(data.get(COASTAL)),
        limit=limit if isinstance(limit, int) else None,
        site=_name(data.get(SITE)),
        plain=_name(data.get(PLAIN)),
        volcano=_name(data.get(VOLCANO)),
        region=_name(data.get(REGION)),
    )


def _names(value: Any) -> tuple[str, ...]:
    return tuple(_name(one) for one in value or ())


def _name(value: Any) -> str:
    """The id of a thing that data points at as `kind.id`."""
    return str(value).partition(".")[2] or str(value) if value else ""
