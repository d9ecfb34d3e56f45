"""Questions about a position: of a saved game, of a scenario, at a step of it."""

from pathlib import Path

import pytest

import ziggurat
from tests.runtime.walkers import walkers
from ziggurat.studio.cli import main

WALK = """
scenario "a walk" {
  players reds, blues
  area moor { land: fen }
  area fen { limit: 9  land: moor }
  given { place 2 pawn of reds in moor }
  reds does walk(moor, fen)
  reds is done
  run phase walking
  expect { check count(pawn of reds in fen) == 7 }
  reds chooses 2 for toll.pay
  run toll(reds, 3)
  expect { check reds.score == 0 }
}
scenario "another one" {
  players reds, blues
  expect { check 1 == 1 }
}
"""
IN_FEN = "count(pawn of reds in fen)"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    walkers(tmp_path, WALK)
    return tmp_path


def explained(folder: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["explain", "walkers", *arguments, "--packs", str(folder)]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("step", "expression", "result"),
    [
        ("", IN_FEN, "1"), ("", "reds.score", "3"), ("@given", IN_FEN, "0"), ("@0", IN_FEN, "0"),
        ("@1", IN_FEN, "1"), ("@1", "reds.score", "0"), ("@2", "reds.score", "1"),
        ("@3", "reds.score", "3"), ("@walk", "count(pawn of reds in moor)", "2"),
        ("@toll", "reds.score", "1"), ("@toll.pay", "reds.score", "1"),
    ],
)  # fmt: skip
def test_at_a_step_of_a_scenario(
    step: str, expression: str, result: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = explained(folder, capsys, expression, "--scenario", f"a walk{step}")
    assert f"{expression} is {result}" in out


def test_an_action_at_a_step_of_a_scenario(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("walk(fen, moor)", "--scenario", "a walk@given")
    assert "origin cannot be fen: it is not in" in explained(folder, capsys, *asked)
    more = ("--given", "place 1 pawn of reds in fen")
    assert "reds: walk is allowed by its own rules" in explained(folder, capsys, *asked, *more)


def test_what_is_held_in_a_scenario(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("strength(reds)", "--scenario", "a walk@given", "--holding", "reds=lore")
    assert "strength(reds) is 7" in explained(folder, capsys, *asked)


@pytest.mark.parametrize(
    ("scenario", "said"),
    [
        ("a wlak", "there is no scenario `a wlak`. Did you mean `a walk`?"),
        ("a", "`a` is in the titles of 2: a walk; another one."),
        ("a walk@4", "does not come to `4`; it has 3 answers"),
        ("a walk@run", "does not come to `run`"),
    ],
)
def test_a_place_that_is_not_there(
    scenario: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["explain", "walkers", "1 + 1", "--scenario", scenario, "--packs", str(folder)]
    assert main(asked) == 2
    assert said in " ".join(capsys.readouterr().err.split())


def test_a_saved_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, _ = ziggurat.load_program("west")
    assert program is not None
    seats = ["minoa", "assyria", "hatti", "hellas", "egypt"]
    save = ziggurat.new_save(ziggurat.start(program, seats=seats, seed=7), tmp_path / "g.zig")
    save.answer({"action": "march", "args": ["knossos", "phaestos", 1]})
    save.answer("done")
    count = "count(token of minoa in phaestos)"
    asked = ("explain", "west", count, "--state")
    assert main([*asked, str(save.path)]) == 0
    assert f"{count} is 1" in capsys.readouterr().out
    assert main([*asked, f"{save.path}@0"]) == 0
    assert f"{count} is 0" in capsys.readouterr().out
    assert main(["explain", "west", "march(fayum)", "--state", f"{save.path}@0"]) == 2
    late = ["explain", "west", "march(knossos, phaestos, 1)", "--players", "minoa", "--state"]
    assert main([*late, str(save.path)]) == 0
    assert "It is not the turn of minoa." in capsys.readouterr().out
    early = "build_city(knossos, 0)"
    assert main(["explain", "west", early, "--state", f"{save.path}@0"]) == 0
    assert "This is done in city_construction, and now it is" in capsys.readouterr().out
    unasked = ["explain", "west", "why not march from fayum", "--state", f"{save.path}@0"]
    assert main(unasked) == 0
    assert "origin cannot be fayum: it is not in" in capsys.readouterr().out
    assert main(["explain", "west", "why last", "--state", f"{save.path}@1"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "Minoa: March (knossos, phaestos, 1)" in told
    assert "needs may_enter(minoa, phaestos, 1) W 6.3, E 6.3" in told
    assert "1: Minoa: March" in told
    lines = len(save.game.events())
    assert main(["replay", str(save.path), "--log"]) == 0
    assert f"{lines}  " in capsys.readouterr().out
    assert main(["replay", str(save.path), "--why", "1"]) == 0
    assert "1. Setup" in capsys.readouterr().out
    assert main(["replay", str(save.path), "--why", "9999"]) == 2
    assert f"there is no line 9999; the log has {lines}." in capsys.readouterr().err
    assert main(["explain", "west", "why not marhc", "--state", str(save.path)]) == 2
    assert "Did you mean `march`?" in capsys.readouterr().err
    assert main(["explain", "west", "why not march to nowhere", "--state", str(save.path)]) == 2
    assert main([*asked, f"{save.path}@x"]) == 2
    assert main(["explain", "east", count, "--state", str(save.path)]) == 2
    assert main([*asked, str(save.path), "--given", "set rome.step = 1"]) == 2
