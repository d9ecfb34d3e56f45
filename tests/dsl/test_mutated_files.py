"""Files of packs with slips in them: nothing but findings comes of linking and playing them.

60 files are tried each time, 25,000 with `-m soak`.
"""

import random
from contextlib import suppress
from pathlib import Path

import pytest

from tests.dsl.test_fuzz import vocabulary
from ziggurat.dsl.codes import all_codes
from ziggurat.dsl.packs import Search
from ziggurat.dsl.workspace import Workspace
from ziggurat.runtime.bots.policies import Random
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.kernel.errors import RulesError
from ziggurat.runtime.programs import compile_ruleset

PACKS = Path(__file__).parents[1] / "packs"
SMALL = ("race", "clans", "marches")  # games that are linked in a moment
ANSWERS = 30


def slips(text: str, chance: random.Random) -> str:
    """Return a text with some words left out, put twice, exchanged or replaced by others."""
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(text))
        upto = min(len(text), at + chance.choice([0, 1, 2, 5, 20, 80]))
        other = chance.randrange(len(text))
        slip = chance.choice(
            ["", "", f" {chance.choice(vocabulary())} ", text[other : other + upto - at]]
        )
        text = text[:at] + slip + text[upto:]
    return text


def play_a_little(game: Game, seed: int) -> None:
    bot = Random(seed)
    for _ in range(ANSWERS):
        if not game.pending:
            return
        game.decide(0, bot.decide(game, game.pending[0]))


class Mutating:
    """Small packs that stay loaded while their files get slips."""

    def __init__(self) -> None:
        search = Search.default([PACKS])
        self.workspaces = {stack: Workspace(stack, search) for stack in SMALL}
        for workspace in self.workspaces.values():
            workspace.load()
        self.sound = 0

    def mutate(self, seed: int) -> None:
        """Load a pack with slips in a file, and play it if nothing is wrong with it."""
        chance = random.Random(seed)
        stack = chance.choice(SMALL)
        path = chance.choice(sorted((PACKS / stack).rglob("*.rules")))
        name = f"{stack}/{path.relative_to(PACKS / stack).as_posix()}"
        text = slips(path.read_text(encoding="utf-8"), chance)
        result = self.workspaces[stack].with_texts({name: text})
        for finding in result.diagnostics:
            assert finding.code in all_codes()
            assert finding.span is not None
        assert result.ruleset is not None or any(one.is_error for one in result.diagnostics)
        if result.ruleset is None:
            return
        self.sound += 1
        with suppress(RulesError):
            play_a_little(start(compile_ruleset(result.ruleset), seed=seed), seed)


def mutate_all(seeds: range) -> None:
    mutating = Mutating()
    for seed in seeds:
        try:
            mutating.mutate(seed)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error!r}") from error
    assert mutating.sound > len(seeds) // 100


def test_mutated_files() -> None:
    mutate_all(range(60))


@pytest.mark.soak
def test_twenty_five_thousand_mutated_files() -> None:
    mutate_all(range(25_000))
