"""West against the combined game: each line of the specification is shown, and nothing else but the
other half of the board and what the later book says."""

import json
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

from tests.content import test_editions
from tests.stacks import linked
from ziggurat.dsl.diff import diff

RULES = json.loads((Path(__file__).parent / "spec.json").read_text(encoding="utf-8"))["rules"]
SHOWN = {
    "M-1": [
        "block *",
        "mark blocks",
        "stack *",
        "value two_blocks",
        "value block_of / base",
        "procedure mark_cards / body",
        "procedure share_out",
        "procedure mark_for_blocks",
        "kind setup / field ????_block",
        "kind commodity / field ????_cards",
    ],
    "M-2": ["custom trade_across_blocks"],
    "M-3": ["calamity * / copies", "rule no_duplicates"],
    "M-4": ["value other_block", "value heir_now", "rule company"],
    "M-5": ["value heir_now"],
    "M-6": ["rule full_hands"],
    "M-7": ["stack west_?", "stack east_?"],
    "M-8": ["option start_credits_12", "rule credits_for_twelve", "setup players_12"],
    "M-9": ["area sinai / coastal", "area eastern_desert / coastal", "area ustyurt"],
    "M-13": ["option late_iron_bonus_by_block", "rule shared_bonus"],
    "M-14": ["option minors_by_block", "procedure share_minors"],
    "M-15": [
        "option deck_for_11",
        "value deck_in_play",
        "procedure lay_aside",
        "kind commodity / field deck",
        "setup players_1?",
    ],
    "M-16": ["rule company", "attribute table.stricken"],
    "M-17": [
        "procedure strike_all / body",
        "procedure insists",
        "procedure begin",
        "value names_others",
        "attribute player.company",
    ],
    "M-18": [
        "option beneficiaries_fixed_first",
        "rule heirs_first",
        "value settled_heir",
        "procedure settle_heir",
        "attribute trade_card.heir",
        "attribute trade_card.settled",
    ],
}
SAME_AS_IN_WEST = {
    "M-10": "about special buildings",
    "M-11": "the rows of the table are those of the editions",
    "M-12": "about the Short Game, which has its tokens for any number",
    "M-19": "that there is no more",
    "M-20": "the supply of advances never binds, in neither",
}
# What the two boxes have together.
BOARD = (
    "area *", "region *", "flood_plain *", "volcano *", "civilization *", "commodity *",
    "setup players_?",
)  # fmt: skip


@cache
def shown() -> frozenset[str]:
    return frozenset(entry.path for entry in diff(linked("west"), linked("mega")).entries)


def matching(pattern: str) -> list[str]:
    return [path for path in shown() if fnmatchcase(path, pattern)]


@pytest.mark.parametrize("line", SHOWN)
def test_every_line_is_shown(line: str) -> None:
    assert [pattern for pattern in SHOWN[line] if not matching(pattern)] == []


def test_the_lines_are_complete() -> None:
    assert {*SHOWN, *SAME_AS_IN_WEST} == {id_ for id_ in RULES if id_.startswith("M-")}


def test_the_rest_is_the_other_half_of_the_board_and_the_later_book() -> None:
    wording = [path for row in test_editions.SHOWN.values() for path in row]
    patterns = [path for line in SHOWN.values() for path in line]
    patterns += [*BOARD, *wording, *test_editions.EXPLAINED]
    assert sorted(shown() - {path for pattern in patterns for path in matching(pattern)}) == []


def test_the_later_book_is_told_as_between_the_editions() -> None:
    """Every row in which they differ is there, but the data and the marks of the cards."""
    data = ("DF-003", "DF-005", "DF-006", "DF-007")
    for row, paths in test_editions.SHOWN.items():
        if not row.startswith(data):
            assert [pattern for pattern in paths if not matching(pattern)] == [], row
