"""The small table against its chapter of the specification, and beside games of five and more."""

import pytest

from tests.golden.catalogue import Golden
from tests.golden.games import Replay, read
from tests.stacks import linked
from ziggurat.proving.coverage import tagged

STACKS = ("west+few_players", "east+few_players", "west+expert+few_players")
SHORT = ("west+short_game+few_players", "east+short_game_east+few_players")
RULES = {f"F-{number}" for number in range(1, 13)} | {"Q-133"}

# What is so because nothing says otherwise has a scenario, but stands beside no rule.
NO_RULE = {
    "F-10": "the limit of calamities is that of five players",
    "F-11": "the rows of the A.S.T. are those of the table for nine",
}


def test_every_id_has_a_scenario() -> None:
    scenarios = [one for stack in (*STACKS, *SHORT) for one in linked(stack).scenarios]
    tags = {tag for scenario in scenarios for tag in scenario.meta.tags}
    assert RULES - tags == set()


def test_every_id_stands_beside_a_rule() -> None:
    tags = {tag for stack in (*STACKS, *SHORT) for tag in tagged(linked(stack))}
    assert RULES - tags == set(NO_RULE)


@pytest.mark.parametrize("stack", STACKS)
def test_every_option_is_played_otherwise_in_a_scenario(stack: str) -> None:
    ruleset = linked(stack)
    played = {option for one in ruleset.scenarios for option in one.options}
    own = [one for one in ruleset.options.values() if one.at.file.startswith("few_players/")]
    assert len(own) == 6
    assert all((option.id, not option.default) in played for option in own)


@pytest.mark.parametrize("stack", STACKS)
def test_who_may_play(stack: str) -> None:
    assert linked(stack).players == (3, 4, 5, 6, 7, 8, 9)


@pytest.mark.parametrize("recorded", [Golden("west", 5, 5), Golden("east", 5, 15)])
def test_five_players_play_as_ever(recorded: Golden) -> None:
    """The same answers lead to the same game, position by position."""
    small = Golden(f"{recorded.stack}+few_players", recorded.players, recorded.seed)
    Replay(small, read(recorded)).run()
