"""A difference in the terminal: side by side where there is room, one above the other elsewhere."""

from collections.abc import Sequence
from textwrap import wrap

import attrs
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ziggurat import Difference, Entry
from ziggurat.studio.diff_words import COUNTED, MANY, SIGNS, Piece, counted, rows, where

ROOM = 110
STYLES = {"added": "green", "removed": "red", "changed": "yellow", "renamed": "cyan",
          "moved": "magenta", "clarified": "blue"}  # fmt: skip
OLD, NEW = "red", "green"


def show(difference: Difference, out: Console, brief: bool = True) -> None:
    """Everything, section by section; briefly, what only one side has is listed by name if much."""
    heading = Text.assemble((difference.old, "bold"), " → ", (difference.new, "bold"))
    out.print(heading.append(f": {counted(difference)}"))
    for section, entries in difference.sections().items():
        out.print()
        out.rule(Text(f"{section} ({len(entries)})", "bold"), align="left", characters="─")
        listed = _listed(entries) if brief else []
        for change in ("removed", "added"):
            _names(out, change, [entry for entry in listed if entry.change == change])
        for entry in entries:
            if entry not in listed:
                _entry(out, entry)


def show_stat(difference: Difference, out: Console) -> None:
    """Numbers only."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("Section")
    for change in COUNTED:
        table.add_column(change, justify="right", style=STYLES[change])
    for section, entries in attrs.evolve(difference, besides=()).sections().items():
        numbers = [sum(entry.change == change for entry in entries) for change in COUNTED]
        table.add_row(section, *(str(n) if n else "" for n in numbers))
    if difference:
        out.print(table)
    out.print(f"{difference.old} → {difference.new}: {counted(difference)}", markup=False)


def _listed(entries: Sequence[Entry]) -> list[Entry]:
    """Whole declarations only one side has, if there are so many that names tell more."""
    whole = [e for e in entries if e.change in ("added", "removed") and " / " not in e.path]
    return whole if len(whole) > MANY else []


def _names(out: Console, change: str, entries: Sequence[Entry]) -> None:
    if entries:
        out.print(Text(f"{SIGNS[change]} {len(entries)} {change}", STYLES[change]))
        names = [entry.path.partition(" ")[2] or entry.path for entry in entries]
        _indented(out, ", ".join(names))


def _indented(out: Console, text: str, style: str = "") -> None:
    """A paragraph with a margin, without the blanks at the end that padding would leave."""
    told = wrap(text, max(20, out.width - 2), break_long_words=False, break_on_hyphens=False)
    for line in told:
        out.print(Text(f"  {line}", style), soft_wrap=True)


def _entry(out: Console, entry: Entry) -> None:
    style = STYLES[entry.change]
    heading = Text.assemble((f"{SIGNS[entry.change]} {entry.path}", f"bold {style}"))
    heading.append(f"  {entry.change}", style)
    out.print(heading)
    if entry.title:
        _indented(out, entry.title)
    if entry.change == "renamed" and entry.old and entry.new:
        out.print(Text(f"  {entry.old.words} → {entry.new.words}"))
    else:
        for i, (old, new) in enumerate(entry.hunks):
            if i:
                out.print(Text("  ⋯", "dim"))
            if out.width >= ROOM and old and new:
                _beside(out, old, new)
            else:
                _stacked(out, old, new)
    for side, word in ((entry.old, "was"), (entry.new, "now")):
        place = where(side)
        if place and (word == "now" or entry.new is None or entry.change != "renamed"):
            _indented(out, f"{word} {place}", "dim")


def _stacked(out: Console, old: str, new: str) -> None:
    sides = list(rows(old, new))
    told = [("-", OLD, left) for left, _ in sides if left]
    told += [("+", NEW, right) for _, right in sides if right]
    for sign, style, pieces in told:
        for i, row in enumerate(_line(pieces, style).wrap(out, max(20, out.width - 4))):
            row.rstrip()
            out.print(Text(f"  {' ' if i else sign} ", style).append(row), soft_wrap=True)


def _beside(out: Console, old: str, new: str) -> None:
    grid = Table.grid(padding=(0, 1, 0, 0), expand=True)
    grid.add_column(width=3)
    grid.add_column(ratio=1)
    grid.add_column(width=2)
    grid.add_column(ratio=1)
    for left, right in rows(old, new):
        grid.add_row(
            Text("  -" if left else "", OLD),
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
