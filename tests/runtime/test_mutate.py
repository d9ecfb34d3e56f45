"""Content mutation: the changes made, and that a changed program does what changed rules say."""

from pathlib import Path

import pytest

from tests.runtime.walkers import scenario, walkers
from ziggurat.proving.mutants import mutants
from ziggurat.proving.mutate import Reach, check_mutant, check_mutants, sample
from ziggurat.proving.scenarios import Runner, run_scenario
from ziggurat.runtime.kernel import Ruleset
from ziggurat.runtime.programs import compile_ruleset

SCENARIOS = (
    scenario(
        "given { give lore to reds   place 1 pawn of reds in hill }\n"
        "  expect { check strength(reds) == 6   check strength(blues) == 2 }",
        "strength",
    ),
    scenario(
        "given { place 1 pawn of reds in hill   give fear to blues\n"
        "          place 1 pawn of blues in hill }\n"
        "  blues cannot walk(hill, wood)\n  reds does walk(hill, wood)\n  run phase walking\n"
        "  expect { check count(pawn of reds in wood) == 1   check reds.score == 1 }",
        "walking",
    ),
    scenario(
        "run muster(reds)\n  run muster(blues)\n"
        "  expect { check reds.score == 3   check blues.score == 7 }",
        "muster",
    ),
    scenario(
        "reds chooses 2 for toll.pay\n  run toll(reds, 2)\n  expect { check reds.score == 2 }",
        "toll",
    ),
    scenario(
        "given { place 1 pawn of reds in hill   place 1 pawn of reds in wood }\n"
        "  reds chooses {wood} for duel.lost\n  run duel(reds, blues, 1)\n"
        '  said "reds lost 1."\n  expect { check count(pawn of reds on board) == 1 }',
        "duel",
    ),
    scenario(
        "given { give fear to reds }\n  run duel(reds, blues, 1)\n"
        "  expect { check reds.score == 3 }",
        "mercy",
    ),
)

# A value with a loop is noted down, and what changes is read at once.
MORE = """
value peopled(p: player): int = count(a in areas where any(pawn of p in a))
value spread(p: player): int = sum(peopled(q) for q in players where q.rank <= p.rank)
procedure muster(p: player) {
  place 1 pawn of p in hill
  set p.score = spread(p)
  place 1 pawn of p in wood
  add spread(p) to p.score
}
value held(p: player): set of area = areas with pawn of p
value wide(p: player): set of area = {a in areas where a.limit > 2}
order seating(p: player) { rank: p.rank }
procedure duel(p: player, foe: player, n: int) {
  choose up to n lost by p from held(p) where it is not hill  "Which ones?"
  for each a in lost { remove 1 pawn of p from a }
  for each q in players by ranks { add 1 to q.score }
  tell p "You lost {size(lost)}."
  say "{p} lost {size(lost)}."
}
rule mercy {
  instead of duel(p, foe, n) when p holds fear { set p.score = 3 }
}
"""


@pytest.fixture
def ruleset(tmp_path: Path) -> Ruleset:
    return walkers(tmp_path, *SCENARIOS, MORE)


def test_the_changes(ruleset: Ruleset) -> None:
    told = {mutant.name for mutant in mutants(ruleset)}
    assert {
        "strength: 2 made 3",
        "strength: 2 made 1",
        "strength: a sign turned in `2 + count(pawn of p on board)`",
        "lore / modify strength / 1: the condition `p holds lore` left out",
        "may_enter: yes made no",
        "walk: `needs p.score < 5` left out",
        "walk: the step move left out",
        "walk: the condition `may_enter(p, it)` left out",
        "ranks: the keys ranks.score and ranks.rank swapped",
        "toll: added made subtracted",
    } <= told
    assert not any("the step let" in one or "the step say" in one for one in told)


@pytest.mark.parametrize(
    ("sort", "name"),
    [
        ("who", "duel: `by p` made `by foe` for duel.lost"),
        ("who", "duel: `tell p` made `tell foe`"),
        ("who", "toll: `by p` made `by left_of(p)` for toll.pay"),
        ("bound", "duel: the bound `at most n` left out for duel.lost"),
        ("bound", "duel: `n` made `n + 1` for duel.lost"),
        ("bound", "toll: `n` made `n - 1`"),
        ("set", "walk: `areas with pawn of p` made `areas`"),
        ("set", "duel: `held(p)` made `areas`"),
        ("set", "duel: `held(p)` made `wide(p)`"),
        ("set", "spread: `players` made `others(p)`"),
        ("filter", "walk: `where may_enter(p, it)` made `where not may_enter(p, it)`"),
        ("filter", "duel: `where it is not hill` made `where not it is not hill`"),
        ("order", "duel: `by ranks` left out"),
        ("order", "duel: `by ranks` made `by seating`"),
        ("order", "ranks: the key ranks.rank left out"),
        ("order", "ranks.score: the key turned round"),
        ("text", "toll: the words of `How much?` lost"),
        ("text", "duel: {p} made {foe} in `{p} lost {size(lost)}.`"),
        ("text", "duel: {size(lost)} made {n} in `{p} lost {size(lost)}.`"),
        ("text", "walk: the text `You are tired.` lost"),
        ("text", "fear / forbid may_enter / 1: the text `The wood is dark.` lost"),
    ],
)
def test_who_how_many_which_and_what_is_said(ruleset: Ruleset, sort: str, name: str) -> None:
    assert sort in {mutant.sort for mutant in mutants(ruleset) if mutant.name == name}


def test_a_mutant_differs_in_one_declaration(ruleset: Ruleset) -> None:
    for mutant in mutants(ruleset):
        changed = mutant.apply(ruleset)
        assert changed != ruleset
        assert changed.scenarios == ruleset.scenarios
        assert mutant.at.file in ("walkers/walkers.rules", "walkers/walkers.scenarios.rules")


def test_a_patched_program_does_what_the_changed_rules_say(ruleset: Ruleset) -> None:
    runner = Runner(ruleset)
    results = [runner.count(one) for one in ruleset.scenarios]
    assert all(result.passed for result in results)
    reach = Reach(ruleset, results)
    for mutant in mutants(ruleset):
        outcome = check_mutant(runner.played, mutant, reach.scenarios(mutant))
        compiled = compile_ruleset(mutant.apply(ruleset))
        noticed = any(not run_scenario(compiled, one).passed for one in ruleset.scenarios)
        assert bool(outcome.noticed_by) == noticed, mutant


def test_texts_are_read_as_the_mutant_has_them(ruleset: Ruleset) -> None:
    """`said` looks at a sentence, so its scenario notices whatever becomes of it."""
    program = compile_ruleset(ruleset)
    scenarios = [one for one in ruleset.scenarios if one.title == "duel"]
    told = {mutant.name: mutant for mutant in mutants(ruleset)}
    lost = told["duel: the words of `{p} lost {size(lost)}.` lost"]
    assert check_mutant(program, lost, scenarios).noticed_by == "duel"
    other = told["duel: the words of `Which ones?` lost"]
    assert not check_mutant(program, other, scenarios).noticed_by


def test_names_tell_mutants_apart_without_their_places(ruleset: Ruleset) -> None:
    names = [mutant.name for mutant in mutants(ruleset)]
    assert len(names) == len(set(names))


def test_a_mutant_belongs_to_the_pack_that_wrote_the_clause(ruleset: Ruleset) -> None:
    assert {mutant.pack for mutant in mutants(ruleset)} == {"walkers"}


def test_samples_are_the_same_for_the_same_seed(ruleset: Ruleset) -> None:
    first = sample(mutants(ruleset), 5, 1)
    assert [str(one) for one in first] == [str(one) for one in sample(mutants(ruleset), 5, 1)]
    assert len(sample(mutants(ruleset), None, 1)) == len(mutants(ruleset))


def test_processes_check_all_mutants_and_can_be_left(ruleset: Ruleset) -> None:
    program = compile_ruleset(ruleset, trace=True)
    reach = Reach(ruleset, [run_scenario(program, one) for one in ruleset.scenarios])
    chosen = sample(mutants(ruleset), 6, 3)
    outcomes = list(check_mutants(ruleset, chosen, reach))
    assert {str(one.mutant) for one in outcomes} == {str(one) for one in chosen}
    running = check_mutants(ruleset, chosen, reach)
    next(running)
    running.close()
