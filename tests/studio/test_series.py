"""`ziggurat play`: several answers in one line, and passing until somebody asks."""

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.runtime.packed import BASE, BEGIN, PACK, TURN
from ziggurat.runtime.saves.format import parse
from ziggurat.studio.cli import main
from ziggurat.studio.console import OK

RULES = """
place cart of player
bundle trip "Trip" of player { at: area  left: int }
bundle request "Request" of player { to: player }
phase play "Play" { players p act until done { clear p.trip } }
phase talk "Talk" { players p act freely until all pass }
action march "March" in play by p (
    origin from areas with chip of p "From where?",
    target from origin.near "Where to?",
    n from 1..count(chip of p in origin) "How many?") {
  needs p.trip is none "You are on a trip."
  move n chip of p from origin to target
}
action set_out "Set out" in play by p (at from areas with chip of p "From where?") {
  needs p.trip is none
  set p.trip = trip(at: at, left: 3)
}
action load "Load" in play by p (n from 1..count(chip of p in p.trip.at) "How many?") {
  needs p.trip is not none "There is no trip."
  move n chip of p from p.trip.at to cart
}
action unload "Unload" in play by p (n from 1..count(chip of p in cart) "How many?") {
  needs p.trip is not none "There is no trip."
  move n chip of p from cart to p.trip.at
}
action go "Go" in play by p (target from p.trip.at.near "Where to?") {
  needs p.trip is not none "There is no trip."
  set p.trip.at = target
}
action settle "Settle" in play by p {
  needs p.trip is not none "There is no trip."
  needs p.trip.at is not two "Nobody settles there."
  move all chip of p from cart to p.trip.at
  clear p.trip
}
action build "Build" in play by p {
  repeat 2 times {
    choose site by p from areas "Where?"
    choose n by p from 1..2 "How many?"
    place n chip of p in site
  }
}
action bid "Let the steward bid" in talk by p (to from others(p) "Whom?") {
  stop unless p.score > 9
  set p.request = request(to: to)
}
action beg "Beg" in talk by p (to from others(p) "Whom?") {
  set p.request = request(to: to)
  recall to
}
phase fair "Fair" { repeat talk up to 3 times while table.note == 0 }
"""
Play = Callable[..., tuple[str, list[Any]]]


@pytest.fixture
def play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Play:
    """Types lines at the tiny table; returns what it says and the answers that were saved."""
    home = tmp_path / "tiny"
    home.mkdir()
    (home / "pack.toml").write_text(PACK, encoding="utf-8")
    turn = TURN.replace("phases: play", "phases: play, fair")
    (home / "tiny.rules").write_text(BASE + BEGIN + turn + RULES, encoding="utf-8")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "data"))

    def run(*lines: str, seats: str = "1=me") -> tuple[str, list[Any]]:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        wanted = [str(home), "--players", "2", "--seed", "1", "--seats", seats]
        assert main(["play", *wanted]) == OK
        out = capsys.readouterr().out
        found = re.search(r"--load (\S+)", out)
        assert found
        records = parse(Path(found[1]).read_bytes()).records
        return " ".join(out.split()), [one.answer for one in records if one.seat == "player1"]

    return run


def acts(*lines: str) -> list[Any]:
    """Answers as they are saved: `march one two 1`."""
    words = [line.split() for line in lines]
    return [
        one[0]
        if one[0] in ("done", "pass")
        else {"action": one[0], "args": [int(w) if w.isdigit() else w for w in one[1:]]}
        for one in words
    ]


TRIP = acts("set_out one", "load 2", "go two", "go three", "settle")


@pytest.mark.parametrize(
    ("line", "answers"),
    [
        ("march one two 1; march one two 2", acts("march one two 1", "march one two 2")),
        ("march one two 1; one two 2; done", acts("march one two 1", "march one two 2", "done")),
        ("march one two 1 one two 1", acts("march one two 1", "march one two 1")),
        ("march two 1", acts("march one two 1")),  # there is no other place to come from
        ("march one each 2", acts("march one two 2")),
        ("go 2 two three", TRIP),
        ("go one 2 two three", TRIP),
        ("go 2 one two three", TRIP),
        ("set_out one load 2 go two three; settle", TRIP),
        ("go 2 two three; march one two 1", [*TRIP, *acts("march one two 1")]),
        ("settle 2 two three", TRIP),
        ("go 2 two unload 1 three", [*TRIP[:3], *acts("unload 1"), *TRIP[3:]]),
        ("build one 2", [*acts("build"), "one", 2]),
        ("build one 2 three 1", [*acts("build"), "one", 2, "three", 1]),
    ],
)
def test_lines_mean_several_answers(play: Play, line: str, answers: list[Any]) -> None:
    out, saved = play(line, "quit")
    assert saved == answers, out


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("march one two 1; three two 1", "“From where” cannot be Three"),
        ("march one two 1; march one two 9", "`9` will not do"),
        ("march one two 1; foo", "In `foo`: `foo` is no name here."),
        ("march one two 1; three two 1; one two 1", "In `three two 1`: “From where” cannot be"),
        ("march one two; done", "After `march one two` an answer is missing: How many?"),
        ("go one 2 two", "Nobody settles there."),
        (
            "go one 2 two frog",
            "`frog` fits nothing that can follow: `load number`, `unload number`",
        ),
        ("go one 1 two 1 three", "That fits two ways: `load 1`, or `unload 1`."),
        ("set_out one; done", "`done` would give up what is begun. Trip: "),
        ("done; done", "Nothing can follow here, so `done` is too much."),
        ("go; frog", "After `Set out` an answer is missing: From where?"),
        ("go frog", "There is no trip."),
    ],
)
def test_nothing_of_a_line_is_done_that_cannot_be_understood(
    play: Play, line: str, told: str
) -> None:
    before = "march one two 1"
    out, saved = play(before, line, "quit")
    assert told in out
    assert saved == acts(before)


def test_undo_takes_back_the_steps_of_a_line_one_by_one(play: Play) -> None:
    out, _ = play("march one two 1; one two 2", "undo", "undo", "quit")
    assert out.count("Taken back: March") == 2


def test_passing_until_asked(play: Play) -> None:
    """Somebody passes in every round, until the other at the keyboard wants something of them."""
    seats = "1=me,2=me"
    talk = ["pass until asked", "", "pass", "pass", "beg player2", "pass", "", "quit"]
    out, saved = play("", "done", "", "done", *talk, seats=seats)
    assert saved == ["done", "pass", "pass", *acts("beg player2", "pass")]
    assert out.count("Pass the keyboard to player2.") == 2
    assert "Pass the keyboard to player2." in out.partition("Beg: player2.")[2]


def test_help_says_how_with_an_action_of_the_phase(play: Play) -> None:
    assert "such as `march origin target number; origin target number`" in play("?", "quit")[0]


def test_an_action_that_puts_nothing_on_the_table_says_so(play: Play) -> None:
    out, _ = play("done", "bid player2", "quit")
    assert "Let the steward bid: player2. Request: nothing came of it." in out
    out, _ = play("done", "beg player2", "quit")
    assert "nothing came of it" not in out
