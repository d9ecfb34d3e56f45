"""From an answer to the next decision: how long it takes, and how much of it is done again."""

from statistics import median
from time import process_time
from typing import Any

from benchmarks.measure import Claim, seconds, undisturbed
from benchmarks.positions import SEED, new_game
from ziggurat.runtime.bots.policies import Advised
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.state import State

GAMES = 3
MANY = 20_000
SHARE = 0.25


def trips(seed: int) -> list[float]:
    """The time of every round trip of a game of nine."""
    game, policy = new_game(9, seed), Advised(seed)
    found = []
    with undisturbed():
        while game.pending:
            answer = policy.decide(game, game.pending[0])
            start = process_time()
            game.decide(0, answer)
            found.append(process_time() - start)
    return found


def again(seed: int) -> float:
    """The share of the time in which steps run that have run before, up to the last answer."""
    game, policy = new_game(9, seed), Advised(seed)
    run = game.run
    call = run.call
    spent = 0.0

    def watched(state: State, key: tuple[Any, ...], args: tuple[Any, ...]) -> Any:
        nonlocal spent
        if not state.answers or key[0] == "advice":
            return call(state, key, args)
        start = process_time()
        try:
            return call(state, key, args)
        finally:
            spent += process_time() - start

    run.call = watched  # type: ignore[method-assign]
    whole = _play(game, policy)
    return spent / whole


def _play(game: Game, policy: Advised) -> float:
    whole = 0.0
    with undisturbed():
        while game.pending:
            answer = policy.decide(game, game.pending[0])
            start = process_time()
            game.decide(0, answer)
            whole += process_time() - start
    return whole


def decisions() -> list[Claim]:
    found = sorted(time for number in range(GAMES) for time in trips(SEED + number))
    rate = len(found) / sum(found)
    share = again(SEED)
    worst = found[len(found) * 99 // 100]
    what = f"round trip of a decision in a nine-player game ({len(found)} decisions)"
    return [
        Claim(f"{what}: median", seconds(median(found))),
        Claim(f"{what}: 99th percentile", seconds(worst)),
        Claim("steps run again, of all that time", f"{share:.1%}", "", "", "< 25 %", share < SHARE),
        Claim("decisions a second", f"{rate:,.0f}", f"{MANY:,}", f"{rate / MANY:.2f} ×", "≥ 1 ×",
              rate >= MANY),
    ]  # fmt: skip
