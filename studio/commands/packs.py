"""`ziggurat packs`: which packs there are, and where they come from."""

from ziggurat import Pack, find_packs, is_built_in, players_span
from ziggurat.studio.console import OK, console
from ziggurat.studio.listing import show_list
from ziggurat.studio.options import PackFolders, search_path


def packs(*, packs: PackFolders = ()) -> int:
    """List the packs that can be stacked, and where each was found."""
    headings = ("Pack", "Version", "Players", "Builds on", "Title", "From")
    show_list(console(), headings, map(_row, find_packs(search_path(packs)).values()))
    return OK


def _row(pack: Pack) -> tuple[str, ...]:
    title = pack.title if not pack.findings else f"{pack.title} (has findings: check it)"
    return (
        pack.id,
        str(pack.version),
        players_span(pack.players) if pack.players else "",
        ", ".join(need.id for need in (*pack.extends, *pack.requires)),
        title,
        "built in" if is_built_in(pack) else pack.path,
    )
