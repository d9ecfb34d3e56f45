"""`ziggurat test`: run the scenarios of a stack, say what they leave out, and what they miss."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, TypeVar

from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ziggurat import (
    MutantOutcome,
    Program,
    Reach,
    Result,
    Ruleset,
    Runner,
    check_mutants,
    coverage,
    ir,
    judge_of,
    matching,
    sample,
    where,
)
from ziggurat.studio.console import FOUND, OK, UsageError, console, stopped_by_kill
from ziggurat.studio.options import PackFolders, search_path
from ziggurat.studio.ruleset import loaded
from ziggurat.studio.verdicts import accept_changes, report

T = TypeVar("T")
SAMPLE = 100
NOTICED = 0.9


def scenarios(
    stack: Annotated[str, Parameter(name="STACK")],
    pattern: Annotated[str, Parameter(name="PATTERN")] = "",
    /,
    *,
    coverage: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    mutate: Annotated[
        tuple[int, ...] | None,
        Parameter(consume_multiple=(0, 1), negative=(), show_default=False, metavar="[N]"),
    ] = None,
    seed: int = 1,
    accept: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    packs: PackFolders = (),
) -> int:
    """Run the scenarios of a stack.

    A scenario is still kept, changed by a later pack than its own, or broken.

    Exit code 0: all are kept, or changed on purpose. 1: some are broken, or changed without a word
    from the pack that changed them; all together left something out (with coverage); or too many
    wrong rules went unnoticed. 2: there are none.

    Parameters
    ----------
    stack
        The packs, as in `west+expert`.
    pattern
        Only scenarios with this in their title, file or tags; `*` stands for anything.
    coverage
        Also list the tags that no scenario has, and the clauses that none runs.
    mutate
        Also change the rules in so many ways (100), one at a time, and list what no scenario
        notices; 0 for every way there is.
    seed
        Which ways those are.
    accept
        Show each scenario that the uppermost pack changed, ask why, and write into that pack that
        it ends otherwise on purpose.
    """
    ruleset = loaded(stack, packs)
    chosen = list(matching(ruleset, pattern))
    if not chosen:
        about = f" that match `{pattern}`" if pattern else ""
        raise UsageError(f"`{stack}` has no scenarios{about}.")
    runner = Runner(ruleset)
    out = console()
    judge = judge_of(runner, search_path(packs))
    judged = _run(out, "scenarios", judge.judge, chosen)
    fine = report(out, judged)
    if accept and not fine:
        fine = accept_changes(out, judge, judged, packs)
    counting = coverage or mutate is not None
    counted = _run(out, "counting", runner.count, chosen) if counting else []
    whole = not coverage or _cover(out, runner.traced, counted) or bool(pattern)
    noticed = mutate is None or _mutate(out, ruleset, counted, (*mutate, SAMPLE)[0] or None, seed)
    return OK if fine and whole and noticed else FOUND


def _run(
    out: Console, what: str, run: Callable[[ir.Scenario], T], chosen: Sequence[ir.Scenario]
) -> list[T]:
    results = []
    with _progress(out, what, len(chosen)) as step:
        for scenario in chosen:
            results.append(run(scenario))
            step()
    return results


def _cover(out: Console, program: Program, results: Sequence[Result]) -> bool:
    """Whether nothing is left out."""
    found = coverage(program, results)
    out.print()
    out.print(f"{found.tags - len(found.untested)} of {found.tags} tags have a scenario.")
    for tag, at in found.untested.items():
        out.print(f"  {tag}  {where(at)}", markup=False)
    out.print(f"{found.clauses - len(found.unrun)} of {found.clauses} clauses were run.")
    for path in found.unrun:
        out.print(f"  {path}", markup=False)
    if found.idle:
        out.print("Not counted, because these rules never come to it:")
    for path, reason in found.idle.items():
        out.print(f"  {path}  {reason}", markup=False)
    return found.whole


def _mutate(
    out: Console, ruleset: Ruleset, results: Sequence[Result], number: int | None, seed: int
) -> bool:
    """Whether enough mutants were noticed; an interrupt ends the search, not the report."""
    mutants = sample(ruleset, number, seed)
    outcomes: list[MutantOutcome] = []
    stopped = ""
    with _progress(out, "wrong rules", len(mutants)) as step:
        running = check_mutants(ruleset, mutants, Reach(ruleset, results))
        try:
            with stopped_by_kill():
                for outcome in running:
                    outcomes.append(outcome)
                    step()
        except KeyboardInterrupt:
            stopped = f", interrupted after {len(outcomes)} of {len(mutants)}"
        finally:
            running.close()
    missed = [outcome for outcome in outcomes if not outcome.noticed_by]
    out.print()
    noticed = len(outcomes) - len(missed)
    share = noticed / len(outcomes) if outcomes else 1.0
    out.print(f"{noticed} of {len(outcomes)} wrong rules were noticed ({share:.0%}){stopped}.")
    for outcome in sorted(missed, key=lambda one: (one.mutant.at.file, one.mutant.at.line)):
        reached = f"{outcome.reached_by} scenarios reach it" if outcome.reached_by else "never run"
        out.print(f"  {outcome.mutant}; {reached}", markup=False, soft_wrap=True)
    return share >= NOTICED


@contextmanager
def _progress(out: Console, what: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar on a terminal, nothing in files and pipes."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=out, transient=True, disable=not out.is_terminal
    ) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)
