"""Snapshots: how long one takes, and how much room a thousand of them need."""

import copy
import tracemalloc

from benchmarks.measure import Claim, best, seconds, times
from benchmarks.positions import SEED, new_game, recorded
from ziggurat.runtime.bots.policies import Advised
from ziggurat.runtime.kernel.state import State

ROUNDS = 2_000
KEPT = 1_000
LEAST = 500
MOST = 50  # MB


def _parts(state: State) -> dict[str, object]:
    """All that is in a state, without the table, which no copy needs to copy."""
    return {name: part for name, part in state.__getstate__().items() if name != "table"}


def snapshots() -> list[Claim]:
    game, _ = recorded()
    state = game.state
    parts = _parts(state)
    bare = {name: part for name, part in parts.items() if name != "events"}

    def copies() -> None:
        for _ in range(ROUNDS):
            state.copy()

    ours = best(copies, 5) / ROUNDS
    deep = best(lambda: copy.deepcopy(parts), 3)
    without = best(lambda: copy.deepcopy(bare), 3)
    size = _room() / 1e6
    return [
        Claim("snapshot, against copy.deepcopy of the same state", seconds(ours), seconds(deep),
              f"1/{deep / ours:.0f}", f"≤ 1/{LEAST}", deep >= LEAST * ours),
        Claim("the same without the log", seconds(ours), seconds(without),
              f"1/{without / ours:.0f}"),
        Claim(f"{KEPT} snapshots of a nine-player game", f"{size:.1f} MB", f"{MOST} MB",
              times(size / MOST), "< 1 ×", size < MOST),
    ]  # fmt: skip


def _room() -> int:
    """What the positions of so many decisions in a row take up."""
    game, policy = new_game(9), Advised(SEED)
    for _ in range(KEPT):
        game.decide(0, policy.decide(game, game.pending[0]))
    kept: list[State] = []
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    while len(kept) < KEPT:
        kept.append(game.snapshot())
        game.decide(0, policy.decide(game, game.pending[0]))
    game = new_game(9)
    used = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return used
