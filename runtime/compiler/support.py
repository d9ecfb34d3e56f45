"""The few functions that generated code calls, besides those of the language's arithmetic."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from itertools import compress
from operator import or_
from typing import Any

from ziggurat.runtime.kernel.arithmetic import (
    a_list,
    a_set,
    bounded,
    common,
    common_of_list,
    extended,
    first_of,
    halved,
    lowest,
    merged,
    minus,
    nth,
    same,
    span,
    times,
    union,
    without,
)
from ziggurat.runtime.kernel.errors import BudgetExceeded
from ziggurat.runtime.kernel.forms.chance import pick
from ziggurat.runtime.kernel.forms.flow import grouped
from ziggurat.runtime.kernel.state import State, cells
from ziggurat.runtime.kernel.table import PieceRows

NOTES = 5_000
NOTED = 200


def nothing(state: State, *args: Any) -> None:
    """The block of a thing that brings none."""


def charge(state: State, items: Any, site: int) -> Any:
    """Pay for a loop before it runs."""
    state.fuel -= len(items)
    if state.fuel < 0:
        raise BudgetExceeded(site)
    return items


def reach(
    state: State,
    starts: Iterable[Any],
    onward: Callable[[Any], Collection[Any]],
    admits: Callable[[Any], Any] | None,
    steps: int | None,
    site: int,
) -> tuple[Any, ...]:
    """What can be reached from some things, them included, in so many steps."""
    front = list(starts)
    found = [*front]
    seen = set(found)
    while front and (steps is None or steps > 0):
        ahead: list[Any] = []
        for one in charge(state, front, site):
            fresh = [other for other in charge(state, onward(one), site) if other not in seen]
            seen.update(fresh)
            ahead += fresh if admits is None else [other for other in fresh if admits(other)]
        front = ahead
        found += ahead
        steps = None if steps is None else steps - 1
    return a_set(found)


def reach_within(
    state: State,
    starts: Iterable[Any],
    onward: Callable[[Any], Collection[Any]],
    admits: Callable[[Any], Any] | None,
    cost: Callable[[Any], int],
    steps: int,
    site: int,
) -> tuple[Any, ...]:
    """What can be reached, where each takes a number of steps: the nearest is looked at first."""
    left = dict.fromkeys(starts, steps)
    waiting = [(-steps, one) for one in left]
    takes: dict[Any, int | None] = {}
    while waiting:
        spent, one = heappop(waiting)
        if -spent < left[one]:
            continue
        for other in charge(state, onward(one), site):
            if other not in takes:
                enters = admits is None or admits(other)
                takes[other] = max(0, cost(other)) if enters else None
            price = takes[other]
            if price is None or left[one] < price:
                continue
            rest = left[one] - price
            if rest > left.get(other, -1):
                left[other] = rest
                heappush(waiting, (-rest, other))
    return a_set(left)


def note_short(notes: dict[Any, Any], key: Any, value: Any, *about: Any) -> Any:
    """Note a value that is a collection, or is about some, unless they take too much room."""
    size = cells(value)
    for one in about:
        size += cells(one)
    if size <= NOTED:
        if len(notes) >= NOTES:
            notes.clear()
        notes[key] = value
    return value


def played(column: list[Any], thing: int | None, missing: Any) -> Any:
    """A field of the thing a player plays; its default while they play none."""
    return missing if thing is None else column[thing]


def spread(cells: list[Any], at: int, keys: tuple[int, ...]) -> dict[int, Any]:
    """A map that has a slot for each key, as one value."""
    return {key: cells[at + key] for key in keys}


def gather(
    state: State, at: int, keys: tuple[int, ...], value: Mapping[int, Any], empty: Any, site: int
) -> None:
    """The inverse of `spread`."""
    slots = state.attrs
    for key in keys:
        new = value.get(key, empty)
        slots[at + key] = new if type(new) is int else state.keep(slots[at + key], new, site)


def entry(old: Mapping[Any, Any], key: Any, value: Any) -> dict[Any, Any]:
    """A map with one entry set."""
    return {**old, key: value}


def include_set(old: tuple[Any, ...], member: Any) -> tuple[Any, ...]:
    return a_set((*old, member))


def include_list(old: tuple[Any, ...], member: Any) -> tuple[Any, ...]:
    return (*old, member)


def exclude(old: tuple[Any, ...], member: Any) -> tuple[Any, ...]:
    return tuple([other for other in old if other != member])


def _where_some(
    state: State, kinds: Sequence[PieceRows], owners: Sequence[int], places: Sequence[int]
) -> Sequence[int]:
    """Those of many places that have any of the pieces: most of a board is empty."""
    if len(places) < 8:
        return places
    some: set[int] = set()
    width = state.table.Q
    for rows in kinds:
        for owner in owners:
            start = rows.total + owner * width
            some.update(compress(range(width), state.pieces[start : start + width]))
    return [place for place in places if place in some]


def count_some(
    state: State,
    rows: PieceRows,
    owners: Sequence[int],
    places: Sequence[int],
    before: str | None,
) -> int:
    """How many pieces of one kind several owners have in several places."""
    return sum(state.count(rows, owner, place, before) for owner in owners for place in places)


def having_some(
    state: State,
    rows: PieceRows,
    owners: Sequence[int],
    places: Sequence[int],
    before: str | None,
) -> tuple[int, ...]:
    """Those of some places where one of several owners has a piece of one kind."""
    found = (place for place in places if count_some(state, rows, owners, (place,), before))
    return tuple(found)


def move_many(
    state: State,
    kinds: Sequence[PieceRows],
    owners: Sequence[int],
    sources: Sequence[int],
    target: int,
    number: int | None,
    before: str | None,
    after: str | None,
) -> None:
    """Move pieces from several places, of several owners or kinds, until so many have moved."""
    for source in _where_some(state, kinds, owners, sources):
        for owner in owners:
            for rows in kinds:
                moved = state.move(rows, owner, source, target, number, before, after)
                if number is not None:
                    number -= moved


def turn_many(
    state: State,
    kinds: Sequence[PieceRows],
    owners: Sequence[int],
    places: Sequence[int],
    number: int | None,
    before: str | None,
    after: str,
) -> None:
    for place in _where_some(state, kinds, owners, places):
        for owner in owners:
            for rows in kinds:
                turned = state.turn(rows, owner, place, number, before, after)
                if number is not None:
                    number -= turned


NAMES: dict[str, Any] = {
    "NOTES": NOTES,
} | {
    function.__name__: function
    for function in (
        nothing, charge, reach, reach_within, note_short, times, halved, bounded, played,
        span, extended, a_set,
        union, minus, common, common_of_list, merged, without, first_of, nth, lowest, same,
        grouped, spread, gather, entry, include_set, include_list, exclude, a_list, count_some,
        having_some, move_many, turn_many, pick, compress, map, or_, len, any, all, sum, max, min,
        next, sorted, tuple, range, abs,
    )
}  # fmt: skip
