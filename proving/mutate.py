"""Content mutation: which wrong rules would the scenarios notice?

A mutant changes one declaration. It runs as a program of the unchanged rules whose values are all
called, in which the functions of that one declaration are replaced by walking the changed one, so
nothing is compiled anew. Only scenarios that reach the declaration are run, until one of them
fails: first those that noticed another change of the same clause, then those that run the clause,
the shortest first.
"""

import random
import signal
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import lru_cache
from typing import Any

import attrs

from ziggurat.proving.mutants import Mutant
from ziggurat.proving.scenarios import Result, run_scenario
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.program import Bound, Program, WalkedBeside
from ziggurat.runtime.kernel.signatures import Site, need_level
from ziggurat.runtime.kernel.table import Table
from ziggurat.runtime.kernel.walker import Walker
from ziggurat.runtime.kernel.walking import walk
from ziggurat.runtime.programs import compile_ruleset

PROCESSES = 2
MOST_PROCESSES = 61  # that Windows can wait for


@attrs.frozen
class MutantOutcome:
    """A mutant, the title of the scenario that noticed it (empty: none did), and how many of them
    reach the changed rule at all."""

    mutant: Mutant
    noticed_by: str
    reached_by: int


def sample(every: Sequence[Mutant], number: int | None, seed: int) -> list[Mutant]:
    """Some mutants drawn at random, the same for the same seed; all of them without a number."""
    chance = random.Random(seed)
    return chance.sample(every, len(every) if number is None else min(number, len(every)))


# ---- programs with one wrong rule


@attrs.frozen(eq=False)
class MutantProgram(Program):
    """A program in which one declaration is walked, as the mutant has it."""

    played: Program = attrs.field(kw_only=True)
    mutant: Mutant = attrs.field(kw_only=True)

    def bind(self, table: Table) -> Bound:
        bound = self.played.bind(table)
        bound.program = self
        _replace_functions(bound, self.mutant)
        return bound


def mutant_program(program: Program, mutant: Mutant) -> MutantProgram:
    """Return a program with one change, in which the original rule is inlined nowhere.

    A changed value is never cached, and the values that read it are cached correctly: a mutant
    reads and writes no more than the rule it is made from.
    """
    played = _apart(program) if program.straight else program
    levels = dict(played.need_levels)
    if mutant.table == "actions":
        action = mutant.declaration
        levels[action.id] = tuple(need_level(action, need) for need in action.needs)
    return MutantProgram(
        mutant.apply(played.ruleset),
        tuple(_changed_sites(played, mutant)),
        levels,
        played.clauses,
        played.silent,
        played.voids,
        played=played,
        mutant=mutant,
    )


@lru_cache(maxsize=1)
def _apart(program: Program) -> Program:
    return compile_ruleset(program.ruleset, straight=False)


def _changed_sites(program: Program, mutant: Mutant) -> Iterator[Site]:
    """The decisions and sentences of the changed declaration, as it has them now."""
    old = {id(node) for node in walk(mutant.original(program.ruleset))}
    new = {(type(node), getattr(node, "at", None)): node for node in walk(mutant.declaration)}
    for site in program.sites:
        node = new.get((type(site.node), site.at)) if id(site.node) in old else None
        yield site if node is None else attrs.evolve(site, node=node)


def _replace_functions(bound: Bound, mutant: Mutant) -> None:
    """Let the functions of the changed declaration walk it."""
    walker = Walker(WalkedBeside(bound, {(mutant.table.removesuffix("s"), mutant.id)}))
    # A condition that was left out must not be found any longer.
    for kind in {"phases": ("phase", "stage"), "actions": ("action",)}.get(mutant.table, ()):
        bound.remove(kind, mutant.id)
    for key, function in walker.functions(mutant.declaration):
        bound.replace(key, function)


# ---- which scenarios to run


class Reach:
    """Which scenarios reach which declarations, from a run of all of them on the right rules."""

    def __init__(self, ruleset: ir.Ruleset, results: Iterable[Result]) -> None:
        self._ruleset = ruleset
        passed = [result for result in results if result.passed]
        passed.sort(key=lambda result: result.counts.total())
        self._reached = [(r.scenario, {*r.counts, *_mentioned(r.scenario)}) for r in passed]

    def scenarios(self, mutant: Mutant) -> list[ir.Scenario]:
        """Those that reach the changed declaration: first those that run the changed clause, of
        these the shortest first."""
        paths = self._paths(mutant)
        found = [(scenario, reached) for scenario, reached in self._reached if paths & reached]
        found.sort(key=lambda one: mutant.clause not in one[1])
        return [scenario for scenario, _ in found]

    def _paths(self, mutant: Mutant) -> set[str]:
        """The declaration's own clauses, and those that happen before, after and instead."""
        triggers = {node.path for node in walk(mutant.declaration) if isinstance(node, ir.Trigger)}
        return self._own_paths(mutant) | triggers

    def _own_paths(self, mutant: Mutant) -> set[str]:
        declared = mutant.declaration
        match mutant.table:
            case "orders":
                return {*declared.keys}
            case "things":
                return {f"{declared.id}.{body.name}" for body in declared.bodies}
            case "phases":
                return {declared.id, *(stage.path for stage in declared.stages)}
            case "actions":
                phase = self._ruleset.phases.get(declared.phase)
                stages = phase.stages if phase is not None else ()
                return {declared.id, declared.phase, *(stage.path for stage in stages)}
        return {declared.id}


def _mentioned(scenario: ir.Scenario) -> Iterator[str]:
    for item in scenario.items:
        match item:
            case ir.Run(phase=phase, to=to):
                yield from (phase, to)
            case ir.Cannot(action=action):
                yield action
            case ir.Scripted(kind="does", path=action):
                yield action


# ---- running them


def check_mutant(
    program: Program, mutant: Mutant, scenarios: Sequence[ir.Scenario]
) -> MutantOutcome:
    """Run the scenarios on a mutant until one of them fails."""
    changed = mutant_program(program, mutant)
    for scenario in scenarios:
        if not _passes(changed, scenario):
            return MutantOutcome(mutant, scenario.title, len(scenarios))
    return MutantOutcome(mutant, "", len(scenarios))


def _passes(program: MutantProgram, scenario: ir.Scenario) -> bool:
    """A wrong rule may bring the interpreter to a halt: nobody misses that."""
    try:
        return run_scenario(program, scenario).passed
    except Exception:  # whatever it is, the right rules do not do it
        return False


def check_mutants(
    ruleset: ir.Ruleset, chosen: Sequence[Mutant], reach: Reach, processes: int = PROCESSES
) -> Generator[MutantOutcome, None, None]:
    """The outcomes as they come. Closing the generator, as after an interrupt, ends the work."""
    pool = ProcessPoolExecutor(
        min(processes, MOST_PROCESSES), initializer=_begin, initargs=(ruleset,)
    )
    try:
        work = [
            pool.submit(_check, mutant, [s.id for s in reach.scenarios(mutant)])
            for mutant in chosen
        ]
        for done in as_completed(work):
            yield done.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_worker: dict[str, Any] = {}


def _begin(ruleset: ir.Ruleset) -> None:
    """Each process compiles the rules once. An interrupt is the business of the first process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _worker["program"] = compile_ruleset(ruleset, straight=False)
    _worker["scenarios"] = {scenario.id: scenario for scenario in ruleset.scenarios}
    _worker["noticing"] = defaultdict(set)


def _check(mutant: Mutant, scenarios: Sequence[str]) -> MutantOutcome:
    known, noticing = _worker["scenarios"], _worker["noticing"][mutant.clause]
    order = sorted(scenarios, key=lambda id_: id_ not in noticing)
    outcome = check_mutant(_worker["program"], mutant, [known[id_] for id_ in order])
    if outcome.noticed_by:
        noticing.add(next(id_ for id_ in order if known[id_].title == outcome.noticed_by))
    return outcome
