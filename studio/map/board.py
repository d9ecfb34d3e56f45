"""The board of a ruleset as a map wants it: spots with neighbours, and how they look.

Which kind is the board the rules say themselves (the kind with the role `place`). Where its places
lie, what is water and what marks they bear is declared by packs (`map` and `mark`). A pack that
declares nothing gets a plain map: its places are laid out by what their fields, their names or
their neighbours tell.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

from ziggurat import UNKNOWN, Facts, Moment, Ruleset, ir, symbols, walk
from ziggurat.studio.map.layout import NoBoardError, lay_out
from ziggurat.studio.titles import title_of

USUAL_SIZE = 9


@attrs.frozen
class Look:
    """One mark as it is drawn: colours and shapes, and `text` that is printed in its shape.

    `value` is the id of the thing a mark shows, if it shows one; `told` is what a pointer says.
    """

    mark: str
    told: str = ""
    value: str = ""
    text: str = ""
    fill: str = ""
    hatch: str = ""
    line: str = ""
    shapes: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    ink: str = ""
    size: int = USUAL_SIZE

    @property
    def is_sign(self) -> bool:
        """Whether something is drawn on the spot itself, and not all over its ground."""
        return bool(self.shapes or self.text)


@attrs.frozen
class Pieces:
    """Pieces somebody has on a spot: what, how many, and how they are drawn."""

    owner: str
    piece: str
    number: int
    colour: str
    look: Look


@attrs.frozen
class Spot:
    """One place of the board."""

    id: str
    name: str
    x: float
    y: float
    touching: tuple[str, ...] = ()
    across: tuple[str, ...] = ()
    water: bool = False
    looks: tuple[Look, ...] = ()

    def ground(self) -> Look | None:
        """The mark that gives the spot its colour: the last of those that fill."""
        return next((look for look in reversed(self.looks) if look.fill), None)


@attrs.frozen
class Board:
    """All spots by id. `legend` has texts and looks, `kinds` the looks of all kinds of pieces, and
    `cells` the corners of the spots of a grid."""

    title: str
    spots: Mapping[str, Spot]
    legend: tuple[tuple[str, Look], ...] = ()
    pieces: Mapping[str, tuple[Pieces, ...]] = attrs.field(factory=dict)
    kinds: tuple[Look, ...] = ()
    cells: Mapping[str, tuple[tuple[float, float], ...]] = attrs.field(factory=dict)


def board(ruleset: Ruleset, moment: Moment | None = None) -> Board:
    """The board of a ruleset; with a moment of a game also what its marks show then."""
    kind = place_kind(ruleset)
    if kind is None:
        raise NoBoardError("this ruleset has no kind of place, so there is no map to draw.")
    if moment is not None:  # which may be that of a scenario with a little map of its own
        own = {id_: {one.id: one for one in moment.things(id_)} for id_ in ruleset.kinds}
        ruleset = attrs.evolve(ruleset, things=own)
    facts = Facts(ruleset, moment)
    declared = next(iter(ruleset.maps.values()), ir.BoardMap("", "", kind.id))
    things = ruleset.things.get(kind.id, {})
    borders, crossings = _neighbour_fields(kind, declared)
    touching = {id_: _neighbours(thing, borders) for id_, thing in things.items()}
    across = {id_: _neighbours(thing, crossings) for id_, thing in things.items()}
    near = {id_: (*touching[id_], *across[id_]) for id_ in things}
    laid = lay_out(ruleset, kind, declared, facts, near)
    looks = {id_: tuple(_looks(ruleset.marks.values(), facts, kind.id, id_)) for id_ in things}
    spots = {
        id_: Spot(
            id_,
            thing.title or id_,
            *laid.at[id_],
            touching=touching[id_],
            across=across[id_],
            water=declared.water is not None and facts.read(declared.water, kind.id, id_) is True,
            looks=looks[id_],
        )
        for id_, thing in things.items()
    }
    legend = tuple(_legend(ruleset, [look for found in looks.values() for look in found]))
    return Board(title_of(ruleset), spots, legend, cells=laid.cells)


def place_kind(ruleset: Ruleset) -> ir.Kind | None:
    return next((kind for kind in ruleset.kinds.values() if "place" in kind.roles), None)


def only_drawn(ruleset: Ruleset) -> frozenset[str]:
    """Fields of places that say where they lie and nothing else: no use to a reader of lists."""
    declared = next(iter(ruleset.maps.values()), None)
    used = walk(declared.position) if declared else ()
    return frozenset({"x", "y"} | {part.field for part in used if isinstance(part, ir.FieldOf)})


def _neighbour_fields(
    kind: ir.Kind, declared: ir.BoardMap
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields with neighbours; where no map tells them apart, all of them are borders."""
    if declared.borders or declared.crossings:
        return declared.borders, declared.crossings
    fields = [f.name for f in kind.fields if f.type.item and f.type.item.name == kind.id]
    return tuple(fields), ()


def _neighbours(thing: ir.Thing, fields: Iterable[str]) -> tuple[str, ...]:
    given = {one.field: one.value for one in thing.values}
    found = (str(other).partition(".")[2] for name in fields for other in given.get(name) or ())
    return tuple(dict.fromkeys(found))


# ---- marks --------------------------------------------------------------------------------------


def _looks(marks: Iterable[ir.Mark], facts: Facts, kind: str, id_: str) -> Iterator[Look]:
    """What the marks of places show of one of them."""
    for mark in marks:
        if mark.sort == "place":
            shown = True if mark.shows is None else facts.read(mark.shows, kind, id_)
            if shown is not UNKNOWN and shown is not None and shown is not False:
                yield _look(facts, mark, shown, kind, id_)


def has_moving_marks(ruleset: Ruleset) -> bool:
    """Whether there are marks of places that look otherwise as a game goes on."""
    return any(_moving_marks(Facts(ruleset)))


def _moving_marks(facts: Facts) -> Iterator[ir.Mark]:
    for mark in facts.ruleset.marks.values():
        if mark.sort == "place" and not facts.is_settled(mark.shows):
            yield mark


def moving_looks(ruleset: Ruleset, facts: Facts) -> Iterator[tuple[str, Look]]:
    """What marks of places show that only a game decides: the place, and how it looks now."""
    kind, moving = place_kind(ruleset), list(_moving_marks(facts))
    for id_ in ruleset.things.get(kind.id, {}) if kind and moving else ():
        for look in _looks(moving, facts, kind.id if kind else "", id_):
            yield id_, look


def _look(facts: Facts, mark: ir.Mark, shown: Any, kind: str, id_: str) -> Look:
    def colour(expr: ir.Expr | None) -> str:
        found = facts.text(expr, kind, id_)  # in a game it may be any text
        return found if symbols.is_colour(found) else ""

    printed = mark.shows is not None and mark.shows.type.name in ("int", "text")
    thing = "" if shown is True or printed else str(shown)
    return Look(
        mark=mark.id,
        told=_told(facts, mark, shown, thing, printed),
        value=thing,
        text=facts.text(mark.letter, kind, id_) or (str(shown) if printed else ""),
        fill=colour(mark.fill),
        hatch=colour(mark.hatch),
        line=colour(mark.line),
        shapes=shapes_of(mark),
        colours=tuple(map(colour, mark.colours)),
        ink=colour(mark.ink),
        size=mark.size or USUAL_SIZE,
    )


def shapes_of(mark: ir.Mark) -> tuple[str, ...]:
    return tuple(symbols.SYMBOLS.get(symbol, symbol) for symbol in mark.symbols)


def _told(facts: Facts, mark: ir.Mark, shown: Any, thing: str, printed: bool) -> str:
    if printed:
        return f"{mark.title} {shown}".strip()
    if not thing:
        return mark.title
    type_ = mark.shows.type.name if mark.shows is not None else ""
    if type_ in ("player", "owner"):
        return facts.called(thing)
    return facts.ruleset.things[type_][thing].title or thing


def _legend(ruleset: Ruleset, looks: list[Look]) -> Iterator[tuple[str, Look]]:
    """A mark with a title once; one without a title for each thing it shows."""
    for mark in ruleset.marks.values():
        shown = {look.value: look for look in looks if look.mark == mark.id}
        if mark.title and shown:
            yield mark.title, attrs.evolve(next(iter(shown.values())), text=_letter(mark))
        elif mark.shows is not None:
            order = list(ruleset.things.get(mark.shows.type.name, shown))
            found = sorted(filter(None, shown), key=order.index)
            yield from ((shown[value].told, shown[value]) for value in found)


def _letter(mark: ir.Mark) -> str:
    letter = getattr(mark.letter, "value", "")
    return letter if isinstance(letter, str) else ""
