"""What advised players do in positions where they once did something silly."""

from functools import cache
from pathlib import Path

import pytest

from ziggurat.dsl.loading import load
from ziggurat.dsl.packs import Search
from ziggurat.proving.set_up import start_at
from ziggurat.runtime.bots.policies import Advised
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.programs import compile_ruleset
from ziggurat.studio.cli import main

PACKS = Path(__file__).parents[1] / "packs"


@cache
def positions() -> Program:
    ruleset = load("positions", Search.default([PACKS])).ruleset
    assert ruleset is not None
    return compile_ruleset(ruleset)


def done(title: str, seed: int) -> list[str]:
    """What red does who is advised, from what the scenario gives to the end of its phase."""
    game = start_at(positions(), f"{title}@given", seed)
    phase = game.pending[0].phase
    bot = Advised(seed)
    while game.pending and game.pending[0].phase == phase:
        game.decide(0, bot.decide(game, game.pending[0]))
    return acts(game)


def acts(game: Game) -> list[str]:
    return [str(event[2]) for event in game.state.events() if event[0] == "act"]


def test_the_positions_can_be_played_as_people_would(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "positions", "--strict", "--packs", str(PACKS)]) == 0
    assert main(["test", "positions", "--packs", str(PACKS)]) == 0
    assert "broken" not in capsys.readouterr().out


@pytest.mark.parametrize("seed", range(3))
def test_ships_take_aboard_whoever_waits_in_a_port_they_pass(seed: int) -> None:
    found = done("A ship passes a port where people wait", seed)
    assert found[2:6] == ["embark", "sail_to", "embark", "sail_to"]


@pytest.mark.parametrize("seed", range(3))
def test_the_poor_buy_the_cheapest_when_their_marker_would_stop(seed: int) -> None:
    assert done("The poor buy the cheapest at the threshold", seed) == ["pick_up", "buy"]


@pytest.mark.parametrize("seed", range(3))
def test_a_card_stands_in_where_the_sets_do_not_suffice(seed: int) -> None:
    found = done("A card stands in where the sets do not suffice", seed)
    assert found == ["pick_up", "buy"]
