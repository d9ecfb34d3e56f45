"""West against East, row by row: each known difference is shown, and nothing else is.

The rows are those of the comparison of the two rulebooks (`spec.json`): S (another outcome), A (a
rule only one edition has) and D (data); there is no P, all default numbers are equal. A row names
the paths at which the difference of the linked rulesets shows it.
"""

import json
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

from tests.stacks import linked
from ziggurat.dsl.comparing.arrangement import arrange
from ziggurat.dsl.comparing.names import Reading
from ziggurat.dsl.diff import Difference, diff
from ziggurat.proving.behaviour import Pair
from ziggurat.proving.behaviour.boards import boards
from ziggurat.runtime.kernel import Lit, Scenario

ROWS = json.loads((Path(__file__).parent / "spec.json").read_text(encoding="utf-8"))["differences"]
SHOWN = {
    "DF-001 A": ["value box_players / base"],
    "DF-003 D": ["area *"],
    "DF-005 D": ["commodity *"],
    "DF-006 D": ["value cards_marked / base"],
    "DF-007 D": ["civilization *", "setup players_? / civilizations"],
    "DF-010 S": ["procedure revolt_overflow / body"],
    "DF-011 S/C": ["value heir_must_take / base", "option heir_may_decline"],
    "DF-020 S": ["value may_build_ship_by_treasury / base"],
    "DF-021 A": ["action scrap"],
    "DF-030 S": [
        "order attack_order / key attacker",
        "order attack_order / key pirates",
        "option pirate_cities_last",
    ],
    "DF-031 S/C": ["value failed_attackers_stay / base", "option failed_attackers_go_at_once"],
    "DF-033 A": ["value surplus_must_wait / base", "option early_surplus"],
    "DF-041 A": ["custom silence", "custom empty_stacks", "custom open_numbers"],
    "DF-043 S": ["value numbers_said / base"],
    "DF-044 A": ["custom no_units_in_trade"],
    "DF-045 S": ["value closing_rounds / base"],
    "DF-047 A": ["custom good_faith", "custom covered_deals"],
    "DF-050 S": ["value most_treasury / base", "option treasury_is_not_overpaid"],
    "DF-054 S/C": ["value all_markers_move / base", "option end_at_once"],
    "DF-05a A": [
        "value counts_in_selection / base",
        "value only_hit_cities",
        "option idle_calamities_do_not_count",
    ],
    "DF-060 S": [
        "rule last_point",
        "procedure leave_four_tokens",
        "value one_is_left",
        "value beyond_tokens",
        "value whole_cities",
        "value roomy_cities",
    ],
    "DF-061 D": ["volcano *"],
    "DF-062 S": ["procedure treachery_overflow / body"],
    "DF-063 S/C": ["value priority_of_fit / base", "option break_away_must_fit"],
    "DF-064 S": ["value priority_of_fit / base", "option break_away_must_fit"],
    "DF-070 S": ["value departures_after / base"],
    "DF-071 S": ["value refuges / base"],
    "DF-072 S": ["procedure check_after_departure / body"],
    "DF-073 A": ["procedure give_up / body"],
    "DF-075 A": ["custom no_joining"],
    "DF-076 A": ["value deck_stays_whole / base", "option deck_shrinks"],
}

# Rows whose default readings agree, so that without options a game goes the same way in both. Five
# (011, 031, 054, 063, 064) stand on a sentence that can be read in two ways; the edition that has
# the sentence has the option. In three (033, 05a, 076) West states what East leaves open: West says
# yes, East lets a table choose. The others (041, 044, 047, 075) are about talk and good manners,
# which no program can see to; they stand as a `custom`, which may be read out before the game.
ALIKE_BY_DEFAULT = "011 031 033 041 044 047 054 05a 063 064 075 076"

# Everything else that differs.
EXPLAINED = {
    "flood_plain *": "the flood plains of the two maps (DF-003)",
    "region *": "the regions of the two maps (DF-003)",
    "value census_box / base": "the printed track, read only by an option (DF-008, Q-09)",
    "option military_by_ranking": "a caption that only East prints (Q-10)",
    "rule military_caption": "what that option does (Q-10)",
    "option revolt_victim_picks": "a reading of the text only West has (Q-92)",
    "option treachery_victim_picks": "a reading of the text only West has (Q-35)",
    "option surplus_after_departure": "a reading of the text only West has (Q-51)",
}

# Rows whose scenarios go by the tag of the rule.
BY_RULE = {
    "DF-010": "R-1-07",
    "DF-021": "R-3-07",
    "DF-070": "R-L-02",
    "DF-071": "R-L-06",
    "DF-072": "R-L-07",
    "DF-073": "R-L-03",
}

# The commodities of the same stack and number, West and East.
PAIRS = [
    ("ochre", "flax"), ("clay", "hides"), ("papyri", "stone"), ("iron", "furs"),
    ("fish", "timber"), ("fruit", "salt"), ("wool", "cotton"), ("oil", "sugar"),
    ("wine", "lacquer"), ("textiles", "livestock"), ("tin", "silver"), ("copper", "bronze"),
    ("resin", "jade"), ("incense", "spice"), ("marble", "dye"), ("gemstones", "tea"),
    ("ivory", "silk"), ("gold", "pearls"),
]  # fmt: skip


@cache
def editions() -> Difference:
    return diff(linked("west"), linked("east"))


def matching(pattern: str) -> list[str]:
    return [entry.path for entry in editions().entries if fnmatchcase(entry.path, pattern)]


@pytest.mark.parametrize("row", SHOWN)
def test_every_row_is_shown(row: str) -> None:
    assert [pattern for pattern in SHOWN[row] if not matching(pattern)] == []


def test_nothing_is_shown_that_is_not_explained() -> None:
    patterns = [pattern for paths in SHOWN.values() for pattern in paths] + list(EXPLAINED)
    paths = {entry.path for entry in editions().entries}
    known = {path for pattern in patterns for path in matching(pattern)}
    assert sorted(paths - known) == []


def test_no_explanation_is_out_of_date() -> None:
    assert [pattern for pattern in EXPLAINED if not matching(pattern)] == []


def test_the_rows_are_complete() -> None:
    """Every row of the classes S, P, A and D is shown, with its class."""
    meant = [f"{row} {sort}" for row, sort in ROWS.items() if set(sort) & set("SPAD")]
    assert list(SHOWN) == meant


@pytest.mark.parametrize("number", ALIKE_BY_DEFAULT.split())
def test_a_row_that_changes_no_game_by_default_is_told_by_options_or_customs(number: str) -> None:
    """The other side always says yes, or has no such custom."""
    (paths,) = (SHOWN[row] for row in SHOWN if row.split()[0] == f"DF-{number}")
    values = [linked(stack).values for stack in ("west", "east")]
    for path in paths:
        sort, name = path.split()[:2]
        if sort == "value" and path.endswith("/ base"):
            west, east = (page[name].base for page in values)
            plain = [one for one in (west, east) if isinstance(one, Lit)]
            assert len(plain) == 1, path
        else:
            assert sort in ("option", "custom") or path == "value only_hit_cities"


# Of all the rules that differ, these are not felt unless an option is set: the rows above, and
# four that are read by an option or told to players only.
UNFELT_BESIDES = [
    "rule military_caption",
    "option *",
    "value box_players / base",
    "value census_box / base",
    "order attack_order / key pirates",
]


def test_what_is_marked_as_without_effect_by_default_is_so() -> None:
    rows = [row for row in SHOWN if row.split()[0][3:] in ALIKE_BY_DEFAULT.split()]
    patterns = [pattern for row in rows for pattern in SHOWN[row]] + UNFELT_BESIDES
    told = arrange(editions(), linked("west"), linked("east"))
    marked = {
        one.entry.path
        for sentence in told.provisions()
        for one in sentence.told
        if not one.felt and one.entry in editions().entries
    }
    assert marked == {path for pattern in patterns for path in matching(pattern)}


def test_entries_of_one_row_stand_together() -> None:
    told = arrange(editions(), linked("west"), linked("east"))
    sentences = [{one.entry.path for one in each.told} for each in told.provisions()]
    for row, patterns in SHOWN.items():
        if not row.endswith("D") and row.split()[0] not in ("DF-041", "DF-047"):
            paths = {path for pattern in patterns for path in matching(pattern)}
            assert any(paths <= each for each in sentences), row


def test_rules_are_counted_and_told_where_they_belong() -> None:
    told = arrange(editions(), linked("west"), linked("east"))
    assert told.counts()["rules"] == 24
    assert told.data()["areas"] == 338
    homes = {one.title: chapter.title for chapter in told.chapters for one in chapter.provisions}
    assert homes["Scrap a ship"] == "Movement"
    assert homes["The last point of damage"] == "Calamity resolution"
    assert homes["Where people flee to from a region that goes out of play"] == "Leaving the game"
    treachery = "What becomes of betrayed cities that the beneficiary has no pieces for"
    assert homes[treachery] == "Treachery (calamity)"
    ranks = [chapter.title for chapter in told.chapters]
    assert ranks.index("Tax collection") < ranks.index("Movement") < ranks.index("Areas")


def own(stack: str) -> dict[tuple[str, str], str]:
    """The paths of what an edition and the packs of its box (`west_board` …) declare themselves."""
    found = Reading(linked(stack)).subjects
    return {key: one.path for key, one in found.items() if one.at.file.startswith(stack)}


def test_nothing_stands_in_both_editions_with_the_same_meaning() -> None:
    west, east = own("west"), own("east")
    assert len(west) > 100
    assert len(east) > 100
    paths = {entry.path for entry in editions().entries}
    both = [path for key, path in west.items() if key in east]
    assert both
    twice = [p for p in both if not any(q == p or q.startswith(f"{p} / ") for q in paths)]
    assert twice == []


def test_no_scenario_and_no_advice_stands_in_both_editions() -> None:
    def told(stack: str) -> list[object]:
        rules = linked(stack)
        mine = [one for one in rules.scenarios if one.at.file.startswith(stack)]
        said = [one for one in rules.advice if one.at.file.startswith(stack)]
        return [*((one.players, one.options, one.things, one.items) for one in mine), *said]

    west = told("west")
    assert [one for one in told("east") if one in west] == []


def about(stack: str, row: str) -> list[Scenario]:
    """The scenarios with the number of a row, or with the tag of the rule that tells it."""
    number = row.split()[0]
    tags = {number, BY_RULE.get(number, number)}
    return [one for one in linked(stack).scenarios if tags & set(one.meta.tags)]


def of_both(row: str) -> list[tuple[Scenario, Scenario]]:
    east = {one.at: one for one in about("east", row)}
    return [(one, east[one.at]) for one in about("west", row) if one.at in east]


@pytest.mark.parametrize("row", [row for row in SHOWN if not row.endswith("D")])
def test_every_difference_of_rules_has_a_scenario_with_two_outcomes(row: str) -> None:
    """One position in both editions with different checks. Where the default readings agree, the
    second outcome is that of the option; an act only one edition knows has a scenario in each."""
    if row.startswith("DF-021"):
        assert about("west", row)
        assert about("east", row)
        return
    assert of_both(row)
    two = [west for west, east in of_both(row) if west.items != east.items]
    if row.split()[0].removeprefix("DF-") in ALIKE_BY_DEFAULT.split():
        otherwise = {path.removeprefix("option ") for path in SHOWN[row]}
        two += [
            one
            for stack in ("west", "east")
            for one in about(stack, row)
            if any(name in otherwise for name, _ in one.options)
        ]
    assert two


def test_games_of_both_editions_go_on_together_on_one_board() -> None:
    """A hundred answers, beyond the choice of a civilization, before any rule parts them."""
    western, eastern = boards(linked("west"), linked("east"))
    assert (western.of, eastern.of) == ("west", "east")
    assert western.kinds == ("area", "region", "flood_plain", "volcano", "civilization", "setup")
    assert Pair(western.old, western.new).play(seed=0, players=5, limit=100) is None


def test_commodities_are_the_same_under_other_names() -> None:
    renamed = [
        (entry.old.words.split()[1], entry.new.words.split()[1])
        for entry in editions().entries
        if entry.change == "renamed" and entry.old and entry.new
    ]
    assert renamed == PAIRS


def test_both_sides_of_a_changed_rule_have_a_place_and_a_citation() -> None:
    for entry in editions().entries:
        if entry.change == "changed" and not entry.path.startswith("area "):
            for side in (entry.old, entry.new):
                assert side is not None
                assert side.at.file, entry.path
                assert side.cites, entry.path


def test_the_difference_seen_from_the_east() -> None:
    mirrored = diff(linked("east"), linked("west"))
    assert set(mirrored.entries) == set(editions().mirrored().entries)


@pytest.mark.parametrize("stack", ["west", "east"])
def test_an_edition_does_not_differ_from_itself(stack: str) -> None:
    assert not diff(linked(stack), linked(stack))
