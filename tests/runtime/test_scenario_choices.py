"""What scenarios say about decisions: refused, all that may be chosen, not asked."""

from pathlib import Path

import pytest

from tests.runtime.walkers import scenario, walkers
from ziggurat.proving.scenarios import Result, Runner, run_scenario
from ziggurat.runtime.kernel.program import walked_program

MORE = """
attribute spent of player: int = 0
procedure settle(p: player) {
  choose camp by p from areas where it.limit > p.score "Where?"
  place 1 pawn of p in camp
}
procedure bestow(p: player, n: int) {
  choose n given by p from cards(hand(p)) "Which cards?"
  put given in hand(blues_or_reds(p))
}
value blues_or_reds(p: player): player or none = first(q in players where q is not p)
procedure scatter(p: player) {
  divide 3 losses among areas by p "Where?" allowing 0..it.limit
  for each a in areas { remove losses[a] pawn of p from a }
}
procedure gather(p: player) {
  select picked by p from areas "Which areas?" such that total it.limit at least p.spent, none spare
  add size(picked) to p.score
}
procedure boast(p: player) {
  may p boasting "Boast?" when p.score > 0 { add 1 to p.spent }
}
"""


def run(folder: Path, body: str, walked: bool = False) -> Result:
    ruleset = walkers(folder, MORE, scenario(body))
    if walked:
        return run_scenario(walked_program(ruleset), ruleset.scenarios[0])
    return Runner(ruleset).run(ruleset.scenarios[0])


PASSING = {
    "an option that is refused": """
  given { set reds.score = 2 }
  reds cannot choose hill for settle.camp
  run settle(reds)
  expect { check yes }""",
    "an option, before the one that is chosen": """
  reds cannot choose 4 for toll.pay "not among the options"
  reds may choose only {0, 1, 2, 3} for toll.pay
  reds may choose only 0..3 for toll.pay
  reds chooses 2 for toll.pay
  run toll(reds, 3)
  expect { check reds.score == 2 }""",
    "at the second time": """
  reds chooses 2 for toll.pay
  reds cannot choose 3 for toll.pay
  run toll(reds, 3)
  run toll(reds, 2)
  expect { check reds.score == 2 }""",
    "a set": """
  given { deal salt 2, wool in hand(reds) }
  reds cannot choose {salt} for bestow.given "This takes 2, not 1."
  reds may choose only {salt, wool} for bestow.given
  reds chooses {salt, wool} for bestow.given
  run bestow(reds, 2)
  expect { check size(hand(reds)) == 1   check top(hand(reds)).gift is salt }""",
    "cards by their faces, several of one": """
  given { deal salt 2, wool in hand(reds) }
  reds chooses {salt 2} for bestow.given
  run bestow(reds, 2)
  expect { check top(hand(reds)).gift is wool }""",
    "some of a set": """
  given { deal salt 2, wool 2 in hand(reds) }
  reds chooses some 2 of {wool} for bestow.given
  run bestow(reds, 2)
  expect { check every(c in cards(hand(reds)) has c.gift is salt) }""",
    "some of what answered itself": """
  given { set reds.spent = 3 }
  reds chooses some 1 of areas for gather.picked
  run gather(reds)
  expect { check reds.score == 1 }""",
    "a division": """
  given { place 2 pawn of reds in hill   place 3 pawn of reds in wood }
  reds cannot choose {hill: 3} for scatter.losses "does not meet"
  reds may choose only {hill, wood} for scatter.losses
  reds chooses {hill: 1, wood: 2} for scatter.losses
  run scatter(reds)
  expect { check count(pawn of reds in hill) == 1 }""",
    "a selection": """
  given { set reds.spent = 2 }
  reds cannot choose {hill, wood} for gather.picked
  reds may choose only {hill, wood} for gather.picked
  reds chooses {hill} for gather.picked
  run gather(reds)
  expect { check reds.score == 1 }""",
    "nobody decides": """
  nobody decides boast.boasting
  blues does not decide toll.pay
  run boast(reds)
  reds chooses 1 for toll.pay
  blues does not decide toll.pay
  run toll(reds, 1)
  expect { check reds.spent == 0 }""",
    "nobody comes to act": """
  nobody decides walking
  reds chooses 1 for toll.pay
  run toll(reds, 1)
  given { place 1 pawn of reds in hill }
  reds does walk(hill, wood)
  run phase walking
  expect { check any(pawn of reds in wood) }""",
    "what is not decided in one run may be in the next": """
  nobody decides boast.boasting
  run boast(reds)
  given { set reds.score = 1 }
  reds chooses yes for boast.boasting
  run boast(reds)
  expect { check reds.spent == 1 }""",
    "an answer to what answered itself": """
  given { set reds.score = 2 }
  reds chooses wood for settle.camp
  run settle(reds)
  expect { check count(pawn of reds in wood) == 1 }""",
    "an answer to what answered itself, without its name": """
  given { set reds.score = 2 }
  reds chooses wood
  run settle(reds)
  expect { check count(pawn of reds in wood) == 1 }""",
    "cards of what answered itself": """
  given { deal salt, wool in hand(reds) }
  reds chooses {wool, salt} for bestow.given
  reds may choose only {salt, wool} for bestow.given
  run bestow(reds, 2)
  expect { check size(hand(reds)) == 0 }""",
    "an answer worked out when it is wanted": """
  reds chooses reds.score + 1 for toll.pay
  reds chooses reds.score for toll.pay
  run toll(reds, 3)
  run toll(reds, 3)
  expect { check reds.score == 2 }""",
}


@pytest.mark.parametrize("walked", [False, True], ids=["compiled", "walked"])
@pytest.mark.parametrize("title", PASSING)
def test_passing(title: str, walked: bool, tmp_path: Path) -> None:
    assert str(run(tmp_path, PASSING[title], walked).failure) == "None"


FAILING = {
    "an option that is allowed": (
        "reds cannot choose 3 for toll.pay\n  run toll(reds, 3)\n",
        ("reds cannot choose 3 for toll.pay", "this may be chosen"),
    ),
    "refused for another reason": (
        'reds cannot choose 4 for toll.pay "poverty"\n  run toll(reds, 3)\n',
        ('toll.pay "poverty"', "the reason is: That is not among the options."),
    ),
    "more than these": (
        "reds may choose only {0, 1} for toll.pay\n  run toll(reds, 2)\n",
        ("reds may choose only {0, 1} for toll.pay", "these may be chosen: {0, 1, 2}"),
    ),
    "more than these numbers": (
        "reds may choose only 0..1 for toll.pay\n  run toll(reds, 2)\n",
        ("reds may choose only 0..1 for toll.pay", "these may be chosen: {0, 1, 2}"),
    ),
    "cards, told by their faces": (
        "given { deal salt 2, wool in hand(reds) }\n"
        "  reds may choose only {salt} for bestow.given\n  run bestow(reds, 2)\n",
        ("these may be chosen: {salt, wool}",),
    ),
    "a division that is allowed": (
        "reds cannot choose {hill: 2, wood: 1} for scatter.losses\n  run scatter(reds)\n",
        ("this may be chosen",),
    ),
    "fewer than some": (
        "given { deal salt 2, wool in hand(reds) }\n"
        "  reds chooses some 2 of {wool} for bestow.given\n  run bestow(reds, 2)\n",
        ("reds chooses some 2 of", "This takes 2, not 1."),
    ),
    "asked after all": (
        "given { set reds.score = 1 }\n  nobody decides boast.boasting\n  run boast(reds)\n",
        ("nobody decides boast.boasting", "reds is asked: Boast?"),
    ),
    "asked of the one who is not": (
        "reds does not decide toll.pay\n  run toll(reds, 2)\n",
        ("reds does not decide toll.pay", "reds is asked: How much?"),
    ),
    "who acts after all": (
        "given { place 1 pawn of reds in hill }\n  reds does not decide walking\n"
        "  run phase walking\n",
        ("reds does not decide walking", "reds is asked"),
    ),
    "another answer than the only one": (
        "given { set reds.score = 2 }\n  reds chooses hill for settle.camp\n  run settle(reds)\n",
        ("reds chooses hill for settle.camp", "this answered itself: wood"),
    ),
    "what answered itself cannot be refused": (
        "given { set reds.score = 2 }\n  reds cannot choose wood for settle.camp\n"
        "  run settle(reds)\n",
        ("this answered itself: wood",),
    ),
    "what was never asked": (
        "blues cannot choose 4 for toll.pay\n  run toll(reds, 3)\n",
        ("blues cannot choose 4 for toll.pay", "nobody asked for this"),
    ),
}


@pytest.mark.parametrize("title", FAILING)
def test_failing(title: str, tmp_path: Path) -> None:
    body, told = FAILING[title]
    failure = str(run(tmp_path, f"{body}  expect {{ check yes }}").failure)
    for words in told:
        assert words in failure
