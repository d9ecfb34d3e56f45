"""Counts that a game lays out on its table: none is negative, and none is more than it can hold."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ziggurat.dsl.diagnostics import Span
from ziggurat.dsl.linking.constants import number_of
from ziggurat.dsl.linking.context import MOST
from ziggurat.dsl.linking.span import span_of
from ziggurat.dsl.linking.world import World
from ziggurat.runtime.kernel.nodes import At

if TYPE_CHECKING:
    from ziggurat.runtime import kernel as ir

SUPPLY = "supply"


def check_counts(world: World, ruleset: "ir.Ruleset") -> None:
    """Check the copies of all cards and the supplies of all owners."""
    _check_copies(world, ruleset)
    for kind in ruleset.kinds.values():
        if not {"piece", "owner"}.isdisjoint(kind.roles):
            for thing in ruleset.things[kind.id].values():
                _check_supplies(world, thing)


# ---- cards --------------------------------------------------------------------------------------


def _check_copies(world: World, ruleset: "ir.Ruleset") -> None:
    """A face must be on at least one card; its kind must say on how many."""
    for family in ruleset.cards.values():
        for face in family.faces:
            info = world.kinds[face]
            if "copies" not in info.fields:
                message = f"`{face}` is on cards of `{family.id}`, but does not say on how many."
                advice = "Add `copies: int` to the kind."
                world.report("Z303", message, info.decl.name_span, advice)
            elif (default := info.fields["copies"].default) is not None:
                _check_most_cards(world, face, number_of(default), default.at)
            for thing in _things(ruleset, face):
                _check_number_of_copies(world, thing)


def _things(ruleset: "ir.Ruleset", kind: str) -> Iterator["ir.Thing"]:
    """Return the things of a kind, those of scenarios included."""
    yield from ruleset.things[kind].values()
    for scenario in ruleset.scenarios:
        yield from (thing for thing in scenario.things if thing.kind == kind)


def _check_number_of_copies(world: World, thing: "ir.Thing") -> None:
    for given in thing.values:
        if given.field == "copies" and isinstance(given.value, int):
            _check_most_cards(world, thing.id, given.value, given.at)
            if given.value < 1:
                message = f"There are {given.value} cards of `{thing.id}`; at least 1 is needed."
                advice = f"Correct the number, or `remove {thing.kind} {thing.id}`."
                world.report("Z508", message, span_of(world, given.at), advice)


def _check_most_cards(world: World, face: str, number: Any, at: At) -> None:
    if isinstance(number, int) and number > MOST:
        message = f"There are {number} cards of `{face}`; at most {MOST} are possible."
        world.report("Z328", message, span_of(world, at), "Correct the number.")


# ---- pieces -------------------------------------------------------------------------------------


def _check_supplies(world: World, thing: "ir.Thing") -> None:
    """Check what a thing that is a piece, or that owns pieces, has of them."""
    for given in thing.values:
        if given.field != SUPPLY:
            continue
        span = span_of(world, given.at)
        match given.value:
            case int(number):
                check_supply(world, thing.id, number, span)
            case tuple(pairs):
                for piece, number in pairs:
                    check_supply(world, str(piece).rpartition(".")[2], number, span)


def check_supply(world: World, piece: str, number: int, span: Span | None) -> None:
    """Report a supply that is negative, or more than a game has room for."""
    if number > MOST:
        message = f"There are {number} pieces of `{piece}`; at most {MOST} are possible."
        world.report("Z328", message, span, "Correct the number.")
    elif number < 0:
        message = f"There are {number} pieces of `{piece}`; there can be none, but not fewer."
        world.report("Z508", message, span, "Correct the number.")
