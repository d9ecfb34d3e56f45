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
    beyond_chance,
    difference,
    mean,
    part,
    quantile,
    share,
)
from ziggurat.studio.simulation.summary import ALL, ENOUGH, LAST, WINNERS, Summary

Section = tuple[str, str, str]
# Sorts of numbers: any; games that say yes or no; a part of something in every game.
MEAN, SHARE, PART = "mean", "share", "part"


@attrs.frozen
class Report:
    """One ruleset, or an old and a new one, and the seeds that all of them finished."""

    sides: tuple[Summary, ...]
    # The chances of all differences, and up to which of them one is beyond chance; none until the
    # report was judged.
    chances: list[float] = attrs.field(factory=list, eq=False)
    bound: float | None = None

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

    def estimates(self, name: str, key: Any, sort: str = MEAN, among: int = 1) -> list[Estimate]:
        """What every ruleset comes to, as one of `among` rows that are looked at together."""
        out = []
        for side, series in zip(self.sides, self.series(name, key), strict=True):
            values = series.over(side.finished)
            if sort == SHARE:
                out.append(share(sum(values), len(values), among))
            else:
                out.append((part if sort == PART else mean)(values, among))
        return out

    def gap(self, name: str, key: Any, sort: str = MEAN, among: int = 1) -> Estimate:
        """The difference of two rulesets, counted among all that are told."""
        old, new = self.series(name, key)
        found = difference(old, new, self.seeds, among, sort == SHARE)
        if found.number and self.bound is None:
            self.chances.append(found.p)
        return found

    def is_beyond_chance(self, gap: Estimate) -> bool:
        return self.bound is not None and gap.p <= self.bound and gap.apart

    def cells(
        self, name: str, key: Any, sort: str = MEAN, among: int = 1, percent: bool | None = None
    ) -> list[str]:
        """A cell for every ruleset, and one for the difference; shares and parts in percent."""
        percent = sort != MEAN if percent is None else percent
        cells = [pages.between(e, percent) for e in self.estimates(name, key, sort, among)]
        if self.comparing:
            gap = self.gap(name, key, sort, among)
            cells.append(pages.changed(gap, percent, self.is_beyond_chance(gap)))
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


def colour(report: Report) -> str:
    """What it means that a difference is in colour."""
    return (
        f"Those in colour are beyond chance, taking all {len(report.chances)} differences of this"
        " page together: were there none at all, a page like this would have any in colour in 5 of"
        " 100 cases (Holm). One without colour may be there all the same; more games would tell."
    )


def judged(report: Report) -> Report:
    """The report, knowing which of its differences are beyond chance: to know how many there are,
    all of it is worked out once."""
    if not report.comparing:
        return report
    for _ in every(report):
        pass
    return Report(report.sides, list(report.chances), beyond_chance(report.chances))


def glance(report: Report) -> Section:
    tiles = []
    for key in report.keys("whole"):
        percent = "share" in key
        estimates = report.estimates("whole", key, among=len(report.keys("whole")))
        told = " → ".join(number(e.mean, percent) for e in estimates)
        span = " · ".join(between(e, percent) for e in estimates)
        tiles.append(f"<span>{key}</span><b>{told}</b><small>{span}</small>")
    boxes = "".join(pages.card(tile) for tile in tiles)
    parts = [f'<div class="tiles">{boxes}</div>']
    if report.comparing:
        whole = len(report.keys("whole"))
        rows = [
            [pages.text(key), *report.cells("whole", key, MEAN, whole, "share" in key)]
            for key in report.keys("whole")
        ]
        parts.append(pages.card(pages.table(["Per game", *report.headings("mean")], rows)))
    note = (
        "Means of all finished games, with intervals that hold together for all of them in 95 of"
        " 100 cases."
    )
    if report.comparing:
        note += f" Differences are between games with the same seed ({len(report.seeds)} pairs)."
        note += f" {colour(report)}"
    return pages.section("glance", "At a glance", note, *parts)


def results(report: Report) -> Section:
    keys = report.keys("wins")
    keys.sort(key=lambda k: -_last(report.estimates("wins", k, SHARE)))
    rows_of = len(keys)
    names = {key: player_title(report, key) for key in keys}
    fair = even_chance(report)
    wins = [(names[key], report.estimates("wins", key, SHARE, rows_of)) for key in keys]
    points = [(names[key], report.estimates("points", key, among=rows_of)) for key in keys]
    rows = []
    for key in keys:
        games_of = [len(series.values) for series in report.series("wins", key)]
        row = [pages.text(names[key]), pages.count(games_of[0])]
        row += report.cells("wins", key, SHARE, rows_of)
        row += report.cells("points", key, among=rows_of)
        if not report.comparing:
            row += report.cells("ranks", key, among=rows_of)
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
    note = (
        "Who wins, by what the players play. The dashed line is an even chance; an interval that"
        " holds it leaves open whether it is met. The intervals of a column hold together."
    )
    return pages.section("results", "Who wins", note, *parts)


def even_chance(report: Report) -> float | None:
    """How often everybody would win if it did not matter who plays what."""
    seats = [sum(len(s.values) for s in side.wins.values()) for side in report.sides]
    games = sum(len(side.finished) for side in report.sides)
    return games / sum(seats) if sum(seats) else None


def _by_policy(report: Report) -> str:
    keys = report.keys("policy_wins")
    rows = [(key, report.estimates("policy_wins", key, SHARE, len(keys))) for key in keys]
    cells = [
        [
            pages.text(key),
            *report.cells("policy_wins", key, SHARE, len(keys)),
            *report.cells("policy_points", key, among=len(keys)),
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
    ends = report.keys("ends")
    rows = [
        [
            pages.text(_measured(report, name)),
            *report.cells("ends", name, among=len(ends)),
            *report.cells("winner_ends", name, among=len(ends)),
        ]
        for name in ends
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


def between(one: Estimate, percent: bool) -> str:
    """An interval in words."""
    if one.flat:
        return f"in all {one.number} games"
    return f"{number(one.low, percent)} – {number(one.high, percent)}"


def _last(estimates: Sequence[Estimate]) -> float:
    known = [e.mean for e in estimates if e.number]
    return known[-1] if known else -math.inf


def player_title(report: Report, key: str) -> str:
    """What somebody plays."""
    return key.capitalize() if key.startswith("seat ") else report.title("thing", key)


def every(report: Report) -> Iterable[Section]:
    """All sections in their order; those without anything to show are left out."""
    from ziggurat.studio.simulation import details, silence

    for make in (glance, results, over_time, shown, silence.section, *details.SECTIONS):
        found = make(report)
        if found[2]:
            yield found
