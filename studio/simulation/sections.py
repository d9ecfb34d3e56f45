"""The sections of the report, each from the summaries of one or two rulesets."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from ziggurat.studio.simulation import pages, plots
from ziggurat.studio.simulation.plots import Line, number
from ziggurat.studio.simulation.statistics import (
    Estimate,
    Series,
    average,
    difference,
    mean,
    quantile,
    share,
)
from ziggurat.studio.simulation.summary import ALL, ENOUGH, LAST, WINNERS, Summary

Section = tuple[str, str, str]


@attrs.frozen
class Report:
    """One ruleset, or an old and a new one, and the seeds that all of them finished."""

    sides: tuple[Summary, ...]

    @property
    def comparing(self) -> bool:
        return len(self.sides) > 1

    @property
    def seeds(self) -> list[int]:
        common = set(self.sides[0].finished)
        for side in self.sides[1:]:
            common &= set(side.finished)
        return sorted(common)

    def keys(self, name: str) -> list[Any]:
        """All keys of a mapping that every summary has, those of the first ruleset first."""
        return list(dict.fromkeys(key for side in self.sides for key in getattr(side, name)))

    def series(self, name: str, key: Any) -> list[Series]:
        out = []
        for side in self.sides:
            known: Mapping[Any, Series] = getattr(side, name)
            total = any(one.total for one in known.values())
            out.append(known[key] if key in known else Series(total=total))
        return out

    def estimates(self, name: str, key: Any, percent: bool = False) -> list[Estimate]:
        out = []
        for side, series in zip(self.sides, self.series(name, key), strict=True):
            values = series.over(side.finished)
            out.append(share(sum(values), len(values)) if percent else mean(values))
        return out

    def cells(self, name: str, key: Any, percent: bool = False, ones: bool = False) -> list[str]:
        """A cell for every ruleset, and one for the difference. `ones`: every game says yes or no,
        so that the interval is that of a proportion."""
        cells = [pages.between(e, percent) for e in self.estimates(name, key, ones)]
        if self.comparing:
            old, new = self.series(name, key)
            cells.append(pages.changed(difference(old, new, self.seeds), percent))
        return cells

    def headings(self, what: str) -> list[str]:
        """The headings over `cells`."""
        if not self.comparing:
            return [f"#{what}"]
        return [*(f"#{what}, {side.stack}" for side in self.sides), "#difference"]

    def legend(self) -> str:
        if not self.comparing:
            return ""
        return pages.legend((f"side{n}", side.stack) for n, side in enumerate(self.sides))

    def title(self, what: str, *args: str) -> str:
        """A title from the first ruleset that has more to say than the bare name."""
        told = [str(getattr(side.rules, what)(*args)) for side in self.sides]
        plain = args[0].replace("_", " ")
        return next((t for t in told if t != plain), told[0])


def glance(report: Report) -> Section:
    tiles = []
    for key in report.keys("whole"):
        percent = "share" in key
        estimates = report.estimates("whole", key)
        told = " → ".join(number(e.mean, percent) for e in estimates)
        span = " · ".join(
            f"{number(e.low, percent)} – {number(e.high, percent)}" for e in estimates
        )
        tiles.append(f"<span>{key}</span><b>{told}</b><small>{span}</small>")
    boxes = "".join(pages.card(tile) for tile in tiles)
    parts = [f'<div class="tiles">{boxes}</div>']
    if report.comparing:
        rows = [
            [pages.text(key), *report.cells("whole", key, "share" in key)]
            for key in report.keys("whole")
        ]
        parts.append(pages.card(pages.table(["Per game", *report.headings("mean")], rows)))
    note = "Means of all finished games with their 95 % intervals."
    if report.comparing:
        note += (
            f" Differences are between games with the same seed ({len(report.seeds)} pairs);"
            " those in colour are beyond chance."
        )
    return pages.section("glance", "At a glance", note, *parts)


def results(report: Report) -> Section:
    keys = report.keys("wins")
    keys.sort(key=lambda k: -_last(report.estimates("wins", k, True)))
    names = {key: _player(report, key) for key in keys}
    seats = [sum(len(s.values) for s in side.wins.values()) for side in report.sides]
    games = sum(len(side.finished) for side in report.sides)
    fair = games / sum(seats) if sum(seats) else None
    wins = [(names[key], report.estimates("wins", key, True)) for key in keys]
    points = [(names[key], report.estimates("points", key)) for key in keys]
    rows = []
    for key in keys:
        games_of = [len(series.values) for series in report.series("wins", key)]
        row = [pages.text(names[key]), pages.count(games_of[0])]
        row += report.cells("wins", key, percent=True, ones=True)
        row += report.cells("points", key)
        if not report.comparing:
            row += report.cells("ranks", key)
        rows.append(row)
    headings = ["", "#games", *report.headings("wins"), *report.headings("points")]
    headings += [] if report.comparing else ["#rank"]
    parts = [
        pages.card(report.legend(), plots.whiskers("Win rate", wins, True, fair), title="Win rate"),
        pages.card(report.legend(), plots.whiskers("Points", points), title="Points at the end"),
        pages.card(pages.table(headings, rows)),
    ]
    if len(report.keys("policy_wins")) > 1:
        parts.insert(0, _by_policy(report))
    note = "Who wins, by what the players play. The dashed line is an even chance."
    return pages.section("results", "Who wins", note, *parts)


def _by_policy(report: Report) -> str:
    keys = report.keys("policy_wins")
    rows = [(key, report.estimates("policy_wins", key, True)) for key in keys]
    cells = [
        [
            pages.text(key),
            *report.cells("policy_wins", key, percent=True, ones=True),
            *report.cells("policy_points", key),
        ]
        for key in keys
    ]
    headings = ["", *report.headings("games won"), *report.headings("points")]
    plot = plots.whiskers("Games won by policy", rows, percent=True)
    return pages.card(report.legend(), plot, pages.table(headings, cells), title="By policy")


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
    rows = [
        [
            pages.text(_measured(report, name)),
            *report.cells("ends", name),
            *report.cells("winner_ends", name),
        ]
        for name in report.keys("ends")
    ]
    headings = ["At the end", *report.headings("all"), *report.headings("winner")]
    parts = [
        _group_legend(report),
        f'<div class="pair">{"".join(charts)}</div>',
        pages.card(pages.table(headings, rows)),
    ]
    if not rows:
        return "", "", ""
    note = "Every value the rules show of a player, at the end of each turn."
    return pages.section("values", "Values over time", note, *parts)


def _measured(report: Report, name: str) -> str:
    """The title of a value; parts of the score are told as such."""
    title = report.title("value", name)
    for side in report.sides:
        if name in side.rules.turn.parts and name not in side.rules.turn.shows:
            return f"{side.rules.value(side.rules.turn.score)}: {title}"
    return title


def _means(side: Summary, group: str, name: str) -> list[tuple[float, float]]:
    counts = side.over_time[group]
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
        return pages.legend([("best", "winners"), ("everybody", "all"), ("worst", "last")])
    sides = [(f"side{n}", side.stack) for n, side in enumerate(report.sides)]
    return pages.legend([*sides, ("", "dashed: winners")])


def _last(estimates: Sequence[Estimate]) -> float:
    known = [e.mean for e in estimates if e.number]
    return known[-1] if known else -math.inf


def _player(report: Report, key: str) -> str:
    return key.capitalize() if key.startswith("seat ") else report.title("thing", key)


def every(report: Report) -> Iterable[Section]:
    """All sections in their order; those without anything to show are left out."""
    from ziggurat.studio.simulation import details, silence

    for make in (glance, results, over_time, shown, silence.section, *details.SECTIONS):
        found = make(report)
        if found[2]:
            yield found
