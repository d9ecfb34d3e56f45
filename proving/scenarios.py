"""Runs scenarios: a table of their own, a given position, scripted players, checks in words.

A result says whether a scenario passed, and if not, what was expected, what happened, which rules
ran and which of their steps touch what was checked. Scenarios run on the program that is played.
What needs to know how often each clause ran, as coverage does and the steps named with a failure,
runs them again on a traced program.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

import attrs

from ziggurat.proving import phrasing
from ziggurat.proving.blame import clauses_touching, sides
from ziggurat.proving.course import RAN, Course, is_watched, unwatched
from ziggurat.proving.explained import ExplainedGame
from ziggurat.proving.onlookers import check_asked, check_said, check_sees
from ziggurat.proving.positions import Preparation
from ziggurat.proving.scripts import Mismatch, Script, WatchedActions
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.log import describe
from ziggurat.runtime.kernel.errors import RulesError
from ziggurat.runtime.kernel.program import Program, WalkedBeside, WalkedBound, walked_program
from ziggurat.runtime.kernel.scheduler import Scheduler
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Steps
from ziggurat.runtime.kernel.table import Table
from ziggurat.runtime.programs import compile_ruleset

MOST_DECISIONS = 5_000


@attrs.frozen
class Failure:
    """What went wrong, in words. `ran` tells what happened in order, `look_at` which executed
    steps touch what was checked, `unused` what the script still had to say; `check` is the one that
    does not hold, if it was one."""

    expected: str
    actual: str
    at: ir.At
    ran: tuple[str, ...] = ()
    look_at: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    check: ir.Expr | None = None

    def __str__(self) -> str:
        lines = [f"expected: {self.expected}", f"actual:   {self.actual}"]
        for title, told in (
            ("happened", self.ran),
            ("look at", self.look_at),
            ("never asked for", self.unused),
        ):
            lines += [f"{title}:", *(f"  {line}" for line in told)] if told else []
        place = phrasing.where(self.at)
        return "\n".join([place, *lines] if place else lines)


@attrs.frozen
class Result:
    """One scenario's outcome; `counts` says how often each clause ran (traced programs only)."""

    scenario: ir.Scenario
    failure: Failure | None
    counts: Counter[str]

    @property
    def passed(self) -> bool:
        return self.failure is None


def matching(ruleset: ir.Ruleset, pattern: str = "") -> Iterator[ir.Scenario]:
    """The scenarios that a pattern means."""
    return (one for one in ruleset.scenarios if is_meant(one, pattern))


def is_meant(scenario: ir.Scenario, pattern: str) -> bool:
    """Whether a pattern is a part of the title, the file or a tag, with `*` for anything."""
    wanted = f"*{pattern.casefold()}*"
    names = [scenario.title, *scenario.meta.tags, scenario.at.file]
    return any(fnmatchcase(name.casefold(), wanted) for name in names)


def run_scenario(program: Program, scenario: ir.Scenario) -> Result:
    """Run one scenario on a program of its ruleset, compiled or not, with as many seeds as it
    says."""
    counts: Counter[str] = Counter()
    for seed in range(scenario.seeds):
        result = Performance(program, scenario, seed).result()
        counts += result.counts
        if result.failure is not None and scenario.seeds > 1:
            told = f"{result.failure.actual} (with seed {seed})"
            result = attrs.evolve(result, failure=attrs.evolve(result.failure, actual=told))
        if result.failure is not None:
            break
    return attrs.evolve(result, counts=counts)


class Runner:
    """Runs the scenarios of a ruleset, on a program that is there already or made for it. The
    traced program is made when it is first needed."""

    def __init__(self, rules: ir.Ruleset | Program) -> None:
        self.played = rules if isinstance(rules, Program) else compile_ruleset(rules)
        self.ruleset = self.played.ruleset

    @cached_property
    def traced(self) -> Program:
        return compile_ruleset(self.ruleset, trace=True)

    def run(self, scenario: ir.Scenario) -> Result:
        """The result on the program that is played; with a failure, what a traced run tells of
        the steps to look at. Where another outcome is expected, it must be another one."""
        result = run_scenario(self.played, scenario)
        if result.failure is None:
            return self._unless_idle(result)
        again = self.count(scenario).failure
        steps = again.look_at if again is not None else ()
        return attrs.evolve(result, failure=attrs.evolve(result.failure, look_at=steps))

    def _unless_idle(self, result: Result) -> Result:
        other = result.scenario.otherwise
        written = attrs.evolve(result.scenario, otherwise=None)
        if other is None or not run_scenario(self.played, written).passed:
            return result
        expected = f'it ends otherwise, because "{other.reason}"'
        actual = "it ends as it was written; take this line away"
        return attrs.evolve(result, failure=Failure(expected, actual, other.at))

    def count(self, scenario: ir.Scenario) -> Result:
        """The result on the traced program, with how often each clause ran; what is said of the
        rules that run is left out."""
        if not is_watched(scenario):
            return run_scenario(self.traced, scenario)
        return attrs.evolve(run_scenario(self.traced, unwatched(scenario)), scenario=scenario)


class _Reader(WalkedBeside):
    """Reads the values of checks from the program under test, so that they count as run."""

    def __init__(self, scheduler: Scheduler) -> None:
        super().__init__(scheduler.bound)
        self._scheduler = scheduler

    def value(self, state: State, value: str, args: Iterable[Any]) -> Any:
        return self._scheduler.call(state, ("value", value), tuple(args))

    def call(self, state: State, procedure: ir.Procedure, args: Iterable[Any]) -> Any:
        return Steps.call(self, state, procedure, args)


class Performance:
    """One run of one scenario."""

    def __init__(self, program: Program, scenario: ir.Scenario, seed: int = 0) -> None:
        self.scenario = scenario
        if is_watched(scenario):
            program = walked_program(program.ruleset, program.sites)
        table = Table(program.ruleset, scenario.players, dict(scenario.options), scenario.things)
        self.bound = program.bind(table)
        scheduler = Scheduler(self.bound)
        self.steps = _Reader(scheduler)
        self.tell = phrasing.printer(program.ruleset).text
        self.preparation = Preparation(self.steps)
        self.script = Script(
            self.steps,
            self.tell,
            scheduler.actions,
            lambda state: scheduler.position(state).freely,
            program.sites,
        )
        self.course = Course(self.steps, self.tell)
        if isinstance(self.bound, WalkedBound) and is_watched(scenario):
            self.bound.steps.watcher = self.course.begins
        scheduler.actions = WatchedActions(self.bound, self.script)
        state = State(table, seed)
        state.onlooker = self.script.settled
        state.chance = self.script.fixed_draw
        self.game = ExplainedGame(scheduler, state)
        self._look_at: tuple[str, ...] = ()
        self._said = 0
        self._check: ir.Expr | None = None

    def result(self) -> Result:
        failure = self.play()
        counts: Counter[str] = Counter()
        for path, number in zip(self.bound.program.clauses, self.bound.counts, strict=True):
            counts[path] += number
        return Result(self.scenario, failure, +counts)

    def play(self) -> Failure | None:
        items = self.scenario.expected
        try:
            for number, item in enumerate(items):
                self.perform(item, items[number + 1 :])
            self.script.nothing_left(self.game.state)
        except Mismatch as mismatch:
            state = mismatch.state or self.game.state
            return self._failure(mismatch.expected, mismatch.actual, mismatch.at, state)
        except RulesError as wrong:
            at = wrong.at if wrong.at.file else self.scenario.at
            return self._failure("the rules run", wrong.message, at, self.game.state)
        return None

    # ---- items

    def perform(self, item: ir.ScenarioItem, later: tuple[ir.ScenarioItem, ...] = ()) -> None:
        """Do what one item says, or see to it that it is so. Raises `Mismatch`."""
        match item:
            case ir.Given(body=body):
                self.game.edit(lambda state: self.preparation.prepare(state, body))
            case ir.Scripted() | ir.Limits():
                self.script.entries.append(item)
            case ir.Cannot():
                self._cannot(item, later)
            case ir.Run():
                self._run(item)
            case ir.Expect():
                self.expect(item)
            case ir.Asked():
                check_asked(item, self.script)
            case ir.AtRule():
                self.course.expected.append(item)
            case ir.Ran():
                self.course.check(item, self.game.state)
            case ir.Said():
                check_said(item, self._told(self.game.state, self._said))
            case ir.Sees():
                check_sees(item, self.bound.table, self.game.state, self.tell)

    def _cannot(self, item: ir.Cannot, later: tuple[ir.ScenarioItem, ...]) -> None:
        """Part of the script if a run follows; otherwise it must be refused now."""
        following = (
            one
            for one in later
            if not isinstance(one, ir.Scripted | ir.Cannot | ir.Limits | ir.AtRule)
        )
        if isinstance(next(following, None), ir.Run):
            self.script.entries.append(item)
        else:
            self.script.refuse(self.game.state, item, turn=False)

    def _run(self, item: ir.Run) -> None:
        before = self.game.state
        self.script.asked.clear()
        self.course.start(before)
        self._said = len(before.events())
        if before.over:
            raise Mismatch("the game goes on", "it is over before this", item.at)
        self.begin(item)
        for _ in range(MOST_DECISIONS):
            if not self.game.pending:
                break
            self.answer()
        else:
            raise Mismatch("the run ends", f"not after {MOST_DECISIONS} decisions", item.at)
        self._never_acted(before)
        self.script.ran()
        self.course.finish(self.game.state)

    def begin(self, item: ir.Run) -> None:
        """Begin a run, up to its first decision."""
        if item.kind == "phase":
            self.game.run_phases(*self._phases(item))
        elif item.call is not None:
            self._call(item.call)

    def answer(self) -> None:
        """Answer a pending decision as the script says."""
        self.script.answer(self.game)

    def _never_acted(self, before: State) -> None:
        """What somebody who never came to act cannot do is looked at in the position before."""
        for entry in list(self.script.entries):
            if isinstance(entry, ir.Cannot):
                self.script.entries.remove(entry)
                self.script.refuse(before, entry, turn=False)

    def _phases(self, item: ir.Run) -> tuple[str, ...]:
        if not item.to:
            return (item.phase,)
        for turn in self.steps.ruleset.turns.values():
            phases = (*turn.start, *turn.phases)
            if item.phase not in phases or item.to not in phases:
                continue
            first, last = phases.index(item.phase), phases.index(item.to)
            if first <= last:
                return phases[first : last + 1]
            if item.to in turn.phases:  # over the end of the turn
                return phases[first:] + turn.phases[: turn.phases.index(item.to) + 1]
        raise RulesError(f"No turn leads from {item.phase} to {item.to}.", item.at)

    def _call(self, call: ir.Do | ir.DoBody) -> None:
        state = self.game.state
        args = [self.steps.evaluate(state, arg, {}) for arg in call.args]
        if isinstance(call, ir.Do):
            self.game.call(("procedure", call.procedure), *args)
            return
        thing = self.steps.given(state, call.thing, {})
        if call.thing.type.name in self.steps.table.families:
            thing = self.steps.table.face[thing]
        key = ("body", call.kind, self.steps.table.things[thing].id, call.body)
        if self.bound.get(*key) is not None:
            self.game.call(key, *args)

    def expect(self, item: ir.Expect) -> None:
        state = self.game.state.copy()
        for check in item.checks:
            try:
                if self.steps.evaluate(state, check, {}):
                    continue
                actual = ", ".join(sides(self.steps, state, check, self.tell))
            except RulesError as wrong:
                actual = wrong.message
            self._check = check
            self._look_at = clauses_touching(self.steps.ruleset, check, self._executed())
            raise Mismatch(self.tell(check), actual, check.at if check.at.file else item.at)

    # ---- telling what went wrong

    def _executed(self) -> set[str]:
        pairs = zip(self.bound.program.clauses, self.bound.counts, strict=True)
        return {path for path, number in pairs if number}

    def _told(self, state: State, since: int = 0) -> list[str]:
        """What was said, without so many events at the beginning."""
        events = [event for event in state.events()[since:] if event[0] != RAN]
        told = (describe(self.bound.program, self.bound.table, one) for one in events)
        return [event.text for event in told if event is not None]

    def _failure(self, expected: str, actual: str, at: ir.At, state: State) -> Failure:
        ran = tuple(self._told(state))
        unused = tuple(self.script.as_written(entry) for entry in self.script.entries)
        return Failure(expected, actual, at, ran, self._look_at, unused, self._check)
