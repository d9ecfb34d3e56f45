"""Means and shares with intervals, and differences of games played on the same seeds.

Several things that are looked at together, the rows of a table, share one chance of a mistake:
their intervals hold all at once in 95 of 100 cases (Bonferroni: each of N is worked out for 5 % /
N). Which differences are beyond chance is judged over a family of them together (Holm).
"""

import math
import statistics
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

import attrs

from ziggurat.studio.simulation import student

CHANCE = 0.05
POWER = 0.8
DIGITS = 9  # what lies behind comes from the sums, not from the games


@attrs.frozen
class Estimate:
    """A mean, its interval, and how many games it comes from.

    `p` is how likely so large a difference is by chance alone. `flat`: every game says the same, so
    that nothing tells how far off other games may be; `otherwise` is the largest share of games
    that may say something else.
    """

    mean: float
    low: float
    high: float
    number: int
    p: float = 1.0
    flat: bool = False
    otherwise: float = 0.0

    @property
    def apart(self) -> bool:
        """Return whether zero lies outside the interval of a difference."""
        return self.number > 1 and not self.low <= 0 <= self.high

    @property
    def reach(self) -> float:
        """Return how far from 0 the interval of a difference goes."""
        return max(-self.low, self.high)


NOTHING = Estimate(math.nan, math.nan, math.nan, 0)


@attrs.define
class Numbers:
    """Numbers as their count, mean and spread, in memory that does not grow with them.

    Sums are of distances from the first number, so that a large mean takes no digits from a small
    spread.
    """

    number: int = 0
    least: float = math.inf
    most: float = -math.inf
    _origin: float = 0
    _sum: float = 0
    _squares: float = 0

    @classmethod
    def of(cls, values: Iterable[float]) -> "Numbers":
        numbers = cls()
        for value in values:
            numbers.add(value)
        return numbers

    def add(self, value: float, times: int = 1) -> None:
        if not self.number:
            self._origin = value
        distance = value - self._origin
        self.number += times
        self._sum += times * distance
        self._squares += times * distance * distance
        if value < self.least:
            self.least = value
        if value > self.most:
            self.most = value

    def joined_by(self, *values: float) -> "Numbers":
        """Return these numbers and some more."""
        wider = attrs.evolve(self)
        for value in values:
            wider.add(value)
        return wider

    @property
    def total(self) -> float:
        return self.number * self._origin + self._sum

    @property
    def mean(self) -> float:
        return self._origin + self._sum / self.number if self.number else math.nan

    @property
    def deviation(self) -> float:
        """Return the standard deviation."""
        if self.number < 2 or self.is_flat:
            return 0.0
        squares = self._squares - self._sum * self._sum / self.number
        return math.sqrt(max(squares, 0.0) / (self.number - 1))

    @property
    def is_flat(self) -> bool:
        """Return whether all numbers are equal."""
        return self.least == self.most


class Figures(dict[Any, Numbers]):
    """A number for each game, by what it is about. `total`: games without one count as zero."""

    def __init__(self, *, total: bool = False) -> None:
        super().__init__()
        self.total = total
        self.game: dict[Any, float] = {}  # of the game that is being added

    def note(self, key: Any, amount: float = 1) -> None:
        """Add to what the game says of something."""
        self.game[key] = self.game.get(key, 0) + amount

    def end_game(self) -> dict[Any, float]:
        """Count the game that was noted, and return what it says."""
        game, self.game = self.game, {}
        for key, amount in game.items():
            numbers = self.get(key)
            if numbers is None:
                numbers = self[key] = Numbers()
            numbers.add(amount)
        return game

    def over(self, key: Any, games: int) -> Numbers:
        """Return the numbers of something, of so many games."""
        numbers = attrs.evolve(self[key]) if key in self else Numbers()
        if self.total and games > numbers.number:
            numbers.add(0, games - numbers.number)
        return numbers


def mean(numbers: Numbers, among: int = 1) -> Estimate:
    """Return a mean with its interval, of one of `among` things that are looked at together.

    The interval is Student's. Of numbers that cannot be below 0, such as counts, few large ones may
    be missing by chance, and then their spread looks too small as well. So the variance is allowed
    to grow with the mean above it, as that of counts does, and nothing lies below 0.
    """
    plain = student_mean(numbers, among)
    if plain.flat or plain.number < 2 or numbers.least < 0:
        return plain
    _, above = _reach(numbers, numbers, numbers.number, among)
    return attrs.evolve(plain, low=max(0.0, plain.low), high=plain.mean + above)


def _reach(numbers: Numbers, others: Numbers, games: int, among: int) -> tuple[float, float]:
    """Return how far the limits of a mean of so many games lie below and above it.

    Where all games say the same, as many as may say something else say what `others` say at most.
    """
    if numbers.is_flat:
        otherwise = share(0, games, among).high
        below, above = numbers.mean - others.least, others.most - numbers.mean
        return otherwise * max(below, 0.0), otherwise * max(above, 0.0)
    half = _half(numbers, games, among)
    if numbers.least < 0:
        return half, half
    grown = half * half / numbers.mean / 2
    return half, grown + math.sqrt(grown**2 + half**2)


def _half(numbers: Numbers, games: int, among: int) -> float:
    """Return half the width of Student's interval of the mean of so many games."""
    error = numbers.deviation / math.sqrt(games)
    return student.quantile(CHANCE / max(among, 1), games - 1) * error


def student_mean(numbers: Numbers, among: int = 1) -> Estimate:
    """Return a mean with Student's interval, and how likely it is if the truth is 0."""
    number, middle = numbers.number, numbers.mean
    if not number:
        return NOTHING
    coins = 2.0 ** (1 - number)  # that so many coins fall alike: no fewer games can show more
    if numbers.is_flat:
        otherwise = share(0, number, among).high
        p = coins if middle else 1.0
        return Estimate(middle, middle, middle, number, p, flat=True, otherwise=otherwise)
    half = _half(numbers, number, among)
    p = max(coins, student.tail(middle / numbers.deviation * math.sqrt(number), number - 1))
    return Estimate(middle, middle - half, middle + half, number, p)


def share(hits: float, number: int, among: int = 1, most: float = 1.0) -> Estimate:
    """Return the mean of numbers between 0 and `most`, which add up to `hits`, with exact limits.

    The limits are Clopper's and Pearson's. Where every game says 0 or `most` they hold at least as
    often as they say; where some say something between, as a shared victory does, the numbers
    spread less, and the limits are wider than they need be.
    """
    if number == 0:
        return NOTHING
    outside = CHANCE / max(among, 1) / 2
    sure = min(hits / most, number)
    low = student.beta_quantile(outside, sure, number - sure + 1) if sure > 0 else 0.0
    high = student.beta_quantile(1 - outside, sure + 1, number - sure) if sure < number else 1.0
    return Estimate(hits / number, most * low, most * high, number)


def part(numbers: Numbers, among: int = 1) -> Estimate:
    """Return a mean of numbers between 0 and 1, such as the part of the players of each game.

    Two imagined games are added at each end (Agresti and Coull), so that there is an
    interval at 0 and at 1, too.
    """
    if not numbers.number:
        return NOTHING
    plain = numbers.mean
    wider = student_mean(numbers.joined_by(0, 0, 1, 1), among)
    low, high = min(plain, max(0.0, wider.low)), max(plain, min(1.0, wider.high))
    return Estimate(plain, low, high, numbers.number)


def gap(old: float, new: float) -> float:
    """Return new minus old, so that equal differences are equal."""
    return round(float(new - old), DIGITS)


def correlation(old: Numbers, new: Numbers, gaps: Numbers) -> float:
    """Return the correlation of numbers in pairs; NaN if either does not vary."""
    spreads = old.deviation * new.deviation
    if not spreads:
        return math.nan
    together = (old.deviation**2 + new.deviation**2 - gaps.deviation**2) / 2
    return max(-1.0, min(1.0, together / spreads))


def difference(gaps: Numbers, among: int = 1, most: float = 0.0) -> Estimate:
    """Return the mean of differences between the games of pairs.

    Where games say yes or no, or numbers between 0 and `most`, an imagined pair is
    added on each side (Bonett and Price): Student's t is too sure when few pairs differ.
    """
    if not most or not gaps.number:
        return student_mean(gaps, among)
    wider, plain = student_mean(gaps.joined_by(most, -most), among), gaps.mean
    low, high = min(plain, max(-most, wider.low)), max(plain, min(most, wider.high))
    return Estimate(plain, low, high, gaps.number, wider.p)


def allow_for_skew(plain: Estimate, old: Numbers, new: Numbers, among: int = 1) -> Estimate:
    """Return a difference of means with limits that allow for large numbers that did not come.

    Each limit moves away as it would from the difference of two independent means (Zou and Donner):
    by as much as the limits of both means that lie on its side.
    """
    if plain.flat or not plain.number:
        return plain
    games = plain.number
    old_below, old_above = _reach(old, new, games, among)
    new_below, new_above = _reach(new, old, games, among)
    usual = math.hypot(_half(old, games, among), _half(new, games, among))
    scale = (plain.high - plain.mean) / usual
    return attrs.evolve(
        plain,
        low=plain.mean - scale * math.hypot(new_below, old_above),
        high=plain.mean + scale * math.hypot(new_above, old_below),
    )


def beyond_chance(chances: Collection[float]) -> float:
    """Return the largest of so many chances that is still beyond chance, taken together (Holm).

    In 95 of 100 cases none of those up to it is there by chance alone. Return a negative number if
    there is none.
    """
    bound = -1.0
    for place, p in enumerate(sorted(chances)):
        if p > CHANCE / (len(chances) - place):
            break
        bound = p
    return bound


def fewest_pairs(family: int) -> int:
    """Return how many pairs it takes until one of a family of differences can be beyond chance."""
    return 1 + math.ceil(math.log2(max(family, 1) / CHANCE))


def power(effect: float, deviation: float, pairs: int, family: int) -> float:
    """Return how likely so many pairs show an effect, as one of a family of differences.

    `deviation` is the standard deviation of the differences of pairs.
    """
    if pairs < max(2, fewest_pairs(family)):
        return 0.0
    if not deviation:
        return 1.0
    needed = student.quantile(CHANCE / max(family, 1), pairs - 1)
    return statistics.NormalDist().cdf(abs(effect) * math.sqrt(pairs) / deviation - needed)


def smallest_effect(deviation: float, pairs: int, family: int) -> float:
    """Return the smallest effect that so many pairs show in 80 of 100 runs."""
    if pairs < max(2, fewest_pairs(family)):
        return math.inf
    needed = student.quantile(CHANCE / max(family, 1), pairs - 1)
    return (needed + statistics.NormalDist().inv_cdf(POWER)) * deviation / math.sqrt(pairs)


def pairs_needed(effect: float, deviation: float, family: int) -> int:
    """Return how many pairs show an effect in 80 of 100 runs."""
    low, high = 1, 2
    while power(effect, deviation, high, family) < POWER:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        enough = power(effect, deviation, middle, family) >= POWER
        low, high = (low, middle) if enough else (middle, high)
    return high


def quantile(counts: Counter[int], part: float) -> float:
    """Return a quantile of counted whole numbers."""
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
