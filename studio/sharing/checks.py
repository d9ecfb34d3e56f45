"""Whether a pack can be installed: looked at in its hidden folder, before anything is changed."""

from pathlib import Path

from rich.console import Console

from ziggurat import (
    BadCatalogue,
    Difference,
    Pack,
    Ruleset,
    Search,
    diff,
    find_packs,
    is_built_in,
    library_folder,
    load,
    load_pack,
    players_span,
    read_translation,
    render_human,
)
from ziggurat.studio.console import UsageError, console
from ziggurat.studio.diff_words import SIGNS, counted
from ziggurat.studio.sharing.library import installed

SHOWN = 20


def sound(folder: Path, search: Search) -> Pack:
    """The pack of a folder, if it and all it needs are there and fit; else its findings."""
    pack = load_pack(folder)
    result = load(str(folder), search, game=not pack.incomplete)
    wrong = [one for one in result.diagnostics if one.is_error]
    if wrong or result.ruleset is None:
        render_human(wrong, console())
        raise UsageError(f"`{pack.id}` has findings that must be mended first.")
    _read_catalogues(folder)
    return pack


def _read_catalogues(folder: Path) -> None:
    """One that cannot be read would keep everybody who speaks its language from playing."""
    for file in sorted(folder.glob("locale/*.po")):
        try:
            read_translation(str(file), file.read_bytes())
        except BadCatalogue as wrong:
            raise UsageError(str(wrong)) from wrong


def fitting(pack: Pack, search: Search, replace: bool) -> str:
    """What installing does: `new`, `replaces 1.0`; empty if it is there already. Raises if it
    would clash with what is there."""
    elsewhere = find_packs(search).get(pack.id)
    if elsewhere and (is_built_in(elsewhere) or not _in_library(elsewhere)):
        place = "came with Ziggurat" if is_built_in(elsewhere) else f"is found in {elsewhere.path}"
        raise UsageError(f"there is a pack `{pack.id}` already, which {place}.")
    for other in installed().values():
        for need in (*other.extends, *other.requires, *other.optional):
            if need.id == pack.id and not need.admits(pack.version):
                told = f"`{other.id}` needs `{pack.id}` {need.versions}"
                raise UsageError(
                    f"{told}, and this is {pack.version}. Uninstall `{other.id}` first."
                )
    before = installed().get(pack.id)
    if before is None:
        return "new"
    if before.version > pack.version and not replace:
        raise UsageError(
            f"`{pack.id}` {before.version} is installed, and this is {pack.version}, which is"
            " older. `--replace` puts it in its place."
        )
    return f"replaces {before.version}"


def _in_library(pack: Pack) -> bool:
    return Path(pack.path).parent == library_folder()


def tell(out: Console, pack: Pack, search: Search) -> None:
    """What a pack is, and what it changes in what it builds on."""
    out.print(f"{pack.title} ({pack.id} {pack.version})", style="bold", markup=False)
    about = {
        "by": ", ".join(pack.authors),
        "licence": pack.licence,
        "players": players_span(pack.players) if pack.players else "",
        "notes": " ".join(pack.notes.split()),
    }
    for name, text in about.items():
        if text:
            out.print(f"  {name}: {text}", markup=False)
    below = "+".join(need.id for need in (*pack.extends, *pack.requires))
    old = load_rules(below, search) if below else None
    new = load_rules(pack.path, search)
    if pack.language:
        out.print(f"  It is a translation into `{pack.language}`.", markup=False)
    elif old and new:
        difference = diff(old, new)
        show_changes(out, f"{difference.old} → {difference.new}", difference)
    elif new:
        declared = sum(len(things) for things in new.things.values())
        out.print(f"  It builds on nothing, and declares {declared} things.")


def show_changes(out: Console, heading: str, difference: Difference) -> None:
    """Print how many entries differ, and the first of them."""
    out.print(f"  {heading}: {counted(difference) or 'no rule changed'}", markup=False)
    for entry in difference.entries[:SHOWN]:
        told = f"  {SIGNS[entry.change]} {entry.path}"
        out.print(told, markup=False, highlight=False, soft_wrap=True)
    more = len(difference.entries) - SHOWN
    if more > 0:
        out.print(f"  and {more} more; `ziggurat diff` shows them all.")


def load_rules(stack: str, search: Search) -> Ruleset | None:
    """Return the ruleset of a stack that need not be a game, or None if it has errors."""
    return load(stack, search, game=False).ruleset
