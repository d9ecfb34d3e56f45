"""A board of which only the neighbours are known: places that are near each other lie near.

Every pair of places wants to be as far apart as the way between them is long; places are moved, one
after the other, to where that is least wrong (stress majorization). The first picture is made from
the ways to a few places far from each other, so the result is always the same.
"""

import math
from collections import deque
from collections.abc import Mapping, Sequence

Point = tuple[float, float]
STEP = 100.0  # the distance of neighbours
# How often everything is moved at most: less often where there is much.
ROUNDS, WORK = 300, 6_000_000
STILL = 0.5

Near = Mapping[str, tuple[str, ...]]


def spread_out(ids: Sequence[str], near: Near) -> dict[str, Point]:
    """A point for each place."""
    if not any(near.values()):
        return _in_rows(ids)
    ways = _ways(ids, _both_ways(ids, near))
    at = _first(ids, ways)
    for _ in range(min(ROUNDS, WORK // len(ids) ** 2 + 1)):
        if _improve(ids, ways, at) < STILL:
            break
    return dict(zip(ids, at, strict=True))


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


def _improve(ids: Sequence[str], ways: list[list[float]], at: list[Point]) -> float:
    """Move every place once; the farthest that one of them went."""
    most = 0.0
    for n in range(len(ids)):
        x, y = at[n]
        weight = across = down = 0.0
        for m, way in enumerate(ways[n]):
            if m == n:
                continue
            ox, oy = at[m]
            distance = math.hypot(x - ox, y - oy) or 1e-9
            pull = 1 / (way * way)
            weight += pull
            stretch = way * STEP / distance
            across += pull * (ox + (x - ox) * stretch)
            down += pull * (oy + (y - oy) * stretch)
        if weight:
            at[n] = (across / weight, down / weight)
            most = max(most, math.dist((x, y), at[n]))
    return most
