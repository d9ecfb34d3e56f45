"""The effects of a new version of an installed pack on rules, packs and saves, shown beforehand."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import platformdirs
from rich.console import Console

from ziggurat import BadSave, Header, Pack, Search, diff, load, read_header
from ziggurat.studio.console import UsageError
from ziggurat.studio.sharing.checks import load_rules, show_changes
from ziggurat.studio.sharing.kept import has_kept, keep_rules
from ziggurat.studio.sharing.library import installed

SAVE_FOLDERS = ("saves", "tables")  # of the user's data


def saved_headers() -> Iterator[Header]:
    """Yield the headers of the saves among the user's data, as far as they can be read."""
    data = Path(platformdirs.user_data_dir("ziggurat", appauthor=False))
    for folder in SAVE_FOLDERS:
        for path in sorted((data / folder).glob("*.zig")):
            with suppress(BadSave):
                yield read_header(path)


def show_update(out: Console, old: Pack, new: Pack, search: Search, *, replace: bool) -> None:
    """Show what changes with the new version, and which packs and saves are affected.

    Raise `UsageError` if an installed pack would have errors with it, unless `replace`.
    """
    updated = search.including(new.path)
    before, after = load_rules(old.path, search), load_rules(new.path, updated)
    if before and after:
        show_changes(out, f"{old.version} → {new.version}", diff(before, after))
    _show_dependents(out, new, updated, replace=replace)
    _show_saves(out, old, search)


def _show_dependents(out: Console, new: Pack, updated: Search, *, replace: bool) -> None:
    broken = []
    for pack in installed().values():
        needed = {need.id for need in (*pack.extends, *pack.requires)}
        if new.id not in needed | {need.id for need in pack.optional}:
            continue
        stack = pack.path if new.id in needed else f"{new.path}+{pack.path}"
        findings = load(stack, updated, game=False).diagnostics
        errors = sum(finding.is_error for finding in findings)
        broken += [pack.id] if errors else []
        state = f"{errors} {'error' if errors == 1 else 'errors'}" if errors else "fits"
        out.print(f"  with {pack.id} {pack.version}: {state}", markup=False)
    if broken and not replace:
        names = "`, `".join(broken)
        raise UsageError(
            f"`{names}` cannot be used with this version. `--replace` installs it all the same."
        )


def _show_saves(out: Console, old: Pack, search: Search) -> None:
    """Show how saves continue. Keep their rules while the old version is still there."""
    headers = [header for header in saved_headers() if old.id in {id_ for id_, *_ in header.packs}]
    pinned = sum(has_kept(header) or _keep(header, search) for header in headers)
    if pinned:
        saves = "1 save" if pinned == 1 else f"{pinned} saves"
        out.print(f"  {saves}: can go on by the old version, which is kept", markup=False)
    if loose := len(headers) - pinned:
        saves = "1 save" if loose == 1 else f"{loose} saves"
        out.print(
            f"  {saves} of still other versions: can go on as far as the answers fit", markup=False
        )


def _keep(header: Header, search: Search) -> bool:
    ruleset = load(header.stack, search).ruleset
    with suppress(OSError):
        if ruleset is not None:
            keep_rules(ruleset, search, scenarios=bool(header.scenario))
    return has_kept(header)
