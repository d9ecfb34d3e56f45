"""Lists for the terminal and for pipes: whatever the width, no word of them is cut.

Ids are there to be copied, searched for and read by other programs. So a cell is only ever broken
between its words; a list that needs more room than a terminal has takes it, and in a pipe or a file
every row is one line.
"""

from collections.abc import Iterable, Sequence

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


def _longest_word(cells: Iterable[str]) -> int:
    return max((cell_len(word) for cell in cells for word in cell.split()), default=1)
