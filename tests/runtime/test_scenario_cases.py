"""Scenarios with less text: tables of cases, shared positions, several places, several seeds."""

from pathlib import Path

import pytest

from tests.runtime.walkers import scenario, walkers
from ziggurat.proving.scenarios import Result, Runner

SHARED = "given crowded { place pawns pawn of reds in each of {hill, wood} }\n"
STRENGTHS = """cases pawns, who, power {
    case 1, reds, 4
    case "the others are alone": 2, blues, 2
    case 3, reds, 9
  }
  given crowded
  expect { check strength(who) == power }"""


def run(folder: Path, *texts: str) -> list[Result]:
    ruleset = walkers(folder, *texts)
    runner = Runner(ruleset)
    return [runner.run(one) for one in ruleset.scenarios]


def test_each_case_is_reported_on_its_own(tmp_path: Path) -> None:
    results = run(tmp_path, SHARED, scenario(STRENGTHS, "strengths"))
    assert [(one.scenario.title, one.passed) for one in results] == [
        ("strengths: pawns 1, who reds, power 4", True),
        ("strengths: the others are alone", True),
        ("strengths: pawns 3, who reds, power 9", False),
    ]
    assert "strength(reds) is 8" in str(results[2].failure)
    assert len({one.scenario.id for one in results}) == 3


def test_a_column_may_name_who_acts_and_what_is_refused(tmp_path: Path) -> None:
    body = """cases who, origin, target {
    case reds, hill, wood
    case blues, wood, hill
  }
  given { place 1 pawn of who in origin }
  who cannot walk(target, origin)
  who does walk(origin, target)
  run phase walking
  expect { check count(pawn of who in target) == 1 }"""
    assert [str(one.failure) for one in run(tmp_path, scenario(body))] == ["None", "None"]


def test_a_column_may_set_an_option(tmp_path: Path) -> None:
    option = 'option pace "How far": int = 1 { choices: 1..3 }\n'
    body = """cases far, told {
    case 2, 4
    case 3, 6
  }
  options { pace: far }
  expect { check 2 * pace == told }"""
    results = run(tmp_path, option, scenario(body))
    assert [str(one.failure) for one in results] == ["None", "None"]
    assert [dict(one.scenario.options) for one in results] == [{"pace": 2}, {"pace": 3}]


def test_a_cell_is_never_taken_for_a_column(tmp_path: Path) -> None:
    body = """cases hill, wood {
    case wood, 1
  }
  given { place 1 pawn of reds in hill }
  expect { check count(pawn of reds in hill) == wood }"""
    (result,) = run(tmp_path, scenario(body))
    assert str(result.failure) == "None"


@pytest.mark.parametrize(("pack", "score"), [("walkers", 3), ("others", 0)])
def test_given_in_a_pack(pack: str, score: int, tmp_path: Path) -> None:
    body = f"given in {pack} {{ set reds.score = 3 }}\n  expect {{ check reds.score == {score} }}"
    (result,) = run(tmp_path, scenario(body))
    assert str(result.failure) == "None"


LOTS = "procedure draw(p: player) {\n  pick lot at random from 1..6\n  set p.score = lot\n}\n"


def test_what_chance_decides_holds_with_every_seed(tmp_path: Path) -> None:
    body = "over 40 seeds\n  run draw(reds)\n  expect {{ check reds.score < {} }}"
    passed, failed = run(
        tmp_path,
        LOTS,
        scenario(body.format("7"), "all"),
        scenario(body.format("6"), "some"),
    )
    assert str(passed.failure) == "None"
    assert "reds.score is 6 (with seed " in str(failed.failure)


def test_each_place_gets_its_pieces_in_rules_too(tmp_path: Path) -> None:
    more = "procedure settle(p: player) { place 1 pawn of p in each of areas }\n"
    body = "run settle(reds)\n  expect { check every(a in areas has any(pawn of reds in a)) }"
    (result,) = run(tmp_path, more, scenario(body))
    assert str(result.failure) == "None"
