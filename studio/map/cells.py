"""Shapes for a map of which only points and neighbours are known.

Every place gets a handful of sites: one where it lies, and some on the way to each neighbour, so
that neighbours meet and others do not. The Voronoi cells of all sites are merged by owner, and each
stretch of border between two owners is rounded once, so that both sides of it fit together.
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise

import attrs

Point = tuple[float, float]
Owner = Hashable
# A corner of a cell, named by the sites (or sides of the frame) that meet there.
Corner = tuple[int, ...]


@attrs.frozen
class Site:
    """A point that claims what is nearest to it for its owner."""

    x: float
    y: float
    owner: Owner


@attrs.frozen
class Border:
    """A stretch between two owners, or one and the frame (`right` is None)."""

    left: Owner
    right: Owner
    points: tuple[Point, ...]


@attrs.frozen
class Shapes:
    """The outlines of all owners, and the borders they are made of."""

    outlines: dict[Owner, list[list[Point]]]
    borders: tuple[Border, ...]


def shapes(sites: Sequence[Site], width: float, height: float, rounding: int = 2) -> Shapes:
    """Cut a rectangle into the territories of the owners of sites."""
    corners: dict[Corner, Point] = {}
    edges: dict[tuple[Owner, Owner], list[tuple[Corner, Corner]]] = defaultdict(list)
    for i, cell in enumerate(_cells(sites, width, height)):
        mine = sites[i].owner
        for (a, p), (b, _), other in cell:
            corners[a] = p
            theirs = sites[other].owner if other >= 0 else None
            if theirs != mine and (other < 0 or i < other):
                edges[mine, theirs].append((a, b))
    ends = _junctions(edges)
    borders = tuple(
        Border(left, right, tuple(_rounded([corners[c] for c in chain], rounding)))
        for (left, right), stretch in _both_ways(edges).items()
        for chain in _chains(stretch, ends)
    )
    return Shapes(_outlines(borders), borders)


def fitted(cells: dict[Owner, list[Point]]) -> Shapes:
    """Cells that fit together already, as those of a grid: their borders are the sides they share.

    Corners of neighbours are the same to a tenth of a point.
    """
    sides: dict[frozenset[Point], tuple[Owner, tuple[Point, Point]]] = {}
    borders: list[Border] = []
    for owner, ring in cells.items():
        for a, b in pairwise([*ring, ring[0]]):
            key = frozenset((_rough(a), _rough(b)))
            if key in sides:
                other, points = sides.pop(key)
                borders.append(Border(other, owner, points))
            else:
                sides[key] = (owner, (a, b))
    borders += [Border(owner, None, points) for owner, points in sides.values()]
    return Shapes({owner: [[*ring, ring[0]]] for owner, ring in cells.items()}, tuple(borders))


def _rough(point: Point) -> Point:
    return round(point[0], 1) + 0.0, round(point[1], 1) + 0.0


# ---- cells --------------------------------------------------------------------------------------

_Side = tuple[tuple[Corner, Point], tuple[Corner, Point], int]


def _cells(sites: Sequence[Site], width: float, height: float) -> Iterable[list[_Side]]:
    """The Voronoi cell of each site: its sides, each with the site beyond it (negative: frame).

    A site outside the frame may have nothing left inside.
    """
    grid: dict[tuple[int, int], list[int]] = defaultdict(list)
    size = max(1.0, math.sqrt(width * height / max(1, len(sites))) * 1.5)
    for i, site in enumerate(sites):
        grid[int(site.x / size), int(site.y / size)].append(i)
    reach = math.ceil(max(width, height) / size) + 1
    for i, site in enumerate(sites):
        frame = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
        cell: list[tuple[Point, int]] = [(p, -1 - k) for k, p in enumerate(frame)]
        column, row = int(site.x / size), int(site.y / size)
        farthest = _cutting_distance(cell, site)
        for ring in range(reach):
            if (ring - 1) * size > farthest:
                break
            for j in _ring(grid, column, row, ring):
                other = sites[j]
                if j == i or math.hypot(other.x - site.x, other.y - site.y) > farthest:
                    continue
                smaller = _clipped(cell, site, other, j)
                if smaller is not cell:
                    cell = smaller
                    farthest = _cutting_distance(cell, site)
        yield _named(cell, i)


def _cutting_distance(cell: list[tuple[Point, int]], site: Site) -> float:
    """The distance beyond which no other site can cut anything off a cell."""
    x, y = site.x, site.y
    return 2 * max((math.hypot(px - x, py - y) for (px, py), _ in cell), default=-math.inf)


def _ring(
    grid: dict[tuple[int, int], list[int]], column: int, row: int, ring: int
) -> Iterable[int]:
    for x in range(column - ring, column + ring + 1):
        inner = abs(x - column) < ring
        for y in (row - ring, row + ring) if inner else range(row - ring, row + ring + 1):
            yield from grid.get((x, y), ())


def _clipped(
    cell: list[tuple[Point, int]], site: Site, other: Site, beyond: int
) -> list[tuple[Point, int]]:
    """What of a cell is nearer to its site. Each corner carries what lies beyond the next side."""
    nx, ny = other.x - site.x, other.y - site.y
    middle = (other.x + site.x) / 2 * nx + (other.y + site.y) / 2 * ny
    depths = [p[0] * nx + p[1] * ny - middle for p, _ in cell]
    if max(depths, default=0) <= 0:
        return cell
    kept: list[tuple[Point, int]] = []
    for k, (p, side) in enumerate(cell):
        q = cell[(k + 1) % len(cell)][0]
        here, there = depths[k], depths[(k + 1) % len(cell)]
        if here <= 0:
            kept.append((p, side))
        if (here <= 0) != (there <= 0):
            t = here / (here - there)
            cut = (p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t)
            kept.append((cut, beyond if here <= 0 else side))
    return kept


def _named(cell: list[tuple[Point, int]], site: int) -> list[_Side]:
    """Sides with named corners: the same corner has the same name in all cells around it."""
    corners = [(tuple(sorted({site, cell[k - 1][1], side})), p) for k, (p, side) in enumerate(cell)]
    return [(corners[k], corners[(k + 1) % len(cell)], side) for k, (_, side) in enumerate(cell)]


# ---- borders ------------------------------------------------------------------------------------

_Edges = dict[tuple[Owner, Owner], list[tuple[Corner, Corner]]]


def _both_ways(edges: _Edges) -> _Edges:
    """The edges of each pair of owners, whoever of them came first."""
    merged: _Edges = {}
    for (a, b), stretch in edges.items():
        key = (b, a) if (b, a) in merged else (a, b)
        merged.setdefault(key, []).extend(stretch)
    return merged


def _junctions(edges: _Edges) -> set[Corner]:
    """Corners where not just two owners meet; borders are rounded between them."""
    met: dict[Corner, int] = defaultdict(int)
    for stretch in edges.values():
        for a, b in stretch:
            met[a] += 1
            met[b] += 1
    return {corner for corner, number in met.items() if number != 2}


def _chains(stretch: list[tuple[Corner, Corner]], ends: set[Corner]) -> Iterable[list[Corner]]:
    """Edges joined to lines from junction to junction, or to closed rings."""
    at: dict[Corner, list[tuple[Corner, Corner]]] = defaultdict(list)
    for edge in stretch:
        at[edge[0]].append(edge)
        at[edge[1]].append(edge)
    left = dict.fromkeys(stretch)
    starts = [edge for edge in stretch if edge[0] in ends or edge[1] in ends]
    for first in (*starts, *stretch):
        if first not in left:
            continue
        del left[first]
        chain = list(first) if first[0] in ends or first[1] not in ends else [first[1], first[0]]
        while chain[-1] not in ends:
            follow = next((edge for edge in at[chain[-1]] if edge in left), None)
            if follow is None:
                break
            del left[follow]
            chain.append(follow[1] if follow[0] == chain[-1] else follow[0])
        yield chain


def _rounded(points: list[Point], rounds: int) -> list[Point]:
    """Corners cut off again and again; the ends of a line stay where they are."""
    closed = len(points) > 3 and points[0] == points[-1]
    for _ in range(rounds):
        cut = [
            (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t)
            for a, b in pairwise(points)
            for t in (0.25, 0.75)
        ]
        points = [*cut, cut[0]] if closed else [points[0], *cut[1:-1], points[-1]]
    return points


def _outlines(borders: Iterable[Border]) -> dict[Owner, list[list[Point]]]:
    """Borders joined to rings around each owner."""
    pieces: dict[Owner, list[tuple[Point, ...]]] = defaultdict(list)
    for border in borders:
        for owner in (border.left, border.right):
            if owner is not None:
                pieces[owner].append(border.points)
    return {owner: _rings(parts) for owner, parts in pieces.items()}


def _rings(parts: list[tuple[Point, ...]]) -> list[list[Point]]:
    rings: list[list[Point]] = []
    left = list(parts)
    while left:
        ring = list(left.pop())
        while ring[0] != ring[-1]:
            follow = next((p for p in left if ring[-1] in (p[0], p[-1])), None)
            if follow is None:
                break
            left.remove(follow)
            ring += follow[1:] if follow[0] == ring[-1] else follow[-2::-1]
        rings.append(ring)
    return rings
