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
    load_pack,
    read_rules_file,
    render_github,
    render_human,
    render_json,
    summary,
)
from ziggurat.studio.console import FOUND, OK, USAGE, UsageError, console
from ziggurat.studio.options import PackFolders, search_path

# Findings that say: something could not be read at all; in a `pack.toml`, a whole pack.
UNREADABLE = frozenset({"Z001", "Z007", "Z010", "Z011", "Z020"})
UNREADABLE_PACK = frozenset({"Z002", "Z003", "Z004"})


def check(
    *targets: Annotated[str, Parameter(name="STACK|PATH")],
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
    return _exit_code(found, strict)


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
    if format == "json":
        out.file.write(render_json(found) + "\n")
    elif format == "github":
        out.file.write(render_github(found, _locator(asked, search)))
    else:
        render_human([one for one in found if verbose or not one.is_note], out)
        if not verbose:
            _show_notes([one for one in found if one.is_note], out)
        what = asked[0] if len(asked) == 1 else f"{len(asked)} rulesets"
        wrong = [one for one in found if not one.is_note]
        out.print(f"{what}: {summary(wrong)}" if wrong else f"{what}: clean", markup=False)


def _show_notes(notes: list[Diagnostic], out: Console) -> None:
    """A line for each note; `--verbose` shows what is behind it."""
    for note in notes:
        text = f"{note.span}: {note.message}"
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


def _locator(asked: Sequence[str], search: Search) -> Callable[[Source], str | None]:
    """From portable names to paths below the working folder, which is what a review can show."""
    folders = {pack.id: pack.path for pack in find_packs(search).values()}
    for part in (part for target in asked for part in (target, *target.split("+"))):
        if is_pack(Path(part)):
            folders[load_pack(Path(part)).id] = part

    def locate(source: Source) -> str | None:
        if source.path == STACK_NAME:
            return None
        folder = folders.get(source.pack) if source.pack else None
        if folder is None:
            return source.path
        return Path(os.path.relpath(folder), source.path.partition("/")[2]).as_posix()

    return locate
