"""Several rulesets side by side: what each column says, and what stands in one row."""

from tests.dsl.test_arrangement import linked
from ziggurat.dsl.comparing.arrangement import arrange
from ziggurat.dsl.comparing.columns import Columns, Row, side_by_side
from ziggurat.dsl.diff import diff

BLOCK = "place 1 coin of p in chest\n    place 2 coin of p in chest\n    place 3 coin of p in chest"


def columns(*changes: dict[str, str]) -> Columns:
    first, *others = (linked(**one) for one in changes)
    return side_by_side([arrange(diff(first, one), first, one) for one in others])


def row(found: Columns, path: str) -> Row:
    (one,) = [one for group in found.groups() for one in group.rows if one.path == path]
    return one


def told(one: Row) -> list[tuple[str, tuple[str, ...]]]:
    return [(cell.state, cell.words) for cell in one.cells]


def test_a_row_has_a_cell_for_each() -> None:
    found = columns({}, {"gain": "3"}, {"bound": "9"}, {"gain": "3", "bound": "8"})
    assert told(row(found, "value gain / base")) == [
        ("first", ("= 2",)),
        ("changed", ("= 3",)),
        ("same", ("= 2",)),
        ("changed", ("= 3",)),
    ]
    assert told(row(found, "value bound / base")) == [
        ("first", ("= 5",)),
        ("same", ("= 5",)),
        ("changed", ("= 9",)),
        ("changed", ("= 8",)),
    ]
    assert found.counts()["rules"] == 2


def test_what_only_some_have() -> None:
    extra = {"extra": "rule late { modify bound() by +1 }"}
    other = {"extra": "rule late { modify bound() by +2 }"}
    one = row(columns({}, extra, {}, other), "rule late")
    assert [cell.state for cell in one.cells] == ["absent", "added", "absent", "added"]
    assert one.pattern == (False, True, False, True)
    gone = row(columns(extra, {}, extra), "rule late")
    assert [cell.state for cell in gone.cells] == ["first", "absent", "same"]


def test_a_whole_that_some_lack_and_others_change_in_part() -> None:
    extra = {"extra": "value luck(): int = 1\nrule late { modify bound() by luck() }"}
    less = {"extra": "value luck(): int = 4\nrule late { modify bound() by luck() }"}
    found = columns(extra, {}, less)
    whole, part = row(found, "value luck"), row(found, "value luck / base")
    assert [cell.state for cell in whole.cells] == ["first", "absent", "in part"]
    assert told(part) == [("first", ("= 1",)), ("absent", ("",)), ("changed", ("= 4",))]


def test_lines_that_any_of_them_changes_stand_in_one_row() -> None:
    """The same stretches of the first for all, also where one of them has no change there."""
    first = {"step": BLOCK}
    early = {"step": BLOCK.replace("1 coin", "4 coin")}
    late = {
        "step": BLOCK.replace(
            "place 3 coin of p in chest",
            "place 7 coin of p in chest\n    place 8 coin of p in chest",
        )
    }
    more = {"step": "place 9 coin of p in chest\n    " + BLOCK}
    one = row(columns(first, early, late, more), "phase income / stage 1")
    assert told(one) == [
        ("first", ("place 1 coin of p in chest", "place 3 coin of p in chest")),
        ("changed", ("place 4 coin of p in chest", "place 3 coin of p in chest")),
        (
            "changed",
            (
                "place 1 coin of p in chest",
                "place 7 coin of p in chest\nplace 8 coin of p in chest",
            ),
        ),
        (
            "changed",
            (
                "place 9 coin of p in chest\nplace 1 coin of p in chest",
                "place 3 coin of p in chest",
            ),
        ),
    ]


def test_chapters_and_sentences_of_all_are_merged() -> None:
    rule = 'rule lucky "Luck" { modify gain(p) by +1 when generous  tags R-1 }'
    found = columns({}, {"gain": "3"}, {"gain": "3", "extra": rule}, {"said": "Dawn."})
    assert [(page.title, len(page.groups)) for page in found.pages] == [
        ("Income", 1),
        ("Wording", 1),
    ]
    assert [one.path for one in found.pages[0].groups[0].rows] == [
        "value gain / base",
        "rule lucky",
    ]
