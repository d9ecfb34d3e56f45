"""Subsets under rules that must hold: one legal subset, found within a budget of nodes.

The search behind constrained choices (`runtime.solve`). Subsets are bit masks of item indices.
Totals are searched together: one big integer whose bits are the reachable combinations of all
totals at once says at each node whether the rest can still fit. The budget is a count, never a
clock, so that every machine finds the same.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import attrs

_JOINT_BITS = 1 << 16  # combinations of totals looked at together
_WIDEST = 1 << 20  # a total wider than this is only compared with its bounds


@attrs.frozen
class Range:
    """The weighted total of the chosen must lie between two bounds (None: no bound)."""

    weights: tuple[int, ...]
    low: int | None
    high: int | None

    def total(self, mask: int) -> int:
        return sum(self.weights[i] for i in indices(mask))

    def holds(self, mask: int) -> bool:
        total = self.total(mask)
        return (self.low is None or self.low <= total) and (self.high is None or total <= self.high)

    @property
    def limits_growth(self) -> bool:
        """Whether every added item brings the total nearer to a bound it must not pass."""
        return (
            self.high is not None and 0 <= self.high < _WIDEST and min(self.weights, default=0) >= 0
        )

    def room(self, mask: int) -> int:
        return (self.high or 0) - self.total(mask)

    @property
    def span(self) -> int:
        return sum(abs(weight) for weight in self.weights) + 1

    def fits(self, chosen: int, open_: int) -> bool:
        """Whether the bounds can still be met, as far as the extremes tell."""
        total = self.total(chosen)
        more = [self.weights[i] for i in indices(open_)]
        highest = total + sum(weight for weight in more if weight > 0)
        lowest = total + sum(weight for weight in more if weight < 0)
        return (self.low is None or self.low <= highest) and (
            self.high is None or lowest <= self.high
        )


@attrs.frozen
class Groups:
    """The chosen fall into at most so many separate groups."""

    neighbours: tuple[int, ...]
    most: int

    def holds(self, mask: int) -> bool:
        return len(self.groups(mask, mask)) <= self.most

    def groups(self, seeds: int, among: int) -> list[int]:
        """The connected groups of `among` that contain at least one of `seeds`."""
        found = []
        while seeds:
            group = grown = seeds & -seeds
            while grown:
                near = 0
                for i in indices(grown):
                    near |= self.neighbours[i]
                grown = near & among & ~group
                group |= grown
            found.append(group)
            seeds &= ~group
        return found

    def near(self, taken: int, open_: int, weights: Sequence[int], room: int) -> int:
        """The open items that one group with all the taken can contain without exceeding `room`:
        those to which a way from the first of the taken leads that is light enough."""
        layers = {0: taken & -taken}
        seen = 0
        for weight in range(room + 1):
            grown = layers.pop(weight, 0) & ~seen
            while grown:
                seen |= grown
                around = 0
                for i in indices(grown):
                    around |= self.neighbours[i]
                grown = around & taken & ~seen
                for i in indices(around & open_ & ~seen):
                    if weights[i]:
                        farther = weight + weights[i]
                        layers[farther] = layers.get(farther, 0) | 1 << i
                    else:
                        grown |= 1 << i
            if not layers:
                break
        return seen & open_


@attrs.frozen
class NoneSpare:
    """Every chosen item is needed: without it some total falls, to below its bound."""

    totals: tuple[tuple[tuple[int, ...], int], ...]

    def holds(self, mask: int) -> bool:
        sums = [(w, bound, sum(w[i] for i in indices(mask))) for w, bound in self.totals]
        return all(
            any(w[i] > 0 and total - w[i] < bound for w, bound, total in sums)
            for i in indices(mask)
        )

    @property
    def lasting(self) -> bool:
        """Whether a spare item stays spare when others are added (no weight is negative)."""
        return all(weight >= 0 for weights, _ in self.totals for weight in weights)


Rule = Range | Groups | NoneSpare


@lru_cache(maxsize=1 << 15)
def indices(mask: int) -> tuple[int, ...]:
    """The indices in a mask; a search asks for the same masks again and again."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


class _Joint:
    """Several totals as one number: each total has its own digits, so sums never mix."""

    def __init__(self, ranges: Sequence[Range], count: int) -> None:
        self.packed = [0] * count
        self.shift = 0
        place = 1
        aims = 1
        for rule in ranges:
            below = sum(w for w in rule.weights if w < 0)
            above = sum(w for w in rule.weights if w > 0)
            low = below if rule.low is None else max(rule.low, below)
            high = above if rule.high is None else min(rule.high, above)
            wanted = ((1 << max(0, high - low + 1)) - 1) << (low - below)
            aims = _product(aims, wanted, place)
            self.shift += -below * place
            self.packed = [p + w * place for p, w in zip(self.packed, rule.weights, strict=True)]
            place *= rule.span
        self.aim = aims

    def fits(self, chosen: int, open_: int) -> bool:
        """Whether the chosen, with some of the open ones, can bring every total into its range."""
        packed = self.packed
        start = self.shift + sum(packed[i] for i in indices(chosen))
        reach = 1
        for i in indices(open_):
            weight = packed[i]
            if weight > 0:
                reach |= reach << weight
            elif weight < 0:
                start += weight
                reach |= reach << -weight
        aim = self.aim >> start if start >= 0 else self.aim << -start
        return bool(reach & aim)


def _product(inner: int, outer: int, place: int) -> int:
    """Every digit of `outer`, worth `place`, with every combination of `inner`."""
    combined = 0
    for digit in indices(outer):
        combined |= inner << (digit * place)
    return combined


def _bounds(rules: Iterable[Rule], count: int) -> list[_Joint | Range]:
    """The totals packed together as far as their combinations stay few enough."""
    ranges = [rule for rule in rules if isinstance(rule, Range)]
    wide = [rule for rule in ranges if rule.span > _WIDEST]
    batches: list[tuple[int, list[Range]]] = []
    for rule in ranges:
        if rule in wide:
            continue
        if batches and batches[-1][0] * rule.span <= _JOINT_BITS:
            batches[-1] = (batches[-1][0] * rule.span, [*batches[-1][1], rule])
        else:
            batches.append((rule.span, [rule]))
    return [*wide, *(_Joint(batch, count) for _, batch in batches)]


class Search:
    """Depth first over include and leave out, with a budget of nodes for each question."""

    def __init__(self, rules: Sequence[Rule], count: int, budget: int) -> None:
        self.rules = rules
        self.everything = (1 << count) - 1
        self.budget = budget
        self.nodes = 0
        self._groups = [rule for rule in rules if isinstance(rule, Groups)]
        self._spare = [rule for rule in rules if isinstance(rule, NoneSpare) and rule.lasting]
        self._bounds = _bounds(rules, count)
        self._limits = [rule for rule in rules if isinstance(rule, Range) and rule.limits_growth]

    def legal(self, mask: int) -> bool:
        return all(rule.holds(mask) for rule in self.rules)

    def find(self, chosen: int, other_than: int | None = None) -> int | None:
        """A legal answer with all of `chosen`, and not just `other_than`; None if none is found."""
        self.nodes = 0
        waiting = [(chosen, self.everything & ~chosen)]
        while waiting:
            self.nodes += 1
            if self.nodes > self.budget:
                return None
            taken, open_ = waiting.pop()
            left = self._still_open(taken, open_)
            if left is None:
                continue
            if taken != other_than and self.legal(taken):
                return taken
            if left:
                branch = self._branch(taken, left)
                waiting.append((taken, left & ~branch))
                waiting.append((taken | branch, left & ~branch))
        return None

    def _still_open(self, taken: int, open_: int) -> int | None:
        """The items that can still be added, or None if no legal answer lies this way."""
        for rule in self._groups:
            if taken:
                groups = rule.groups(taken, taken | open_)
                if len(groups) > rule.most:
                    return None
                if len(groups) == rule.most:
                    reached = 0
                    for group in groups:
                        reached |= group
                    open_ &= reached
                if rule.most == 1:
                    for limit in self._limits:
                        open_ &= rule.near(taken, open_, limit.weights, limit.room(taken))
                        if len(rule.groups(taken, taken | open_)) > 1:
                            return None
        if not all(rule.holds(taken) for rule in self._spare):
            return None
        return open_ if all(bound.fits(taken, open_) for bound in self._bounds) else None

    def _branch(self, taken: int, left: int) -> int:
        """The next item to decide about: beside what is taken, where it can grow a group."""
        for rule in self._groups:
            near = 0
            for i in indices(taken):
                near |= rule.neighbours[i]
            if near & left:
                return near & left & -(near & left)
        return left & -left
