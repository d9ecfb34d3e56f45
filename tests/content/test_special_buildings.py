"""Special Buildings against its chapter of the specification: its ids, what it changes row by row,
whole games.

A row of its table of effects on the base rules names the paths at which the difference between
`west` and `west+special_buildings` shows it.
"""

from collections import Counter
from fnmatch import fnmatchcase
from functools import cache

import pytest

from tests.content.test_whole_games import ends_properly, program
from tests.sampling import slow
from tests.stacks import linked
from ziggurat.dsl.diff import Difference, diff
from ziggurat.proving.coverage import tagged
from ziggurat.runtime.bots.policies import Advised, play
from ziggurat.runtime.game.game import start
from ziggurat.runtime.kernel import Scenario

STACK = "west+special_buildings"
COMBINED = "mega+special_buildings"
RULES = {f"SB-{number:02}" for number in range(1, 31)} | {"C-regression-4", "M-10"}
QUESTIONS = {f"Q-{n}" for n in (70, 71, 72, 73, 77, 78, 79, 80, 104, 105, 106, 130)}

SHOWN = {
    "SBΔ-1": [
        "phase advances_acquisition / stage ?",
        "action claim_priority",
        "action settle / needs *",
        "action buy / needs *",
        "procedure serve",
        "value can_be_served",
        "value concerned",
        "value contested",
        "attribute table.claiming",
        "attribute player.claims",
        "option priority_claims",
    ],
    "SBΔ-2": ["rule change_for_treasury"],
    "SBΔ-3": ["rule special_buildings_feed", "value fertile", "option building_feeds_shared_areas"],
    "SBΔ-4": ["procedure fall_back / step avert", "procedure fall_back / body", "value may_avert"],
    "SBΔ-5": ["rule buildings_count", "value building_points", "value scores", "option points_*"],
    "SBΔ-6": ["rule buildings_count", "value holds_own"],
    "SBΔ-7": [
        "procedure leave_game / step their_building",
        "procedure leave_game / body",
        "option building_of_leaver_stays",
    ],
    "SBΔ-8": [
        "rule sacrificed_for_points",
        "value raised_worth",
        "value set_size",
        "value laid_of",
        "value gain",
        "value incomplete",
        "value raise_adds",
        "value raised_gain",
        "value raise_counts",
        "value set_with",
        "bundle player.purchase / raised",
        "procedure lay_best / *",
        "action raise_set",
    ],
    "SBΔ-9": [
        "rule building_in_the_cart",
        "action choose_building",
        "action leave_building",
        "action offer_building",
        "action keep_building",
        "bundle player.purchase / building",
        "bundle player.purchase / offering",
        "bundle player.purchase / given_up",
        "procedure settle_cart / *",
        "procedure settle_wish",
        "procedure construct",
        "procedure place_building",
        "procedure give_up_offering",
        "value pledged",
        "value sacrificable",
        "value available",
        "value may_build",
        "value region_free",
        "value sites",
        "value towns_at_home",
        "value *building_price",
        "value epoch_of",
        "value *_bill",
        "value affords_building",
        "value mixed_*",
        "value bill_without_building",
        "value taken_off_building",
        "epoch * / building_price",
        "kind epoch / field building_price",
        "option stone_age_price",
        "option building_needs_advance",
        "option mining_pays_for_buildings",
        "option library_lowers_buildings",
    ],
    "SBΔ-10": [
        "procedure check_after_sacrifice",
        "procedure sacrifice",
        "option everybody_checks_after_sacrifice",
        "option check_after_regression",
    ],
    "SBΔ-11": ["rule special_buildings_feed"],
}

# What there is now that the base rules had not: the buildings, where they stand, who has them.
COMPONENTS = [
    "kind special_building",
    "special_building *",
    "attribute area.special_building",
    "attribute area.new_building",
    "attribute player.sacrificed",
    "value in_game",
    "value in_supply",
    "value site_of",
    "value supply",
    "value home_block",
    "value returns_to",
    "value owned",
    "value controls",
    "value contenders",
    "value outnumbers",
    "option token_majority",
    "procedure return_building",
    "mark special_buildings",
]
# What only bots ask.
ADVICE = [
    "rule buildings_are_dear",
    "value spare_time",
    "value charm",
    "value best_gain",
    "value worth_giving_up",
    "value idle_order",
    "value hurries",
]


@cache
def difference() -> Difference:
    return diff(linked("west"), linked(STACK))


def matching(pattern: str) -> list[str]:
    return [entry.path for entry in difference().entries if fnmatchcase(entry.path, pattern)]


@pytest.mark.parametrize("row", SHOWN)
def test_every_row_is_shown(row: str) -> None:
    assert [pattern for pattern in SHOWN[row] if not matching(pattern)] == []


def test_the_rows_are_complete() -> None:
    assert list(SHOWN) == [f"SBΔ-{number}" for number in range(1, 12)]


def test_nothing_is_shown_that_is_not_in_a_row() -> None:
    patterns = [pattern for paths in SHOWN.values() for pattern in paths] + COMPONENTS + ADVICE
    assert [pattern for pattern in patterns if not matching(pattern)] == []
    paths = {entry.path for entry in difference().entries}
    assert sorted(paths - {path for pattern in patterns for path in matching(pattern)}) == []


def own(stack: str) -> list[Scenario]:
    return [one for one in linked(stack).scenarios if one.at.file.startswith("special_buildings/")]


def test_every_id_has_a_scenario() -> None:
    named = {tag for stack in (STACK, COMBINED) for one in own(stack) for tag in one.meta.tags}
    assert (RULES | QUESTIONS) - named == set()


def test_every_id_stands_beside_a_rule() -> None:
    assert (RULES | QUESTIONS) - set(tagged(linked(COMBINED))) == set()


def test_every_question_is_declared_with_its_readings() -> None:
    declared = linked(COMBINED).questions
    assert declared.keys() >= QUESTIONS
    assert all(len(declared[id_].readings) > 1 for id_ in QUESTIONS)


@pytest.mark.parametrize(("stack", "number"), [(STACK, 11), (COMBINED, 13)])
def test_every_option_is_played_otherwise(stack: str, number: int) -> None:
    options = linked(stack).options.values()
    mine = {one.id: one.default for one in options if one.at.file.startswith("special_buildings/")}
    played = {id_ for one in own(stack) for id_, value in one.options if mine.get(id_) != value}
    assert len(mine) == number
    assert mine.keys() - played == set()


@pytest.mark.parametrize("players", [5, *(slow(players) for players in (6, 7, 8, 9))])
def test_games_of_every_size(players: int) -> None:
    ends_properly(STACK, players, "advised", seed=players)


@pytest.mark.parametrize(
    ("stack", "policy", "players"),
    [
        slow(STACK, "random", 5),
        slow(STACK, "mixed", 8),
        slow("west+expert+special_buildings", "advised", 7),
        slow("west+short_game+special_buildings", "advised", 6),
        ("west+short_game+special_buildings", "random", 9),
        slow("west+expert+short_game+special_buildings", "mixed", 5),
        slow(COMBINED, "advised", 10),
        (COMBINED, "mixed", 12),
        slow("mega+expert+special_buildings", "advised", 15),
        slow("mega+short_game+special_buildings", "advised", 18),
    ],
)
def test_games_with_other_variants(stack: str, policy: str, players: int) -> None:
    ends_properly(stack, players, policy, seed=20 + players)


def test_bots_build_claim_and_give_up() -> None:
    done: Counter[str] = Counter()
    for seed in (1, 5):
        game = start(program(STACK), 7, seed=seed)
        play(game, Advised(seed))
        done.update(event[2] for event in game.state.events() if event[0] == "act")
    assert done["choose_building"] >= 14  # one for each, at least
    assert done["claim_priority"] > 0
    assert done["offer_building"] > 0
