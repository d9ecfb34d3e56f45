"""Several rulesets side by side in the terminal, and what all pictures of that share."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ziggurat import Columns, Group, Row, RowPage
from ziggurat.studio.diff_terminal import indented
from ziggurat.studio.diff_words import MANY, UNFELT, UNREAD, besides_counted, numbers

# Narrower columns are told one below the other.
ROOM = 24
GAP = "⋯"
NOT_THERE, PARTS = "–", "in part, see below"


def headline(columns: Columns) -> str:
    """How many rules are not the same everywhere, and what else."""
    counts = columns.counts()
    return numbers(counts, columns.data()) or "no difference" + besides_counted(counts)


def heading(columns: Columns) -> str:
    return " | ".join(columns.names)


def cell_lines(columns: Columns, row: Row, column: int) -> list[str]:
    """What stands in a cell: its words; `as east` if an earlier column has the same."""
    cell = row.cells[column]
    if cell.state in ("absent", "in part"):
        return [NOT_THERE if cell.state == "absent" else PARTS]
    for before in range(column):
        other = row.cells[before]
        if other.state not in ("absent", "in part") and other.words == cell.words:
            return [f"as {columns.names[before]}"]
    told = [line for i, one in enumerate(cell.words) for line in ([GAP] * (i > 0) + [one])]
    return [line for one in told for line in one.split("\n")] if any(cell.words) else ["nothing"]


def brief_parts(page: RowPage) -> tuple[list[tuple[tuple[bool, ...], list[Group]]], list[Group]]:
    """Of one page, whole declarations of data by who has them, if there are many; the others."""
    whole = [
        group
        for group in page.groups
        if len(group.rows) == 1 and group.first.whole and group.first.sort in ("data", "advice")
    ]
    if len(whole) <= MANY:
        return [], list(page.groups)
    patterns: dict[tuple[bool, ...], list[Group]] = {}
    for group in whole:
        patterns.setdefault(group.first.pattern, []).append(group)
    known = {id(group) for group in whole}
    return list(patterns.items()), [group for group in page.groups if id(group) not in known]


def having(columns: Columns, pattern: Sequence[bool]) -> str:
    """`in west, mega`."""
    there = [name for name, has in zip(columns.names, pattern, strict=True) if has]
    return f"in {', '.join(there)}" if len(there) < len(columns.names) else "under several names"


def cited(columns: Columns, group: Group) -> str:
    """What each ruleset cites, once if they cite the same: `W 6.1b | E 6.1b`."""
    told = [
        ", ".join(f"{cite.source} {cite.place}" for cite in group.cites(i))
        for i in range(len(columns.names))
    ]
    return " | ".join(dict.fromkeys(one for one in told if one))


def mark(group: Group) -> str:
    """What a reader may want to skip."""
    if group.felt or group.first.sort not in ("rule", "data"):
        return ""
    return UNFELT if group.first.sort == "rule" else UNREAD


def show(columns: Columns, out: Console, brief: bool) -> None:
    """A column for each ruleset where there is room."""
    out.print(Text(heading(columns), "bold").append(f": {headline(columns)}", "not bold"))
    for source, title in columns.sources:
        indented(out, f"{source}: {title}", "dim")
    for page in columns.pages:
        out.print()
        ruled = Text(f"{page.title} ({len(page.groups)})", "bold")
        out.rule(ruled, align="left", characters="─")
        named, others = brief_parts(page) if brief else ([], list(page.groups))
        for pattern, groups in named:
            out.print(Text(f"{len(groups)} {having(columns, pattern)}", "bold"))
            indented(out, ", ".join(group.title for group in groups))
        for group in others:
            _group(columns, out, group)


def show_stat(columns: Columns, out: Console) -> None:
    """How many rows of each section a ruleset has otherwise than the first."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("Section")
    for name in columns.names[1:]:
        table.add_column(name, justify="right")
    sections: dict[str, list[Row]] = {}
    for group in columns.groups():
        for row in group.rows:
            sections.setdefault(row.section, []).append(row)
    for section, rows in sections.items():
        table.add_row(section, *(str(n) if n else "" for n in _otherwise(rows)))
    if sections:
        out.print(table)
    out.print(f"{heading(columns)}: {headline(columns)}", markup=False)


def _otherwise(rows: Sequence[Row]) -> Iterator[int]:
    """In how many rows each ruleset is not as the first; parts of what it lacks do not count."""
    for i in range(1, len(rows[0].cells)):
        lacks = {row.path for row in rows if row.cells[i].state == "absent"}
        yield sum(
            row.cells[i].state not in ("same", "in part")
            and (row.cells[0].state, row.cells[i].state) != ("absent", "absent")
            and not any(row.path.startswith(f"{path} / ") for path in lacks)
            for row in rows
        )


def _group(columns: Columns, out: Console, group: Group) -> None:
    title = Text(group.title, "bold yellow")
    noted = mark(group)
    out.print(title.append(f"  {noted}" if noted else "", "not bold yellow"))
    if cites := cited(columns, group):
        indented(out, cites, "italic")
    for comment in group.comments:
        indented(out, comment, "italic dim")
    wide = (out.width - 2) // len(columns.names) >= ROOM
    for i, row in enumerate(group.rows):
        indented(out, row.path, "dim")
        if wide:
            _beside(columns, out, row, named=i == 0)
        else:
            _below(columns, out, row)


def _beside(columns: Columns, out: Console, row: Row, named: bool) -> None:
    table = Table(
        box=None, expand=True, padding=(0, 0, 0, 2), header_style="bold", show_header=named
    )
    for name in columns.names:
        table.add_column(Text(name), ratio=1, overflow="fold")
    cells = [cell_lines(columns, row, i) for i in range(len(columns.names))]
    table.add_row(*(Text("\n".join(lines)) for lines in cells))
    out.print(table)


def _below(columns: Columns, out: Console, row: Row) -> None:
    for i, name in enumerate(columns.names):
        indented(out, f"{name}:", "bold", 4)
        for line in cell_lines(columns, row, i):
            for told in Text(line).wrap(out, max(20, out.width - 6)):
                told.rstrip()
                out.print(Text("      ").append(told), soft_wrap=True)
