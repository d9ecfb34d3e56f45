"""A map as SVG: land in the colours of its regions, water, borders, marks and names.

Everything is drawn in layers, from the ground to the letters, into one file that needs nothing
else: no fonts, no scripts, no pictures. What the marks are, packs declare; nothing here knows them.
"""

import math
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr
from zlib import crc32

import attrs

from ziggurat.studio.map.board import Board, Look, Spot
from ziggurat.studio.map.cells import Point, Shapes
from ziggurat.studio.map.ink import (
    COASTLINE,
    DEEP,
    INK,
    PAPER,
    SANS,
    SERIF,
    SHALLOW,
    WAVES,
    line,
    name,
    path,
    rows,
    strokes,
    tint,
    xy,
)
from ziggurat.studio.map.land import Plan
from ziggurat.studio.map.signs import band, hatch_id, legend, marks, pieces

SCALE = 2.6
MARGIN = 62.0


def _planned(board: Board) -> tuple[Plan, Shapes]:
    """Where everything of a map is drawn."""
    plan = Plan(board, SCALE, MARGIN)
    return plan, plan.shapes()


def draw(board: Board) -> str:
    """The whole map."""
    return _drawn(board, *_planned(board), touchable=False)


def draw_touchable(board: Board) -> tuple[str, Plan]:
    """The whole map with a shape for each place over it that nothing fills, to be touched; and
    where things are in it."""
    plan, found = _planned(board)
    return _drawn(board, plan, found, touchable=True), plan


def _drawn(board: Board, plan: Plan, found: Shapes, touchable: bool) -> str:
    outlines = _Outlines.of(found)
    layers = (
        _head(board, plan),
        outlines.definitions(),
        _water(found, board),
        _land(outlines, board),
        _hatches(found, board),
        _borders(found, board),
        _outlines(found, board),
        _missing(found, board, plan),
        marks(board, plan),
        _labels(board, plan),
        pieces(board, plan),
        legend(board, plan),
        _places(found, board) if touchable else (),
        ["</svg>"],
    )
    return "\n".join(row for layer in layers for row in layer) + "\n"


def _head(board: Board, plan: Plan) -> Iterator[str]:
    w, h = plan.width, plan.height + band(board, plan)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w:.0f} {h:.0f}"'
        f' width="{w:.0f}" height="{h:.0f}" role="img" font-family={quoteattr(SANS)}>'
    )
    yield f"<title>{escape(board.title)}</title>"
    yield "<defs>"
    hatches = dict.fromkeys(s.hatch for spot in board.spots.values() for s in spot.looks if s.hatch)
    for number, colour in enumerate(hatches):
        yield (
            f'<pattern id="{hatch_id(colour)}" width="7" height="7" patternUnits="userSpaceOnUse"'
            f' patternTransform="rotate({35 - 65 * number})"><path d="M0 2h7" stroke="{colour}"'
            ' stroke-width="2.2" opacity="0.55"/></pattern>'
        )
    yield (
        '<filter id="soft" x="-5%" y="-5%" width="110%" height="110%">'
        '<feGaussianBlur stdDeviation="7"/></filter>'
        "</defs>"
    )
    wet = not board.cells and any(s.water or s.across for s in board.spots.values())
    yield f'<rect width="{w:.0f}" height="{h:.0f}" fill="{DEEP if wet else PAPER}"/>'


# ---- ground -------------------------------------------------------------------------------------


def _water(found: Shapes, board: Board) -> Iterator[str]:
    """Shallow water along the coasts, blurred into the open one; on a grid, cells of water."""
    shallow = [
        path(rings)
        for (kind, id_), rings in _owned(found)
        if kind == "water" and not board.spots[id_].water
    ]
    yield f'<g fill="{SHALLOW}" filter="url(#soft)">'
    yield from (f'<path d="{drawn}"/>' for drawn in shallow)
    yield "</g>"
    for (kind, id_), rings in _owned(found) if board.cells else ():
        if kind == "water":
            told = _told(board.spots[id_])
            yield f'<path d="{path(rings)}" fill="{DEEP}"><title>{told}</title></path>'
    waves = [
        line(border.points)
        for border in found.borders
        if _kind(border.left) == _kind(border.right) == "water"
    ]
    dots = f'stroke="{WAVES}" stroke-width="1.3" stroke-dasharray="1.5 5"'
    yield from strokes(waves, f'fill="none" stroke-linecap="round" {dots}')


@attrs.frozen
class _Outlines:
    """The outlines of lands, each written once and drawn as often as needed.

    Their ids are made of what they draw, so that several maps may stand on one page.
    """

    paths: dict[str, str]
    key: str

    @classmethod
    def of(cls, found: Shapes) -> "_Outlines":
        paths = {id_: path(rings) for (kind, id_), rings in _owned(found) if kind == "land"}
        return cls(paths, f"l{crc32(''.join(paths.values()).encode()):08x}")

    def definitions(self) -> Iterator[str]:
        yield "<defs>"
        for number, drawn in enumerate(self.paths.values()):
            yield f'<path id="{self.key}-{number}" d="{drawn}"/>'
        yield "</defs>"

    def uses(self) -> Iterator[tuple[str, str]]:
        """Each land with the beginning of the element that draws it."""
        for number, id_ in enumerate(self.paths):
            yield id_, f'<use href="#{self.key}-{number}"'


def _land(outlines: _Outlines, board: Board) -> Iterator[str]:
    yield '<g fill="#4d7f99" opacity="0.35" filter="url(#soft)">'
    yield from (f"{use}/>" for _, use in outlines.uses())
    yield "</g>"
    yield '<g stroke-width="0.8" stroke-linejoin="round" fill-rule="evenodd">'
    for id_, use in outlines.uses():
        spot = board.spots[id_]
        ground = spot.ground()
        fill = tint(ground.fill if ground else "", id_)
        yield f'{use} fill="{fill}" stroke="{fill}"><title>{_told(spot)}</title></use>'
    yield "</g>"


def _borders(found: Shapes, board: Board) -> Iterator[str]:
    """Coasts, borders between lands, and broader ones between regions."""
    coasts: list[str] = []
    inner: list[str] = []
    regions: list[str] = []
    walls: list[str] = []
    known = any(spot.touching for spot in board.spots.values())
    for border in found.borders:
        kinds = {_kind(border.left), _kind(border.right)}
        drawn = line(border.points)
        if kinds == {"land", "water"}:
            coasts.append(drawn)
        elif kinds == {"land"}:
            a, b = board.spots[_id(border.left)], board.spots[_id(border.right)]
            if known and b.id not in a.touching and a.id not in b.touching:
                walls.append(drawn)
            elif _region(a) != _region(b):
                regions.append(drawn)
            else:
                inner.append(drawn)
        elif board.cells and border.right is None:
            inner.append(drawn)
    yield '<g fill="none" stroke-linejoin="round" stroke-linecap="round">'
    yield from strokes(walls, f'stroke="{COASTLINE}" stroke-width="6"')
    yield from strokes(walls, f'stroke="{SHALLOW}" stroke-width="4"')
    yield from strokes(inner, f'stroke="{INK}" stroke-width="1" opacity="0.55"')
    yield from strokes(regions, f'stroke="{PAPER}" stroke-width="4" opacity="0.55"')
    yield from strokes(regions, f'stroke="{INK}" stroke-width="1.8" opacity="0.85"')
    yield from strokes(coasts, f'stroke="{COASTLINE}" stroke-width="1.6"')
    yield "</g>"


def _region(spot: Spot) -> str:
    """What of its ground a spot has in common with others."""
    ground = spot.ground()
    return "" if ground is None else ground.value or ground.fill


def _hatches(found: Shapes, board: Board) -> Iterator[str]:
    for drawn, look in _all_over(found, board):
        if look.hatch:
            yield f'<path d="{drawn}" fill="url(#{hatch_id(look.hatch)})" fill-rule="evenodd"/>'


def _outlines(found: Shapes, board: Board) -> Iterator[str]:
    """Marks that are a line around their spot."""
    for drawn, look in _all_over(found, board):
        if look.line:
            yield (
                f'<path d="{drawn}" fill="none" stroke="{look.line}" stroke-width="4"'
                ' stroke-linejoin="round" opacity="0.8"/>'
            )


def _all_over(found: Shapes, board: Board) -> Iterator[tuple[str, Look]]:
    """The looks of each spot with its ground, shallow water along its coast left out."""
    for (kind, id_), rings in _owned(found):
        spot = board.spots[id_]
        if spot.looks and spot.water == (kind == "water"):
            yield from ((path(rings), look) for look in spot.looks)


def _missing(found: Shapes, board: Board, plan: Plan) -> Iterator[str]:
    """Borders the shapes do not show are ways: a bridge on land, a dashed line on water.

    Neighbours by land that share water too are left as they are: their coasts meet.
    """
    shown = {
        ("land" if _kind(b.left) == _kind(b.right) == "land" and by_land else "water", pair)
        for b in found.borders
        if b.right is not None and len(pair := frozenset((_id(b.left), _id(b.right)))) == 2
        for by_land in [
            _id(b.right) in board.spots[_id(b.left)].touching
            or _id(b.left) in board.spots[_id(b.right)].touching
        ]
    }
    drawn: set[tuple[str, frozenset[str]]] = set()
    ways: dict[str, list[str]] = {"land": [], "water": []}
    for spot in board.spots.values():
        only_water = [other for other in spot.across if other not in spot.touching]
        for kind, others in (("land", spot.touching), ("water", only_water)):
            for other in others:
                border = (kind, frozenset((spot.id, other)))
                if other == spot.id or other not in plan.at or border in shown | drawn:
                    continue
                drawn.add(border)
                ways[kind].append(_way(plan.at[min(spot.id, other)], plan.at[max(spot.id, other)]))
    yield '<g fill="none" stroke-linecap="round">'
    yield from strokes(ways["land"], f'stroke="{COASTLINE}" stroke-width="7" opacity="0.8"')
    yield from strokes(ways["land"], 'stroke="#efe6cf" stroke-width="4.6"')
    dashes = 'stroke="#2f7fa8" stroke-width="1.6" stroke-dasharray="5 5" opacity="0.5"'
    yield from strokes(ways["water"], dashes)
    yield "</g>"


def _way(a: Point, b: Point) -> str:
    """A line that bends a little, so that it is not taken for a border."""
    middle = ((a[0] + b[0]) / 2 + (b[1] - a[1]) * 0.09, (a[1] + b[1]) / 2 - (b[0] - a[0]) * 0.09)
    return f"M{xy(a)}Q{xy(middle)} {xy(b)}"


def _places(found: Shapes, board: Board) -> Iterator[str]:
    """The shapes of all places, for programs that light them up."""
    yield '<g class="places" fill="none" pointer-events="all" fill-rule="evenodd">'
    for (kind, id_), rings in _owned(found):
        spot = board.spots[id_]
        if spot.water == (kind == "water"):
            yield (
                f'<path data-place={quoteattr(id_)} d="{path(rings)}">'
                f"<title>{_told(spot)}</title></path>"
            )
    yield "</g>"


# ---- letters ------------------------------------------------------------------------------------


def _labels(board: Board, plan: Plan) -> Iterator[str]:
    small = bool(board.cells)
    lands = [spot for spot in board.spots.values() if small or not spot.water]
    names = [
        row
        for spot in lands
        for x, y in [plan.at[spot.id]]
        for row in name(spot.name, x, y + (22 if small else 20), 11.0)
    ]
    waters = [
        row
        for spot in board.spots.values()
        if spot.water and not small
        for row in name(spot.name, *_afloat(spot, board, plan), 21.0)
    ]
    yield from _haloed(
        names, f'text-anchor="middle" font-size="{9 if small else 10.5}"', INK,
        f'stroke="{PAPER}" stroke-opacity="0.75" stroke-width="2.6"',
    )  # fmt: skip
    yield from _haloed(
        waters,
        f'text-anchor="middle" font-family={quoteattr(SERIF)} font-style="italic" font-size="19"'
        ' letter-spacing="1.5"', "#2d6384",
        f'stroke="{SHALLOW}" stroke-opacity="0.7" stroke-width="3"',
    )  # fmt: skip


def _haloed(names: list[str], style: str, ink: str, halo: str) -> Iterator[str]:
    """Names upon halos, which are drawn by themselves: few programs know `paint-order`."""
    key = f"n{crc32(''.join(names).encode()):08x}"
    yield f'<use href="#{key}" fill="none" stroke-linejoin="round" {halo} aria-hidden="true"/>'
    yield f'<g fill="{ink}"><g id="{key}" {style}>'
    yield from names
    yield "</g></g>"


def _afloat(spot: Spot, board: Board, plan: Plan) -> Point:
    """Where the name of water is written: as near to its place as it covers no mark of the land."""
    told = rows(spot.name)
    wide, high = 6.4 * max(map(len, told)) + 6, 21.0 * len(told)
    x, y = plan.at[spot.id]
    lands = [plan.at[other.id] for other in board.spots.values() if not other.water]

    def covered(point: Point) -> float:
        left, top = point[0] - wide, point[1] - 18
        return sum(
            left - 26 < a < left + 2 * wide + 26 and top - 30 < b < top + high + 32
            for a, b in lands
        )

    near = [(x + dx * 12, y + dy * 12) for dx in range(-9, 10) for dy in range(-9, 10)]
    inside = [
        p for p in near if wide <= p[0] <= plan.width - wide and 20 <= p[1] <= plan.height - high
    ] or [(min(max(x, wide), plan.width - wide), y)]
    return min(inside, key=lambda p: (covered(p), math.dist(p, (x, y))))


def _told(spot: Spot) -> str:
    """What a pointer resting on a spot shows."""
    return escape(", ".join(filter(None, [spot.name, *(look.told for look in spot.looks)])))


def _owned(found: Shapes) -> Iterable[tuple[tuple[str, str], list[list[Point]]]]:
    for owner, rings in found.outlines.items():
        if isinstance(owner, tuple):
            yield owner, rings


def _kind(owner: object) -> str:
    return str(owner[0]) if isinstance(owner, tuple) else ""


def _id(owner: object) -> str:
    return str(owner[1]) if isinstance(owner, tuple) else ""
