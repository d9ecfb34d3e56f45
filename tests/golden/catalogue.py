"""Which games are golden. To add one, add a line here and run `python -m tests.golden.record`.

Those that are `awaited` are golden as soon as `python -m tests.baseline games` has recorded them.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

GAMES = Path(__file__).parent / "games"
PACKS = (str(Path(__file__).parents[1] / "packs"),)


@attrs.frozen
class Golden:
    """A game that is played again and again: its rules, players, seed, bots and options.

    `otherwise` turns every yes-or-no option round: all the readings that are not the default.
    """

    stack: str
    players: int
    seed: int = 1
    policy: str = "advised"
    options: tuple[tuple[str, Any], ...] = ()
    packs: tuple[str, ...] = ()
    otherwise: bool = False

    @property
    def name(self) -> str:
        policy = "" if self.policy == "advised" else f"-{self.policy}"
        other = "-otherwise" if self.otherwise else ""
        return f"{self.stack.replace('+', '-')}-{self.players}{policy}{other}-{self.seed}"

    @property
    def path(self) -> Path:
        return GAMES / f"{self.name}.txt.gz"


SIZES = (5, 6, 7, 8, 9)
STACKS = (
    "west",
    "east",
    "west+expert",
    "east+expert",
    "west+short_game",
    "east+short_game_east",
    "west+expert+short_game",
    "east+expert+short_game_east",
)
LAST_TURN = (("last_turn", 15),)


def _all() -> Iterator[Golden]:
    for number, stack in enumerate(STACKS):
        for players in SIZES:
            yield Golden(stack, players, seed=10 * number + players)
    for number, stack in enumerate(STACKS[:2]):
        for players in SIZES:
            # Random players come to places where sensible ones never go, but to no end.
            yield Golden(stack, players, 100 + 10 * number + players, "random", LAST_TURN)
            yield Golden(stack, players, 120 + 10 * number + players, otherwise=True)
    for number, stack in enumerate(STACKS[2:]):
        yield Golden(stack, 5 + number % 5, 140 + number, "random", LAST_TURN)
    yield Golden("west+special_buildings", 7, 187)
    yield Golden("west+special_buildings", 9, 189, otherwise=True)
    yield Golden("west+special_buildings", 6, 186, "random", LAST_TURN)
    yield Golden("west+expert+short_game+special_buildings", 5, 185)
    yield Golden("mega+special_buildings", 12, 192)
    # Both boards: one deck, two blocks without and with Minors; other readings and the variants.
    for players in (10, 12, 15, 18):
        yield Golden("mega", players, 150 + players)
    yield Golden("mega", 13, 173, otherwise=True)
    yield Golden("mega", 16, 176, "random", (("last_turn", 8),))
    yield Golden("mega+expert+short_game", 17, 177)
    # The Expansion Project: one deck, two blocks, and all the other readings.
    yield Golden("expansion_project", 6, 306)
    yield Golden("expansion_project", 12, 312)
    yield Golden("expansion_project", 8, 308, otherwise=True)
    # Three and four, with each variant of both editions.
    for number, stack in enumerate(STACKS):
        edition, *variants = stack.split("+")
        small = "+".join([edition, *variants, "few_players"])
        for players in (3, 4):
            yield Golden(small, players, 200 + 10 * number + players)
        yield Golden(small, 3 + number % 2, 290 + number, "random", LAST_TURN)
    for number, edition in enumerate(("west", "east")):
        yield Golden(f"{edition}+few_players", 4 - number, 300 + number, otherwise=True)


def awaited() -> Iterator[Golden]:
    """Yield games of stacks that have few golden games or none."""
    for number, stack in enumerate(("seven_ages", "seven_ages+secret_victory")):
        for players in (3, 5):
            yield Golden(stack, players, 400 + 10 * number + players)
        yield Golden(stack, 4, 404 + 10 * number, "random", (("last_glory", 10),))
    for players in (5, 7, 9):
        yield Golden("expansion_project", players, 420 + players)
    yield Golden("expansion_project", 6, 436, "random", (("last_turn", 8),))
    for number, (stack, players) in enumerate(
        (("marches", 2), ("race", 3), ("clans", 2), ("inner_sea", 3))
    ):
        yield Golden(stack, players, 440 + number, packs=PACKS)
        yield Golden(stack, players, 450 + number, "random", packs=PACKS)


CATALOGUE = (*_all(), *(golden for golden in awaited() if golden.path.exists()))
