"""Scenarios: given positions, scripted players, refusals, checks, and what a failure says."""

from pathlib import Path

import pytest

from tests.runtime.packed import program as packed
from tests.runtime.walkers import scenario, walkers
from ziggurat.dsl.packs import Search
from ziggurat.proving.coverage import coverage, used_values
from ziggurat.proving.scenarios import Result, Runner, matching, run_scenario
from ziggurat.runtime.kernel.program import walked_program
from ziggurat.runtime.programs import compile_ruleset
from ziggurat.runtime.saves.cache import load_program


def run(folder: Path, body: str, walked: bool = False) -> Result:
    ruleset = walkers(folder, scenario(body))
    if walked:
        return run_scenario(walked_program(ruleset), ruleset.scenarios[0])
    return Runner(ruleset).run(ruleset.scenarios[0])


PASSING = {
    "a given position": """
  given { place 2 pawn of reds in hill   keep 3 pawn of reds in reserve   give lore to reds }
  expect { check strength(reds) == 7   check count(pawn of reds in reserve) == 3 }""",
    "what somebody plays": """
  given { set reds.nation = blues }
  expect { check reds.nation is blues   check reds.rank == 2 }""",
    "cards by their faces": """
  given { deal salt 2, wool in hand(reds)   deal wool on top of hand(reds) }
  expect {
    check size(hand(reds)) == 4
    check top(hand(reds)).gift is wool
  }""",
    "a little map of its own": """
  area moor "Moor" { limit: 7 }
  given { place 1 pawn of reds in moor }
  expect { check size(areas) == 1   check moor.limit == 7 }""",
    "scripted answers": """
  reds chooses 2 for toll.pay
  reds chooses 1 for toll.pay
  run toll(reds, 3)
  expect { check reds.score == 2 }
  run toll(reds, 3)
  expect { check reds.score == 3 }""",
    "an unscripted decision takes its first option": """
  run toll(reds, 3)
  expect { check reds.score == 0 }""",
    "acts and refusals in turn": """
  given { place 1 pawn of reds in hill   place 1 pawn of blues in wood }
  reds cannot walk(wood, hill)
  reds does walk(hill, wood)
  reds cannot walk(hill, wood)
  reds is done
  blues does walk(wood, hill)
  run phase walking
  expect { check count(pawn of reds in wood) == 1   check blues.score == 1 }""",
    "a refusal with its reason, where nothing is possible": """
  given { place 1 pawn of reds in hill   give fear to reds }
  reds cannot walk(hill, wood) "The wood is dark."
  run phase walking
  expect { check reds.score == 1 }""",
    "a refusal out of turn": """
  given { place 1 pawn of reds in hill }
  reds cannot walk(hill, wood) "not its turn"
  expect { check reds.score == 0 }""",
    "to be done without anything to do": """
  reds is done
  run phase walking
  expect { check reds.score == 1 }""",
}


@pytest.mark.parametrize("walked", [False, True], ids=["compiled", "walked"])
@pytest.mark.parametrize("title", PASSING)
def test_passing(title: str, walked: bool, tmp_path: Path) -> None:
    assert str(run(tmp_path, PASSING[title], walked).failure) == "None"


def test_rules_make_do_with_the_pieces_there_are(tmp_path: Path) -> None:
    more = "procedure crowd(p: player) { place 60 pawn of p in hill }\n"
    body = "given { crowd(reds) }\n  expect { check count(pawn of reds in hill) == 9 }"
    ruleset = walkers(tmp_path, more + scenario(body))
    assert str(Runner(ruleset).run(ruleset.scenarios[0]).failure) == "None"


FAILING = {
    "a check": (
        "given { place 1 pawn of reds in hill }\n  expect { check strength(reds) == 9 }",
        ("expected: strength(reds) == 9", "strength(reds) is 3"),
    ),
    "one of several conditions": (
        "expect { check reds.score == 0 and reds.score < 0 }",
        ("reds.score is 0",),
    ),
    "an answer that is refused": (
        "reds chooses 4 for toll.pay\n  run toll(reds, 3)\n  expect { check yes }",
        ("reds chooses 4 for toll.pay", "this was refused"),
    ),
    "a script nobody asked for": (
        "blues chooses 1 for toll.pay\n  run toll(reds, 3)\n  expect { check yes }",
        ("nobody asked for this", "never asked for:"),
    ),
    "an act that is refused": (
        "given { place 1 pawn of reds in hill   set reds.score = 5 }\n"
        "  reds does walk(hill, wood)\n  run phase walking\n  expect { check yes }",
        ("nobody asked for this",),
    ),
    "something that should be refused": (
        "given { place 1 pawn of reds in hill }\n  reds cannot walk(hill, wood)\n"
        "  run phase walking\n  expect { check yes }",
        ("reds cannot walk(hill, wood)", "this is allowed"),
    ),
    "another reason than the one given": (
        "given { place 1 pawn of reds in hill   give fear to reds }\n"
        '  reds cannot walk(hill, wood) "You are tired."\n'
        "  run phase walking\n  expect { check yes }",
        ("the reason is:", "wood"),
    ),
    "more cards than there are": (
        "given { deal salt 4 in hand(reds) }\n  expect { check yes }",
        ("not 4 cards salt",),
    ),
    "more pieces than there are": (
        "given { place 60 pawn of reds in hill }\n  expect { check yes }",
        ("There are not so many pieces: 51 are missing.",),
    ),
    "more pieces than there are, in a loop": (
        "given { for each a in areas { place 5 pawn of reds in a } }\n  expect { check yes }",
        ("There are not so many pieces: 1 are missing.",),
    ),
    "a run after the end": (
        "given { end game }\n  run toll(reds, 3)\n  expect { check yes }",
        ("expected: the game goes on", "it is over before this"),
    ),
    "a decision while a position is given": (
        "given { toll(reds, 3) }\n  expect { check yes }",
        ("Nobody can be asked",),
    ),
}


@pytest.mark.parametrize("title", FAILING)
def test_failing(title: str, tmp_path: Path) -> None:
    body, told = FAILING[title]
    failure = str(run(tmp_path, body).failure)
    for words in told:
        assert words in failure


def test_a_failure_says_what_happened_and_where_to_look(tmp_path: Path) -> None:
    body = "reds chooses 2 for toll.pay\n  run toll(reds, 3)\n  expect { check reds.score == 1 }"
    failure = run(tmp_path, body).failure
    assert failure is not None
    assert failure.actual == "reds.score is 2"
    assert "reds pays 2." in failure.ran
    assert any(line.endswith("in toll") for line in failure.look_at)
    assert "walkers/walkers.scenarios.rules:" in str(failure)


def test_a_failure_looks_at_the_triggers_of_phases_too(tmp_path: Path) -> None:
    bonus = "rule bonus { after walking { for each p in players { add 3 to p.score } } }\n"
    body = "reds is done\n  blues is done\n  run phase walking\n"
    ruleset = walkers(tmp_path, bonus + scenario(body + "expect { check reds.score == 1 }"))
    result = run_scenario(compile_ruleset(ruleset, trace=True), ruleset.scenarios[0])
    assert result.failure is not None
    assert any("bonus / after walking" in line for line in result.failure.look_at)


def test_what_is_given_never_meets_values_noted_before(tmp_path: Path) -> None:
    more = "value peopled(p: player): int = count(a in areas where any(pawn of p in a))\n"
    body = """
  given {
    place 1 pawn of reds in hill
    set reds.score = peopled(reds)
    place 1 pawn of reds in wood
    set blues.score = peopled(reds)
  }
  expect { check reds.score == 1   check blues.score == 2 }"""
    ruleset = walkers(tmp_path, scenario(body) + more)
    assert str(Runner(ruleset).run(ruleset.scenarios[0]).failure) == "None"


def test_scenarios_run_on_the_program_that_is_played(tmp_path: Path) -> None:
    ruleset = walkers(tmp_path, scenario("expect { check yes }"))
    played, findings = load_program("walkers", Search((tmp_path,)))
    assert played is not None, findings
    assert Runner(ruleset).played.code == played.code


def test_patterns_mean_titles_tags_and_files(tmp_path: Path) -> None:
    body = "tags R-1\n  expect { check yes }"
    ruleset = walkers(tmp_path, scenario(body, "one"), scenario("expect { check yes }", "two"))
    assert [one.title for one in matching(ruleset, "R-1")] == ["one"]
    assert [one.title for one in matching(ruleset, "TW?")] == ["two"]
    assert len(list(matching(ruleset))) == 2


def test_coverage_names_tags_without_scenario_and_clauses_never_run(tmp_path: Path) -> None:
    body = "tags R-1, A-lore\n  given { give lore to reds }\n  expect { check strength(reds) == 5 }"
    ruleset = walkers(tmp_path, scenario(body))
    program = compile_ruleset(ruleset, trace=True)
    found = coverage(program, [run_scenario(program, ruleset.scenarios[0])])
    assert set(found.untested) == {"R-2", "A-fear"}
    assert "toll" in found.unrun
    assert "strength" not in found.unrun
    assert not any("modify strength" in path for path in found.unrun)


def test_coverage_counts_the_keys_of_orders_that_rules_use() -> None:
    rules = """
order wide(a: area) { limit: a.limit }
order narrow(a: area) { limit: 0 - a.limit }
value widest(): area or none = first(a in areas by wide)
value narrowest(): area or none = first(a in areas by narrow)
phase play "Play" { once { if widest() is one { end game } } }
"""
    used = used_values(packed(rules).ruleset)
    assert {"widest", "wide.limit"} <= used
    assert not {"narrowest", "narrow.limit"} & used


def test_coverage_leaves_out_what_a_ruleset_never_comes_to(tmp_path: Path) -> None:
    more = """
value closed(): bool = yes
action rest "Rest" in walking by p {
  needs not closed() "Nobody rests."
  add 1 to p.score
}
procedure feast(p: player) { give lore to p }
rule fast { instead of feast(p) {} }
"""
    body = "run feast(reds)\n  expect { check not reds holds lore }"
    ruleset = walkers(tmp_path, scenario(body) + more)
    program = compile_ruleset(ruleset, trace=True)
    found = coverage(program, [run_scenario(program, one) for one in ruleset.scenarios])
    assert found.idle == {
        "rest": "never allowed: Nobody rests.",
        "feast": "always replaced: fast / instead feast / 1",
    }
    assert not {"rest", "feast"} & set(found.unrun)
    assert not found.whole
