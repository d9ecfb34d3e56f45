"""What a pack leaves open: who answers it, how it is told, and what becomes of the default."""

from pathlib import Path

import pytest

from tests.dsl.linked import codes, link_text
from ziggurat.dsl.diff import diff
from ziggurat.dsl.linking.hashing import from_json, to_json
from ziggurat.dsl.packs import Search
from ziggurat.dsl.printing.resolved import resolved
from ziggurat.dsl.printing.whole import ruleset_text
from ziggurat.dsl.workspace import Workspace
from ziggurat.runtime.kernel import Ruleset
from ziggurat.studio.cli import main

OPEN = """
open value prize(p: player) "How much fame a win brings": int = 3
open procedure welcome(p: player) "What newcomers get" {
  choose n by p from 1..3
  add n + prize(p) to p.fame
}
open order by_luck(p: player) "Who has more luck" { fame: p.fame }
open phase dawn "What comes first" { once { for each p in players by by_luck { welcome(p) } } }
advice welcome.n { prefer it }
"""
ANSWERED = """
#### pack second extends game
value prize(_winner: player): int = 5
procedure welcome(p: player) { add 1 to p.fame }
order by_luck(p: player) "By rank" { rank: p.rank }
phase dawn { once { for each p in players by by_luck { welcome(p) } } }
"""


def linked(text: str) -> Ruleset:
    result = link_text(text)
    assert result.ruleset is not None, [found.message for found in result.diagnostics]
    return result.ruleset


def answers(text: str) -> dict[str, str]:
    return {name: place.answer for name, place in linked(text).open_places.items()}


def test_the_default_holds_until_somebody_answers() -> None:
    assert set(answers(OPEN).values()) == {""}
    found = answers(OPEN + ANSWERED)
    assert found == dict.fromkeys(found, "second")
    assert list(found) == ["value prize", "procedure welcome", "order by_luck", "phase dawn"]


def test_the_answer_has_the_meaning_for_a_title_unless_it_has_one() -> None:
    ruleset = linked(OPEN + ANSWERED)
    assert ruleset.values["prize"].title == "How much fame a win brings"
    assert ruleset.orders["by_luck"].title == "By rank"


def test_advice_about_the_default_goes_with_it() -> None:
    assert [one.target for one in linked(OPEN).advice] == ["welcome.n"]
    assert linked(OPEN + ANSWERED).advice == ()
    own = (
        "#### pack second extends game\n"
        "advice welcome.m { prefer it }\n"
        "procedure welcome(p: player) {\n  choose m by p from 1..9\n  add m to p.fame\n}\n"
    )
    assert [one.target for one in linked(OPEN + own).advice] == ["welcome.m"]


def test_the_pack_of_an_answer_may_come_first() -> None:
    early = 'value prize(): int = 3\n#### pack second\nopen value prize() "A prize": int\n'
    assert answers(early) == {"value prize": "game"}


def test_amending_the_default_is_an_answer() -> None:
    amended = OPEN + "#### pack second extends game\namend value prize { base +1 }\n"
    assert answers(amended)["value prize"] == "second"


def test_an_answer_can_be_replaced_and_renamed_by_who_builds_on_it() -> None:
    on_top = "#### pack third extends second\nreplace value prize(p: player): int = 7\n"
    assert answers(OPEN + ANSWERED + on_top)["value prize"] == "third"
    renamed = "#### pack third extends second\nrename value prize to reward\n"
    assert answers(OPEN + ANSWERED + renamed)["value reward"] == "second"


def test_a_default_that_is_removed_is_missed_where_it_is_asked() -> None:
    removed = OPEN + "#### pack second extends game\nremove value prize\n"
    assert "Z410" not in codes(removed)
    assert codes(removed) != []


def test_what_is_asked_for_goes_on_after_an_answer_that_does_not_fit() -> None:
    wrong = "#### pack second extends game\nvalue prize(a: area): bool = a.coast\n"
    assert codes(OPEN + wrong) == ["Z411"]
    assert codes(OPEN.replace(": int = 3", ": int") + wrong) == ["Z411"]


@pytest.mark.parametrize("text", [OPEN, OPEN + ANSWERED], ids=["default", "answered"])
def test_a_whole_text_tells_what_is_still_open(text: str) -> None:
    ruleset = linked(text)
    told = ruleset_text(ruleset)
    assert ("open value prize(" in told) == (text == OPEN)
    again = link_text(told, base="").ruleset
    assert again is not None
    changed = {one.section for one in diff(ruleset, again).entries}
    assert changed == (set() if text == OPEN else {"open places"})
    assert from_json(to_json(ruleset)) == ruleset


def test_resolve_shows_the_answer_and_what_was_open() -> None:
    heads = [rows[0][0] for rows in resolved(linked(OPEN + ANSWERED), "prize")]
    title = '"How much fame a win brings": int'
    assert heads == [
        f"value prize(_winner: player) {title} = 5",
        f"open value prize(p: player) {title}",
    ]
    assert [rows[0][0] for rows in resolved(linked(OPEN), "prize")] == [
        f"open value prize(p: player) {title} = 3"
    ]


def test_an_answer_differs_from_the_default_where_it_says_something_else() -> None:
    second = "#### pack second extends game\n"
    same = second + "value prize(p: player): int = 3\n"
    assert not diff(linked(OPEN), linked(OPEN + same)).entries
    other = second + "value prize(p: player): int = 4\n"
    (entry,) = diff(linked(OPEN), linked(OPEN + other)).entries
    assert (entry.path, entry.change) == ("value prize / base", "changed")


def test_a_place_that_is_no_longer_open_is_a_difference() -> None:
    closed = OPEN.replace("open value", "value")
    (entry,) = diff(linked(OPEN), linked(closed)).entries
    assert (entry.section, entry.change) == ("open places", "removed")


# ---- the list -----------------------------------------------------------------------------------

MANIFEST = 'id = "{0}"\ntitle = "{0}"\nversion = "1"\n{1}\n'
RULES = """kind side seat {}
side left "Left" {}
open value goal(p: player) "How far to go": set of int
open phase run "How to get there" {
  each player p { if 1 in goal(p) { end game } }
}
turn main { phases: run }
"""


@pytest.fixture
def packs(tmp_path: Path) -> str:
    for name, more, rules in (
        ("shared", "incomplete = true", RULES),
        ("mine", 'extends = ["shared"]', "value goal(_p: player): set of int = {1}\n"),
    ):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "pack.toml").write_text(MANIFEST.format(name, more), encoding="utf-8")
        (folder / "all.rules").write_text(rules, encoding="utf-8")
    return str(tmp_path)


def rows(capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    lines = capsys.readouterr().out.splitlines()
    return [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in lines]


def test_the_list_of_a_pack_that_is_no_game(packs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "shared", "open", "--packs", packs]) == 0
    assert rows(capsys) == [
        ["Name", "Is", "Meaning", "Default", "Answered by"],
        ["goal", "value (p: player): set of int", "How far to go", "nobody yet"],
        ["run", "phase", "How to get there", "the block in shared/all.rules", "the default"],
    ]


def test_the_list_of_a_stack_says_who_answers(
    packs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["list", "mine", "open", "--packs", packs]) == 0
    assert [row[-1] for row in rows(capsys)] == ["Answered by", "mine", "the default"]


def test_the_list_of_a_stack_that_is_not_there(
    packs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["list", "yours", "open", "--packs", packs]) == 2
    assert "Z020" in capsys.readouterr().out


# ---- while texts change -------------------------------------------------------------------------


def test_answers_come_and_go_while_a_text_is_edited(packs: str) -> None:
    workspace = Workspace("mine", Search((Path(packs),)))
    answered = workspace.load().ruleset
    assert answered is not None
    workspace.edit("mine/all.rules", "")
    assert [found.code for found in workspace.load().diagnostics] == ["Z410"]
    workspace.edit("mine/all.rules", "value goal(_p: player): int = 1\n")
    assert [found.code for found in workspace.load().diagnostics] == ["Z411"]
    workspace.close("mine/all.rules")
    assert workspace.load().ruleset == answered
