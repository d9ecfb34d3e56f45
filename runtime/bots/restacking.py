"""Pieces that lie covered, dealt anew among the stacks of their owner.

Whoever looks on knows how many pieces each stack has, which lies on top, and which pieces the owner
has in all these places together. What lies below the tops is drawn from those: only where such
pieces can be (`fits`), and so that the same ones stay on top.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from ziggurat.runtime.game.covers import Ask, Stack, asking
from ziggurat.runtime.kernel.layout import PieceRows
from ziggurat.runtime.kernel.randomness import Stream
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import NOBODY

TRIES = 5
Allowed = Mapping[int, Sequence[PieceRows]]  # by the number of a stack
Pool = dict[str, int]


def restacked(ask: Ask, state: State, covered: Iterable[Stack], chance: Stream) -> bool:
    """Change a state in place; no if no way was found in which all tops stay what they are."""
    by_owner: dict[tuple[str, int], list[Stack]] = {}
    for stack in covered:
        by_owner.setdefault((stack.cover.id, stack.owner), []).append(stack)
    return all(_Owner(ask, state, theirs).deal(chance) for theirs in by_owner.values())


@attrs.frozen
class _Owner:
    """The stacks of one owner."""

    ask: Ask
    state: State
    stacks: list[Stack]

    def deal(self, chance: Stream) -> bool:
        pool = self._taken_up()
        rows = {row.id: row for stack in self.stacks for row in stack.hidden if row.id in pool}
        below = self._below(rows)
        fitting = {
            number: self._fitting(self.stacks[number], some) for number, some in below.items()
        }
        for allowed in (*[fitting] * TRIES, *[below] * TRIES):
            dealt = self._drawn(pool, allowed, chance)
            if dealt is not None:
                for number, id_ in dealt:
                    self._lay(self.stacks[number], rows[id_], 1)
                return all(self._top(stack) == stack.top for stack in self.stacks)
        return False

    def _taken_up(self) -> Pool:
        """All that lies below the tops."""
        pool: Pool = {}
        for stack in self.stacks:
            for row in stack.hidden:
                number = self.state.count(row, stack.owner, stack.place) - (row is stack.shown)
                if number > 0:
                    pool[row.id] = pool.get(row.id, 0) + number
                    self._lay(stack, row, -number)
        return pool

    def _lay(self, stack: Stack, row: PieceRows, number: int) -> None:
        state = self.state
        state.pieces[row.total + stack.owner * state.table.Q + stack.place] += number
        state.sums[row.sums + stack.place] += number
        state.forget()

    def _top(self, stack: Stack) -> Any:
        _, whose, where = asking(self.state.table, stack.cover, stack.owner, stack.place, NOBODY)
        return None if where is None else self.ask(self.state, stack.cover.top, whose, where)

    def _below(self, rows: Mapping[str, PieceRows]) -> Allowed:
        """What can lie in each stack without being on top of it."""
        known: dict[tuple[Any, str], bool] = {}  # where the tops are alike, all else mostly is

        def stays(stack: Stack, row: PieceRows) -> bool:
            key = (stack.place if stack.top is None else -1 - stack.top), row.id
            if key not in known:
                self._lay(stack, row, 1)
                known[key] = self._top(stack) == stack.top
                self._lay(stack, row, -1)
            return known[key]

        hidden = [{row.id for row in stack.hidden} for stack in self.stacks]
        return {
            number: [row for id_, row in rows.items() if id_ in hidden[number] and stays(one, row)]
            for number, one in enumerate(self.stacks)
        }

    def _fitting(self, stack: Stack, rows: Sequence[PieceRows]) -> list[PieceRows]:
        table, cover = self.state.table, stack.cover
        _, whose, where = asking(table, cover, stack.owner, stack.place, NOBODY)
        ids = table.thing_ids
        return [
            row
            for row in rows
            if self.ask(self.state, cover.fits, whose, where, ids[cover.of, row.id])
        ]

    def _drawn(self, pool: Pool, allowed: Allowed, chance: Stream) -> list[tuple[int, str]] | None:
        """A piece for each that does not show, first where fewest can be; None at a dead end."""
        left = dict(pool)
        scarce = {number: sum(pool[row.id] for row in rows) for number, rows in allowed.items()}
        found: list[tuple[int, str]] = []
        for number in sorted(chance.shuffled(list(allowed)), key=scarce.__getitem__):
            for _ in range(self.stacks[number].number):
                weights = [left[row.id] for row in allowed[number]]
                if not sum(weights):
                    return None
                at, chosen = chance.below(sum(weights)), 0
                while at >= weights[chosen]:
                    at -= weights[chosen]
                    chosen += 1
                id_ = allowed[number][chosen].id
                left[id_] -= 1
                found.append((number, id_))
        return found
