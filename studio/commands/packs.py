"""`ziggurat packs`: which packs there are, and where they come from."""

from collections import Counter
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ziggurat import (
    Pack,
    find_packs,
    is_built_in,
    library_folder,
    package_folders,
    players_span,
)
from ziggurat.studio.console import OK, UsageError, console
from ziggurat.studio.listing import show_list
from ziggurat.studio.options import PackFolders, search_path
from ziggurat.studio.sharing.kept import KeptPack, list_kept, names_of
from ziggurat.studio.sharing.library import came_from
from ziggurat.studio.sharing.updating import saved_headers


def packs(
    *,
    kept: Annotated[bool, Parameter(negative=())] = False,
    forget: Annotated[tuple[str, ...], Parameter(negative=(), consume_multiple=False)] = (),
    yes: Annotated[bool, Parameter(negative=())] = False,
    packs: PackFolders = (),
) -> int:
    """List the packs that can be stacked, games first, and where each was found.

    A variant goes on top of a game; a part (a board, say) is what games are made of. A
    translation says what others say in another language.

    Parameters
    ----------
    kept
        List the rules that were kept for saved games instead, and how many of your saves need them.
    forget
        Remove rules that were kept, by the name in that list.
    yes
        Remove them even if saves need them.
    """
    if forget:
        _forget(forget, anyway=yes)
    if kept or forget:
        needs = _count_needs()
        rows = [(pack.name, f"{pack.size:,} bytes", str(needs[pack.name])) for pack in list_kept()]
        show_list(console(), ("Kept rules", "Size", "Saves"), rows)
        return OK
    headings = ("Pack", "Is a", "Version", "Players", "Builds on", "Title", "From")
    found = sorted(
        find_packs(search_path(packs)).values(), key=lambda pack: SORTS.index(_sort(pack))
    )
    show_list(console(), headings, map(_row, found))
    return OK


SORTS = ("game", "variant", "part", "translation")


def _sort(pack: Pack) -> str:
    if pack.language:
        return "translation"
    if not pack.incomplete:
        return "game"
    return "variant" if pack.optional else "part"


def _row(pack: Pack) -> tuple[str, ...]:
    title = pack.title if not pack.findings else f"{pack.title} (has findings: check it)"
    return (
        pack.id,
        _sort(pack),
        str(pack.version),
        players_span(pack.players) if pack.players else "",
        ", ".join(need.id for need in (*pack.extends, *pack.requires)),
        title,
        _place(pack),
    )


def _place(pack: Pack) -> str:
    """Who brought a pack: Ziggurat, somebody who installed it, a Python package, or a folder."""
    folder = Path(pack.path)
    if is_built_in(pack):
        return "built in"
    if folder.parent == library_folder():
        return f"installed from {came_from(pack) or 'somewhere'}"
    for place, package in package_folders().items():
        if folder.is_relative_to(place):
            return f"package {package}"
    return pack.path


def _forget(names: tuple[str, ...], *, anyway: bool) -> None:
    """Remove kept rules. Raise `UsageError` before anything is removed."""
    known = {pack.name: pack for pack in list_kept()}
    needs = _count_needs()
    for name in names:
        if name not in known:
            raise UsageError(
                f"no rules called `{name}` were kept; `ziggurat packs --kept` lists them."
            )
        if needs[name] and not anyway:
            saves = "1 save needs" if needs[name] == 1 else f"{needs[name]} saves need"
            raise UsageError(
                f"{saves} `{name}` to go on by the rules it began with; `--yes` removes it all the"
                " same."
            )
    for name in names:
        _remove(known[name])


def _remove(pack: KeptPack) -> None:
    try:
        pack.path.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"`{pack.path}` cannot be removed: {error.strerror}.") from error


def _count_needs() -> Counter[str]:
    """Count the saves among the user's data that may need what was kept, by its name."""
    return Counter(name for header in saved_headers() for name in names_of(header))
