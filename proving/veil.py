"""A position as one seat knows it, for questions people ask about it.

`explain` may be asked anything. On a veiled state the number of cards in a pile can be read (where
the rules forbid counting, only whether there are any), and how many pieces a covered stack has, but
looking at cards, pieces or attributes the seat may not know raises `Unseen`.
"""

from collections.abc import Iterator
from typing import Any, NoReturn, cast

from ziggurat.proving.unseen import CoveredPieces, Unseen
from ziggurat.runtime.game.covers import Ask, asking, knows, stacks
from ziggurat.runtime.game.view import sees
from ziggurat.runtime.kernel.evaluator import Evaluator
from ziggurat.runtime.kernel.state import FUEL, State
from ziggurat.runtime.kernel.table import Slots, Table

__all__ = ["Unseen", "veiled"]


class _Covered:
    """A pile that can only be counted, or not even that."""

    def __init__(self, size: int, counted: bool) -> None:
        self._size = size
        self._counted = counted

    def __len__(self) -> int:
        if not self._counted:
            raise Unseen
        return self._size

    def __bool__(self) -> bool:
        return self._size > 0

    def __eq__(self, other: object) -> bool:
        if other is None:
            return False
        raise Unseen

    def _refuse(self, *_: object) -> NoReturn:
        raise Unseen

    __iter__ = __getitem__ = __contains__ = __add__ = __radd__ = __lt__ = _refuse
    __hash__ = None  # type: ignore[assignment]


class _Guarded(list[Any]):
    """Attributes, some of which nobody may read."""

    hidden: frozenset[int] = frozenset()

    def __getitem__(self, index: Any) -> Any:
        if index in self.hidden:
            raise Unseen
        return super().__getitem__(index)


def veiled(table: Table, state: State, seat: int) -> State:
    """A copy of the position in which a seat can only read what it may know."""
    new = state.copy()
    seen: set[int] = set()
    for index, pile in enumerate(table.piles):
        if sees(pile, seat):
            seen.update(state.piles[index])
        else:
            new.piles[index] = cast(Any, _Covered(len(state.piles[index]), pile.counted))
    plain = state.copy()

    def ask(state: State, value: str, *args: Any) -> Any:
        state.fuel = FUEL
        return evaluator.value(state, value, args)

    evaluator = Evaluator(table)
    guarded = _Guarded(state.attrs)
    guarded.hidden = frozenset(
        slot
        for slots in table.attributes.values()
        for slot in _hidden(ask, plain, slots, seat, seen)
    )
    new.attrs = guarded
    if table.covers:
        new.pieces = cast(Any, _covered(ask, plain, seat))
    return new


def _covered(ask: Ask, state: State, seat: int) -> CoveredPieces:
    table, found = state.table, stacks(ask, state, seat)
    tops = {
        (one.cover.top, asking(table, one.cover, one.owner, one.place, seat)[1:]): one.top
        for one in found
    }
    return CoveredPieces(state.pieces, found, table.Q, tops)


def _hidden(ask: Ask, state: State, slots: Slots, seat: int, seen: set[int]) -> Iterator[int]:
    of_cards = slots.of in state.table.families
    for index in range(slots.first, slots.first + slots.count):
        own = slots.of in ("player", "owner") and index == seat
        if slots.sees:
            own = knows(ask, state, slots, seat, index)
        if (slots.secret and not own) or (of_cards and index not in seen):
            yield from range(slots.slot(index), slots.slot(index) + slots.width)
