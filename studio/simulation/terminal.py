"""The main figures of a simulation in the terminal, in words that claim no more than they show."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ziggurat.studio.simulation import pages, silence
from ziggurat.studio.simulation.conclusions import Effect, paragraphs
from ziggurat.studio.simulation.judging import MEAN, SHARE, Report, last_mean
from ziggurat.studio.simulation.plots import number
from ziggurat.studio.simulation.results import (
    contenders,
    contested_groups,
    even_chance,
    player_title,
    policy_chance,
    rivals,
)
from ziggurat.studio.simulation.statistics import Estimate

BEYOND = "*"


def figures(report: Report, effect: Effect) -> Iterator[RenderableType]:
    """Yield what the games show, tables of the game and of who wins, then what was never used."""
    for head, *rest in paragraphs(report, effect):
        yield Text(head, "bold" if rest else "")
        for line in rest:
            yield Padding(Text(line), (0, 0, 0, 2), expand=False)
    if any(side.finished for side in report.sides):
        yield from _tables(report)
        yield Text()
    for side in report.sides:
        yield from map(Text, silence.told(side))


def _tables(report: Report) -> Iterator[RenderableType]:
    """Yield a table of the whole game, and tables of who wins."""
    yield Text()
    yield _whole(report)
    if len(report.keys("policy_wins")) > 1:
        yield Text()
        yield _policies(report)
    for group in contested_groups(report):
        for columns in _columns(report):
            yield Text()
            yield _players(report, group, columns)
    yield Text()
    yield Text(_legend(report))


def _legend(report: Report) -> str:
    intervals = (
        "After each number its interval; those of a column hold together in 95 of 100 cases."
    )
    if not report.comparing:
        return intervals
    return f"{intervals} {BEYOND} beyond chance (Holm). Pairs of games: {report.pairs.number}."


def _whole(report: Report) -> Table:
    keys = report.keys("whole")
    games = _games(report, "whole", keys)
    table = _table(report, "A game", ["mean"], counted=bool(games))
    for key in keys:
        cells = _cells(report, "whole", key, MEAN, len(keys), "share" in key)
        table.add_row(key, *games.get(key, ()), *cells)
    return table


def _policies(report: Report) -> Table:
    keys, among = report.keys("policy_wins"), rivals(report)
    games = _games(report, "policy_wins", keys)
    table = _table(report, "By policy", ["games won", "points"], counted=bool(games), even=True)
    for key in keys:
        wins = _cells(report, "policy_wins", key, SHARE, among, True)
        points = _cells(report, "policy_points", key, MEAN, among, False)
        even = number(policy_chance(report, key), True)
        table.add_row(key, *games.get(key, ()), *wins, even, *points)
    return table


def _columns(report: Report) -> Iterator[list[str]]:
    """Yield the columns of the tables about players; two rulesets take too much room for one."""
    columns = ["wins"] if report.has_winners else []
    columns += ["points"] if report.keys("sides.points") else []
    if report.comparing:
        yield from ([column] for column in columns)
    elif columns:
        yield columns


def _players(report: Report, group: str, columns: list[str]) -> Table:
    """Return a table of sides, or of seats."""
    keys, among = contenders(report, group), rivals(report)
    keys.sort(key=lambda k: -last_mean(report.estimates(f"{group}.wins", k, SHARE)))
    several = len(report.keys("policy_wins")) > 1
    title = "Who ends ahead of those who play alike" if several else "Who wins"
    title = title if "wins" in columns else "Points at the end"
    title += ", by seat" if group == "seats" else ""
    games = _games(report, f"{group}.{columns[0]}", keys)
    table = _table(report, title, columns, counted=bool(games), even="wins" in columns)
    for key in keys:
        cells = [*games.get(key, ())]
        if "wins" in columns:
            cells += _cells(report, f"{group}.wins", key, SHARE, among, True)
            cells.append(Text(number(even_chance(report, group, key), True)))
        if "points" in columns:
            cells += _cells(report, f"{group}.points", key, MEAN, among, False)
        table.add_row(player_title(report, key), *cells)
    return table


def _games(report: Report, name: str, keys: Sequence[Any]) -> dict[Any, list[Text]]:
    """Return of how many games, or pairs, each row tells; nothing if every row tells of all."""
    if report.comparing:
        numbers, whole = [report.pairs.gaps(name, key) for key in keys], report.pairs.number
    else:
        numbers, whole = [report.numbers(name, key)[0] for key in keys], report.sides[0].finished
    if all(some.number == whole for some in numbers):
        return {}
    return {key: [Text(str(some.number))] for key, some in zip(keys, numbers, strict=True)}


def _table(
    report: Report, title: str, columns: list[str], *, counted: bool, even: bool = False
) -> Table:
    table = Table(title=title, title_justify="left", header_style="dim", box=None, pad_edge=False)
    table.add_column("")
    if counted:
        table.add_column("pairs" if report.comparing else "games", justify="right")
    for column in columns:
        for side in report.sides:
            table.add_column(f"{column}, {side.stack}" if report.comparing else column)
        if report.comparing:
            table.add_column("difference")
        if even and column == columns[0]:
            table.add_column("even chance")
    return table


def _cells(
    report: Report, name: str, key: object, sort: str, among: int, percent: bool
) -> Iterator[Text]:
    for estimate in report.estimates(name, key, sort, among):
        yield _cell(estimate, number(estimate.mean, percent), pages.span(estimate, percent))
    if report.comparing:
        gap = report.gap("", name, key, sort, among, percent)
        marked = report.is_beyond_chance(gap)
        change, limits = pages.change_words(gap.change, percent)
        mark = BEYOND if marked else ""
        yield _cell(gap.change, change + mark, limits, "bold" if marked else "")


def _cell(estimate: Estimate, mean: str, limits: str, style: str = "") -> Text:
    if not estimate.number:
        return Text("–", "dim")
    return Text.assemble((mean, style), (f"  {limits.replace(' – ', ' to ')}", "dim"))
