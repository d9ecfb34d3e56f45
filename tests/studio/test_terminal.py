"""`ziggurat play` in a real terminal: keys, not lines."""

import os
import re
import signal
from pathlib import Path

import pytest

from tests.runtime.packed import BASE, BEGIN, PACK, TURN
from tests.studio.terminal import Terminal
from ziggurat.runtime.saves.format import SavedAnswer, parse
from ziggurat.studio.console import INTERRUPTED, OK

TWO_PHASES = """
phase play "Play" {
  each player p in players {
    choose n by p from 1..3 "How many?"
    add n to p.score
  }
}
action rest "Have a rest" in walk by p () { add 1 to p.score }
phase walk "Walk" { players p act until done }
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    home = tmp_path / "tiny"
    home.mkdir()
    (home / "pack.toml").write_text(PACK, encoding="utf-8")
    turn = TURN.replace("phases: play", "phases: play, walk")
    (home / "tiny.rules").write_text(BASE + BEGIN + turn + TWO_PHASES, encoding="utf-8")
    return home


def play(tiny: Path, *more: str, width: int = 80, height: int = 24, **env: str) -> Terminal:
    env |= {
        "XDG_DATA_HOME": str(tiny.parent / "data"),
        "ZIGGURAT_CACHE": str(tiny.parent / "cache"),
    }
    words = ["play", str(tiny), "--players", "2", "--seed", "1"] if not more else ["play"]
    return Terminal([*words, *more], env, width, height)


def test_words_typed_ahead_answer_no_question_of_another_phase(tiny: Path) -> None:
    terminal = play(tiny)
    terminal.wait_for("player1>")
    terminal.type("2\rdone\rrest")
    terminal.wait_for("Typed before this question, and discarded: done⏎ rest")
    terminal.type("rest\rdone\r")
    terminal.wait_for_prompt("Turn 2 · Play · player1")
    terminal.type("quit\r")
    assert terminal.end() == OK


def test_ctrl_c_clears_a_line_and_leaves_at_an_empty_one(tiny: Path) -> None:
    terminal = play(tiny)
    terminal.wait_for("player1>")
    terminal.type("3\x03")
    terminal.type("2\r")
    terminal.wait_for_prompt("Walk · player1")
    terminal.type("\x03")
    assert terminal.end() == INTERRUPTED
    assert "Everything is saved." in terminal.text
    assert SavedAnswer("player1", 2) in parse(save_of(tiny).read_bytes()).records


def test_a_closed_terminal_and_a_killed_process_lose_nothing(tiny: Path) -> None:
    terminal = play(tiny)
    terminal.wait_for("player1>")
    terminal.type("2\r")
    terminal.wait_for_prompt("Walk · player1")
    terminal.type("re")
    terminal.close()
    os.waitpid(terminal.pid, 0)
    before = parse(save_of(tiny).read_bytes()).records
    assert len(before) == 2
    again = play(tiny, "--load", str(save_of(tiny)), "--packs", str(tiny.parent))
    again.wait_for("player1>")
    again.type("rest\r")
    again.wait_for("Have a rest.")
    again.kill()
    assert again.end() == -signal.SIGKILL
    last = play(tiny, "--load", str(save_of(tiny)), "--packs", str(tiny.parent), width=60)
    last.wait_for("player1>")
    last.resize(30, 10)
    last.type("quit\r")
    assert last.end() == OK
    assert len(parse(save_of(tiny).read_bytes()).records) == 3


def test_long_output_comes_page_by_page(tiny: Path) -> None:
    terminal = play(tiny, height=16)
    terminal.wait_for("player1>")
    terminal.type("help\r")
    assert "The Tab key" not in terminal.wait_for("more lines: Enter shows them")
    terminal.type("\r")
    terminal.wait_for("The Tab key")
    terminal.wait_for_prompt("The Tab key")
    terminal.type("help\r")
    terminal.wait_for("more lines: Enter shows them", 2)
    terminal.type("q\r")
    terminal.wait_for_prompt("leaves them out>")
    terminal.type("quit\r")
    assert terminal.end() == OK
    assert terminal.text.count("The Tab key") == 1


def save_of(tiny: Path) -> Path:
    (file,) = (tiny.parent / "data" / "ziggurat" / "saves").glob("*.zig")
    return file


def test_no_colour_means_none(tiny: Path) -> None:
    coloured = re.compile(rb"\x1b\[(?!0?m)[0-9;]+m")
    for env in ({}, {"NO_COLOR": "1"}):
        terminal = play(tiny, **env)
        terminal.wait_for("player1>")
        terminal.type("2\r")
        terminal.wait_for_prompt("Walk · player1")
        terminal.type("\x03")
        terminal.end()
        assert bool(coloured.search(terminal.raw)) is not bool(env)
