"""Means with 95 % intervals, and differences of games played on the same seeds."""

import math
from collections import Counter
from collections.abc import Collection, Iterable
from statistics import NormalDist

import attrs

Z = NormalDist().inv_cdf(0.975)


@attrs.frozen
class Estimate:
    """A mean, its 95 % interval, and how many games it comes from."""

    mean: float
    low: float
    high: float
    number: int

    @property
    def clear(self) -> bool:
        """For a difference: is zero outside the interval?"""
        return self.number > 1 and not self.low <= 0 <= self.high


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


def student(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's t (Hill's expansion; within 1 % from 2 on)."""
    if freedom < 1:
        return math.inf
    if freedom == 1:
        return 12.706
    z, n = Z, freedom
    g1 = (z**3 + z) / 4
    g2 = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    g3 = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return 4.303 if n == 2 else z + g1 / n + g2 / n**2 + g3 / n**3


def mean(values: Collection[float]) -> Estimate:
    number = len(values)
    if number == 0:
        return Estimate(math.nan, math.nan, math.nan, 0)
    middle = math.fsum(values) / number
    if number == 1:
        return Estimate(middle, middle, middle, 1)
    spread = math.sqrt(math.fsum((v - middle) ** 2 for v in values) / (number - 1))
    half = student(number - 1) * spread / math.sqrt(number)
    return Estimate(middle, middle - half, middle + half, number)


def share(hits: float, number: int) -> Estimate:
    """A proportion with Wilson's interval, which stays between 0 and 1."""
    if number == 0:
        return Estimate(math.nan, math.nan, math.nan, 0)
    p, z2 = hits / number, Z * Z
    centre = (p + z2 / (2 * number)) / (1 + z2 / number)
    half = Z * math.sqrt(p * (1 - p) / number + z2 / (4 * number**2)) / (1 + z2 / number)
    low, high = (0.0 if p == 0 else centre - half), (1.0 if p == 1 else centre + half)
    return Estimate(p, low, high, number)


def difference(old: Series, new: Series, seeds: Iterable[int]) -> Estimate:
    """New minus old over the seeds both have, pair by pair."""
    if old.total or new.total:
        pairs = [(old.values.get(s, 0), new.values.get(s, 0)) for s in seeds]
    else:
        both = old.values.keys() & new.values.keys()
        pairs = [(old.values[s], new.values[s]) for s in seeds if s in both]
    return mean([after - before for before, after in pairs])


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
