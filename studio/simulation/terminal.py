"""The main figures of a simulation in the terminal, in words that claim no more than they show."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ziggurat.studio.simulation.plots import number
from ziggurat.studio.simulation.sections import (
    MEAN,
    SHARE,
    Report,
    between,
    even_chance,
    player_title,
)
from ziggurat.studio.simulation.statistics import Estimate

BEYOND = "*"


def figures(report: Report) -> Iterator[RenderableType]:
    """Tables of the whole game and of who wins, and what can be said about them."""
    if not any(side.finished for side in report.sides):
        return
    yield _whole(report)
    yield Text()
    yield _players(report)
    yield Text()
    yield from (Text(line) for line in _words(report))


def _whole(report: Report) -> Table:
    keys = report.keys("whole")
    table = _table(report, "A game", ["mean"])
    for key in keys:
        percent = "share" in key
        table.add_row(key, *_cells(report, "whole", key, MEAN, len(keys), percent))
    return table


def _players(report: Report) -> Table:
    keys = report.keys("wins")
    keys.sort(key=lambda k: -report.estimates("wins", k, SHARE)[-1].mean)
    table = _table(report, "Who wins", ["wins", "points"])
    for key in keys:
        wins = _cells(report, "wins", key, SHARE, len(keys), True)
        points = _cells(report, "points", key, MEAN, len(keys), False)
        table.add_row(player_title(report, key), *wins, *points)
    return table


def _table(report: Report, title: str, columns: list[str]) -> Table:
    table = Table(title=title, title_justify="left", header_style="dim", box=None, pad_edge=False)
    table.add_column("")
    for column in columns:
        for side in report.sides:
            table.add_column(f"{column}, {side.stack}" if report.comparing else column)
        if report.comparing:
            table.add_column("difference")
    return table


def _cells(
    report: Report, name: str, key: str, sort: str, among: int, percent: bool
) -> Iterator[Text]:
    for one in report.estimates(name, key, sort, among):
        yield _cell(one, number(one.mean, percent), percent)
    if report.comparing:
        gap = report.gap(name, key, sort, among)
        marked = report.is_beyond_chance(gap)
        plus = "+" if gap.number and gap.mean > 0 else ""
        points = Estimate(100 * gap.mean, 100 * gap.low, 100 * gap.high, gap.number, 1, gap.flat)
        shown = points if percent else gap
        told = f"{plus}{number(shown.mean)}{BEYOND if marked else ''}"
        yield _cell(shown, told, False, "bold" if marked else "")


def _cell(one: Estimate, told: str, percent: bool, style: str = "") -> Text:
    if not one.number:
        return Text("–", "dim")
    return Text.assemble(
        (told, style), (f"  {between(one, percent).replace(' – ', ' to ')}", "dim")
    )


def _words(report: Report) -> Iterator[str]:
    """What the numbers bear out."""
    yield "After each number its interval; those of a column hold together in 95 of 100 cases."
    if report.comparing:
        yield _about_differences(report)
        return
    fair = even_chance(report)
    if fair is None:
        return
    keys = report.keys("wins")
    found = {key: report.estimates("wins", key, SHARE, len(keys))[0] for key in keys}
    above = [player_title(report, key) for key, one in found.items() if one.low > fair]
    below = [player_title(report, key) for key, one in found.items() if one.high < fair]
    games, chance = len(report.sides[0].finished), number(fair, percent=True)
    if not above and not below:
        yield (
            f"{games} games do not show that anybody wins more or less often than by an even chance"
            f" ({chance})."
        )
    for names, how in ((above, "more"), (below, "less")):
        if names:
            yield f"More than chance: {', '.join(names)} won {how} often than {chance}."


def _about_differences(report: Report) -> str:
    told = len(report.chances)
    beyond = sum(p <= (report.bound or 0) for p in report.chances)
    if not beyond:
        return (
            f"None of the {told} differences in the report is beyond chance, taking all of them"
            f" together (Holm). That is no proof that there are none: {len(report.seeds)} pairs of"
            " games do not show any."
        )
    return (
        f"{BEYOND} beyond chance, taking all {told} differences in the report together (Holm): by"
        f" chance alone there would be any in 5 of 100 reports. {beyond} of them are. Pairs of"
        f" games: {len(report.seeds)}."
    )
