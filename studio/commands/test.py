"""`ziggurat test`: run the scenarios of a stack, say what they leave out, and what they miss."""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Annotated, Literal, TypeVar

from cyclopts import Parameter
from cyclopts.types import NonNegativeInt, PositiveInt
from rich.console import Console

from ziggurat import (
    Judgement,
    Ruleset,
    Runner,
    did_you_mean,
    failed_before,
    faulty_of,
    ir,
    judge_of,
    keep_program,
    kept_program,
    load_tested,
    matching,
    misfits,
    pack_of,
    remember_failed,
    tested_program,
)
from ziggurat.studio.console import FOUND, OK, UsageError, console, write_text
from ziggurat.studio.options import PackFolders, Stack, named_folders, search_path
from ziggurat.studio.real_paths import RealPaths
from ziggurat.studio.ruleset import cannot_use, whole
from ziggurat.studio.scenario_formats import TestReport
from ziggurat.studio.thoroughness import progress, tell_coverage, tell_mutants, try_mutants
from ziggurat.studio.verdicts import accept_changes, report

T = TypeVar("T")
SAMPLE = 100
JOBS = 2


def scenarios(
    stack: Annotated[Stack, Parameter(name="STACK")],
    pattern: Annotated[str, Parameter(name="PATTERN")] = "",
    /,
    *,
    coverage: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    mutate: Annotated[
        tuple[NonNegativeInt, ...] | None,
        Parameter(consume_multiple=(0, 1), negative=(), show_default=False, metavar="[N]"),
    ] = None,
    seed: int = 1,
    pack: str = "",
    jobs: PositiveInt = JOBS,
    failed: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    format: Literal["human", "junit", "json"] = "human",
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
        Also list the tags that no scenario has, and the clauses that none runs. With `--mutate` a
        clause is checked if something was changed in it and all of that is noticed.
    mutate
        Also change the rules in so many ways (100), one at a time, and list what no scenario
        notices; 0 for every way there is.
    seed
        Which ways those are.
    pack
        Only the scenarios of this pack; with `--coverage` and `--mutate` all scenarios, but only
        the clauses of this pack, each told as never run, run or checked.
    jobs
        How many processes try wrong rules.
    failed
        Only the scenarios that failed when they were last run.
    format
        How to tell what became of them: for people, as the XML that build servers read, or JSON.
    accept
        Show each scenario that the uppermost pack changed, ask why, and write into that pack that
        it ends otherwise on purpose.
    """
    counting = coverage or mutate is not None
    if format != "human" and (counting or accept):
        raise UsageError(f"`--format {format}` tells of scenarios only; leave out what else to do.")
    packs = (*named_folders(stack), *packs)
    search = search_path(packs)
    faulty: tuple[Judgement, ...] = ()
    program = None if counting or accept else kept_program(stack, search, pattern)
    paths = RealPaths((stack,), search)
    if program is None:
        result, faulty = load_tested(stack, search)
        if result.ruleset is None and format != "human":
            findings = [one for one in result.diagnostics if one.is_error]
            write_report(TestReport(stack, paths, findings=findings), format)
            raise cannot_use(stack)
        program = tested_program(whole(result, stack, paths))
        if not faulty:
            keep_program(program, search)
    ruleset = program.ruleset
    again = failed_before(stack, packs) if failed else None
    own = _known_pack(ruleset, pack)

    def is_wanted(scenario: ir.Scenario) -> bool:
        by_pack = counting or own in ("", pack_of(scenario.at))
        return by_pack and (again is None or scenario.title in again)

    chosen = [one for one in matching(ruleset, pattern) if is_wanted(one)]
    unrun = [one for one in (*misfits(ruleset, pattern), *faulty_of(faulty, pattern))
             if is_wanted(one.result.scenario)]  # fmt: skip
    if format != "human" and not chosen and not unrun:
        write_report(TestReport(stack, paths), format)
    if failed and not chosen and not unrun:
        if format != "human":
            return OK
        console().print(f"No scenario of `{stack}` failed when it was last run.", markup=False)
        return OK
    if not chosen and not unrun:
        about = f" that match `{pattern}`" if pattern else f" in `{pack}`" if pack else ""
        raise UsageError(f"`{stack}` has no scenarios{about}.")
    runner = Runner(program)
    out = console()
    judge = judge_of(runner, search)
    seconds: list[float] = []

    def judge_scenario(scenario: ir.Scenario) -> Judgement:
        start = perf_counter()
        judgement = judge.judge(scenario)
        seconds.append(perf_counter() - start)
        return judgement

    judged = [*_run(out, "scenarios", judge_scenario, chosen), *unrun]
    remember_failed(judged, stack, packs)
    if format != "human":
        unreadable = frozenset(one.result.scenario.id for one in faulty)
        write_report(TestReport(stack, paths, judged, unreadable, seconds), format)
        return OK if all(one.is_fine for one in judged) else FOUND
    fine = report(out, judged)
    if accept and not fine:
        fine = accept_changes(out, judge, judged, packs)
    counted = _run(out, "counting", runner.count, chosen) if counting else []
    tried = None
    if mutate is not None:
        number = (*mutate, SAMPLE)[0] or None
        tried = try_mutants(out, ruleset, counted, number, seed, own, jobs)
    told = not coverage or tell_coverage(out, runner.traced, counted, own, tried) or bool(pattern)
    noticed = tried is None or tell_mutants(out, tried)
    return OK if fine and told and noticed else FOUND


def write_report(report: TestReport, format: str) -> None:
    """Write a report for programs to standard output."""
    write_text(f"{report.written(format)}\n")


def _known_pack(ruleset: Ruleset, pack: str) -> str:
    packs = [one.id for one in ruleset.packs]
    if pack and pack not in packs:
        near = did_you_mean(pack, packs) or f"It has {', '.join(packs)}."
        raise UsageError(f"`{ruleset.stack}` has no pack `{pack}`. {near}")
    return pack


def _run(
    out: Console, what: str, run: Callable[[ir.Scenario], T], chosen: Sequence[ir.Scenario]
) -> list[T]:
    results = []
    with progress(out, what, len(chosen)) as step:
        for scenario in chosen:
            results.append(run(scenario))
            step()
    return results
