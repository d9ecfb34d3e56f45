"""What packs do to the scenarios of the packs they build on: still kept, changed, or broken.

A scenario that fails is run again without the uppermost packs. If it passes there, it is not the
rules that are wrong: a pack made it end differently, and is named with the clauses that did it.
"""

from collections import Counter
from collections.abc import Callable, Iterator

import attrs

from ziggurat.dsl import ir
from ziggurat.dsl.loading import ParsedFiles, load_below
from ziggurat.dsl.packs import Search
from ziggurat.proving import phrasing
from ziggurat.proving.blame import clauses_of
from ziggurat.proving.scenarios import Failure, Result, Runner, is_meant, run_scenario
from ziggurat.runtime.program import Program, compile_ruleset

KEPT, CHANGED, BROKEN = "still kept", "changed", "broken"


@attrs.frozen
class Judgement:
    """A result in one word. `pack` changed what the scenario expects, with these `clauses`;
    `reason` is what it says about it, empty if it says nothing."""

    result: Result
    word: str
    pack: str = ""
    clauses: tuple[str, ...] = ()
    reason: str = ""

    @property
    def is_fine(self) -> bool:
        """Whether nobody needs to look at it."""
        return self.word == KEPT or (self.word == CHANGED and bool(self.reason))


def misfits(ruleset: ir.Ruleset, pattern: str = "") -> Iterator[Judgement]:
    """The scenarios that a pattern means and that cannot be run since a pack changed what they
    speak of."""
    for one in ruleset.misfits:
        if is_meant(one.scenario, pattern):
            expected = f"`{one.changed}` as it was"
            actual = "it is another one; remove the scenario, or replace it with one that fits"
            failure = Failure(expected, actual, one.scenario.at)
            clause = f"{phrasing.where(one.clause)} in {one.changed}"
            result = Result(one.scenario, failure, Counter())
            yield Judgement(result, CHANGED, one.pack, (clause,))


class Judge:
    """Runs scenarios and says what became of them. `below` gives the rules of the lowest packs
    alone, so many of them; None where these are no game by themselves."""

    def __init__(self, runner: Runner, below: Callable[[int], ir.Ruleset | None]) -> None:
        self.runner = runner
        self.packs = [pack.id for pack in runner.ruleset.packs]
        self._below = below
        self._programs: dict[int, Program | None] = {}

    def judge(self, scenario: ir.Scenario) -> Judgement:
        result = self.runner.run(scenario)
        other = scenario.otherwise
        if result.failure is None:
            if other is None:
                return Judgement(result, KEPT)
            return Judgement(result, CHANGED, other.pack, reason=other.reason)
        pack = self._changed_by(scenario)
        if not pack:
            return Judgement(result, BROKEN)
        ran = set(self.runner.count(scenario).counts)
        clauses = clauses_of(self.runner.ruleset, pack, result.failure.check, ran)
        return Judgement(result, CHANGED, pack, clauses)

    def _changed_by(self, scenario: ir.Scenario) -> str:
        """The pack without which the scenario still passes, if a later one than its own."""
        said = scenario.otherwise.pack if scenario.otherwise else scenario.meta.origin
        for number in range(len(self.packs) - 1, self.packs.index(said), -1):
            program = self._program(number)
            if program is None:
                continue
            known = (one for one in program.ruleset.scenarios if one.id == scenario.id)
            same = next((one for one in known if one.at.file == scenario.at.file), None)
            if same is not None and run_scenario(program, same).passed:
                return self.packs[number]
        return ""

    def _program(self, number: int) -> Program | None:
        if number not in self._programs:
            ruleset = self._below(number)
            self._programs[number] = compile_ruleset(ruleset) if ruleset is not None else None
        return self._programs[number]


def judge_of(runner: Runner, search: Search | None = None) -> Judge:
    """A judge who looks for packs where the stack was found."""
    parsed = ParsedFiles()
    stack = runner.ruleset.stack
    return Judge(runner, lambda number: load_below(stack, number, search, parsed).ruleset)
