"""The Expansion Project against its chapter of the specification, and in play."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from statistics import mean

import pytest

from tests.content.test_data import FACTS, things
from tests.stacks import linked
from ziggurat.dsl.packs import BUILT_IN, Search, resolve_stack
from ziggurat.proving.coverage import tagged
from ziggurat.runtime.bots.policies import Advised, play
from ziggurat.runtime.game.game import start
from ziggurat.runtime.saves.cache import load_program
from ziggurat.studio.cli import main

STACK = "expansion_project"
ANSWERS = 60_000
IDS = set(
    json.loads((Path(__file__).parent / "spec.json").read_text(encoding="utf-8"))["expansion_rules"]
)


def test_every_id_has_a_scenario() -> None:
    tags = {tag for scenario in linked(STACK).scenarios for tag in scenario.meta.tags}
    assert tags >= IDS


def test_every_id_stands_beside_a_rule() -> None:
    """Not those of worked examples."""
    rules = {id_ for id_ in IDS if not id_.startswith("XT-")}
    assert rules <= tagged(linked(STACK)).keys()


def test_tags_are_ids_of_the_specification() -> None:
    ruleset = linked(STACK)
    tags = {tag for scenario in ruleset.scenarios for tag in scenario.meta.tags}
    assert {tag for tag in tags | tagged(ruleset).keys() if tag.startswith("X")} <= IDS


# ---- advances


def test_the_cards_are_those_of_the_table() -> None:
    advances = things(STACK, "advance")
    found = {
        name: {
            "cost": advance["cost"],
            "groups": sorted(advance["groups"]),
            "credits": dict(advance["credits"]),
            "special": dict(advance["special"]),
        }
        for name, advance in advances.items()
    }
    table = {
        name: row | {"groups": sorted(row["groups"])}
        for name, row in FACTS["expansion_advances"].items()
    }
    assert found == table


def test_cards_cost_less_than_100_and_than_200_by_thirds() -> None:
    costs = [advance["cost"] for advance in things(STACK, "advance").values()]
    low = [cost for cost in costs if cost < 100]
    high = [cost for cost in costs if cost > 200]
    assert (len(low), len(costs) - len(low) - len(high), len(high)) == (17, 17, 17)


# ---- refusals


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ("west", "a game of its own"),
        ("east", "a game of its own"),
        ("mega", "a game of its own"),
        ("expert", "five epochs"),
        ("short_game", "no rules for a short game"),
        ("short_game_east", "a game of its own"),
        ("special_buildings", "Western Empires"),
        ("few_players", "five players and more"),
    ],
)
def test_packs_that_make_no_sense_on_it_are_refused(other: str, reason: str) -> None:
    for text in (f"{STACK}+{other}", f"{other}+{STACK}"):
        stack, findings = resolve_stack(text, Search((BUILT_IN,)))
        assert stack is None
        assert {finding.code for finding in findings} == {"Z023"}
        assert any(reason in finding.message for finding in findings)


# ---- asking


def test_a_wrong_question_is_told_without_all_that_the_pack_takes_away(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["explain", STACK, "no_such_value"]) == 2
    said = capsys.readouterr()
    assert "Nothing called `no_such_value` is known here." in said.out + said.err
    assert "Z414" not in said.out + said.err


# ---- play


def shares(players: int, seeds: Iterable[int]) -> list[float]:
    """Of each game, what the last has of the winner's points. They are played with sense: all end,
    and on average everybody builds, trades and buys, and winners hold advances."""
    program, findings = load_program(STACK, Search((BUILT_IN,)))
    assert program is not None, findings
    found = []
    deeds: list[int] = []
    learned: list[int] = []
    for seed in seeds:
        game = start(program, players, seed=seed)
        play(game, Advised(seed), ANSWERS)
        assert game.over
        done = Counter(str(event[2]) for event in game.state.events() if event[0] == "act")
        deeds.append(min(done["build_city"], done["agree"], done["buy"]))
        ranked = [game.value("victory_points", player) for player in game.ranking()]
        learned.append(game.value("advances_held", game.ranking()[0]))
        found.append(ranked[-1] / ranked[0])
    assert mean(deeds) >= 5 * players
    assert mean(learned) >= 12
    return found


def test_sensible_players_build_trade_learn_and_come_to_the_end() -> None:
    assert mean(shares(5, range(101, 103))) > 0.4


@pytest.mark.slow
@pytest.mark.parametrize("players", [5, 8, 12, 16, 18])
def test_the_last_has_half_of_what_the_winner_has(players: int) -> None:
    assert mean(shares(players, range(101, 151))) >= 0.5
