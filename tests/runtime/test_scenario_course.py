"""What scenarios say about the course of a run: moments in it, who was asked, what was said, who
sees what."""

from pathlib import Path

import pytest

from tests.runtime.walkers import scenario, walkers
from ziggurat.proving.scenarios import Result, Runner, run_scenario
from ziggurat.runtime.kernel.program import walked_program

MORE = """
attribute plan of player secret: int = 0
procedure journey(p: player) {
  step pack { add 2 to p.score }
  toll(p, 1)
  step leave "They leave" {
    may p rest "Rest?" { add 10 to p.score } otherwise { toll(p, 1) }
  }
  step leave_again { add 1 to p.score }
}
kind weather { body come(p: player) }
weather rain "Rain" { come { toll(p, 1) } }
procedure storm(p: player) { rain.come(p) }
rule dry { instead of rain.come(p) when p.score > 5 { add 1 to p.score } }
phase census "Census" {
  all players p at once {
    choose told by p from 1..2 "How many?"
    step count { add told to p.score }
  }
}
procedure tolls() {
  for each p in players by ranks {
    toll(p, 2)
    add 1 to p.score
    toll(p, 2)
  }
}
"""


def run(folder: Path, body: str, walked: bool = False) -> Result:
    ruleset = walkers(folder, MORE, scenario(body))
    if walked:
        return run_scenario(walked_program(ruleset), ruleset.scenarios[0])
    return Runner(ruleset).run(ruleset.scenarios[0])


PASSING = {
    "the moment of a decision, in the middle of a procedure": """
  reds decides toll.pay { check reds.score == 0 }
  reds chooses 2 for toll.pay
  reds decides toll.pay { check reds.score == 3   check blues.score == 0 }
  blues decides toll.pay { check reds.score == 3 }
  run tolls()
  expect { check reds.score == 3 }""",
    "the order in which people are asked": """
  run tolls()
  reds, reds, blues, blues decide toll.pay in order""",
    "the order of the last run alone": """
  run toll(blues, 1)
  run toll(reds, 1)
  run tolls()
  reds, reds, blues, blues decide toll.pay in order""",
    "the order in which people act": """
  given { place 2 pawn of reds in hill   place 1 pawn of blues in wood   set reds.score = 1 }
  reds does walk(hill, wood)
  reds does walk(hill, wood)
  run phase walking
  blues, reds decide walking in order""",
    "what is asked": """
  given { place 1 pawn of blues in wood }
  reds decides toll.pay "How much" { check reds.score == 0 }
  reds chooses 1 for toll.pay
  reds decides toll.pay "How much?"
  run tolls()
  blues decides walk.target "Where to?"
  blues does walk(wood, hill)
  run phase walking""",
    "what was said": """
  reds chooses 2 for toll.pay
  run tolls()
  said "reds pays 2", "reds pays 0", "blues pays 0"
  nobody said "reds pays 1", "blues pays 2"
  run toll(blues, 1)
  said "blues pays 0." """,
    "what holds when a rule begins": """
  expect at journey { check reds.score == 0 }
  expect at journey.pack { check reds.score == 0 }
  expect at toll { check reds.score == 2   check blues.score == 0 }
  reds chooses 1 for toll.pay
  expect at journey.leave { check reds.score == 3 }
  reds chooses no for journey.rest
  expect at toll { check reds.score == 3 }
  reds chooses 1 for toll.pay
  expect at journey.leave_again { check reds.score == 4 }
  run journey(reds)
  expect { check reds.score == 5 }
  expect at toll { check reds.score == 5 }
  run toll(reds, 1)""",
    "what holds when a rule begins, if all decide at once": """
  expect at census.count { check reds.score == 0 }
  expect at census.count { check reds.score == 2   check blues.score == 0 }
  reds chooses 2 for census.told
  blues chooses 1 for census.told
  run phase census
  expect census.count, census.count to run
  expect { check blues.score == 1 }""",
    "which rules ran": """
  reds chooses 1 for toll.pay
  reds chooses yes for journey.rest
  run journey(reds)
  expect journey, journey.pack, toll, journey.leave, journey.leave_again to run
  expect journey.pack, journey.leave_again to run
  expect tolls, storm not to run
  run storm(reds)
  expect rain.come, toll not to run
  run storm(blues)
  expect storm, rain.come, toll to run
  expect journey not to run""",
    "what is said of an act, and which action was done": """
  given { place 2 pawn of reds in hill }
  reds decides walking { check count(pawn of reds in hill) == 2 }
  reds does walk(hill, wood)
  reds decides walking { check count(pawn of reds in hill) == 1 }
  expect at walk { check count(pawn of reds in wood) == 0 }
  expect at walk { check count(pawn of reds in wood) == 1 }
  reds does walk(hill, wood)
  run phase walking
  expect walk, walk to run""",
    "who sees what": """
  given { deal salt, wool in hand(reds)   set reds.plan = 2 }
  blues sees size(hand(reds)) but not cards(hand(reds))
  reds sees cards(hand(reds))
  reds sees reds.plan
  blues does not see reds.plan
  blues does not see strength(blues) + reds.plan""",
}


@pytest.mark.parametrize("walked", [False, True], ids=["compiled", "walked"])
@pytest.mark.parametrize("title", PASSING)
def test_passing(title: str, walked: bool, tmp_path: Path) -> None:
    assert str(run(tmp_path, PASSING[title], walked).failure) == "None"


FAILING = {
    "a moment": (
        "reds decides toll.pay { check reds.score == 1 }\n  run tolls()\n",
        ("reds decides toll.pay: reds.score == 1", "reds.score is 0"),
    ),
    "a moment that never comes": (
        "blues decides toll.pay { check yes }\n  run toll(reds, 2)\n",
        ("blues decides toll.pay", "nobody asked for this"),
    ),
    "something else is asked": (
        'reds decides toll.pay "How many?"\n  run toll(reds, 2)\n',
        ('reds decides toll.pay "How many?"', "the prompt is: How much?"),
    ),
    "something else is asked for an action": (
        "given { place 1 pawn of reds in hill }\n"
        '  reds decides walk.target "How far?"\n  reds does walk(hill, wood)\n'
        "  run phase walking\n",
        ('reds decides walk.target "How far?"', "the prompt is: Where to?"),
    ),
    "an action that is not done asks nothing": (
        'reds decides walk.target "Where to?"\n  run phase walking\n',
        ('reds decides walk.target "Where to?"', "nobody asked for this"),
    ),
    "another order": (
        "run tolls()\n  reds, blues decide toll.pay in order\n",
        ("reds, blues decide toll.pay in order", "asked were: reds, reds, blues, blues"),
    ),
    "nobody asked": (
        "run toll(reds, 0)\n  reds, blues decide toll.pay in order\n",
        ("asked were: none",),
    ),
    "said in another order": (
        'run tolls()\n  said "blues pays 0", "reds pays 0"\n',
        ('said "reds pays 0"', "reds pays 0.; reds pays 0.; blues pays 0.; blues pays 0."),
    ),
    "said after all": (
        'run tolls()\n  nobody said "greens pays", "blues pays"\n',
        ('nobody said "greens pays", "blues pays"', "blues pays 0."),
    ),
    "said before the last run": (
        'run tolls()\n  run toll(blues, 1)\n  said "reds pays 0"\n',
        ('said "reds pays 0"',),
    ),
    "what does not hold when a rule begins": (
        "expect at toll { check yes }\n  expect at toll { check reds.score == 5 }\n  run tolls()\n",
        ("at toll: reds.score == 5", "reds.score is 1"),
    ),
    "a rule that does not begin": (
        "expect at storm { check yes }\n  run tolls()\n",
        ("at storm: it begins", "it did not run"),
    ),
    "a rule that begins less often": (
        "expect at journey { check yes }\n  expect at journey { check yes }\n  run journey(reds)\n",
        ("at journey: it begins", "it began once"),
    ),
    "rules in another order": (
        "run journey(reds)\n  expect toll, journey.pack to run\n",
        ("toll, journey.pack to run", "this ran: journey.pack, toll"),
    ),
    "rules that did not run": (
        "run tolls()\n  expect storm, journey to run\n",
        ("storm, journey to run", "none of this ran"),
    ),
    "a rule that ran": (
        "run tolls()\n  expect storm, toll not to run\n",
        ("storm, toll not to run", "toll ran"),
    ),
    "the moment of an act": (
        "reds decides walking { check reds.score == 1 }\n"
        "  given { place 1 pawn of reds in hill }\n  run phase walking\n",
        ("reds decides walking: reds.score == 1", "reds.score is 0"),
    ),
    "hidden": (
        "given { deal salt in hand(reds) }\n  blues sees cards(hand(reds))\n",
        ("blues sees cards(hand(reds))", "it depends on something hidden"),
    ),
    "not hidden": (
        "given { deal salt in hand(reds) }\n  blues sees reds.score but not size(hand(reds))\n",
        ("blues does not see size(", "nothing of it is hidden"),
    ),
}


@pytest.mark.parametrize("title", FAILING)
def test_failing(title: str, tmp_path: Path) -> None:
    body, told = FAILING[title]
    failure = str(run(tmp_path, f"{body}  expect {{ check yes }}").failure)
    for words in told:
        assert words in failure
