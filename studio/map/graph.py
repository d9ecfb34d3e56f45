"""A board of which only the neighbours are known: places that are near each other lie near.

Every pair of places wants to be as far apart as the way between them is long; places are moved, one
after the other, to where that is least wrong (stress majorization). The first picture is made from
the ways to a few places far from each other, so the result is always the same.
"""

import math
from collections import deque
from collections.abc import Mapping, Sequence
from math import hypot
from statistics import fmean, median

Point = tuple[float, float]
STEP = 100.0  # the distance of neighbours
# How often everything is moved at most: less often where there is much.
ROUNDS, WORK = 300, 4_000_000
STILL = 0.5

Near = Mapping[str, tuple[str, ...]]


def spread_out(
    ids: Sequence[str], near: Near, fixed: Mapping[str, Point] | None = None
) -> dict[str, Point]:
    """Return a point for each place. Those that are `fixed` stay where they are, and the others
    find their places among them."""
    fixed = fixed or {}
    if len(fixed) == len(ids):
        return dict(fixed)
    if not fixed and not any(near.values()):
        return _in_rows(ids)
    beside = _both_ways(ids, near)
    ways = _ways(ids, beside)
    at = _beside_fixed(ids, beside, fixed) if fixed else _first(ids, ways)
    step = _usual_step(ids, beside, fixed) if fixed else STEP
    free = [n for n, id_ in enumerate(ids) if id_ not in fixed]
    for _ in range(min(ROUNDS, WORK // (len(ids) * len(free)) + 1)):
        if _improve(free, ways, at, step) < STILL:
            break
    return dict(zip(ids, at, strict=True))


def _usual_step(ids: Sequence[str], beside: list[list[int]], fixed: Mapping[str, Point]) -> float:
    """Return the usual distance of neighbours that are fixed, or else of all that are fixed."""
    lengths = [
        math.dist(fixed[id_], fixed[ids[other]])
        for id_, others in zip(ids, beside, strict=True)
        for other in others
        if id_ in fixed and ids[other] in fixed
    ]
    if lengths:
        return median(lengths)
    wide, high = (max(side) - min(side) for side in zip(*fixed.values(), strict=True))
    return max(wide, high) / math.sqrt(len(fixed)) or STEP


def _beside_fixed(
    ids: Sequence[str], beside: list[list[int]], fixed: Mapping[str, Point]
) -> list[Point]:
    """Return a first point for each place: in the middle of the neighbours that have one.

    No two of them are the same, or nothing would push them apart.
    """
    at: dict[int, Point] = {n: fixed[id_] for n, id_ in enumerate(ids) if id_ in fixed}
    middle = _middle(list(fixed.values()))
    waiting = deque(other for n in tuple(at) for other in beside[n])
    alone = deque(range(len(ids)))
    while waiting or alone:
        n = waiting.popleft() if waiting else alone.popleft()
        if n in at:
            continue
        x, y = _middle([at[other] for other in beside[n] if other in at] or [middle])
        at[n] = (x + math.sin(n) * 5, y + math.cos(n) * 5)
        waiting += beside[n]
    return [at[n] for n in range(len(ids))]


def _middle(points: Sequence[Point]) -> Point:
    return fmean(x for x, _ in points), fmean(y for _, y in points)


def _in_rows(ids: Sequence[str]) -> dict[str, Point]:
    wide = math.ceil(math.sqrt(len(ids) * 1.6))
    return {id_: (n % wide * STEP, n // wide * STEP * 0.8) for n, id_ in enumerate(ids)}


def _both_ways(ids: Sequence[str], near: Near) -> list[list[int]]:
    number = {id_: n for n, id_ in enumerate(ids)}
    found: list[set[int]] = [set() for _ in ids]
    for id_, others in near.items():
        for other in others:
            if other in number and other != id_:
                found[number[id_]].add(number[other])
                found[number[other]].add(number[id_])
    return [sorted(one) for one in found]


def _ways(ids: Sequence[str], near: list[list[int]]) -> list[list[float]]:
    """How long the way is between any two; those with no way lie beyond the longest of all."""
    rows = [_from(start, near) for start in range(len(ids))]
    longest = max((way for row in rows for way in row if way < math.inf), default=1.0)
    beyond = min(longest + 1, 3 + longest / 2)
    return [[beyond if way == math.inf else way for way in row] for row in rows]


def _from(start: int, near: list[list[int]]) -> list[float]:
    found = [math.inf] * len(near)
    found[start] = 0.0
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for other in near[here]:
            if found[other] == math.inf:
                found[other] = found[here] + 1
                waiting.append(other)
    return found


def _first(ids: Sequence[str], ways: list[list[float]]) -> list[Point]:
    """Across: from one end to the other. Down: from what is farthest from the line between."""
    left = max(range(len(ids)), key=lambda n: ways[0][n])
    right = max(range(len(ids)), key=lambda n: ways[left][n])
    aside = [ways[left][n] + ways[right][n] - ways[left][right] for n in range(len(ids))]
    top = max(range(len(ids)), key=lambda n: aside[n])
    return [
        (
            (ways[left][n] - ways[right][n]) * STEP / 2 + math.sin(n) * 5,
            (ways[top][n] * STEP if aside[n] else 0.0) + math.cos(n) * 5,
        )
        for n in range(len(ids))
    ]


def _improve(free: Sequence[int], ways: list[list[float]], at: list[Point], step: float) -> float:
    """Move every free place once. Return the farthest that one of them went."""
    most = 0.0
    for n in free:
        x, y = at[n]
        weight = across = down = 0.0
        for way, (ox, oy) in zip(ways[n], at, strict=True):
            if not way:
                continue
            dx, dy = x - ox, y - oy
            pull = 1 / (way * way)
            stretch = way * step / (hypot(dx, dy) or 1e-9)
            weight += pull
            across += pull * (ox + dx * stretch)
            down += pull * (oy + dy * stretch)
        if weight:
            at[n] = (across / weight, down / weight)
            most = max(most, math.dist((x, y), at[n]))
    return most
