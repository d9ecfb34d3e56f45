"""`python -m benchmarks [--only NAME]`: every claim about speed and size, and its bound."""

import argparse
import platform
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from benchmarks.cluster import cluster
from benchmarks.decisions import decisions
from benchmarks.editing import editing
from benchmarks.editor import editor
from benchmarks.games import games
from benchmarks.growth import growth
from benchmarks.language import language
from benchmarks.loading import loading
from benchmarks.measure import Claim
from benchmarks.passes import passes
from benchmarks.reports import reports
from benchmarks.shortcuts import shortcuts
from benchmarks.snapshots import snapshots
from benchmarks.web import web

PARTS: dict[str, Callable[[], list[Claim]]] = {
    "loading": loading,
    "editing": editing,
    "editor": editor,
    "growth": growth,
    "language": language,
    "snapshots": snapshots,
    "decisions": decisions,
    "games": games,
    "cluster": cluster,
    "reports": reports,
    "passes": passes,
    "shortcuts": shortcuts,
    "web": web,
}
SIGNS = {True: "[green]yes[/]", False: "[red]no[/]", None: ""}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", choices=list(PARTS), action="append", metavar="NAME",
                        help=f"one of {', '.join(PARTS)}; may be given several times")  # fmt: skip
    chosen = parser.parse_args().only or list(PARTS)
    console = Console()
    table = Table(title=f"Python {platform.python_version()}, {platform.machine()}")
    table.add_column("What", ratio=1)
    for head in ("Measured", "Baseline", "Ratio", "Aim", "Met"):
        table.add_column(head, justify="right", no_wrap=True)
    for name in chosen:
        with console.status(f"measuring: {name}"):
            claims = PARTS[name]()
        for claim in claims:
            row = (claim.what, claim.measured, claim.baseline, claim.ratio, claim.aim)
            table.add_row(*row, SIGNS[claim.good])
        table.add_section()
    console.print(table)


if __name__ == "__main__":  # games with two jobs start processes that import this module
    main()
