"""`ziggurat fmt`: rules files in their one canonical layout.

A file is written only when all promises of `dsl.format` hold and, for a file of a pack that links,
when the linked ruleset stays the same. Writing replaces the file in one move, so that nobody ever
sees half of it.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import attrs
from cyclopts import Parameter

from ziggurat import (
    Diagnostic,
    Findings,
    Search,
    Source,
    format_checked,
    is_pack,
    line_end_of,
    load_pack,
    read_rules_file,
    read_sources,
    refusal,
    render_human,
    replace_file,
    resolve_stack,
    summary,
    unify_line_ends,
)
from ziggurat.studio.console import FOUND, OK, USAGE, UsageError, console
from ziggurat.studio.options import PackFolders, search_path

# Findings that say: what was asked for could not be read at all.
UNREADABLE = frozenset({"Z001", "Z007"})


@attrs.frozen
class _Change:
    """A file whose layout is not canonical, and its text as it should be."""

    path: Path
    source: Source
    text: str


def fmt(
    *paths: Annotated[Path, Parameter(name="PATH")],
    check: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    packs: PackFolders = (),
) -> int:
    """Put rules files into their canonical layout.

    Exit code 0: all files are formatted. 1: some could not be, or with --check would be changed.
    2: there is no such file.

    Parameters
    ----------
    paths
        Files, or folders with files that end in `.rules`. Without any: the pack in this folder.
    check
        Change nothing; only say which files would be changed.
    """
    if not paths and not is_pack(Path()):
        raise UsageError("name the files or folders to format.")
    changes, findings, number = _look_at(paths or (Path(),))
    search = search_path(packs)
    if not check:
        refused = _meaning_changes(changes, search)
        findings.extend(refused.values())
        changes = [change for change in changes if change.path not in refused]
        for change in changes:
            _write(change.path, change.text)
    _show(changes, findings, number, check)
    if any(finding.code in UNREADABLE for finding in findings):
        return USAGE
    return FOUND if len(findings) or (check and changes) else OK


def _look_at(paths: tuple[Path, ...]) -> tuple[list[_Change], Findings, int]:
    changes: list[_Change] = []
    findings = Findings()
    number = 0
    for path in dict.fromkeys(file for given in paths for file in _files(given)):
        number += 1
        source, problems = read_rules_file(path)
        findings.extend(problems)
        if source is None:
            continue
        formatted = format_checked(source)
        findings.extend(formatted.findings)
        raw = _raw(path)
        text = formatted.text.replace("\n", line_end_of(raw))
        if text != raw and not formatted.findings:
            changes.append(_Change(path, source, text))
    return changes, findings, number


def _files(path: Path) -> Iterator[Path]:
    """The rules files a path stands for; what begins with a dot belongs to other tools."""
    if not path.is_dir():
        yield path
        return
    for folder, names, files in os.walk(path):
        names[:] = sorted(name for name in names if not name.startswith("."))
        for name in sorted(files):
            if name.endswith(".rules") and not name.startswith("."):
                yield Path(folder) / name


def _raw(path: Path) -> str:
    """Return the text as it is on disk, line ends included: those of the first line are kept."""
    return path.read_bytes().decode("utf-8", "replace")


def _meaning_changes(changes: list[_Change], search: Search) -> dict[Path, Diagnostic]:
    """The files of packs that would link to other rules, each with the finding that says so."""
    by_pack: dict[Path, list[_Change]] = {}
    for change in changes:
        pack = next((folder for folder in change.path.absolute().parents if is_pack(folder)), None)
        if pack is not None:
            by_pack.setdefault(pack, []).append(change)
    refused: dict[Path, Diagnostic] = {}
    for pack, changed in by_pack.items():
        if not _links_alike(pack, changed, search):
            reason = "its pack would link to other rules"
            refused |= {change.path: refusal(change.source, reason) for change in changed}
    return refused


def _links_alike(folder: Path, changed: list[_Change], search: Search) -> bool:
    from ziggurat import content_hash, load_sources

    stack, _ = resolve_stack(str(folder), search)
    if stack is None:
        return True
    sources, _ = read_sources(stack)
    before = load_sources(sources, stack).ruleset
    if before is None:
        return True
    pack_id = load_pack(folder).id
    texts = {
        f"{pack_id}/{change.path.absolute().relative_to(folder).as_posix()}": unify_line_ends(
            change.text
        )
        for change in changed
    }
    again = [attrs.evolve(s, text=texts.get(s.path, s.text)) for s in sources]
    after = load_sources(again, stack).ruleset
    return after is not None and content_hash(before) == content_hash(after)


def _write(path: Path, text: str) -> None:
    """Replace a file's text in one move, or say why that cannot be."""
    try:
        replace_file(path, text.encode("utf-8"))
    except OSError as error:
        raise UsageError(f"`{path}` cannot be written: {error.strerror}.") from error


def _show(changes: list[_Change], findings: Findings, number: int, check: bool) -> None:
    out = console()
    found = findings.ordered()
    render_human(found, out)
    verb = "would be formatted" if check else "formatted"
    for change in changes:
        out.print(f"{verb}: {change.path}", markup=False, soft_wrap=True)
    files = "1 file" if number == 1 else f"{number} files"
    left = f"; left alone: {summary(found)}" if found else ""
    out.print(f"{files} looked at, {len(changes)} {verb}{left}", markup=False)
