"""West against East, row by row: each known difference is shown, and nothing else is.

The rows are those of the comparison of the two rulebooks: S (another outcome), A (a rule only one
edition has) and D (data); there is no P, all default numbers are equal. A row names the paths at
which the difference of the linked rulesets shows it.
"""

from fnmatch import fnmatchcase
from functools import cache

import pytest

from dsl.diff import Difference, diff
from dsl.ir import Ruleset
from dsl.loading import load

SHOWN = {
    "DF-003 D": ["area *"],
    "DF-005 D": ["commodity *"],
    "DF-007 D": ["civilization *", "setup players_? / civilizations"],
    "DF-010 S": ["procedure revolt_overflow / body"],
    "DF-020 S": ["value may_build_ship_by_treasury / base"],
    "DF-021 A": ["action scrap"],
    "DF-030 S": ["order attack_order / key attacker"],
    "DF-043 S": ["value numbers_said / base"],
    "DF-045 S": ["value closing_rounds / base"],
    "DF-050 S": ["value most_treasury / base"],
    "DF-060 S": ["rule last_point", "attribute table.odd_point"],
    "DF-061 D": ["volcano *"],
    "DF-062 S": ["procedure treachery_overflow / body"],
    "DF-063 S/C": ["value priority_of_fit / base"],
    "DF-064 S": ["value priority_of_fit / base"],
    "DF-070 S": ["value departures_after / base"],
    "DF-071 S": ["value refuges / base"],
    "DF-072 S": ["procedure check_after_departure / body"],
    "DF-073 A": ["procedure give_up / body"],
}

# Rows the rulesets cannot or do not tell differently, each with the reason.
ALIKE = {
    "DF-001 A": "the game for three and four is told in a book that is not among the sources",
    "DF-006 D": "marks on cards say which games use them; with 5 to 9 players both say the same",
    "DF-011 S/C": "both are read as a duty (Q-08)",
    "DF-031 S/C": "both remove failed attackers as surplus (Q-11)",
    "DF-033 A": "nothing may be removed during conflict in either; West only says so",
    "DF-041 A": "what players may say about hidden cards is no rule a program can keep",
    "DF-044 A": "neither trades anything but cards; East names one thing more",
    "DF-047 A": "good faith is no rule a program can keep",
    "DF-054 S/C": "both are read alike (Q-24)",
    "DF-05a A": "it counts in both; West only says so",
    "DF-075 A": "nobody joins a running game in either; West only says so",
    "DF-076 A": "no cards leave the game in either; West only says so",
}

# Everything else that differs.
EXPLAINED = {
    "flood_plain *": "the flood plains of the two maps (DF-003)",
    "value census_box / base": "the printed track, read only by an option (DF-008, Q-09)",
    "option treachery_victim_picks": "a reading of the text only West has (Q-35)",
    "option break_away_must_fit": "a reading of the text only West has (Q-95)",
    "option surplus_after_departure": "a reading of the text only West has (Q-51)",
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
def linked(stack: str) -> Ruleset:
    ruleset = load(stack).ruleset
    assert ruleset is not None, f"{stack} does not link"
    return ruleset


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
    """Every row of the classes S, A and D is either shown or said to be alike."""
    numbers = "001 003 005 006 007 010 011 020 021 030 031 033 041 043 044 045 047 050 054 05a"
    numbers += " 060 061 062 063 064 070 071 072 073 075 076"
    assert sorted(row.split()[0] for row in (*SHOWN, *ALIKE)) == [
        f"DF-{number}" for number in numbers.split()
    ]


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
