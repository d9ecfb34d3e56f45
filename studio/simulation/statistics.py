"""Means and shares with intervals, and differences of games played on the same seeds.

Several things that are looked at together, the rows of a table, share one chance of a mistake:
their intervals hold all at once in 95 of 100 cases (Bonferroni: each of N is worked out for 5 % /
N). Which differences are beyond chance is judged over all of a report together (Holm).
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable
from statistics import NormalDist

import attrs

from ziggurat.studio.simulation import student

CHANCE = 0.05


@attrs.frozen
class Estimate:
    """A mean, its interval, and how many games it comes from. `p`: how likely so large a difference
    is by chance alone. `flat`: every game says the same, so that nothing tells how far off other
    games may be."""

    mean: float
    low: float
    high: float
    number: int
    p: float = 1.0
    flat: bool = False

    @property
    def apart(self) -> bool:
        """For a difference: is zero outside the interval?"""
        return self.number > 1 and not self.low <= 0 <= self.high


NOTHING = Estimate(math.nan, math.nan, math.nan, 0)


@attrs.define
class Series:
    """A number for each game, by its seed. `total`: games without one count as zero."""

    values: dict[int, float] = attrs.field(factory=dict)
    total: bool = False

    def add(self, seed: int, amount: float = 1) -> None:
        self.values[seed] = self.values.get(seed, 0) + amount

    def over(self, seeds: Collection[int]) -> list[float]:
        if self.total:
            return [self.values.get(seed, 0) for seed in seeds]
        return [self.values[seed] for seed in seeds if seed in self.values]


def mean(values: Collection[float], among: int = 1) -> Estimate:
    """A mean with Student's interval, of one of `among` things that are looked at together."""
    number = len(values)
    if number == 0:
        return NOTHING
    middle = math.fsum(values) / number
    spread = math.fsum((v - middle) ** 2 for v in values)
    coins = 2.0 ** (1 - number)  # that so many coins fall alike: no fewer games can show more
    if not spread:
        return Estimate(middle, middle, middle, number, coins if middle else 1.0, flat=True)
    error = math.sqrt(spread / (number - 1) / number)
    half = student.quantile(CHANCE / max(among, 1), number - 1) * error
    p = max(coins, student.tail(middle / error, number - 1))
    return Estimate(middle, middle - half, middle + half, number, p)


def share(hits: float, number: int, among: int = 1) -> Estimate:
    """A share of games with Wilson's interval, which stays between 0 and 1 and is one at 0 and at
    1, too."""
    if number == 0:
        return NOTHING
    z = NormalDist().inv_cdf(1 - CHANCE / max(among, 1) / 2)
    p, z2 = hits / number, z * z
    centre = (p + z2 / (2 * number)) / (1 + z2 / number)
    half = z * math.sqrt(p * (1 - p) / number + z2 / (4 * number**2)) / (1 + z2 / number)
    low, high = (0.0 if p == 0 else centre - half), (1.0 if p == 1 else centre + half)
    return Estimate(p, low, high, number)


def part(values: Collection[float], among: int = 1) -> Estimate:
    """A mean of numbers between 0 and 1, such as the part of the players of each game. Two games at
    either end are thought beside them (Agresti and Coull), so that there is an interval at 0 and at
    1, too."""
    if not values:
        return NOTHING
    plain = math.fsum(values) / len(values)
    wider = mean([*values, 0, 0, 1, 1], among)
    low, high = min(plain, max(0.0, wider.low)), max(plain, min(1.0, wider.high))
    return Estimate(plain, low, high, len(values))


def difference(
    old: Series, new: Series, seeds: Iterable[int], among: int = 1, yes_or_no: bool = False
) -> Estimate:
    """New minus old over the seeds both have, pair by pair. Where every game says yes or no, a pair
    to either side is thought beside them (Bonett and Price): so few differ that Student's t would
    be sure too soon."""
    if old.total or new.total:
        pairs = [(old.values.get(s, 0), new.values.get(s, 0)) for s in seeds]
    else:
        both = old.values.keys() & new.values.keys()
        pairs = [(old.values[s], new.values[s]) for s in seeds if s in both]
    gaps = [float(after - before) for before, after in pairs]
    if not yes_or_no or not gaps:
        return mean(gaps, among)
    wider, plain = mean([*gaps, 1, -1], among), math.fsum(gaps) / len(gaps)
    low, high = min(plain, max(-1.0, wider.low)), max(plain, min(1.0, wider.high))
    return Estimate(plain, low, high, len(gaps), wider.p)


def beyond_chance(chances: Collection[float]) -> float:
    """Holm: the largest of so many chances that is still beyond chance, taking all of them
    together; in 95 of 100 cases none of those up to it is there by chance alone. Below 0 if there
    is none."""
    bound = -1.0
    for place, p in enumerate(sorted(chances)):
        if p > CHANCE / (len(chances) - place):
            break
        bound = p
    return bound


def quantile(counts: Counter[int], part: float) -> float:
    """A quantile of counted whole numbers."""
    total = sum(counts.values())
    need, seen = part * total, 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= need:
            return value
    return math.nan


def average(counts: Counter[int]) -> float:
    total = sum(counts.values())
    return sum(value * times for value, times in counts.items()) / total if total else math.nan
