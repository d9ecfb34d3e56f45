"""`ziggurat simulate`: many games by bots, as tables and as a report about the balance."""

import os
import shlex
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.types import NonNegativeInt, PositiveInt
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ziggurat import GameRecord, Program, Trial, start
from ziggurat.studio.console import FOUND, INTERRUPTED, OK, UsageError, console, stopped_by_kill
from ziggurat.studio.options import (
    PackFolders,
    RuleOptions,
    named_folders,
    read_options,
    search_path,
)
from ziggurat.studio.rules import players_of, program
from ziggurat.studio.simulation import silence
from ziggurat.studio.simulation.journal import Journal
from ziggurat.studio.simulation.plan import Rules
from ziggurat.studio.simulation.report import page
from ziggurat.studio.simulation.sections import Report, judged
from ziggurat.studio.simulation.summary import Summary
from ziggurat.studio.simulation.tables import Writer
from ziggurat.studio.simulation.terminal import figures
from ziggurat.studio.simulation.workers import play_all

REPORT = "report.html"
PART = 10_000


def simulate(
    stack: str,
    /,
    *,
    games: PositiveInt = 100,
    players: PositiveInt | None = None,
    jobs: PositiveInt | None = None,
    seed: int = 1,
    policy: Literal["advised", "random", "mixed", "search", "one_search"] = "advised",
    out: Path = Path("simulation"),
    compare: str | None = None,
    option: RuleOptions = (),
    limit: PositiveInt = 20_000,
    cluster: str = "",
    parts: NonNegativeInt | None = None,
    fresh: Annotated[bool, Parameter(negative=())] = False,
    packs: PackFolders = (),
) -> int:
    """Play many games with bots, and report what they say about the rules.

    The same command goes on where it was interrupted; with more games it plays only the new ones.

    Parameters
    ----------
    stack
        The ruleset to play, such as `west` or `west+expert`.
    games
        How many games. The first has the seed, the next the seed plus one, and so on.
    players
        How many play; as many as the ruleset allows unless told otherwise.
    jobs
        How many processes play; one for each processor unless told otherwise.
    seed
        The seed of the first game.
    policy
        Who plays: `advised` bots, `random` ones, every other seat `mixed`; those that look ahead,
        `search`, which takes some seconds for each seat and game, or only one of them among advised
        ones, in the next game on the next seat: `one_search`.
    out
        The folder for journal, tables and report.
    compare
        A second ruleset, played on the same seeds and compared game by game.
    limit
        A game with more answers than this is recorded as unfinished.
    cluster
        Play on a Dask cluster: the address of its scheduler, as in `tcp://host:8786`, or `local:4`
        for four workers on this machine.
    parts
        Write each table in files of so many games; 0 for one file. On a cluster 10 000 unless told
        otherwise.
    fresh
        Forget what the folder holds and begin again.
    """
    if compare == stack:
        raise UsageError(f"`{stack}` compared with itself would differ in nothing.")
    screen = console()
    packs = (*named_folders(stack, compare), *packs)
    programs = [
        program(name, search_path(packs)) for name in [stack, *([compare] if compare else [])]
    ]
    number = players_of(programs, players)
    sides = []
    for rules, options in zip(programs, read_options(option, programs), strict=True):
        name, folders = rules.ruleset.stack, tuple(str(folder.resolve()) for folder in packs)
        side = Trial(name, folders, number, policy, tuple(sorted(options.items())), limit)
        _try(rules, side)
        sides.append(side)
    journal = Journal(out)
    journal.open(sides, [Rules.of(rules) for rules in programs], fresh)
    seeds = range(seed, seed + games)
    known = journal.done()
    left = [(side, n) for n in seeds for side in sides if (side.stack, n) not in known]
    total = len(seeds) * len(sides)
    with _players(cluster, left, jobs or os.cpu_count() or 1) as records:
        complete = _play(journal, records, len(left), total, screen)
    if not complete:
        kept = len(journal.done() & {(side.stack, n) for n in seeds for side in sides})
        screen.print(
            f"Stopped: {kept} of {total} games are played and kept in `{out}`. The same command"
            " goes on from there."
        )
        return INTERRUPTED
    size = parts if parts is not None else PART if cluster else 0
    return _finish(journal, sides, programs, seeds, size, screen)


@contextmanager
def _players(
    cluster: str, left: Sequence[tuple[Trial, int]], jobs: int
) -> Iterator[Generator[GameRecord, None, None]]:
    """The games as they come in: of processes here, or of a cluster."""
    if not cluster or not left:
        with closing(play_all(left, jobs)) as records:
            yield records
        return
    try:
        from ziggurat.studio.simulation import cluster as dask
    except ImportError as wrong:
        raise UsageError("`--cluster` needs Dask: pip install 'ziggurat-rules[cluster]'") from wrong
    with dask.connected(cluster) as client, closing(dask.play_all(client, left)) as records:
        yield records


def _try(rules: Program, side: Trial) -> None:
    """Is there a table for these players and options?"""
    try:
        start(rules, side.players, options=dict(side.options), begin=False)
    except ValueError as wrong:
        raise UsageError(str(wrong)) from wrong


def _play(
    journal: Journal,
    records: Generator[GameRecord, None, None],
    left: int,
    total: int,
    screen: Console,
) -> bool:
    """Play what is left; False if somebody interrupted. What is done is on the disk."""
    columns = (
        TextColumn("[progress.description]{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    if left < total:
        screen.print(f"{total - left} of {total} games were played before.")
    if not left:
        return True
    try:
        with stopped_by_kill(), Progress(*columns, console=screen) as progress:
            task = progress.add_task("Playing", total=total, completed=total - left)
            for record in records:
                journal.append(record)
                progress.advance(task)
    except KeyboardInterrupt:
        return False
    finally:
        journal.close()
    return True


def _finish(
    journal: Journal,
    sides: Sequence[Trial],
    programs: Sequence[Program],
    seeds: range,
    parts: int,
    screen: Console,
) -> int:
    """Tables, the report, and a few lines about them."""
    rules = {side.stack: Rules.of(p) for side, p in zip(sides, programs, strict=True)}
    summaries = {stack: Summary(stack, one) for stack, one in rules.items()}
    values = {stack: one.measured for stack, one in rules.items()}
    with Writer(journal.folder, values, seeds, parts) as writer:
        for record in journal.in_order():
            if record["stack"] in summaries and record["seed"] in seeds:
                summaries[record["stack"]].add(record)
                writer.add(record)
        tables = writer.write()
    place = journal.folder / REPORT
    ordered = [summaries[side.stack] for side in sides]
    report = judged(Report(tuple(ordered)))
    place.write_text(page(report, sides, _command(sides, seeds)), encoding="utf-8")
    broken = 0
    for summary in ordered:
        broken += len(summary.failed)
        told = [f"{len(summary.finished)} games finished"]
        if summary.unfinished:
            told.append(f"{len(summary.unfinished)} reached the limit of answers")
        if summary.failed:
            told.append(f"{len(summary.failed)} broke ({summary.failed[0][1]})")
        screen.print(f"{summary.stack}: {', '.join(told)}.", markup=False)
        for line in silence.told(summary):
            screen.print(line, markup=False)
    for part in figures(report):
        screen.print(part)
    names = ", ".join(path.name for path in tables)
    screen.print(f"Tables: {names}.\nReport: {place}", markup=False, soft_wrap=True)
    return FOUND if broken else OK


def _command(sides: Sequence[Trial], seeds: range) -> str:
    """The command that gives the same report anywhere."""
    first = sides[0]
    words = ["ziggurat", "simulate", first.stack, "--games", str(len(seeds))]
    words += ["--players", str(first.players), "--seed", str(seeds.start)]
    words += ["--policy", first.policy]
    if len(sides) > 1:
        words += ["--compare", sides[1].stack]
    for name, value in sorted({pair for side in sides for pair in side.options}):
        told = {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
        words += ["--option", f"{name}={told}"]
    return shlex.join(words)
