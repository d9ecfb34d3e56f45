"""What scenarios say that chance decides."""

from pathlib import Path

import pytest

from tests.runtime.walkers import scenario, walkers
from ziggurat.proving.scenarios import Result, Runner, run_scenario
from ziggurat.runtime.kernel.program import walked_program

MORE = """
procedure roll(p: player) {
  pick die at random from 1..6
  add die to p.score
}
procedure draw(p: player) {
  pick c at random from cards(hand(p))
  put c in box
}
procedure raid(p: player) {
  pick 2 raided at random from areas
  for each a in raided { place 1 pawn of p in a }
}
procedure roll_after_asking(p: player) {
  roll(p)
  may p again "Again?" { roll(p) }
}
"""


def run(folder: Path, body: str, walked: bool = False) -> Result:
    ruleset = walkers(folder, MORE, scenario(body))
    program = walked_program(ruleset) if walked else Runner(ruleset).played
    return run_scenario(program, ruleset.scenarios[0])


PASSING = {
    "a number": """
  chance chooses 4 for roll.die
  run roll(reds)
  expect { check reds.score == 4 }""",
    "several draws, in the order written": """
  chance chooses 6 for roll.die
  chance chooses 1 for roll.die
  run roll(reds)
  run roll(blues)
  expect {
    check reds.score == 6
    check blues.score == 1
  }""",
    "draws of a step that begins anew after an answer": """
  chance chooses 5 for roll.die
  chance chooses 2 for roll.die
  reds chooses yes for roll_after_asking.again
  run roll_after_asking(reds)
  expect { check reds.score == 7 }""",
    "a card, known by its face": """
  given { deal salt, wool 2 in hand(reds) }
  chance chooses wool for draw.c
  run draw(reds)
  expect { check count(c in cards(hand(reds)) where c is gift) == 2 }""",
    "a set": """
  chance chooses {hill, wood} for raid.raided
  run raid(reds)
  expect { check any(pawn of reds in hill) and any(pawn of reds in wood) }""",
}
FAILING = {
    "what cannot be drawn": (
        "  chance chooses 7 for roll.die\n  run roll(reds)",
        ("chance chooses 7 for roll.die", "1 of these can be drawn: {1, 2, 3, 4, 5, 6}"),
    ),
    "too few": (
        "  chance chooses {hill} for raid.raided\n  run raid(reds)",
        ("2 of these can be drawn: {hill, wood}",),
    ),
    "what was not drawn": (
        "  chance chooses 3 for roll.die\n  run raid(reds)",
        ("chance chooses 3 for roll.die", "this was not drawn"),
    ),
}


@pytest.mark.parametrize("walked", [False, True], ids=["compiled", "walked"])
@pytest.mark.parametrize("title", PASSING)
def test_chance_decides_as_written(title: str, walked: bool, tmp_path: Path) -> None:
    result = run(tmp_path, PASSING[title], walked)
    assert result.passed, str(result.failure)


@pytest.mark.parametrize("title", FAILING)
def test_what_chance_cannot_decide(title: str, tmp_path: Path) -> None:
    body, told = FAILING[title]
    failure = str(run(tmp_path, f"{body}\n  expect {{ check yes }}").failure)
    for words in told:
        assert words in failure


def test_what_a_scenario_does_not_say_is_left_to_chance(tmp_path: Path) -> None:
    body = "  over 20 seeds\n  run roll(reds)\n  expect { check reds.score == 4 }"
    assert not run(tmp_path, body).passed
