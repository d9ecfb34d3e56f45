"""The choice between the compiler and the kernel, which plays everything by itself."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.runtime.small import ruleset
from ziggurat.runtime.bots.policies import Advised, play
from ziggurat.runtime.game.game import start
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.programs import INTERPRETERS, compile_ruleset, make_program

PACKS = Path(__file__).parents[1] / "packs"
PLAYED = """
import sys
if "without" in sys.argv:
    sys.modules["ziggurat.runtime.compiler"] = None
from ziggurat import Advised, Search, load, play, start
game = start(load("clans", Search.default([sys.argv[1]])).ruleset, players=2, seed=3)
play(game, Advised(3), limit=40)
print(game.digest, game.answered, any("compiler" in name for name in sys.modules
                                      if sys.modules[name] is not None and "runtime" in name))
"""


def test_kernel_and_compiler_play_the_same_game() -> None:
    games = [start(ruleset(), 3, seed=2, interpreter=one) for one in INTERPRETERS]
    for game in games:
        play(game, Advised(2))
    compiled, walked = games
    assert type(walked.run.bound.program) is Program
    assert type(compiled.run.bound.program) is not Program
    assert compiled.digest == walked.digest
    assert compiled.answers() == walked.answers()


def test_program_is_walked_on_request() -> None:
    program = compile_ruleset(ruleset())
    assert make_program(program) is program
    assert make_program(program, "kernel").sites is program.sites


def test_unknown_interpreter_is_rejected() -> None:
    with pytest.raises(ValueError, match="no interpreter 'quick'"):
        start(ruleset(), 3, interpreter="quick")


def test_games_are_played_where_there_is_no_compiler() -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", PLAYED, str(PACKS), *words],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for words in ((), ("without",))
    ]
    assert [output[2] for output in outputs] == ["True", "False"]
    assert outputs[0][:2] == outputs[1][:2]
