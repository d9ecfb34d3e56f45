"""What is hidden from a seat: that something of it was looked at, and pieces that lie covered."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ziggurat.runtime.game.covers import Stack
from ziggurat.runtime.kernel.evaluator import HiddenPieces


class Unseen(Exception):  # noqa: N818 - what happened
    """Something was looked at that is hidden from the seat."""


class CoveredPieces(HiddenPieces):
    """The pieces of a position, some of which lie covered: a stack can be counted as a whole, and
    what lies on top is surely there. `tops` are values that tell what does, by their arguments."""

    def __init__(
        self,
        cells: "array[int]",
        stacks: Sequence[Stack],
        width: int,
        tops: Mapping[tuple[str, tuple[Any, ...]], Any],
    ) -> None:
        self._cells, self.tops = cells, tops
        self._stack_of: dict[int, int] = {}
        self._sizes: list[tuple[int, int]] = []  # how many cells, how many pieces
        self._shown: set[int] = set()
        for number, stack in enumerate(stacks):
            at = stack.owner * width + stack.place
            self._stack_of |= {row.total + at: number for row in stack.hidden}
            self._sizes.append((len(stack.hidden), stack.number + (stack.shown is not None)))
            if stack.shown is not None:
                self._shown.add(stack.shown.total + at)

    def __getitem__(self, at: int) -> int:
        if at in self._stack_of:
            raise Unseen
        return self._cells[at]

    def together(self, cells: Iterable[int]) -> int:
        """How many pieces there are in all of these cells."""
        total, met = 0, dict[int, int]()
        for at in cells:
            number = self._stack_of.get(at)
            if number is None:
                total += self._cells[at]
            else:
                met[number] = met.get(number, 0) + 1
        for number, times in met.items():
            whole, size = self._sizes[number]
            if times != whole:
                raise Unseen
            total += size
        return total

    def any_shown(self, cells: Iterable[int]) -> bool:
        """Whether one of these cells surely has a piece."""
        return any(
            at in self._shown or (at not in self._stack_of and self._cells[at] > 0) for at in cells
        )
