"""Two edited copies of west: one wrong word and one wrong number, each found and blamed."""

import shutil
from functools import cache
from pathlib import Path

import attrs
import pytest

from tests.sampling import slow
from ziggurat.dsl.loading import load
from ziggurat.dsl.packs import BUILT_IN, Search
from ziggurat.proving.behaviour import compare
from ziggurat.runtime.kernel import Ruleset
from ziggurat.studio.cli import main


@attrs.frozen
class Edit:
    """A word that becomes another in one file, the rule it stands in, a scenario that notices, and
    how the difference is told."""

    file: str
    old: str
    new: str
    rule: str
    scenario: str
    told: tuple[str, ...]


EDITS = {
    "who decides": Edit(
        "core/calamities/stack_6_and_7.rules",
        " infected by victim from ",
        " infected by heir from ",
        "epidemic.company",
        "An Epidemic takes two more, however many there are",
        (
            "Epidemic (calamity) (1)",
            "~ Epidemic: company  changed",
            "  calamity epidemic / company ",
            " infected by victim from ",
            " infected by heir from ",
        ),
    ),
    "one number": Edit(
        "west/phases.rules",
        "place 4 token of p in last",
        "place 3 token of p in last",
        "leave_four_tokens",
        "Three cities before the last point, or as much as one likes of what is struck",
        (
            "Calamity resolution (1)",
            "~ Leave four tokens  changed",
            "  procedure leave_four_tokens / body ",
            "- place 4 token of p in last",
            "+ place 3 token of p in last",
        ),
    ),
}


@pytest.fixture(params=[slow(EDITS["who decides"]), EDITS["one number"]], ids=EDITS)
def edit(request: pytest.FixtureRequest) -> Edit:
    found: Edit = request.param
    return found


@pytest.fixture
def copy(edit: Edit, tmp_path: Path) -> Path:
    """The shipped packs with the one edit."""
    for pack in ("core", "west"):
        shutil.copytree(BUILT_IN / pack, tmp_path / pack)
    text = (tmp_path / edit.file).read_text(encoding="utf-8")
    assert text.count(edit.old) == 1
    (tmp_path / edit.file).write_text(text.replace(edit.old, edit.new), encoding="utf-8")
    return tmp_path


@cache
def shipped() -> Ruleset:
    found = load("west", Search((BUILT_IN,))).ruleset
    assert found is not None
    return found


def test_it_is_found_by_scenarios(
    edit: Edit, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["test", "west", edit.scenario, "--packs", str(copy)]) == 1
    out = capsys.readouterr().out
    assert f"BROKEN  {edit.scenario}\n" in out
    assert edit.rule in out


def test_it_is_found_by_the_difference(
    edit: Edit,
    copy: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The folder of west is compared with the core that lies beside it."""
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["diff", "west", str(copy / "west"), "--exit-code"]) == 1
    out = capsys.readouterr().out
    for line in edit.told:
        assert line in out
    assert "1 rule differs\n" in out


def test_it_is_found_by_the_difference_of_behaviour(edit: Edit, copy: Path) -> None:
    """Of the scenarios, the one that notices; all of them would take a minute."""
    edited = load("west", Search((copy, BUILT_IN))).ruleset
    assert edited is not None
    telling = [one for one in shipped().scenarios if one.title == edit.scenario]
    sides = [attrs.evolve(one, scenarios=tuple(telling)) for one in (shipped(), edited)]
    found = compare(*sides)
    assert found.ran == 1
    assert [one.parting.cause for one in found.outcomes] == [edit.rule]
