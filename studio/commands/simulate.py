"""`ziggurat simulate`: many games by bots, as tables and as a report about the balance."""

import errno
import gc
import math
import os
import shlex
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import attrs
from cyclopts import Parameter
from cyclopts.types import NonNegativeInt, PositiveInt
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ziggurat import FAILED, GameRecord, Program, Trial, replace_file, start
from ziggurat.studio.console import FOUND, INTERRUPTED, OK, UsageError, console, stopped_by_kill
from ziggurat.studio.extras import install_command, missing_extra
from ziggurat.studio.options import (
    PackFolders,
    RuleOptions,
    Stack,
    named_folders,
    read_options,
    search_path,
)
from ziggurat.studio.rules import players_of, program
from ziggurat.studio.simulation.conclusions import Effect, plan
from ziggurat.studio.simulation.journal import Journal
from ziggurat.studio.simulation.judging import Report
from ziggurat.studio.simulation.merging import common_settings
from ziggurat.studio.simulation.merging import merge as merge_journals
from ziggurat.studio.simulation.plan import Rules
from ziggurat.studio.simulation.report import page
from ziggurat.studio.simulation.sections import judged
from ziggurat.studio.simulation.summary import Summary
from ziggurat.studio.simulation.terminal import figures
from ziggurat.studio.simulation.verifying import check_changed
from ziggurat.studio.simulation.verifying import verify as verify_games
from ziggurat.studio.simulation.workers import play_all

if TYPE_CHECKING:
    from ziggurat.studio.simulation.tables import Writer

REPORT = "report.html"
PART = 10_000


def simulate(
    stack: Stack,
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
    effect: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    fresh: Annotated[bool, Parameter(negative=())] = False,
    verify: str = "",
    retry_failed: Annotated[bool, Parameter(negative=())] = False,
    merge: Annotated[tuple[Path, ...], Parameter(negative=())] = (),
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
        Who plays: `advised` bots, for the balance of rules that advice knows; `random` ones, to try
        everything; every other seat `mixed`, to see whether advice is worth following; those that
        look ahead, `search`, for rules that advice does not read, which takes some seconds for each
        seat and game, or only one of them among advised ones, in the next game on the next seat:
        `one_search`.
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
    effect
        The change that you want to notice with --compare: `wins=10` for ten percentage points of a
        share of wins, `points=5` for five points of a player. The command says how many pairs that
        takes.
    fresh
        Forget what the folder holds and begin again.
    verify
        Play so many games of the folder again, or `all`, and replace those that differ; the old
        lines are kept in `games.replaced.jsonl`.
    retry_failed
        Play the games again that ended in an error.
    merge
        Make one simulation of those in these folders, given as often as needed, instead of playing.
    """
    if compare == stack:
        raise UsageError(f"`{stack}` compared with itself would differ in nothing.")
    if parts is not None and find_spec("duckdb") is None:
        raise missing_extra("--parts", "tables")
    screen = console()
    wanted = _read_effect(effect)
    packs = (*named_folders(stack, compare), *packs)
    programs = [
        program(name, search_path(packs)) for name in [stack, *([compare] if compare else [])]
    ]
    journal = Journal(out)
    try:
        if merge:
            known = _merge(journal, merge, fresh, [rules.ruleset.stack for rules in programs])
            sides = _sides_of(known, programs, packs)
            fresh = False
        else:
            given = read_options(option, programs)
            number = players_of(programs, players)
            sides = [
                _side(rules, packs, number, policy, options, limit)
                for rules, options in zip(programs, given, strict=True)
            ]
        journal.open(sides, [Rules.of(rules) for rules in programs], fresh)
        run = _Run(journal, sides, cluster, jobs or os.cpu_count() or 1, screen)
        same = run.check(verify)
        seeds = run.known_seeds() if merge else range(seed, seed + games)
        if retry_failed:
            run.retry_failed(seeds)
        if compare and not merge:
            screen.print(plan(sides[0].players, games, wanted))
        if not merge and not run.play(seeds):
            return INTERRUPTED
        size = parts if parts is not None else PART if cluster else 0
        return _finish(journal, sides, programs, seeds, size, wanted, screen) or (
            OK if same else FOUND
        )
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        raise UsageError(
            f"the disk of `{out}`, or that of temporary files, is full. All games before are kept;"
            " the same command goes on."
        ) from error
    finally:
        with suppress(OSError):
            journal.release()


def _side(
    rules: Program,
    packs: Sequence[Path],
    players: int,
    policy: str,
    options: Mapping[str, Any],
    limit: int,
) -> Trial:
    folders = tuple(str(folder.resolve()) for folder in packs)
    chosen = tuple(sorted(options.items()))
    side = Trial(rules.ruleset.stack, folders, players, policy, chosen, limit)
    _try(rules, side)
    return side


def _merge(
    journal: Journal, folders: Sequence[Path], fresh: bool, stacks: Sequence[str]
) -> dict[str, Any]:
    """Make one simulation of several; return its settings."""
    settings = common_settings(folders)
    for stack in stacks:
        if stack not in settings["rulesets"]:
            raise UsageError(f"`{folders[0]}` holds no games of `{stack}`.")
    journal.own()
    if journal.path.exists() and not fresh:
        raise UsageError(f"`{journal.folder}` holds games already; choose another --out.")
    merge_journals(journal, settings, folders)
    return settings


def _sides_of(
    settings: Mapping[str, Any], programs: Sequence[Program], packs: Sequence[Path]
) -> list[Trial]:
    """Return the trials of a simulation as its folder tells them."""
    return [
        _side(
            rules,
            packs,
            settings["players"],
            settings["policy"],
            settings["rulesets"][rules.ruleset.stack]["options"],
            settings["limit"],
        )
        for rules in programs
    ]


@attrs.frozen
class _Run:
    """Games for a journal, played here or on a cluster."""

    journal: Journal
    sides: Sequence[Trial]
    cluster: str
    jobs: int
    screen: Console

    def check(self, verifying: str) -> bool:
        """Compare games of the journal with how they are played now, if that is needed or wanted.

        Return whether those that were to be verified were all the same.
        """
        if not verifying:
            for told in check_changed(self.journal, self.sides, self._players):
                self._tell(told)
            return True
        number = 0 if verifying == "all" else int(verifying) if verifying.isdecimal() else -1
        if number < 0 or verifying == "0":
            raise UsageError(f"`--verify {verifying}` must be a number of games, or `all`.")
        all_same = True
        for told, same in verify_games(self.journal, self.sides, number, self._players):
            self._tell(told)
            all_same = all_same and same
        return all_same

    def known_seeds(self) -> range:
        """Return the seeds from the first to the last game of the journal."""
        stacks = {side.stack for side in self.sides}
        seeds = [head.seed for head, _ in self.journal.heads() if head.stack in stacks]
        if not seeds:
            raise UsageError(f"`{self.journal.folder}` holds no games.")
        known = range(min(seeds), max(seeds) + 1)
        missing = len(known) * len(self.sides) - len(seeds)
        if missing:
            self._tell(f"{missing} games between seeds {known[0]} and {known[-1]} are not there.")
        return known

    def retry_failed(self, seeds: range) -> None:
        """Set the failed games aside, so that they are played again."""
        stacks = {side.stack for side in self.sides}
        failed = {
            (head.stack, head.seed)
            for head, _ in self.journal.heads()
            if head.outcome == FAILED and head.stack in stacks and head.seed in seeds
        }
        if failed:
            self.journal.set_aside(failed)

    def play(self, seeds: range) -> bool:
        """Play what is left. Return False if somebody interrupted."""
        done = [self.journal.done(side.stack, seeds) for side in self.sides]
        total = len(seeds) * len(self.sides)
        number = total - sum(map(sum, done))
        if number < total:
            self.screen.print(f"{total - number} of {total} games were played before.")
        if not number:
            return True
        left = (
            (side, seed)
            for place, seed in enumerate(seeds)
            for side, flags in zip(self.sides, done, strict=True)
            if not flags[place]
        )
        with self._players(left) as records:
            complete = _play(self.journal, records, number, total, self.screen)
        if not complete:
            kept = sum(sum(self.journal.done(side.stack, seeds)) for side in self.sides)
            self.screen.print(
                f"Stopped: {kept} of {total} games are played and kept in `{self.journal.folder}`."
                " The same command goes on from there."
            )
        return complete

    @contextmanager
    def _players(
        self, games: Iterable[tuple[Trial, int]]
    ) -> Iterator[Generator[GameRecord, None, None]]:
        """Yield the games as they come in, of processes here or of a cluster."""
        if not self.cluster:
            with closing(play_all(games, self.jobs, self._tell)) as records:
                yield records
            return
        try:
            from ziggurat.studio.simulation import cluster as dask
        except ImportError as error:
            raise missing_extra("--cluster", "cluster") from error
        with (
            dask.connected(self.cluster, self._tell) as client,
            closing(dask.play_all(client, games, self._tell)) as records,
        ):
            yield records

    def _tell(self, text: str) -> None:
        self.screen.print(text, markup=False)


def _read_effect(given: Sequence[str]) -> Effect:
    """Return the change to be noticed. Raise `UsageError` if it is none."""
    sizes: dict[str, float] = {}
    for text in given:
        name, _, size = text.partition("=")
        try:
            value = float(size)
        except ValueError:
            value = math.nan
        most = {"wins": 100.0, "points": math.inf}.get(name)
        if most is None or not 0 < value < most:
            raise UsageError(
                f"`--effect {text}` is no change to notice: write `wins=10` (percentage points,"
                " more than 0 and less than 100) or `points=5`."
            )
        sizes[name] = value
    return Effect(sizes.get("wins", 10.0) / 100, sizes.get("points"))


def _try(rules: Program, side: Trial) -> None:
    """Raise `UsageError` if there is no table for these players and options."""
    try:
        start(rules, side.players, options=dict(side.options), begin=False)
    except ValueError as wrong:
        raise UsageError(str(wrong)) from wrong


def _play(
    journal: Journal, records: Iterable[GameRecord], left: int, total: int, screen: Console
) -> bool:
    """Play what is left. Return False if somebody interrupted; what is done is in the journal."""
    columns = (
        TextColumn("[progress.description]{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
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
    effect: Effect,
    screen: Console,
) -> int:
    """Write the tables and the report, and print a few lines about them."""
    rules = {side.stack: Rules.of(p) for side, p in zip(sides, programs, strict=True)}
    report = Report(tuple(Summary(stack, one) for stack, one in rules.items()))
    places = {stack: place for place, stack in enumerate(rules)}
    values = {stack: one.measured for stack, one in rules.items()}
    runs = {side.stack: rules[side.stack].run(side) for side in sides}
    with _table_writer(journal.folder, values, runs, seeds, parts) as writer, _kept_objects():
        for record, columns in journal.in_order(places, seeds):
            report.add(places[record["stack"]], record)
            if writer is not None:
                writer.add(record["seed"], columns)
        tables = writer.write() if writer is not None else []
    place = journal.folder / REPORT
    report = judged(report)
    text = page(report, sides, _command(sides, seeds), effect)
    replace_file(place, text.encode())
    broken = 0
    for summary in report.sides:
        broken += summary.failed
        games = summary.finished
        told = [f"{games} {'game' if games == 1 else 'games'} finished"]
        if summary.unfinished:
            told.append(f"{summary.unfinished} reached the limit of answers")
        if summary.failed:
            told.append(f"{summary.failed} broke ({summary.failures[0][1]})")
        screen.print(f"{summary.stack}: {', '.join(told)}.", markup=False)
    for part in figures(report, effect):
        screen.print(part)
    names = ", ".join(path.name for path in tables)
    told_tables = f"Tables: {names}." if tables else _missing_tables(journal.folder)
    screen.print(f"{told_tables}\nReport: {place}", markup=False, soft_wrap=True)
    return FOUND if broken else OK


def _table_writer(
    folder: Path,
    values: Mapping[str, Sequence[str]],
    runs: Mapping[str, Mapping[str, Any]],
    seeds: range,
    parts: int,
) -> "AbstractContextManager[Writer | None]":
    """Return the writer of the Parquet tables, or None if DuckDB is not installed."""
    try:
        from ziggurat.studio.simulation.tables import Writer
    except ImportError:
        return nullcontext()
    return Writer(folder, values, runs, seeds, parts)


def _missing_tables(folder: Path) -> str:
    """Return why there are no tables, and how to get them from the games that were played."""
    earlier = next(folder.glob("**/*.parquet"), None)
    stale = " The tables in the folder are those of an earlier run." if earlier else ""
    return (
        f"Tables: none, because DuckDB is not installed.{stale} To write them, run"
        f" {install_command('tables')} and then the same command again."
    )


@contextmanager
def _kept_objects() -> Iterator[None]:
    """Spare the garbage collector all objects that are there, which stay while games are read."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _command(sides: Sequence[Trial], seeds: range) -> str:
    """Return the command that gives the same report anywhere."""
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
