"""What packs do to the scenarios of the packs they build on: still kept, changed, or broken.

A scenario that fails is run again with its own packs alone. If it passes there, it is not the rules
that are wrong: other packs made it end differently. Each that does so by itself is named, with each
of its changes that does so by itself.
"""

from collections import Counter
from collections.abc import Container, Iterator
from functools import cached_property

import attrs

from ziggurat.dsl.packs import Search
from ziggurat.proving import phrasing
from ziggurat.proving.blame import MOST, Deed, deeds_of, evidence_of
from ziggurat.proving.scenarios import Failure, Result, Runner, is_meant
from ziggurat.proving.trials import Change, Trials, outcomes, passes
from ziggurat.runtime import kernel as ir

KEPT, CHANGED, BROKEN = "still kept", "changed", "broken"
PRESENCE = "that it is in the stack"
MOST_TRIED = 40  # changes of a pack, each by itself; of more only those that touch what is checked


@attrs.frozen
class Blame:
    """A pack that makes a scenario end differently, and the changes that do it."""

    pack: str
    clauses: tuple[str, ...] = ()


@attrs.frozen
class Judgement:
    """A result in one word. The packs that are `blamed` changed what the scenario expects;
    `reason` is what they say about it, empty if they say nothing. `rivals` are packs that expect
    different outcomes without knowing each other."""

    result: Result
    word: str
    blamed: tuple[Blame, ...] = ()
    reason: str = ""
    rivals: tuple[str, ...] = ()

    @property
    def pack(self) -> str:
        """The packs that changed it."""
        return ", ".join(one.pack for one in self.blamed)

    @property
    def clauses(self) -> tuple[str, ...]:
        return tuple(clause for one in self.blamed for clause in one.clauses)

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
            yield Judgement(result, CHANGED, (Blame(one.pack, (clause,)),))


class Judge:
    """Runs scenarios and says what became of them, with the help of other stacks."""

    def __init__(self, runner: Runner, trials: Trials) -> None:
        self.runner = runner
        self.packs = [pack.id for pack in runner.ruleset.packs]
        self.trials = trials

    def judge(self, scenario: ir.Scenario) -> Judgement:
        stated = outcomes(scenario)
        results = [self.runner.run(one) for one in stated]
        failed = next((one for one in results if one.failure is not None), None)
        others = [one.otherwise for one in stated if one.otherwise is not None]
        rivals = tuple(dict.fromkeys(one.pack for one in others)) if len(others) > 1 else ()
        if failed is None:
            if not others:
                return Judgement(results[0], KEPT)
            reason = "; ".join(dict.fromkeys(one.reason for one in others))
            blamed = tuple(Blame(pack) for pack in dict.fromkeys(one.pack for one in others))
            return Judgement(results[0], CHANGED, blamed, reason)
        return self._fallen(failed, rivals)

    def _fallen(self, result: Result, rivals: tuple[str, ...]) -> Judgement:
        """A scenario that fails, with the packs that made it fail."""
        scenario = result.scenario
        home = self.trials.home(scenario)
        if passes(self.trials.program(home), scenario) is False:
            return Judgement(result, BROKEN)
        check = result.failure.check if result.failure is not None else None
        ran = set(self.runner.count(scenario).counts)
        evidence = evidence_of(self.runner.ruleset, check, ran)
        outer = [pack for pack in self.packs if pack not in home]
        culprits = self._culprits(scenario, home, outer, evidence)
        together = [] if culprits else self._together(scenario, outer)
        culprits = culprits or together
        blamed = tuple(
            Blame(pack, self._needed_changes(pack, scenario, evidence.get(pack, [])))
            if pack in together
            else Blame(pack, self._clauses(pack, scenario, home, evidence.get(pack, [])))
            for pack in self.packs
            if pack in culprits or pack in rivals
        )
        other = scenario.otherwise
        is_misstated = other is not None and not rivals and culprits == [other.pack]
        if not blamed or is_misstated:
            return Judgement(result, BROKEN, blamed)
        return Judgement(result, CHANGED, blamed, rivals=rivals)

    def _culprits(
        self,
        scenario: ir.Scenario,
        home: frozenset[str],
        outer: list[str],
        evidence: Container[str],
    ) -> list[str]:
        """Return the packs each of which makes a scenario fail without the others."""
        near = [pack for pack in outer if pack in evidence]
        for some in (near, [pack for pack in outer if pack not in evidence]):
            found = [pack for pack in some if self._suffices(pack, scenario, home)]
            if found:
                return found
        return []

    def _together(self, scenario: ir.Scenario, outer: list[str]) -> list[str]:
        """Return the packs without which a scenario passes, but not those they build on."""
        found = [
            pack
            for pack in outer
            if passes(self.trials.program(self.trials.without(pack)), scenario)
        ]
        below = {low for pack in found for low in self.trials.needed(pack) - {pack}}
        return [pack for pack in found if pack not in below]

    def _suffices(self, pack: str, scenario: ir.Scenario, home: frozenset[str]) -> bool:
        """Whether a scenario fails with a pack and what it needs, and passes without the pack."""
        needed = home | self.trials.needed(pack)
        if passes(self.trials.program(needed), scenario) is not False:
            return False
        below = needed - {pack}
        return below == home or passes(self.trials.program(below), scenario) is not False

    def _clauses(
        self, pack: str, scenario: ir.Scenario, home: frozenset[str], evidence: list[Deed]
    ) -> tuple[str, ...]:
        """The changes of a pack each of which makes a scenario fail by itself; or else whatever may
        have to do with it."""
        told = [*evidence, *self._deeds.get(pack, ())]
        changes = self.trials.changes(pack)
        if len(changes) > MOST_TRIED:
            changes = [one for one in changes if any(one.holds(at) for at, _ in evidence)]
        tried = changes[:MOST_TRIED]
        if len(tried) > 1:
            packs = home | self.trials.needed(pack)
            tried = [one for one in tried if self._alone(one, changes, packs, pack, scenario)]
        words = [_words(one, told) for one in tried] or [words for _, words in evidence or told]
        return tuple(dict.fromkeys(words))[:MOST]

    def _needed_changes(
        self, pack: str, scenario: ir.Scenario, evidence: list[Deed]
    ) -> tuple[str, ...]:
        """Return the changes of a pack without each of which a scenario passes in the whole stack;
        where there are none, it is enough that the pack is there."""
        told = [*evidence, *self._deeds.get(pack, ())]
        changes = self.trials.changes(pack)
        near = [one for one in changes if any(one.holds(at) for at, _ in evidence)] or changes
        packs = frozenset(self.packs)
        needed = []
        for one in near[:MOST]:  # each takes the whole stack
            others = [other for other in changes if other != one]
            if passes(self.trials.program(packs, pack, others), scenario):
                needed.append(_words(one, told))
        return tuple(dict.fromkeys(needed)) or (PRESENCE,)

    @cached_property
    def _deeds(self) -> dict[str, list[Deed]]:
        return deeds_of(self.runner.ruleset)

    def _alone(
        self,
        change: Change,
        changes: list[Change],
        packs: frozenset[str],
        pack: str,
        scenario: ir.Scenario,
    ) -> bool:
        """Whether a change of a pack, without the others, makes a scenario fail. What needs new
        things of the pack is tried with them, if they do nothing by themselves."""
        program = self.trials.program(packs, pack, [change])
        if program is not None:
            return passes(program, scenario) is False
        new = [one for one in changes if one.is_new]
        if not new or passes(self.trials.program(packs, pack, new), scenario) is False:
            return False
        program = self.trials.program(packs, pack, list(dict.fromkeys([*new, change])))
        return passes(program, scenario) is False


def _words(change: Change, told: list[Deed]) -> str:
    """A change in the words of what is known of it; else its place and its first line."""
    for at, words in told:
        if change.holds(at):
            return words
    line, _ = change.source.position(change.start)
    first = change.source.text[change.start : change.end].splitlines()[0]
    return f"{change.source.path}:{line} {first}"


def judge_of(runner: Runner, search: Search | None = None) -> Judge:
    """A judge who looks for packs where the stack was found."""
    return Judge(runner, Trials(runner.ruleset.stack, search))
