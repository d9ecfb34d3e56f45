"""What people add with data alone: a board of their own on core, a civilization on an edition."""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.runtime.laws import Laws
from tests.sampling import slow
from ziggurat.dsl.loading import load
from ziggurat.dsl.packs import BUILT_IN, Search
from ziggurat.runtime.bots.policies import Advised, Random, play
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.saves.cache import load_program
from ziggurat.studio.cli import main

PACKS = Path(__file__).parents[1] / "packs"
SEARCH = Search.default([PACKS])
ANSWERS = 60_000
WORDS_OF_A_BOARD = {"area", "civilization", "commodity", "region"}


@cache
def program(stack: str) -> Program:
    found, findings = load_program(stack, SEARCH)
    assert found is not None, [finding.message for finding in findings]
    return found


def played(stack: str, players: int, policy: str, seed: int) -> Game:
    """A whole game; players that answer at random get nowhere, so theirs has a last turn."""
    options = {"last_turn": 15} if policy == "random" else {}
    game = start(program(stack), players, seed=seed, options=options)
    laws = Laws(game.table)
    bot = Advised(seed) if policy == "advised" else Random(seed)
    play(game, bot, ANSWERS, laws.hold)
    return game


def acts(game: Game) -> Counter[str]:
    return Counter(str(event[2]) for event in game.state.events() if event[0] == "act")


@pytest.mark.parametrize("pack", ["inner_sea", slow("scythia_for_ten")])
def test_they_are_sound(pack: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", pack, "--strict", "--packs", str(PACKS)]) == 0
    assert main(["fmt", str(PACKS / pack), "--check"]) == 0
    assert main(["test", pack, "--packs", str(PACKS)]) == 0
    assert "broken" not in capsys.readouterr().out


# ---- a board of one's own -----------------------------------------------------------------------


def test_a_board_is_a_map_civilizations_and_commodities() -> None:
    ruleset = program("inner_sea").ruleset
    brought = {
        kind: [one for one in page.values() if one.meta.origin == "inner_sea"]
        for kind, page in ruleset.things.items()
    }
    assert {kind for kind, things in brought.items() if things} == WORDS_OF_A_BOARD
    assert len(brought["area"]) == 15
    text = "\n".join(path.read_text("utf-8") for path in (PACKS / "inner_sea").glob("*.rules"))
    begun = {line.split()[0] for line in text.splitlines() if line[:1].isalpha()}
    assert begun == WORDS_OF_A_BOARD


def test_the_rules_are_those_that_core_has_by_default() -> None:
    places = program("inner_sea").ruleset.open_places
    assert len(places) == 24
    assert {place.answer for place in places.values()} == {""}


@pytest.mark.parametrize("seed", [0, slow(1)])
def test_sensible_players_build_trade_learn_and_come_to_the_end(seed: int) -> None:
    game = played("inner_sea", 3, "advised", seed)
    assert game.over
    winner, *_ = game.ranking()
    assert game.value("steps_taken", winner) >= 10, "where a standstill may end it"
    assert game.value("advances_held", winner) >= 10
    done = acts(game)
    assert done["build_city"] >= 15
    assert done["buy"] >= 15
    assert done["agree"] >= 15, "deals"


def test_two_play_with_the_region_of_the_third_out_of_play() -> None:
    game = played("inner_sea", 2, "advised", seed=1)
    assert game.over
    areas = program("inner_sea").ruleset.things["area"]
    idle = {area for area in areas if not game.value("playable", area)} - {"inner_sea"}
    regions = {
        given.value for area in idle for given in areas[area].values if given.field == "region"
    }
    assert len(idle) in (4, 5)
    assert len(regions) == 1


def test_random_players_come_to_the_end() -> None:
    assert played("inner_sea", 3, "random", seed=1).over


def test_a_civilization_without_epochs_has_the_usual_row() -> None:
    game = start(program("inner_sea"), 3, seed=1)
    play(game, Advised(1), limit=4)
    player = game.table.owner_names[game.table.players[0]]
    epochs = program("inner_sea").ruleset.things["epoch"]
    assert [game.value("first_step", player, epoch) for epoch in epochs] == [0, 5, 8, 11, 14, 15]


def test_the_expert_variant_is_played_on_a_new_board() -> None:
    assert load("inner_sea+expert", SEARCH).ruleset is not None


# ---- a tenth civilization -----------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["advised", slow("random")])
def test_ten_play_with_a_tenth_civilization(policy: str) -> None:
    assert program("scythia_for_ten").ruleset.players == (5, 6, 7, 8, 9, 10)
    game = played("scythia_for_ten", 10, policy, seed=10)
    assert game.over
    assert len(game.ranking()) == 10


def test_games_of_fewer_stay_as_they_are() -> None:
    """Its region is out of play; nobody meets anything new."""
    with_it = played("scythia_for_ten", 5, "advised", seed=5)
    found, _ = load_program("west", Search((BUILT_IN,)))
    assert found is not None
    without = start(found, 5, seed=5)
    play(without, Advised(5), ANSWERS)
    points = [
        [(p, game.value("victory_points", p)) for p in game.ranking()]
        for game in (with_it, without)
    ]
    assert points[0] == points[1]


@pytest.mark.slow
def test_it_joins_the_combined_game_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "mega+scythia", "--strict", "--packs", str(PACKS)]) == 0
    assert "clean" in capsys.readouterr().out
    game = played("mega+scythia", 16, "advised", seed=16)
    assert game.over
    seats = [game.table.owner_names[owner] for owner in game.table.players]
    assert any("oxus" in game.value("homeland", seat) for seat in seats)


def test_it_joins_the_expansion_project_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    """Where a sea and an epoch that it speaks of are gone, it goes without them."""
    for stack in ("expansion_project+scythia", "scythia_among_nations"):
        assert main(["check", stack, "--strict", "--packs", str(PACKS)]) == 0
        assert "clean" in capsys.readouterr().out
    game = played("scythia_among_nations", 9, "advised", seed=9)
    assert game.over
    seats = [game.table.owner_names[owner] for owner in game.table.players]
    scythia = next(seat for seat in seats if "oxus" in game.value("homeland", seat))
    assert game.value("steps_taken", scythia) >= 8
    assert game.value("advances_held", scythia) >= 4
