"""Constrained choices: which picks still lead to a legal answer.

A `select` or `divide` is offered one pick after the other, and only picks with a legal completion
are offered, so nobody can paint themselves into a corner. That takes a search (`runtime.search`),
bounded by a count of nodes. A found answer is kept as a witness for its own picks: as long as picks
come from those offered, there is always a next one. What cannot be decided within the budget counts
as impossible.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ziggurat.runtime.solver.search import Groups, NoneSpare, Range, Rule, Search, indices

Part = tuple[Any, ...]

BUDGET = 1000


class Selection:
    """The legal answers of one `select`, asked pick by pick. Made by `solve_select`."""

    def __init__(self, items: Sequence[int], search: Search, example: int) -> None:
        self._items = tuple(items)
        self._index = {item: i for i, item in enumerate(self._items)}
        self._search = search
        self._witnesses: dict[tuple[int, ...], int | None] = {(): example}
        self._vain: dict[int, list[int]] = {}

    def next_picks(self, chosen: Iterable[int]) -> list[int]:
        """Items that may be picked next, in the order of the items; only ones that lead somewhere.

        `chosen` is in the order of picking: an answer found for an earlier pick stays good for the
        later ones it contains, so the search never forgets a way it has offered.
        """
        picked = tuple(chosen)
        offers = self._offers(picked)
        return [item for i, item in enumerate(self._items) if i in offers]

    def may_pick(self, chosen: Iterable[int], item: int) -> bool:
        """Whether an item is among the next picks: for those who ask about few of them."""
        picked = tuple(chosen)
        taken, i = self._mask(picked), self._index[item]
        witness = self._witness(picked)
        if witness is None or taken >> i & 1:
            return False
        if witness >> i & 1 or self._with(taken, i) is not None:
            return True
        return self._exhausted and i in self._offers(picked)

    def complete(self, chosen: Iterable[int]) -> bool:
        """Whether the chosen are a legal answer as they are."""
        picked = tuple(chosen)
        known = set(picked) <= self._index.keys()
        return known and self._search.legal(self._mask(picked))

    def forced(self) -> tuple[int, ...] | None:
        """The only legal answer, or None if there are several."""
        example = self._mask(self.example())
        if self._search.find(0, other_than=example) is None and not self._exhausted:
            return tuple(self._names(example))
        return None

    def example(self) -> tuple[int, ...]:
        """One legal answer."""
        return tuple(self._names(self._witnesses[()] or 0))

    @property
    def _exhausted(self) -> bool:
        return self._search.nodes > self._search.budget

    def _offers(self, picked: tuple[int, ...]) -> dict[int, int]:
        """The indices that may be picked next, each with a legal answer it leads to."""
        witness = self._witness(picked)
        if witness is None:
            return {}
        taken = self._mask(picked)
        offers = dict.fromkeys(indices(witness & ~taken), witness)
        for i in range(len(self._items)):
            if i not in offers and not taken >> i & 1:
                found = self._with(taken, i)
                if found is not None:
                    offers = dict.fromkeys(indices(found & ~taken), found) | offers
        return offers

    def _with(self, taken: int, i: int) -> int | None:
        """A legal answer with all that is taken and one more. What no answer has together with
        some, none has together with more of them."""
        if any(vain & ~taken == 0 for vain in self._vain.get(i, ())):
            self._search.nodes = 0
            return None
        found = self._search.find(taken | 1 << i)
        if found is None and not self._exhausted:
            self._vain.setdefault(i, []).append(taken)
        return found

    def _witness(self, picked: tuple[int, ...]) -> int | None:
        """A legal answer with the picked items: the one before if it has them, or one that is
        found, or the one for which the last item was offered."""
        if picked not in self._witnesses:
            self._witnesses[picked] = self._seek(picked)
        return self._witnesses[picked]

    def _seek(self, picked: tuple[int, ...]) -> int | None:
        earlier = self._witness(picked[:-1])
        i = self._index.get(picked[-1])
        if earlier is None or i is None:
            return None
        if earlier >> i & 1:
            return earlier
        found = self._search.find(self._mask(picked))
        if found is None and self._exhausted:
            found = self._offers(picked[:-1]).get(i)
        return found

    def _mask(self, chosen: Iterable[int]) -> int:
        return sum({1 << self._index[item] for item in chosen})

    def _names(self, mask: int) -> list[int]:
        return [self._items[i] for i in indices(mask)]


def solve_select(
    items: Sequence[int],
    constraints: Sequence[Sequence[Part]],
    relax: bool,
    budget: int = BUDGET,
) -> Selection:
    """The legal subsets of `items` under constraints, the most important first.

    A constraint is a list of parts that must hold together: ("total_is" | "total_at_most" |
    "total_at_least", weight of each item, bound), ("connected", for each item the indices of its
    neighbours), ("none_spare",). With `relax`, each constraint is satisfied as well as those before
    it permit: where its parts cannot hold together, `total_is` falls back to the least total above,
    else the greatest below (everything, if that is permitted); `connected` to the fewest groups;
    the other parts are given up. Without it all must hold, or nothing is selected. A question costs
    at most `budget` nodes, and never more than BUDGET.
    """
    budget = min(budget, BUDGET)
    solver = _Solver(len(items), constraints, budget)
    if relax:
        for constraint in constraints:
            solver.satisfy(constraint)
    elif not solver.require([part for constraint in constraints for part in constraint]):
        nothing = Range((1,) * len(items), None, 0)
        return Selection(items, Search([nothing], len(items), budget), 0)
    return Selection(items, Search(solver.rules, len(items), budget), solver.witness)


class _Solver:
    """Turns wishes into rules that hold, one constraint after the other, and keeps a witness."""

    def __init__(self, count: int, constraints: Sequence[Sequence[Part]], budget: int) -> None:
        self.count = count
        self.rules: list[Rule] = []
        self.witness = 0
        self._budget = budget
        self._totals = tuple(
            (tuple(part[1]), part[2])
            for constraint in constraints
            for part in constraint
            if part[0] in ("total_at_least", "total_is")
        )

    def require(self, parts: Sequence[Part]) -> bool:
        """Adopt the parts as they stand, if that is possible."""
        return self._adopt([self._rule(part) for part in parts])

    def satisfy(self, parts: Sequence[Part]) -> None:
        """Adopt the parts as well as the rules so far permit."""
        if self.require(parts):
            return
        for part in parts:
            if part[0] == "total_is":
                self._nearest_total(tuple(part[1]), part[2])
            elif part[0] == "connected":
                most = 1
                while not self._adopt([self._rule(part, most)]):
                    most += 1

    def _nearest_total(self, weights: tuple[int, ...], bound: int) -> None:
        if self._adopt([Range(weights, bound, bound)]):
            return
        high = None
        found = self._find([Range(weights, bound + 1, None)])
        while found is not None:
            high = sum(weights[i] for i in indices(found))
            found = self._find([Range(weights, bound + 1, high - 1)])
        if high is None:
            self._most_of_everything(weights)
        else:
            self._adopt([Range(weights, high, high)])

    def _most_of_everything(self, weights: tuple[int, ...]) -> None:
        """Everything, or as much of it as the rules so far permit: by total, then by number."""
        both = tuple(weight * (self.count + 1) + 1 for weight in weights)
        low = sum(both[i] for i in indices(self.witness))
        high = trial = sum(weight for weight in both if weight > 0)
        while low < high:
            found = self._find([Range(both, trial, None)])
            if found is None:
                high = trial - 1
            else:
                low = sum(both[i] for i in indices(found))
            trial = (low + high + 1) // 2
        self._adopt([Range(both, low, None)])

    def _rule(self, part: Part, most: int = 1) -> Rule:
        match part[0]:
            case "total_is":
                return Range(tuple(part[1]), part[2], part[2])
            case "total_at_most":
                return Range(tuple(part[1]), None, part[2])
            case "total_at_least":
                return Range(tuple(part[1]), part[2], None)
            case "connected":
                return Groups(_symmetric(part[1]), most)
            case "none_spare":
                return NoneSpare(self._totals)
        raise ValueError(f"unknown part of a constraint: {part[0]!r}")

    def _find(self, more: list[Rule]) -> int | None:
        if all(rule.holds(self.witness) for rule in more):
            return self.witness
        return Search([*self.rules, *more], self.count, self._budget).find(0)

    def _adopt(self, more: list[Rule]) -> bool:
        found = self._find(more)
        if found is None:
            return False
        self.rules += more
        self.witness = found
        return True


def _symmetric(neighbours: Sequence[Iterable[int]]) -> tuple[int, ...]:
    masks = [0] * len(neighbours)
    for i, near in enumerate(neighbours):
        for j in near:
            masks[i] |= 1 << j
            masks[j] |= 1 << i
    return tuple(masks)


class Division:
    """The legal ways to divide a total, asked member by member. Made by `solve_divide`."""

    def __init__(self, total: int, allowed: Sequence[Sequence[int]]) -> None:
        self._allowed = [sorted({n for n in amounts if n >= 0}) or [0] for amounts in allowed]
        reachable = self._reach(range(len(allowed)))
        above = reachable >> total if total > 0 else reachable
        least = max(total, 0) + (above & -above).bit_length() - 1
        self.target = least if above else reachable.bit_length() - 1

    def choices(self, index: int, partial: Mapping[int, int]) -> list[int]:
        """The amounts one member may get, the amounts of some others being settled."""
        rest = self._reach(i for i in range(len(self._allowed)) if i != index and i not in partial)
        left = self.target - sum(n for i, n in partial.items() if i != index)
        return [n for n in self._allowed[index] if n <= left and rest >> (left - n) & 1]

    def complete(self, assignment: Mapping[int, int]) -> bool:
        """Whether every member has an allowed amount and together they are what is due."""
        return (
            sorted(assignment) == list(range(len(self._allowed)))
            and all(n in self._allowed[i] for i, n in assignment.items())
            and sum(assignment.values()) == self.target
        )

    def forced(self) -> tuple[int, ...] | None:
        """The only legal division, or None if there are several."""
        options = [self.choices(i, {}) for i in range(len(self._allowed))]
        return tuple(n for n, *_ in options) if all(len(ns) == 1 for ns in options) else None

    def example(self) -> tuple[int, ...]:
        """One legal division: as much as possible from the first members."""
        settled: dict[int, int] = {}
        for i in range(len(self._allowed)):
            settled[i] = self.choices(i, settled)[-1]
        return tuple(settled.values())

    def _reach(self, members: Iterable[int]) -> int:
        """The reachable sums of these members, one bit each."""
        reach = 1
        for i in members:
            reached = 0
            for n in self._allowed[i]:
                reached |= reach << n
            reach = reached
        return reach


def solve_divide(total: int, allowed: Sequence[Sequence[int]]) -> Division:
    """An amount for each member from those it allows: together exactly `total`, else the least sum
    above it, else the greatest there is. A member that allows nothing gets 0."""
    return Division(total, allowed)
