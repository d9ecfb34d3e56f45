"""How thorough scenarios are: which clauses none of them runs or checks, which wrong rules none of
them notices."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import attrs
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ziggurat import (
    Mutant,
    MutantOutcome,
    Program,
    Reach,
    Result,
    Ruleset,
    check_mutants,
    coverage,
    ir,
    mutants,
    sample,
    where,
)
from ziggurat.studio.console import stopped_by_kill

NEVER_RUN, RUN, CHECKED = "never run", "run", "checked"
# So many of the wrong rules must be noticed.
NOTICED = 0.9


@attrs.frozen
class Tried:
    """What came of wrong rules, apart from those that packs say change nothing, and how many there
    were to try. `equal`: how many of those said to change nothing were tried and went unnoticed;
    `refuted`: those that were noticed, and by which scenario; `unknown`: those that cannot be made
    of these rules."""

    outcomes: list[MutantOutcome]
    planned: int
    equal: int
    refuted: dict[ir.Harmless, str]
    unknown: list[ir.Harmless]

    @property
    def missed(self) -> list[MutantOutcome]:
        found = [one for one in self.outcomes if not one.noticed_by]
        return sorted(found, key=lambda one: (one.mutant.at.file, one.mutant.at.line))

    @property
    def share(self) -> float:
        """How much was noticed of what was tried."""
        return 1 - len(self.missed) / len(self.outcomes) if self.outcomes else 1.0


def try_mutants(
    out: Console,
    ruleset: Ruleset,
    results: Sequence[Result],
    number: int | None,
    seed: int,
    pack: str,
    jobs: int,
) -> Tried:
    """Run scenarios on wrong rules; an interrupt ends the search, not the report."""
    every = mutants(ruleset)
    chosen = sample([one for one in every if pack in ("", one.pack)], number, seed)
    outcomes: list[MutantOutcome] = []
    with progress(out, "wrong rules", len(chosen)) as step:
        running = check_mutants(ruleset, chosen, Reach(ruleset, results), jobs)
        try:
            with stopped_by_kill():
                for outcome in running:
                    outcomes.append(outcome)
                    step()
        except KeyboardInterrupt:
            pass
        finally:
            running.close()
    return _sorted_out(ruleset, every, outcomes, len(chosen), pack)


def _sorted_out(
    ruleset: Ruleset,
    every: Sequence[Mutant],
    outcomes: Sequence[MutantOutcome],
    planned: int,
    pack: str,
) -> Tried:
    """The outcomes without those of mutants that packs say change nothing. Of one pack only what
    it says itself is asked: what others say holds for rules that it may have changed."""
    said = {one.name: one for one in ruleset.harmless}
    asked = [one for one in ruleset.harmless if not pack or one.at.file.startswith(f"{pack}/")]
    about = [one for one in outcomes if one.mutant.name in said]
    refuted = {said[one.mutant.name]: one.noticed_by for one in about if one.noticed_by}
    names = {mutant.name for mutant in every}
    return Tried(
        [one for one in outcomes if one.mutant.name not in said],
        planned - len(about),
        len(about) - len(refuted),
        {one: title for one, title in refuted.items() if one in asked},
        [one for one in asked if one.name not in names],
    )


def tell_coverage(
    out: Console, program: Program, results: Sequence[Result], pack: str, tried: Tried | None
) -> bool:
    """Whether nothing is left out."""
    found = coverage(program, results, pack)
    out.print()
    out.print(f"{found.tags - len(found.untested)} of {found.tags} tags have a scenario.")
    for tag, at in found.untested.items():
        out.print(f"  {tag}  {where(at)}", markup=False)
    number = len(found.clauses)
    out.print(f"{number - len(found.unrun)} of {number} clauses were run.")
    states = {path: _state(path, found.unrun, tried) for path in found.clauses}
    if tried is not None:
        checked = sum(state == CHECKED for state in states.values())
        out.print(f"{checked} of {number} clauses were checked: each change tried is noticed.")
    for path, state in states.items():
        if pack:
            line = f"  {state}  {path}  {where(found.clauses[path])}"
            out.print(line, markup=False, soft_wrap=True)
        elif state == NEVER_RUN:
            out.print(f"  {path}", markup=False)
    if found.idle:
        out.print("Not counted, because these rules never come to it:")
    for path, reason in found.idle.items():
        out.print(f"  {path}  {reason}", markup=False)
    return found.whole


def _state(path: str, unrun: Sequence[str], tried: Tried | None) -> str:
    if path in unrun:
        return NEVER_RUN
    own = [one for one in tried.outcomes if one.mutant.clause == path] if tried else []
    missed = sum(not one.noticed_by for one in own)
    if missed:
        return f"{RUN}, {missed} of {len(own)} changes unnoticed"
    return CHECKED if own else RUN


def tell_mutants(out: Console, tried: Tried) -> bool:
    """Whether enough wrong rules were noticed."""
    missed, number = tried.missed, len(tried.outcomes)
    out.print()
    stopped = f", interrupted after {number} of {tried.planned}" if number < tried.planned else ""
    noticed = number - len(missed)
    out.print(f"{noticed} of {number} wrong rules were noticed ({tried.share:.1%}){stopped}.")
    sorts = Counter(one.mutant.sort for one in tried.outcomes)
    lost = Counter(one.mutant.sort for one in missed)
    told = (f"{sort} {sorts[sort] - lost[sort]} of {sorts[sort]}" for sort in sorted(sorts))
    out.print(f"  {', '.join(told)}", markup=False, soft_wrap=True)
    for one in missed:
        reached = f"{one.reached_by} scenarios reach it" if one.reached_by else "never run"
        out.print(f"  {one.mutant}; {reached}", markup=False, soft_wrap=True)
    if tried.equal:
        out.print(f"{tried.equal} more change nothing, as their packs say.")
    for known, title in tried.refuted.items():
        line = f'{where(known.at)}: this mutant is noticed, by "{title}": {known.name}'
        out.print(line, markup=False, soft_wrap=True)
    for known in tried.unknown:
        line = f"{where(known.at)}: these rules have no such mutant: {known.name}"
        out.print(line, markup=False, soft_wrap=True)
    return tried.share >= NOTICED and not tried.refuted and not tried.unknown


@contextmanager
def progress(out: Console, what: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar on a terminal, nothing in files and pipes."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=out, transient=True, disable=not out.is_terminal
    ) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)
