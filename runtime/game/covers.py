"""Which pieces lie covered for whom, and what of an attribute that somebody shares is seen by whom.

A stack is all that somebody has of a covered kind in one place and that whoever looks may not
examine. They see how many pieces it has, and the one on top. The values that say so
(`dsl/forms/covers.py`) are asked through a function, so that the machine asks its compiled rules,
and whoever explains rules the reference evaluator.
"""

from array import array
from collections.abc import Iterable
from typing import Any, Protocol

import attrs

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.layout import PieceRows
from ziggurat.runtime.kernel.scheduler import Scheduler
from ziggurat.runtime.kernel.state import FUEL, State
from ziggurat.runtime.kernel.table import NOBODY, Slots, Table


class Ask(Protocol):
    """Works a value of the rules out in a position."""

    def __call__(self, state: State, value: str, *args: Any) -> Any: ...


class Asked:
    """Values of compiled rules. What is asked here takes no fuel of the step."""

    def __init__(self, run: Scheduler) -> None:
        self._run = run

    def __call__(self, state: State, value: str, *args: Any) -> Any:
        fuel, state.fuel = state.fuel, FUEL
        try:
            return self._run.call(state, ("value", value), args)
        finally:
            state.fuel = fuel


@attrs.frozen
class Stack:
    """What lies covered of an owner in a place: `hidden` are the rows of all pieces that may not be
    examined there, whether there are any or not, `number` how many do not show, `top` the thing
    that lies on top, `shown` its row.
    """

    cover: ir.Cover
    owner: int
    place: int
    hidden: tuple[PieceRows, ...]
    number: int
    top: int | None
    shown: PieceRows | None

    @property
    def of(self) -> str:
        return self.cover.of


def stacks(ask: Ask, state: State, seat: int) -> list[Stack]:
    """All stacks that a seat may not look through and in which something does not show."""
    table, found = state.table, []
    for cover in state.table.covers:
        rows = pieces_of(table, cover)
        for owner in owners_of(table, cover):
            for place in range(table.Q):
                if any(state.count(one, owner, place) for one in rows):
                    found.append(_stack(ask, state, cover, owner, place, seat))
    return [one for one in found if one.number > 0]


def _stack(ask: Ask, state: State, cover: ir.Cover, owner: int, place: int, seat: int) -> Stack:
    table = state.table
    looks, whose, where = asking(table, cover, owner, place, seat)
    hidden = tuple(
        row
        for thing, row in zip(table.kind_range[cover.of], pieces_of(table, cover), strict=True)
        if not ask(state, cover.sees, looks, whose, where, thing)
    )
    number = sum(state.count(row, owner, place) for row in hidden)
    top = None if where is None or not number else ask(state, cover.top, whose, where)
    shown = None if top is None else table.rows[table.things[top].id]
    if shown is not None and (shown not in hidden or not state.count(shown, owner, place)):
        shown = None
    return Stack(cover, owner, place, hidden, number - (shown is not None), top, shown)


def asking(
    table: Table, cover: ir.Cover, owner: int, place: int, seat: int
) -> tuple[int | None, int, int | None]:
    """Who looks, whose piece it is and where it lies, as values are asked of them."""
    kind = table.ruleset.kinds.get(cover.owner)
    whose = owner if kind is None else table.thing_ids[kind.id, table.owner_names[owner]]
    return None if seat == NOBODY else seat, whose, place if place < table.A else None


def pieces_of(table: Table, cover: ir.Cover) -> list[PieceRows]:
    """The rows of all pieces of a kind, in the order of its things."""
    return [table.rows[table.things[thing].id] for thing in table.kind_range[cover.of]]


def owners_of(table: Table, cover: ir.Cover) -> Iterable[int]:
    """The owners whose pieces a cover is about."""
    if cover.owner in ("player", "owner"):
        return table.everything(cover.owner)
    return [table.owner_ids[table.things[t].id] for t in table.kind_range[cover.owner]]


def uncovered(state: State, covered: Iterable[Stack]) -> "array[int]":
    """The pieces as they show: of each stack the top one, of all else everything."""
    cells = state.pieces
    for stack in covered:
        cells = cells[:] if cells is state.pieces else cells
        at = stack.owner * state.table.Q + stack.place
        for row in stack.hidden:  # things that are pieces have no states
            cells[row.total + at] = 0
        if stack.shown is not None:
            cells[stack.shown.total + at] = 1
    return cells


def knows(ask: Ask, state: State, slots: Slots, seat: int, index: int) -> bool:
    """Whether a seat sees a secret attribute of something, where a value says who does."""
    looks = None if seat == NOBODY else seat
    of = () if slots.of == "table" else (index,)
    return bool(ask(state, slots.sees, looks, *of))
