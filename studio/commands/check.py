"""`ziggurat check`: say everything that is wrong with rulesets, packs or single files."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.console import Console

from ziggurat import (
    MANIFEST,
    STACK_NAME,
    Diagnostic,
    Findings,
    Search,
    Source,
    find_packs,
    is_pack,
    read_rules_file,
    render_github,
    render_human,
    render_json,
    summary,
)
from ziggurat.studio.clashes import is_combination, show_clashes
from ziggurat.studio.console import FOUND, OK, USAGE, UsageError, console, write_text
from ziggurat.studio.options import PackFolders, Stack, search_path
from ziggurat.studio.real_paths import RealPaths

# Findings that say: something could not be read at all; in a `pack.toml`, a whole pack.
UNREADABLE = frozenset({"Z001", "Z007", "Z010", "Z011", "Z020"})
UNREADABLE_PACK = frozenset({"Z002", "Z003", "Z004"})


def check(
    *targets: Annotated[Stack, Parameter(name="STACK|PATH")],
    format: Literal["human", "json", "github"] = "human",
    strict: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    verbose: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    packs: PackFolders = (),
) -> int:
    """Check rulesets and say everything that is wrong with them.

    Exit code 0: clean. 1: there are findings. 2: the request makes no sense, or something it needs
    (a pack, a folder, a file) is not there or cannot be read.

    Parameters
    ----------
    targets
        Stacks (`west+expert`), folders of packs, or single `.rules` files, of which only the
        syntax is checked. Without any: the pack in this folder, or else every pack that is found.
    format
        For people, for programs, or as annotations of a GitHub workflow.
    strict
        Warnings count as findings for the exit code. Notes never do.
    verbose
        Show notes in full: everything that went along with what packs remove, and where it stood.
    """
    search = search_path(packs)
    asked = targets or _everything(search)
    findings = Findings()
    for target in asked:
        findings.extend(_check_one(target, search))
    found = findings.ordered()
    _show(found, format, asked, search, verbose)
    code = _exit_code(found, strict)
    if code == OK and format == "human":
        for stack in filter(is_combination, targets):
            show_clashes(console(), stack, packs)
    return code


def _everything(search: Search) -> tuple[str, ...]:
    """The pack in this folder; else every game, and every variant on the games it names."""
    if is_pack(Path()):
        return (".",)
    packs = find_packs(search)
    games = [name for name, pack in packs.items() if not pack.incomplete]
    variants = [
        f"{need.id}+{pack.id}"
        for pack in packs.values()
        if pack.incomplete
        for need in pack.optional
        if need.id in games
    ]
    everything = (*games, *variants)
    if not everything:
        raise UsageError("there are no packs to check; name a stack, a folder or a file.")
    return everything


def _check_one(target: str, search: Search) -> Sequence[Diagnostic]:
    if target.endswith(".rules") or os.path.isfile(target):  # noqa: PTH113 (never raises)
        return _check_file(Path(target))
    from ziggurat import load

    return load(target, search).diagnostics


def _check_file(path: Path) -> Sequence[Diagnostic]:
    from ziggurat import parse_source

    source, findings = read_rules_file(path)
    return [*findings, *parse_source(source)[1]] if source else findings


def _show(
    found: list[Diagnostic], format: str, asked: Sequence[str], search: Search, verbose: bool
) -> None:
    out = console()
    locate = RealPaths(asked, search).of_source
    if format == "json":
        write_text(render_json(found, locate) + "\n")
    elif format == "github":
        write_text(render_github(found, locate))
    else:
        render_human([one for one in found if verbose or not one.is_note], out, locate)
        if not verbose:
            _show_notes([one for one in found if one.is_note], out, locate)
        what = asked[0] if len(asked) == 1 else f"{len(asked)} rulesets"
        wrong = [one for one in found if not one.is_note]
        out.print(f"{what}: {summary(wrong)}" if wrong else f"{what}: clean", markup=False)


def _show_notes(
    notes: list[Diagnostic], out: Console, locate: Callable[[Source], str | None]
) -> None:
    """Show a line for each note; `--verbose` shows what is behind it."""
    for note in notes:
        place = ""
        if note.span is not None:
            path = locate(note.span.source) or note.span.source.path
            place = f"{path}:{note.span.line}:{note.span.column}: "
        text = f"{place}{note.message}"
        out.print(text, markup=False, highlight=False, soft_wrap=True)
    if notes:
        out.print("(--verbose lists all of it)\n", markup=False, highlight=False)


def _exit_code(found: Sequence[Diagnostic], strict: bool) -> int:
    if any(_unreadable(diagnostic) for diagnostic in found):
        return USAGE
    counted = [one for one in found if one.is_error or (strict and not one.is_note)]
    return FOUND if counted else OK


def _unreadable(diagnostic: Diagnostic) -> bool:
    path = diagnostic.span.source.path if diagnostic.span else ""
    if diagnostic.code in UNREADABLE or path == STACK_NAME:
        return True
    return diagnostic.code in UNREADABLE_PACK and path.endswith(f"/{MANIFEST}")
