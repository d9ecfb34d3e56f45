"""Checks of maps and marks against all data: colours, secrets, and places upon each other."""

from collections.abc import Iterable
from typing import Any

from ziggurat.dsl.diagnostics import Note
from ziggurat.dsl.linking.constants import Data, TooMuch, is_data
from ziggurat.dsl.linking.span import span_of
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.symbols import GRIDS, is_colour
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel import Expr, FieldOf
from ziggurat.runtime.kernel.arithmetic import CannotCompute
from ziggurat.runtime.kernel.walking import walk

_COLOUR_ADVICE = "Write `#` and six digits from 0 to f, such as `#7da35f`."


def check_marks(world: World, ruleset: ir.Ruleset) -> None:
    """Everything a map can show without a game is worked out once. Quiet where data are wrong."""
    if world.findings.has_errors:
        return
    data = Data(ruleset.kinds, ruleset.things)
    for mark in ruleset.marks.values():
        _check_open(world, ruleset, mark)
        colours = (mark.fill, mark.hatch, mark.line, mark.ink, *mark.colours)
        things = _called(data, mark.of) if mark.sort in ("place", "seat", "owner") else [""]
        for expr in (mark.shows, mark.letter, *colours):
            if expr is not None and is_data(expr, world.kinds):
                found = _worked_out(world, data, expr, things)
                if expr in colours:
                    _check_colours(world, data, expr, found)
    for one in ruleset.maps.values():
        _check_apart(world, data, one)


def _called(data: Data, kind: str) -> list[str]:
    return [data.names[number] for number in data.things.get(kind, ())]


def _worked_out(
    world: World, data: Data, expr: Expr, things: Iterable[str]
) -> list[tuple[str, Any]]:
    """What an expression is for each thing, up to the first of which it cannot be said."""
    data.work = 0
    found = []
    for thing in things:
        try:
            found.append((thing, data.about(expr, thing)))
        except CannotCompute as wrong:
            message = f"For `{thing.replace('.', ' ')}` this cannot be worked out. {wrong}"
            world.report("Z327", message, span_of(world, expr.at), "Correct the thing, or this.")
            break
        except TooMuch:
            message = "This goes through more than can be worked out for a map."
            advice = "Compare with fewer things or numbers."
            world.report("Z517", message, span_of(world, expr.at), advice)
            break
    return found


def _check_open(world: World, ruleset: ir.Ruleset, mark: ir.Mark) -> None:
    """Everybody looks at the same map, so nothing on it may come from a secret."""
    for part in walk(mark):
        if _is_secret(ruleset, part, set()):
            message = "Not everybody may see this, and everybody sees a map."
            span = span_of(world, part.at)
            world.report("Z344", message, span, "Show something that is open to all.")


def _is_secret(ruleset: ir.Ruleset, part: Any, asked: set[str]) -> bool:
    match part:
        case ir.AttrOf(attr=attribute):
            return ruleset.attributes[attribute].secret
        case ir.Count(units=units) | ir.Having(units=units):
            kinds = [ruleset.things[one.of].keys() for one in ruleset.covers.values()]
            some = [(every, every & {*units.pieces}) for every in kinds]
            return any(met and (units.which or met != every) for every, met in some)
        case ir.PileRef(place=place):
            return place in ruleset.places and ruleset.places[place].seen != "open"
        case ir.ValueCall(value=value) if value not in asked:
            asked.add(value)
            inner = walk(ruleset.values[value])
            return any(_is_secret(ruleset, one, asked) for one in inner)
    return False


def _check_colours(world: World, data: Data, expr: Expr, found: list[tuple[str, Any]]) -> None:
    told: set[str] = set()
    for thing, colour in found:
        if isinstance(colour, str) and not is_colour(colour) and colour not in told:
            told.add(colour)
            _no_colour(world, data, expr, thing, colour)


def _no_colour(world: World, data: Data, expr: Expr, thing: str, colour: str) -> None:
    """At the field of the thing that brings it, if one does, or where the mark says it."""
    span = span_of(world, expr.at)
    if isinstance(expr, FieldOf):
        kind, _, id_ = (data.about(expr.of, thing) or "").partition(".")
        decl = world.things.get(kind, {}).get(id_)
        for item in decl.items if decl else ():
            if getattr(item.node, "rule", "") == "field" and item.node.parts[0] == expr.field:
                span = item.span
    world.report("Z342", f"`{colour}` is no colour.", span, _COLOUR_ADVICE)


def _check_apart(world: World, data: Data, one: ir.BoardMap) -> None:
    """Where places lie can be said, and on a grid no two of them lie in the same cell."""
    things = _called(data, one.of)
    if one.water is not None:
        _worked_out(world, data, one.water, things)
    numbers = [_worked_out(world, data, expr, things) for expr in one.position]
    taken: dict[tuple[int, ...], str] = {}
    for parts in zip(*numbers, strict=False) if one.layout in GRIDS else ():
        thing, cell = parts[0][0], tuple(number or 0 for _, number in parts)
        other = taken.setdefault(cell, thing)
        if other != thing:
            mine, theirs = (world.things[one.of][name.partition(".")[2]] for name in (thing, other))
            message = (
                f"`{mine.spoken}` lies where `{theirs.spoken}` lies:"
                f" column {cell[0]}, row {cell[1]}."
            )
            note = Note("The other one is here.", theirs.name_span)
            advice = "Each has a square or hex of its own on this map."
            world.report("Z345", message, mine.name_span, advice, (note,))
