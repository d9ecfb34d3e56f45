"""A difference in the terminal: side by side where there is room, one above the other elsewhere."""

from collections.abc import Sequence
from textwrap import wrap

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ziggurat import Arrangement, Heading, Marked, Provision
from ziggurat.studio.diff_words import (
    COUNTED,
    SIGNS,
    Piece,
    brief_groups,
    cited,
    counted,
    headline,
    marks,
    name_of,
    places,
    remarks,
    rows,
)

ROOM = 110
STYLES = {"added": "green", "removed": "red", "changed": "yellow", "renamed": "cyan",
          "moved": "magenta", "clarified": "blue"}  # fmt: skip
OLD, NEW = "red", "green"


def show(told: Arrangement, out: Console, brief: bool = True) -> None:
    """Everything, chapter by chapter; briefly, data that one side lacks is listed by name."""
    show_heading(told, out)
    for source, title in told.sources:
        indented(out, f"{source}: {title}", "dim")
    for chapter in told.chapters:
        out.print()
        out.rule(
            Text(f"{chapter.title} ({len(chapter.provisions)})", "bold"),
            align="left", characters="─",
        )  # fmt: skip
        named, others = brief_groups(chapter.provisions) if brief else ({}, chapter.provisions)
        for change, provisions in named.items():
            heading = f"{SIGNS[change]} {len(provisions)} {change}"
            out.print(Text(heading, STYLES[change]))
            indented(out, ", ".join(name_of(one) for one in provisions))
        for provision in others:
            _provision(out, chapter, provision, brief)


def show_heading(told: Arrangement, out: Console) -> None:
    difference = told.difference
    heading = Text.assemble((difference.old, "bold"), " → ", (difference.new, "bold"))
    out.print(heading.append(f": {headline(told)}"))


def show_stat(told: Arrangement, out: Console) -> None:
    """Numbers only: the entries of each section, and what they come to."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("Section")
    for change in COUNTED:
        table.add_column(change, justify="right", style=STYLES[change])
    sections: dict[str, list[str]] = {}
    for entry in told.difference.entries:
        sections.setdefault(entry.section, []).append(entry.change)
    for section, changes in sections.items():
        numbers = [changes.count(change) for change in COUNTED]
        table.add_row(section, *(str(n) if n else "" for n in numbers))
    if told.difference:
        out.print(table)
        out.print(f"{counted(told.difference)}", markup=False)
    show_heading(told, out)


def indented(out: Console, text: str, style: str = "", depth: int = 2) -> None:
    """A paragraph with a margin, without the blanks at the end that padding would leave."""
    width = max(20, out.width - depth)
    for line in wrap(text, width, break_long_words=False, break_on_hyphens=False):
        out.print(Text(f"{' ' * depth}{line}", style), soft_wrap=True)


def hanging(out: Console, first: str, text: Text) -> None:
    """A line that begins with a sign, and goes on further right if it is too long."""
    margin = " " * (len(first) + 2 * (len(first) < 3))
    for i, row in enumerate(text.wrap(out, max(20, out.width - len(margin)))):
        row.rstrip()
        out.print(Text(margin if i else first, text.style).append(row), soft_wrap=True)


def _provision(out: Console, chapter: Heading, provision: Provision, brief: bool) -> None:
    style = STYLES[provision.change]
    common = [
        mark
        for mark in marks(provision.told[0], chapter)
        if all(mark in marks(one, chapter) for one in provision.told)
    ]
    heading = Text(provision.title, f"bold {style}")
    heading.append(f"  {', '.join([provision.change, *common])}", f"not bold {style}")
    hanging(out, f"{SIGNS[provision.change]} ", heading)
    if cites := cited(provision):
        indented(out, cites, "italic")
    for comment in remarks(provision):
        indented(out, comment, "italic dim")
    for one in provision.told:
        own = [mark for mark in marks(one, chapter) if mark not in common]
        _told(out, one, own, len(provision.told) == 1, brief)


def _told(out: Console, told: Marked, noted: Sequence[str], alone: bool, brief: bool) -> None:
    entry = told.entry
    line = Text(entry.path, "" if alone else STYLES[entry.change])
    line.append(f"  {', '.join(noted)}" if noted else "", "italic")
    line.append(f"  {places(told)}", "dim")
    hanging(out, "  " if alone else f"  {SIGNS[entry.change]} ", line)
    if entry.section == "options" and not alone and brief:
        indented(out, entry.title, depth=4)
    elif entry.change == "renamed" and entry.old and entry.new:
        indented(out, f"{entry.old.words} → {entry.new.words}", depth=4)
    else:
        _hunks(out, told)


def _hunks(out: Console, told: Marked) -> None:
    for i, (old, new) in enumerate(told.entry.hunks):
        if i:
            out.print(Text("    ⋯", "dim"))
        if out.width >= ROOM and old and new:
            _beside(out, old, new)
        else:
            _stacked(out, old, new)


def _stacked(out: Console, old: str, new: str) -> None:
    sides = list(rows(old, new))
    told = [("-", OLD, left) for left, _ in sides if left]
    told += [("+", NEW, right) for _, right in sides if right]
    for sign, style, pieces in told:
        for i, row in enumerate(_line(pieces, style).wrap(out, max(20, out.width - 6))):
            row.rstrip()
            out.print(Text(f"    {' ' if i else sign} ", style).append(row), soft_wrap=True)


def _beside(out: Console, old: str, new: str) -> None:
    grid = Table.grid(padding=(0, 1, 0, 0), expand=True)
    grid.add_column(width=5)
    grid.add_column(ratio=1)
    grid.add_column(width=2)
    grid.add_column(ratio=1)
    for left, right in rows(old, new):
        grid.add_row(
            Text("    -" if left else "", OLD),
            _line(left, OLD),
            Text("+" if right else "", NEW),
            _line(right, NEW),
        )
    out.print(grid)


def _line(pieces: Sequence[Piece], style: str) -> Text:
    text = Text()
    for words, common in pieces:
        text.append(words, style if common else f"bold underline {style}")
    return text
