"""Where land ends and water begins: the sites from which the shapes of a board are made.

Nothing is known of the coasts. Land lies around each spot and along the ways to its neighbours by
land; what is farther away from that is water if the nearest spot has any, and belongs to that spot
near the coast and to open water farther out. On a grid there is nothing to find out: every spot
has its cell.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from ziggurat.studio.map.board import Board
from ziggurat.studio.map.cells import Point, Shapes, Site, fitted, shapes

# All lengths are parts of the usual distance between neighbours.
STEP = 0.24
COAST = 0.36
SHALLOWS = 0.64
APART = 0.66
WOBBLE = 0.45
# Where on the way to a neighbour a spot's own land is marked out.
MEETING = (0.16, 0.3, 0.44)
# How near and how far neighbours usually lie, in the picture.
CLOSEST, FARTHEST = 60.0, 150.0
# Water that reaches over fewer points than this is no water but a hole in the reckoning.
POND = 14

Owner = tuple[str, str]
Way = tuple[Owner, Point, Point]
Cell = tuple[int, int]


class Plan:
    """Spots in the coordinates of the picture, and the sites around them."""

    def __init__(self, board: Board, scale: float, margin: float) -> None:
        self.board = board
        spots = list(board.spots.values())
        self.left, self.top = min(s.x for s in spots), min(s.y for s in spots)
        right, bottom = max(s.x for s in spots), max(s.y for s in spots)
        self.margin = margin
        self.scale = 1.0 if board.cells else _fitting(board, scale)
        self.width = (right - self.left) * self.scale + 2 * margin
        self.height = (bottom - self.top) * self.scale + 2 * margin
        self.at: dict[str, Point] = {s.id: self._drawn((s.x, s.y)) for s in spots}
        self.unit = self._usual_distance()
        if not board.cells:
            self._spread(margin * 0.7)

    def shapes(self) -> Shapes:
        """The outlines of land and water, each with the spot it belongs to."""
        if not self.board.cells:
            return shapes(self.sites(), self.width, self.height)
        return fitted(
            {
                ("water" if self.board.spots[id_].water else "land", id_): list(
                    map(self._drawn, ring)
                )
                for id_, ring in self.board.cells.items()
            }
        )

    def _drawn(self, point: Point) -> Point:
        """A point of the board in the picture."""
        x, y = (point[0] - self.left) * self.scale, (point[1] - self.top) * self.scale
        return x + self.margin, y + self.margin

    def sites(self) -> list[Site]:
        """Land around spots and their ways, then everything else, point by point."""
        ways = _Nearby(list(self._ways()), self.unit * 0.7)
        found = list(self._marked_out())
        step = self.unit * STEP
        taken = _Nearby([(("", ""), (s.x, s.y), (s.x, s.y)) for s in found], step)
        points: dict[Cell, Point] = {}
        owners: dict[Cell, Owner] = {}
        lands: dict[Cell, Owner] = {}
        for row in range(math.ceil(self.height / step)):
            for column in range(math.ceil(self.width / step)):
                x = (column + 0.5 + (_noise(column, row) - 0.5) * WOBBLE) * step
                y = (row + 0.5 + (_noise(row + 7, column + 3) - 0.5) * WOBBLE) * step
                owner, distance = ways.nearest((x, y))
                cell = (column, row)
                lands[cell] = owner
                owners[cell] = self._owner((x, y), owner, distance)
                points[cell] = (x, y)
        for cell in _ponds(owners):
            owners[cell] = lands[cell]
        for cell, point in points.items():
            if not taken.within(point, step * 0.62):
                found.append(Site(*point, owners[cell]))
        return found

    def _usual_distance(self) -> float:
        return _usual(self.board, self.at) or max(self.width, self.height) / 8

    def _spread(self, margin: float) -> None:
        """Push apart what lies so close that no name would fit between."""
        apart = self.unit * APART
        ids = list(self.at)
        for _ in range(60):
            pushes: dict[str, list[float]] = {}
            grid: dict[Cell, list[str]] = defaultdict(list)
            for id_ in ids:
                grid[int(self.at[id_][0] // apart), int(self.at[id_][1] // apart)].append(id_)
            for id_ in ids:
                x, y = self.at[id_]
                for other in _around(grid, int(x // apart), int(y // apart)):
                    distance = math.dist((x, y), self.at[other])
                    if other == id_ or distance >= apart:
                        continue
                    force = (apart - distance) / max(distance, 1e-6) * 0.25
                    push = pushes.setdefault(id_, [0.0, 0.0])
                    push[0] += (x - self.at[other][0]) * force
                    push[1] += (y - self.at[other][1]) * force
            for id_, (dx, dy) in pushes.items():
                x, y = self.at[id_]
                x = min(max(x + dx, margin), self.width - margin)
                self.at[id_] = (x, min(max(y + dy, margin), self.height - margin))

    def _ways(self) -> Iterator[Way]:
        """Each spot and half the way to each neighbour by land; water is but points."""
        for spot in self.board.spots.values():
            here = self.at[spot.id]
            yield ("water" if spot.water else "land", spot.id), here, here
            for other in () if spot.water else spot.touching:
                if other in self.at:
                    there = self.at[other]
                    half = ((here[0] + there[0]) / 2, (here[1] + there[1]) / 2)
                    yield ("land", spot.id), here, half

    def _marked_out(self) -> Iterator[Site]:
        for spot in self.board.spots.values():
            here = self.at[spot.id]
            yield Site(*here, ("water" if spot.water else "land", spot.id))
            for other in () if spot.water else spot.touching:
                if other not in self.at:
                    continue
                there = self.at[other]
                for t in MEETING:
                    x = here[0] + (there[0] - here[0]) * t
                    y = here[1] + (there[1] - here[1]) * t
                    if self._between(spot.id, other, (x, y)):
                        yield Site(x, y, ("land", spot.id))

    def _between(self, one: str, other: str, point: Point) -> bool:
        """Whether no third spot is nearer; a way across it would cut it in two."""
        least = min(math.dist(self.at[one], point), math.dist(self.at[other], point))
        return self._nearest_spots.nearest(point)[1] >= least

    @cached_property
    def _nearest_spots(self) -> "_Nearby":
        spots = [(("land", id_), at, at) for id_, at in self.at.items()]
        return _Nearby(spots, self.unit * 0.7)

    def _owner(self, point: Point, nearest: Owner, distance: float) -> Owner:
        """Whose a point is: land of the nearest way, shallow water of a coast, or open water."""
        spot = self.board.spots[nearest[1]]
        if nearest[0] == "water" or not spot.across or distance < self.unit * COAST:
            return nearest
        open_water = [other for other in spot.across if self.board.spots[other].water]
        if distance < self.unit * SHALLOWS or not open_water:
            return ("water", spot.id)
        return ("water", min(open_water, key=lambda id_: math.dist(self.at[id_], point)))


def _usual(board: Board, at: Mapping[str, Point]) -> float:
    """How far neighbours usually lie apart; 0 if nobody has any."""
    lengths = sorted(
        math.dist(at[spot.id], at[other])
        for spot in board.spots.values()
        for other in spot.touching
        if other in at
    )
    return lengths[len(lengths) // 2] if lengths else 0.0


def _fitting(board: Board, scale: float) -> float:
    """The usual scale, unless names would not fit between neighbours or they would be lost."""
    usual = _usual(board, {spot.id: (spot.x, spot.y) for spot in board.spots.values()})
    if not usual:
        spots = list(board.spots.values())
        wide = max(spot.x for spot in spots) - min(spot.x for spot in spots)
        usual = wide / max(1.0, math.sqrt(len(spots)))
    return min(max(scale, CLOSEST / usual), FARTHEST / usual) if usual else scale


def _ponds(owners: dict[Cell, Owner]) -> Iterator[Cell]:
    """Points of water that is surrounded by land on all sides and too small to be meant."""
    left = {cell for cell, owner in owners.items() if owner[0] == "water"}
    while left:
        pond = [left.pop()]
        for column, row in pond:
            for cell in (
                (column + 1, row),
                (column - 1, row),
                (column, row + 1),
                (column, row - 1),
            ):
                if cell in left:
                    left.remove(cell)
                    pond.append(cell)
        if len(pond) < POND:
            yield from pond


def _around(grid: dict[Cell, list[str]], column: int, row: int) -> Iterator[str]:
    for x in (column - 1, column, column + 1):
        for y in (row - 1, row, row + 1):
            yield from grid.get((x, y), ())


class _Nearby:
    """Finds the nearest of many short lines."""

    def __init__(self, lines: Sequence[Way], size: float) -> None:
        self.size = size
        self.lines = lines
        self.grid: dict[Cell, list[int]] = defaultdict(list)
        for i, (_, a, b) in enumerate(lines):
            parts = max(1, math.ceil(math.dist(a, b) / size * 2))
            cells = {
                self._cell((a[0] + (b[0] - a[0]) * t / parts, a[1] + (b[1] - a[1]) * t / parts))
                for t in range(parts + 1)
            }
            for cell in cells:
                self.grid[cell].append(i)

    def _cell(self, point: Point) -> Cell:
        return int(point[0] // self.size), int(point[1] // self.size)

    def nearest(self, point: Point) -> tuple[Owner, float]:
        """Whose line is nearest, and how far it is away."""
        column, row = self._cell(point)
        best = (math.inf, -1)
        ring = 0
        while best[0] > (ring - 1) * self.size and ring < 500:
            for i in self._ring(column, row, ring):
                distance = _to_line(point, self.lines[i][1], self.lines[i][2])
                if distance < best[0]:
                    best = (distance, i)
            ring += 1
        return self.lines[best[1]][0], best[0]

    def within(self, point: Point, distance: float) -> bool:
        """Whether any line is this near; only for distances below the size of the grid."""
        column, row = self._cell(point)
        return any(
            _to_line(point, self.lines[i][1], self.lines[i][2]) <= distance
            for ring in (0, 1)
            for i in self._ring(column, row, ring)
        )

    def _ring(self, column: int, row: int, ring: int) -> Iterator[int]:
        for x in range(column - ring, column + ring + 1):
            edge = abs(x - column) == ring
            rows = range(row - ring, row + ring + 1) if edge else (row - ring, row + ring)
            for y in rows:
                yield from self.grid.get((x, y), ())


def _to_line(p: Point, a: Point, b: Point) -> float:
    length = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
    if length == 0:
        return math.dist(p, a)
    t = ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / length
    t = max(0.0, min(1.0, t))
    return math.dist(p, (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t))


def _noise(a: int, b: int) -> float:
    """A number from 0 to 1 that looks random and is always the same."""
    n = (a * 374761393 + b * 668265263) & 0xFFFFFFFF
    n = ((n ^ (n >> 13)) * 1274126177) & 0xFFFFFFFF
    return ((n ^ (n >> 16)) & 0xFFFF) / 0xFFFF
