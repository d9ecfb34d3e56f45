"""The figures of one ruleset, or of two side by side, and which differences are beyond chance."""

import math
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

import attrs

from ziggurat import GameRecord
from ziggurat.studio.simulation import pages
from ziggurat.studio.simulation.statistics import (
    Estimate,
    Numbers,
    allow_for_skew,
    difference,
    mean,
    part,
    share,
)
from ziggurat.studio.simulation.summary import WINNER_FIGURES, Pairs, Standings, Summary

Section = tuple[str, str, str]
# Sorts of numbers: any; games that say yes or no; a part of something in every game.
MEAN, SHARE, PART = "mean", "share", "part"


# The main figures: who wins, points, and the whole game. They are judged together, apart from all
# the others, so that looking at many things does not hide what matters most.
MAIN = ("whole", "sides.wins", "sides.points", "policy_wins", "policy_points")


@attrs.frozen
class Gap:
    """A difference of two rulesets: what of, what it was and is, and whether in percent."""

    label: str
    is_main: bool
    before: Estimate
    after: Estimate
    change: Estimate
    percent: bool


@attrs.frozen
class Report:
    """One ruleset, or an old and a new one, and the games with seeds that both of them finished.

    `gaps` has all differences that the sections show, once the report was judged, and `bounds` says
    up to which chance those of a family, the main figures or the others, are beyond chance.
    """

    sides: tuple[Summary, ...]
    pairs: Pairs = attrs.field(
        default=attrs.Factory(lambda self: Pairs(self.sides[0]), takes_self=True), eq=False
    )
    gaps: dict[tuple[str, Any], Gap] = attrs.field(factory=dict, eq=False)
    bounds: Mapping[bool, float] | None = None

    @property
    def comparing(self) -> bool:
        return len(self.sides) > 1

    @property
    def has_winners(self) -> bool:
        """Return whether the games of any ruleset tell players apart."""
        return any(side.has_winners for side in self.sides)

    def add(self, place: int, record: GameRecord) -> None:
        """Add a game of a ruleset. Those of two come in the order of their seeds."""
        game = self.sides[place].add(record)
        if self.comparing and game is not None:
            self.pairs.add(record["seed"], place, game)

    def keys(self, name: str) -> list[Any]:
        """Return all keys of a mapping that every summary has, those of the first ruleset first.

        Figures about winners are left out where nobody wins.
        """
        read = attrgetter(name)
        keys = dict.fromkeys(key for side in self.sides for key in read(side))
        if name == "whole" and not self.has_winners:
            return [key for key in keys if key not in WINNER_FIGURES]
        return list(keys)

    def numbers(self, name: str, key: Any) -> list[Numbers]:
        """Return what the finished games of every ruleset say of something."""
        return [side.figures[name].over(key, side.finished) for side in self.sides]

    def estimates(self, name: str, key: Any, sort: str = MEAN, among: int = 1) -> list[Estimate]:
        """Return what every ruleset comes to, as one of `among` rows looked at together."""
        out = []
        for side, numbers in zip(self.sides, self.numbers(name, key), strict=True):
            if sort == SHARE:
                most = _most(side, name, key)
                out.append(share(numbers.total, numbers.number, among, most))
            else:
                out.append((part if sort == PART else mean)(numbers, among))
        return out

    def gap(
        self,
        label: str,
        name: str,
        key: Any,
        sort: str = MEAN,
        among: int = 1,
        percent: bool | None = None,
    ) -> Gap:
        """Return the difference of two rulesets, noted among all that the report shows."""
        known = self.gaps.get((name, key))
        if known is not None:
            return known
        most = max(_most(side, name, key) for side in self.sides) if sort == SHARE else 0.0
        change = difference(self.pairs.gaps(name, key), among, most)
        if sort == MEAN:
            old, new = self.numbers(name, key)
            change = allow_for_skew(change, old, new, among)
        before, after = self.estimates(name, key, sort, among)
        percent = sort != MEAN if percent is None else percent
        gap = Gap(label, name in MAIN, before, after, change, percent)
        if change.number:
            self.gaps[name, key] = gap
        return gap

    def is_beyond_chance(self, gap: Gap) -> bool:
        if self.bounds is None:
            return False
        return gap.change.p <= self.bounds[gap.is_main] and gap.change.apart

    def family(self, *, main: bool) -> list[Gap]:
        """Return the differences that are judged together."""
        return [gap for gap in self.gaps.values() if gap.is_main == main]

    def cells(
        self,
        label: str,
        name: str,
        key: Any,
        sort: str = MEAN,
        among: int = 1,
        percent: bool | None = None,
    ) -> list[str]:
        """Return a cell for every ruleset, and one for the difference, which is called `label`."""
        percent = sort != MEAN if percent is None else percent
        cells = [pages.between(e, percent) for e in self.estimates(name, key, sort, among)]
        if self.comparing:
            gap = self.gap(label, name, key, sort, among, percent)
            cells.append(pages.changed(gap.change, percent, self.is_beyond_chance(gap)))
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


def _most(side: Summary, name: str, key: Any) -> float:
    """Return the largest number that a game can say of a share: the mean of so many seats."""
    group, _, _ = name.partition(".")
    if group not in ("sides", "seats"):
        return 1.0
    standings: Standings = attrgetter(group)(side)
    return 1 / standings.fewest_seats.get(key, 1)


def colour(report: Report) -> str:
    """Say what it means that a difference is in colour."""
    main, others = len(report.family(main=True)), len(report.family(main=False))
    return (
        f"Those in colour are beyond chance (Holm). The {main} main figures (who wins, points, and"
        f" the whole game) are judged together, and so are the {others} others, which are"
        " exploration: were there no difference at all, any of a family would be in colour in 5 of"
        " 100 pages like this. One without colour may be there all the same; more games would tell."
    )


def last_mean(estimates: Sequence[Estimate]) -> float:
    """Return the mean of the last ruleset that has one, to sort rows by."""
    known = [e.mean for e in estimates if e.number]
    return known[-1] if known else -math.inf
