"""Bots play whole games of Seven Ages with no optional rule, with each alone, and with all that may
be combined, and nothing is ever lost or there twice."""

import pytest

from tests.runtime.laws import Laws
from tests.sampling import sampled
from tests.stacks import compiled, linked
from ziggurat.runtime.bots.policies import Advised, Random, play
from ziggurat.runtime.game.game import start

SIZES = (2, 3, 4, 5)
ANSWERS = 60_000
Options = dict[str, bool | int | str]
SECRET = "secret_victory"  # optional rule 11 is a pack
ALONE: dict[str, Options] = {
    "common units off": {"common_units": False},
    "fog off": {"fog_of_war": False},
    "first empire": {"total_history": "first empire"},
    "a card for everybody": {"total_history": "a card for everybody"},
    "deck cut": {"deck_cut": 5},
    "redemption": {"redemption": True},
    "enhanced start": {"enhanced_start": True},
    "enhanced play": {"enhanced_play": "deluxe"},
    "pursuit": {"pursuit": True},
    "technology": {"technology": True},
    "take that": {"take_that": "in range, green ones on one's own"},
    "cadenced progress": {"cadenced_progress": True},
    "neutral kingdoms": {"neutral_kingdoms": True},
    SECRET: {"glory_markers": 120},
    "deus vult": {"deus_vult": True},
}
SETTINGS = {
    "off": {},
    **ALONE,
    "on": {
        name: value
        for setting in ALONE
        if not setting.endswith(" off")
        for name, value in ALONE[setting].items()
    },
    "other readings": {
        "leader_effects": "count once",
        "adopting": "its ages, too",
        "revolt": "religions first",
        "vanished_forest": "no forest",
        "wild_cards": "all",
        "last_words": "each player",
        "godless": "yes",
    },
}
CASES = [(setting, players) for setting in SETTINGS for players in SIZES]


def play_to_its_end(setting: str, players: int, seed: int) -> None:
    options = SETTINGS[setting]
    stack = SECRET if "glory_markers" in options else "seven_ages"
    game = start(compiled(stack), players, seed=seed, options=options)
    laws = Laws(game.table)
    bots = (Advised(seed), Random(seed))
    play(game, [bots[(seat + seed) % 2] for seat in range(players)], ANSWERS, laws.hold)
    assert game.over
    assert len(game.ranking()) == players


@pytest.mark.parametrize("case", sampled(CASES, 40))
def test_games_with_it_come_to_an_end(case: tuple[str, int]) -> None:
    play_to_its_end(*case, seed=1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 12))
@pytest.mark.parametrize("case", CASES, ids=str)
def test_many_games_with_it_come_to_an_end(case: tuple[str, int], seed: int) -> None:
    play_to_its_end(*case, seed)


def test_all_optional_rules_are_played() -> None:
    """Every option is in a setting, but for those about the end and about latecomers."""
    numbers = {"last_age", "last_turn", "last_glory", "latecomers", "join_turn"}
    tried = {name for options in SETTINGS.values() for name in options}
    assert tried == set(linked(SECRET).options) - numbers
