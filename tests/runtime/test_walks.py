"""Scenarios step by step: every position on the way, and where one fails."""

from pathlib import Path

import pytest

from ziggurat import Program, Search, compile_ruleset, load, matching, walk_through
from ziggurat.runtime.kernel import Scenario

PACKS = Path(__file__).parents[1] / "packs"


@pytest.fixture(scope="module")
def marches() -> Program:
    ruleset = load("marches", Search.default([PACKS])).ruleset
    assert ruleset is not None
    return compile_ruleset(ruleset)


def named(program: Program, title: str) -> Scenario:
    return next(matching(program.ruleset, title))


def test_the_positions_are_those_on_the_way(marches: Program) -> None:
    steps = walk_through(marches, named(marches, "a zone of control stops"))
    assert [one.sort for one in steps] == ["given", "run", *["answer"] * 5, "expect"]
    armies = [one.moment.count("army", "north", "h0503") for one in steps]
    assert armies == [2, 2, 1, 1, 0, 0, 0, 0]
    assert steps[2].text == "The North: March (h0503, h0504)"
    assert steps[2].path == "movement"
    assert all(one.failure is None for one in steps)


def test_events_belong_to_the_step_that_brought_them(marches: Program) -> None:
    steps = walk_through(marches, named(marches, "armies behind a line of foes starve"))
    told = [event.text for one in steps for event in one.events if event.what == "say"]
    last_run = [one for one in steps if one.sort == "run"][-1]
    assert told == [event.text for event in last_run.events if event.what == "say"]
    assert told == ["An army of The North starves in h0804."]


def test_one_that_fails_ends_with_what_was_expected(tmp_path: Path) -> None:
    text = """
kind side seat {}
side left "Left" {}
side right "Right" {}
attribute score of player: int = 0
procedure gain(p: player) { add 1 to p.score }
phase play { once { end game } }
turn main { phases: play }
scenario "two at once" {
  players left, right
  run gain(left)
  expect { check left.score == 2 }
}
"""
    folder = tmp_path / "tiny"
    folder.mkdir()
    manifest = 'id = "tiny"\ntitle = "Tiny"\nversion = "1"\nplayers = "2"\n'
    (folder / "pack.toml").write_text(manifest, encoding="utf-8")
    (folder / "tiny.rules").write_text(text, encoding="utf-8")
    ruleset = load("tiny", Search.default([tmp_path])).ruleset
    assert ruleset is not None
    steps = walk_through(compile_ruleset(ruleset), ruleset.scenarios[0])
    assert [one.sort for one in steps] == ["run", "failed"]
    failure = steps[-1].failure
    assert failure is not None
    assert failure.actual == "left.score is 1"
    assert steps[0].moment.attribute("score", "left") == 1
