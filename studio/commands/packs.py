"""`ziggurat packs`: which packs there are, and where they come from."""

from pathlib import Path

from ziggurat import (
    Pack,
    find_packs,
    is_built_in,
    library_folder,
    package_folders,
    players_span,
)
from ziggurat.studio.console import OK, console
from ziggurat.studio.listing import show_list
from ziggurat.studio.options import PackFolders, search_path
from ziggurat.studio.sharing.library import came_from


def packs(*, packs: PackFolders = ()) -> int:
    """List the packs that can be stacked, games first, and where each was found.

    A variant goes on top of a game; a part (a board, say) is what games are made of. A
    translation says what others say in another language.
    """
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
