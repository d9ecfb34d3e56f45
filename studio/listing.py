"""Lists for the terminal and for pipes: whatever the width, no word of them is cut.

Ids are there to be copied, searched for and read by other programs. So a cell is only ever broken
between its words; a list that needs more room than a terminal has takes it, and in a pipe or a file
every row is one line.
"""

import re
from collections.abc import Iterable, Sequence
from operator import itemgetter

from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

UNBOUNDED = 100_000


def show_list(out: Console, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows under their headings."""
    cells = [tuple(row) for row in rows]
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading, *column in zip(headings, *cells, strict=True):
        table.add_column(heading, min_width=_longest_word([heading, *column]))
    for row in cells:
        table.add_row(*map(Text, row))
    screen = out.width
    out.width = UNBOUNDED
    needed = Measurement.get(out, out.options, table)
    out.width = max(screen, needed.minimum) if out.is_terminal else needed.maximum
    out.print(table, crop=False)
    out.width = screen


def best_first(
    rows: Iterable[tuple[str, ...]], texts: Iterable[str], find: str, main: Sequence[int]
) -> list[tuple[str, ...]]:
    """Return the rows in whose cells or text something stands.

    Whole words in the `main` columns come first, then whole words anywhere, words that begin so,
    and the rest.
    """
    wanted = find.casefold()
    beginning = re.compile(rf"(?<![^\W_]){re.escape(wanted)}")
    whole = re.compile(rf"{beginning.pattern}(?![^\W_])")
    ranked = []
    for row, text in zip(rows, texts, strict=True):
        everything = "\n".join([*row, text]).casefold()
        if wanted not in everything:
            continue
        names = "\n".join(row[column] for column in main).casefold()
        checks = whole.search(names), whole.search(everything), beginning.search(everything)
        ranked.append((next((rank for rank, hit in enumerate(checks) if hit), len(checks)), row))
    return [row for _, row in sorted(ranked, key=itemgetter(0))]


def _longest_word(cells: Iterable[str]) -> int:
    return max((cell_len(word) for cell in cells for word in cell.split()), default=1)
