"""The sections of the report, each from the summaries of one or two rulesets."""

from collections.abc import Iterable

import attrs

from ziggurat.studio.simulation import details, pages, plots, silence
from ziggurat.studio.simulation.judging import MEAN, Report, Section, colour
from ziggurat.studio.simulation.plots import Line, number
from ziggurat.studio.simulation.results import results
from ziggurat.studio.simulation.statistics import average, beyond_chance, quantile
from ziggurat.studio.simulation.summary import ALL, ENOUGH, LAST, WINNERS, Summary


def judged(report: Report) -> Report:
    """Return the report, knowing which of its differences are beyond chance.

    To know which there are, all of it is worked out once.
    """
    if not report.comparing:
        return report
    for _ in every(report):
        pass
    chances = {main: [gap.change.p for gap in report.family(main=main)] for main in (True, False)}
    bounds = {main: beyond_chance(some) for main, some in chances.items()}
    return attrs.evolve(report, bounds=bounds)


def glance(report: Report) -> Section:
    tiles = []
    for key in report.keys("whole"):
        percent = "share" in key
        estimates = report.estimates("whole", key, among=len(report.keys("whole")))
        told = " → ".join(number(e.mean, percent) for e in estimates)
        span = " · ".join(pages.span(e, percent) for e in estimates)
        tiles.append(f"<span>{key}</span><b>{told}</b><small>{span}</small>")
    boxes = "".join(pages.card(tile) for tile in tiles)
    parts = [f'<div class="tiles">{boxes}</div>']
    if report.comparing:
        whole = len(report.keys("whole"))
        rows = [
            [pages.text(key), *report.cells(key, "whole", key, MEAN, whole, "share" in key)]
            for key in report.keys("whole")
        ]
        parts.append(pages.card(pages.table(["Per game", *report.headings("mean")], rows)))
    note = (
        "Means of all finished games, with intervals that hold together for all of them in 95 of"
        " 100 cases."
    )
    if report.comparing:
        note += f" Differences are between games with the same seed ({report.pairs.number} pairs)."
        note += f" {colour(report)}"
    return pages.section("glance", "At a glance", note, *parts)


def over_time(report: Report) -> Section:
    rules = report.sides[-1].rules
    score = rules.turn.score
    parts = []
    if score:
        chart = plots.lines("Score over time", _groups(report, score))
        parts.append(pages.card(_group_legend(report), chart, title=rules.value(score)))
    for side in report.sides:
        names = side.rules.turn.parts
        layers = [
            Line(side.rules.value(name), f"part{n % 8}", _means(side, ALL, name))
            for n, name in enumerate(names)
        ]
        chart = plots.areas("Where the points come from", layers)
        title = "Where the points come from" + (f": {side.stack}" if report.comparing else "")
        if chart:
            key = pages.legend((layer.look, layer.name) for layer in layers)
            parts.append(pages.card(key, chart, title=title))
    note = (
        "Means at the end of each turn; the band holds the middle 80 % of all players. Turns that"
        f" fewer than {ENOUGH:.0%} of the games reached are left out."
    )
    return pages.section("time", "Points over time", note, *parts)


def shown(report: Report) -> Section:
    names = dict.fromkeys(name for side in report.sides for name in side.rules.turn.shows)
    charts = []
    for name in names:
        title = report.title("value", name)
        chart = plots.lines(title, _groups(report, name), width=320, height=190)
        charts.append(pages.card(chart, title=title))
    ends = report.keys("ends")
    rows = [
        [
            pages.text(_measured(report, name)),
            *report.cells(f"{_measured(report, name)} at the end", "ends", name, among=len(ends)),
            *_of_winner(report, name, len(ends)),
        ]
        for name in ends
    ]
    headings = ["At the end", *report.headings("all")]
    headings += report.headings("winner") if report.has_winners else []
    parts = [
        _group_legend(report),
        f'<div class="pair">{"".join(charts)}</div>',
        pages.card(pages.table(headings, rows)),
    ]
    if not rows:
        return "", "", ""
    note = "Every value the rules show of a player, at the end of each turn."
    return pages.section("values", "Values over time", note, *parts)


def _of_winner(report: Report, name: str, among: int) -> list[str]:
    if not report.has_winners:
        return []
    label = f"{_measured(report, name)} of the winner"
    return report.cells(label, "winner_ends", name, among=among)


def _measured(report: Report, name: str) -> str:
    """The title of a value; parts of the score are told as such."""
    title = report.title("value", name)
    for side in report.sides:
        if name in side.rules.turn.parts and name not in side.rules.turn.shows:
            return f"{side.rules.value(side.rules.turn.score)}: {title}"
    return title


def _means(side: Summary, group: str, name: str) -> list[tuple[float, float]]:
    counts = side.over_time[group]
    if group != ALL and not side.has_winners:
        return []
    out = []
    for turn in sorted(side.reached):
        if side.often(turn) and counts.get((name, turn)):
            out.append((float(turn), average(counts[name, turn])))
    return out


def _groups(report: Report, name: str) -> list[Line]:
    if report.comparing:
        out = []
        for n, side in enumerate(report.sides):
            points, best = _means(side, ALL, name), _means(side, WINNERS, name)
            out.append(Line(f"{side.stack}, winners", f"winners{n}", best))
            out.append(Line(side.stack, f"side{n}", points))
        return [line for line in out if line.points]
    side = report.sides[0]
    points = _means(side, ALL, name)
    counts = side.over_time[ALL]
    band = [
        (t, quantile(counts[name, int(t)], 0.1), quantile(counts[name, int(t)], 0.9))
        for t, _ in points
    ]
    out = [
        Line("All", "everybody", points, band),
        Line("Winners", "best", _means(side, WINNERS, name)),
        Line("Last", "worst", _means(side, LAST, name)),
    ]
    return [line for line in out if line.points]


def _group_legend(report: Report) -> str:
    if not report.comparing:
        ends = [("best", "winners"), ("worst", "last")] if report.has_winners else []
        return pages.legend([*ends[:1], ("everybody", "all"), *ends[1:]])
    sides = [(f"side{n}", side.stack) for n, side in enumerate(report.sides)]
    return pages.legend([*sides, *[("", "dashed: winners")] * report.has_winners])


def every(report: Report) -> Iterable[Section]:
    """Return all sections in their order, without those that have nothing to show."""
    for make in (glance, results, over_time, shown, silence.section, *details.SECTIONS):
        found = make(report)
        if found[2]:
            yield found
