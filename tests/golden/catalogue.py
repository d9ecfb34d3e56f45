"""Which games are golden. To add one, add a line here and run `python -m tests.golden.record`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

GAMES = Path(__file__).parent / "games"


@attrs.frozen
class Golden:
    """A game that is played again and again: its rules, players, seed, bots and options."""

    stack: str
    players: int
    seed: int = 1
    policy: str = "advised"
    options: tuple[tuple[str, Any], ...] = ()
    packs: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        policy = "" if self.policy == "advised" else f"-{self.policy}"
        return f"{self.stack.replace('+', '-')}-{self.players}{policy}-{self.seed}"

    @property
    def path(self) -> Path:
        return GAMES / f"{self.name}.txt.gz"


def _all() -> Iterator[Golden]:
    for players in (5, 6, 7, 8, 9):
        yield Golden("west", players, seed=players)
        yield Golden("east", players, seed=players + 10)
    yield Golden("west+expert", 6, seed=31)
    yield Golden("west+short_game", 7, seed=41)
    # Random players come to places where sensible ones never go.
    yield Golden("west", 7, seed=51, policy="random", options=(("last_turn", 15),))


CATALOGUE = tuple(_all())
