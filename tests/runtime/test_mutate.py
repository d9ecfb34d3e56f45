"""Content mutation: the changes made, and that a changed program does what changed rules say."""

from pathlib import Path

import pytest

from tests.runtime.walkers import scenario, walkers
from ziggurat.dsl.ir import Ruleset
from ziggurat.proving.mutants import mutants
from ziggurat.proving.mutate import Reach, check_mutant, check_mutants, sample
from ziggurat.proving.scenarios import Runner, run_scenario
from ziggurat.runtime.program import compile_ruleset

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
"""


@pytest.fixture
def ruleset(tmp_path: Path) -> Ruleset:
    return walkers(tmp_path, *SCENARIOS, MORE)


def test_the_changes(ruleset: Ruleset) -> None:
    told = {f"{mutant.id}: {mutant.what}" for mutant in mutants(ruleset)}
    assert {
        "strength: 2 made 3",
        "strength: 2 made 1",
        "strength: a sign turned in `2 + count(pawn of p on board)`",
        "strength: the condition `p holds lore` left out",
        "walk: `needs p.score < 5` left out",
        "walk: the step move left out",
        "walk: the condition `may_enter(p, it)` left out",
        "ranks: the keys ranks.score and ranks.rank swapped",
        "toll: added made subtracted",
    } <= told
    assert not any("let" in one or "say" in one for one in told)


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


def test_samples_are_the_same_for_the_same_seed(ruleset: Ruleset) -> None:
    first = sample(ruleset, 5, 1)
    assert [str(one) for one in first] == [str(one) for one in sample(ruleset, 5, 1)]
    assert len(sample(ruleset, None, 1)) == len(mutants(ruleset))


def test_processes_check_all_mutants_and_can_be_left(ruleset: Ruleset) -> None:
    program = compile_ruleset(ruleset, trace=True)
    reach = Reach(ruleset, [run_scenario(program, one) for one in ruleset.scenarios])
    chosen = sample(ruleset, 6, 3)
    outcomes = list(check_mutants(ruleset, chosen, reach))
    assert {str(one.mutant) for one in outcomes} == {str(one) for one in chosen}
    running = check_mutants(ruleset, chosen, reach)
    next(running)
    running.close()
