"""Questions about a position: of a saved game, of a scenario, at a step of it."""

import io
from collections.abc import Callable
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
    assert "cannot be fen: it is not among" in explained(folder, capsys, *asked)
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
    assert main([*asked, f"{save.path}@3"]) == 2
    assert "g.zig has 2 answers, so there is nothing after 3." in capsys.readouterr().err
    assert main(["explain", "west", "march(fayum)", "--state", f"{save.path}@0"]) == 2
    late = ["explain", "west", "march(knossos, phaestos, 1)", "--players", "minoa", "--state"]
    assert main([*late, str(save.path)]) == 0
    assert "It is not the turn of minoa." in capsys.readouterr().out
    early = "build_city(knossos, 0)"
    assert main(["explain", "west", early, "--state", f"{save.path}@0"]) == 0
    assert "This is done in city_construction, and now it is" in capsys.readouterr().out
    unasked = ["explain", "west", "why not march from fayum", "--state", f"{save.path}@0"]
    assert main(unasked) == 0
    assert "“From where” cannot be Fayum: it is not among" in capsys.readouterr().out
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


# ---- games that begin where a scenario has come to


@pytest.fixture
def play(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(folder / "data"))

    def run(*arguments: str, lines: str = "", code: int = 0) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        assert main(["play", *arguments, "--packs", str(folder)]) == code
        said = capsys.readouterr()
        return " ".join((said.out + said.err).split())

    return run


def walked(folder: Path, step: str = "") -> ziggurat.Game:
    ruleset = ziggurat.load("walkers", ziggurat.Search.default([str(folder)])).ruleset
    assert ruleset is not None
    return ziggurat.start_at(ruleset, f"a walk{step}")


def test_a_game_begins_where_a_scenario_has_come_to(folder: Path) -> None:
    game = walked(folder, "@given")
    assert (game.decision.decider, game.position.phase) == ("reds", "walking")
    assert game.position.turn
    assert game.count("pawn", "reds", "moor") == 2
    game = walked(folder, "@1")
    assert game.count("pawn", "reds", "fen") == 1
    game = walked(folder, "@toll.pay")
    assert game.decision.path == "toll.pay"
    game.answer(game.decision.options()[0])
    assert game.decision is not None  # a new turn, after a rule that ran by itself
    assert game.position.turn


def test_a_game_from_a_scenario_is_saved_and_loaded(folder: Path) -> None:
    game = walked(folder, "@1")
    search = ziggurat.Search.default([str(folder)])
    save = ziggurat.new_save(game, folder / "walk.zig", search=search, scenario="a walk@1")
    save.answer("done")
    save.close()
    again, told = ziggurat.load_save(folder / "walk.zig")
    assert told == []
    assert again.game.state.digest() == save.game.state.digest()
    assert again.undo() == 1
    assert again.game.state.digest() == walked(folder, "@1").state.digest()


def test_a_scenario_that_comes_to_another_position_is_refused(folder: Path) -> None:
    search = ziggurat.Search.default([str(folder)])
    save = ziggurat.new_save(walked(folder), folder / "w.zig", search=search, scenario="a walk")
    walkers(folder, WALK.replace("place 2 pawn", "place 3 pawn"))
    with pytest.raises(ziggurat.BadSave, match="comes to another position now"):
        ziggurat.load_save(save.path)
    again, _ = ziggurat.load_save(save.path, anyway=True)
    assert again.game.count("pawn", "reds", "moor") == 2
    walkers(folder, "")
    with pytest.raises(ziggurat.BadSave, match="there is no scenario"):
        ziggurat.load_save(save.path)


def test_playing_from_a_scenario(play: Callable[..., str]) -> None:
    out = play("walkers", "--scenario", "a walk@given", lines="walk 1 1\nquit\n")
    assert "from the scenario `a walk@given`: reds, blues." in out
    file = out.rpartition("--load ")[2].split()[0]
    again = play("--load", file, lines="log\nquit\n")
    assert "Everything is saved" in again


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("walkers", "--scenario", "a wlak"), "Did you mean `a walk`?"),
        (("walkers", "--scenario", "zzz"), "there is no scenario `zzz`."),
        (("walkers", "--scenario", "a walk@toll"), "A game cannot begin where a rule does"),
        (("walkers", "--scenario", "a walk", "--players", "2"), "a scenario has its own table"),
        (("--scenario", "a walk"), "whose scenario?"),
        (("walkers", "--scenario", "a walk", "--seats", "redds=me"), "Did you mean `reds`?"),
    ],
)
def test_where_no_game_can_begin(
    arguments: tuple[str, ...], said: str, play: Callable[..., str]
) -> None:
    assert said in play(*arguments, code=2)
