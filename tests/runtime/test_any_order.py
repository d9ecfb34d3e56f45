"""Where all decide at once, the order in which the answers come makes no difference."""

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from random import Random as Dice

import pytest

from tests.runtime.shipped import arrive, journey, seats
from ziggurat.runtime.bots.policies import Random
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.state import State

PHASES = ("tax_collection", "population_expansion")


def pressed(state: State) -> None:
    """Everybody may choose their taxes and has too few tokens left to grow as they should."""
    table = state.table
    rows, stock = table.rows["token"], table.place_ids["stock"]
    for player in table.players:
        state.give(table.thing_ids["advance", "coinage"], player)
        spare = state.count(rows, player, stock) - 14
        state.move(rows, player, stock, table.place_ids["treasury"], max(0, spare))


def stages(stack: str, folder: Path) -> Iterator[Game]:
    """Positions in which several decide at once about taxes, and then about growth."""
    for stop in journey(stack, seats(stack)[0], "advised", 9)[-3:]:
        game = arrive(stack, stop, folder / "game.zig").game
        for phase in PHASES:
            game.edit(pressed)
            game.run_phases(phase)
            if len(game.pending) > 1:
                yield game


def answered(game: Game, order: tuple[int, ...], seed: int) -> str:
    """Everybody decides, the seats in this order; each says the same whenever they are asked."""
    one = game.copy()
    bots = {thread: Random(seed + thread) for thread in order}
    while one.pending and one.pending[0].thread is not None:
        thread = next(t for t in order if any(p.thread == t for p in one.pending))
        index = next(n for n, p in enumerate(one.pending) if p.thread == thread)
        one.decide(index, bots[thread].decide(one, one.pending[index]))
    return one.state.digest()


@pytest.mark.parametrize("stack", ["west", "east"])
def test_answers_in_any_order_give_the_same(stack: str, tmp_path: Path) -> None:
    found = list(stages(stack, tmp_path))
    assert len(found) > 2
    dice = Dice(1)
    for number, game in enumerate(found):
        threads = [pending.thread for pending in game.pending if pending.thread is not None]
        orders = list(permutations(threads)) if len(threads) < 4 else []
        orders += [tuple(dice.sample(threads, len(threads))) for _ in range(6)]
        assert len({answered(game, order, number) for order in orders}) == 1
