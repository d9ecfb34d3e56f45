"""A map as SVG: land in the colours of its regions, water, borders, marks and names.

Everything is drawn in layers, from the sea bed to the letters, into one file that needs nothing
else: no fonts, no scripts, no pictures.
"""

import colorsys
import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from ziggurat.studio.map_board import Board, Pieces, Spot
from ziggurat.studio.map_cells import Point, Shapes, shapes
from ziggurat.studio.map_land import Plan

SCALE = 2.6
MARGIN = 62.0
BAND = 48
TITLE = 340.0  # how wide a title may be
DEEP, SHALLOW = "#9fc3d6", "#bcd9e4"
INK, COASTLINE, WAVES = "#3c3a36", "#6c6250", "#6b9fba"
NO_REGION = "#d9d2c0"
PLAIN = "#7da35f"
LEGEND, NOBODY = "#fffdf6", "#111111"
SERIF = "Palatino, 'Book Antiqua', 'DejaVu Serif', Georgia, serif"
SANS = "'Gill Sans', 'DejaVu Sans', Verdana, sans-serif"


def draw(board: Board) -> str:
    """The whole map."""
    plan = Plan(board, SCALE, MARGIN)
    found = shapes(plan.sites(), plan.width, plan.height)
    layers = (
        _head(board, plan),
        _water(found, board),
        _land(found, board),
        _borders(found, board),
        _missing(found, board, plan),
        _marks(board, plan),
        _labels(board, plan),
        _pieces(board, plan),
        _legend(board, plan),
        ["</svg>"],
    )
    return "\n".join(row for layer in layers for row in layer) + "\n"


def _head(board: Board, plan: Plan) -> Iterator[str]:
    w, h = plan.width, plan.height + BAND
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w:.0f} {h:.0f}"'
        f' width="{w:.0f}" height="{h:.0f}" role="img" font-family={quoteattr(SANS)}>'
    )
    yield f"<title>{escape(board.title)}</title>"
    yield (
        "<defs>"
        '<pattern id="plain" width="7" height="7" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate(35)"><path d="M0 2h7" stroke="{PLAIN}" stroke-width="2.2"'
        ' opacity="0.55"/></pattern>'
        '<filter id="soft" x="-5%" y="-5%" width="110%" height="110%">'
        '<feGaussianBlur stdDeviation="7"/></filter>'
        "</defs>"
    )
    yield f'<rect width="{w:.0f}" height="{h:.0f}" fill="{DEEP}"/>'


# ---- ground -------------------------------------------------------------------------------------


def _water(found: Shapes, board: Board) -> Iterator[str]:
    """Shallow water along the coasts, blurred into the open sea."""
    coastal = [
        _path(rings)
        for (kind, id_), rings in _owned(found)
        if kind == "water" and not board.spots[id_].sea
    ]
    yield f'<g fill="{SHALLOW}" filter="url(#soft)">'
    yield from (f'<path d="{path}"/>' for path in coastal)
    yield "</g>"
    yield f'<g fill="none" stroke="{WAVES}" stroke-linecap="round">'
    for border in found.borders:
        if _kind(border.left) == _kind(border.right) == "water":
            yield f'<path d="{_line(border.points)}" stroke-width="1.3" stroke-dasharray="1.5 5"/>'
    yield "</g>"


def _land(found: Shapes, board: Board) -> Iterator[str]:
    lands = [(id_, _path(rings)) for (kind, id_), rings in _owned(found) if kind == "land"]
    yield '<g fill="#4d7f99" opacity="0.35" filter="url(#soft)">'
    yield from (f'<path d="{path}"/>' for _, path in lands)
    yield "</g>"
    yield '<g stroke-width="0.8" stroke-linejoin="round" fill-rule="evenodd">'
    for id_, path in lands:
        spot = board.spots[id_]
        fill = _tint(board.colours.get(spot.region, ""), id_)
        told = f"<title>{_told(spot, board)}</title>"
        yield f'<path d="{path}" fill="{fill}" stroke="{fill}">{told}</path>'
    yield "</g>"
    yield '<g fill="url(#plain)" fill-rule="evenodd">'
    yield from (f'<path d="{path}"/>' for id_, path in lands if board.spots[id_].plain)
    yield "</g>"


def _borders(found: Shapes, board: Board) -> Iterator[str]:
    """Coasts, borders between lands, and broader ones between regions."""
    coasts: list[str] = []
    inner: list[str] = []
    regions: list[str] = []
    walls: list[str] = []
    for border in found.borders:
        kinds = {_kind(border.left), _kind(border.right)}
        line = _line(border.points)
        if kinds == {"land", "water"}:
            coasts.append(line)
        elif kinds == {"land"}:
            a, b = board.spots[_id(border.left)], board.spots[_id(border.right)]
            if b.id not in a.land:
                walls.append(line)
            elif a.region != b.region:
                regions.append(line)
            else:
                inner.append(line)
    yield '<g fill="none" stroke-linejoin="round" stroke-linecap="round">'
    yield from _strokes(walls, f'stroke="{COASTLINE}" stroke-width="6"')
    yield from _strokes(walls, f'stroke="{SHALLOW}" stroke-width="4"')
    yield from _strokes(inner, f'stroke="{INK}" stroke-width="1" opacity="0.55"')
    yield from _strokes(regions, 'stroke="#fffaf0" stroke-width="4" opacity="0.55"')
    yield from _strokes(regions, f'stroke="{INK}" stroke-width="1.8" opacity="0.85"')
    yield from _strokes(coasts, f'stroke="{COASTLINE}" stroke-width="1.6"')
    yield "</g>"


def _missing(found: Shapes, board: Board, plan: Plan) -> Iterator[str]:
    """Borders the shapes do not show are ways: a bridge on land, a dashed line on water.

    Neighbours by land that share water too are left as they are: their coasts meet.
    """
    shown = {
        ("land" if _kind(b.left) == _kind(b.right) == "land" and by_land else "water", pair)
        for b in found.borders
        if b.right is not None and len(pair := frozenset((_id(b.left), _id(b.right)))) == 2
        for by_land in [_id(b.right) in board.spots[_id(b.left)].land]
    }
    yield '<g fill="none" stroke-linecap="round">'
    for spot in board.spots.values():
        only_water = [other for other in spot.water if other not in spot.land]
        for kind, others in (("land", spot.land), ("water", only_water)):
            for other in others:
                border = (kind, frozenset((spot.id, other)))
                if other > spot.id and other in plan.at and border not in shown:
                    yield _way(kind, plan.at[spot.id], plan.at[other])
    yield "</g>"


def _way(kind: str, a: Point, b: Point) -> str:
    """A line that bends a little, so that it is not taken for a border."""
    middle = ((a[0] + b[0]) / 2 + (b[1] - a[1]) * 0.09, (a[1] + b[1]) / 2 - (b[0] - a[0]) * 0.09)
    d = f"M{_xy(a)}Q{_xy(middle)} {_xy(b)}"
    if kind == "land":
        return (
            f'<path d="{d}" stroke="{COASTLINE}" stroke-width="7" opacity="0.8"/>'
            f'<path d="{d}" stroke="#efe6cf" stroke-width="4.6"/>'
        )
    return (
        f'<path d="{d}" stroke="#2f7fa8" stroke-width="1.6" stroke-dasharray="5 5" opacity="0.5"/>'
    )


# ---- marks and letters --------------------------------------------------------------------------


def _marks(board: Board, plan: Plan) -> Iterator[str]:
    """Sites and limits on their spots; a volcano between the spots it touches."""
    volcanoes: dict[str, list[Point]] = {}
    for spot in board.spots.values():
        x, y = plan.at[spot.id]
        if spot.volcano:
            volcanoes.setdefault(spot.volcano, []).append((x + 17, y - 17))
        if spot.site:
            fill, stroke = ("#ffffff", INK) if spot.site == "white" else (INK, "#ffffff")
            yield (
                f'<rect x="{x - 21:.1f}" y="{y - 7:.1f}" width="12" height="12" rx="2"'
                f' fill="{fill}" stroke="{stroke}" stroke-width="1.4"/>'
            )
        if spot.limit is not None and not spot.sea:
            shift = 5.0 if spot.site else 0.0
            yield (
                f'<circle cx="{x + shift:.1f}" cy="{y - 1:.1f}" r="9" fill="#fffdf6"'
                f' stroke="{INK}" stroke-width="1.1" opacity="0.95"/>'
                f'<text x="{x + shift:.1f}" y="{y + 3.6:.1f}" font-size="13" font-weight="bold"'
                f' text-anchor="middle" fill="{INK}">{spot.limit}</text>'
            )
    for touched in volcanoes.values():
        xs, ys = zip(*touched, strict=True)
        yield _volcano(sum(xs) / len(xs), sum(ys) / len(ys))


def _volcano(x: float, y: float) -> str:
    cone = f"M{x - 9:.1f} {y + 8:.1f}L{x - 2:.1f} {y - 5:.1f}h4L{x + 9:.1f} {y + 8:.1f}Z"
    fire = f"M{x - 2:.1f} {y - 5:.1f}q2 -7 0 -9q6 3 4 9Z"
    return (
        f'<path d="{cone}" fill="#5b4a42" stroke="#2e2622" stroke-width="1"/>'
        f'<path d="{fire}" fill="#e2562b"/>'
    )


def _labels(board: Board, plan: Plan) -> Iterator[str]:
    yield (
        '<g text-anchor="middle" paint-order="stroke" stroke="#fffaf0" stroke-opacity="0.75"'
        f' stroke-width="2.6" stroke-linejoin="round" fill="{INK}" font-size="10.5">'
    )
    for spot in board.spots.values():
        if not spot.sea:
            x, y = plan.at[spot.id]
            yield from _name(spot.name, x, y + 20, 11.0)
    yield "</g>"
    yield (
        f'<g text-anchor="middle" font-family={quoteattr(SERIF)} font-style="italic"'
        ' fill="#2d6384" font-size="19" letter-spacing="1.5" paint-order="stroke"'
        f' stroke="{SHALLOW}" stroke-opacity="0.7" stroke-width="3">'
    )
    for spot in board.spots.values():
        if spot.sea:
            yield from _name(spot.name, *_afloat(spot, board, plan), 21.0)
    yield "</g>"


def _afloat(spot: Spot, board: Board, plan: Plan) -> Point:
    """Where the name of a sea is written: as near to its place as it covers no mark of the land."""
    rows = _rows(spot.name)
    wide, high = 6.4 * max(map(len, rows)) + 6, 21.0 * len(rows)
    x, y = plan.at[spot.id]
    lands = [plan.at[other.id] for other in board.spots.values() if not other.sea]

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


def _name(name: str, x: float, y: float, leading: float) -> Iterator[str]:
    """A name on one line, or on two when it is long."""
    for i, row in enumerate(_rows(name)):
        yield f'<text x="{x:.1f}" y="{y + i * leading:.1f}">{escape(row)}</text>'


def _rows(name: str) -> list[str]:
    words = name.split()
    if len(words) < 2 or len(name) < 11:
        return [name]
    cuts = range(1, len(words))
    best = min(cuts, key=lambda i: abs(len(" ".join(words[:i])) - len(" ".join(words[i:]))))
    return [" ".join(words[:best]), " ".join(words[best:])]


def _pieces(board: Board, plan: Plan) -> Iterator[str]:
    """What stands on the board, if there is a game: a mark for each owner and kind of piece."""
    for id_, pieces in board.pieces.items():
        if id_ not in plan.at:
            continue
        x, y = plan.at[id_]
        for i, one in enumerate(pieces):
            yield _piece(one, x - 11.5 * (len(pieces) - 1) + 23 * i, y - 22)


def _piece(one: Pieces, x: float, y: float) -> str:
    """Discs with a number for the usual kind, squares with its letter too for the others."""
    colour = one.colour or NOBODY
    style = f'fill="{colour}" stroke="{INK}" stroke-width="1.5"'
    if one.rank == 0:
        told, shape = str(one.number), f'<circle cx="{x:.1f}" cy="{y:.1f}" r="10" {style}/>'
    else:
        number = one.number if one.number > 1 else ""
        told = f"{escape(one.piece[:1].upper())}{number}"
        corner = f'x="{x - 10:.1f}" y="{y - 10:.1f}"'
        shape = f'<rect {corner} width="20" height="20" rx="4" {style}/>'
    return (
        f"<g><title>{escape(one.owner)}: {one.number} {escape(one.piece)}</title>{shape}"
        f'<text x="{x:.1f}" y="{y + 4.2:.1f}" font-size="12" font-weight="bold"'
        f' text-anchor="middle" fill="{_contrast(colour)}">{told}</text></g>'
    )


def _legend(board: Board, plan: Plan) -> Iterator[str]:
    """The title and the regions, in a band along the bottom."""
    present = [id_ for id_ in board.regions if any(s.region == id_ for s in board.spots.values())]
    y = plan.height + BAND / 2
    size = min(24.0, TITLE / 0.54 / max(len(board.title), 1))
    yield (
        f'<rect x="0" y="{plan.height:.0f}" width="{plan.width:.0f}" height="{BAND}"'
        ' fill="#fffaf0"/>'
        f'<text x="24" y="{y + 6:.0f}" font-family={quoteattr(SERIF)} font-size="{size:.1f}"'
        f' fill="{INK}">{escape(board.title)}</text>'
    )
    x = 60 + 0.54 * size * len(board.title)
    for id_ in present:
        yield (
            f'<rect x="{x:.0f}" y="{y - 10:.0f}" width="18" height="18" rx="4" stroke="{INK}"'
            f' fill="{board.colours.get(id_) or NO_REGION}"/>'
            f'<text x="{x + 24:.0f}" y="{y + 4:.0f}" font-size="14"'
            f' fill="{INK}">{escape(board.regions[id_])}</text>'
        )
        x += 40 + 8 * len(board.regions[id_])
    yield from _signs(board, x + 16, y)


def _signs(board: Board, x: float, y: float) -> Iterator[str]:
    """What the marks mean, as far as this board has them."""
    spots = board.spots.values()
    square = 'width="12" height="12" rx="2" stroke-width="1.4"'
    signs = (
        (
            "limit",
            any(spot.limit is not None for spot in spots),
            f'<circle cx="8" r="8" fill="#fffdf6" stroke="{INK}"/>',
        ),
        (
            "city site",
            any(spot.site == "black" for spot in spots),
            f'<rect x="2" y="-6" {square} fill="{INK}" stroke="#ffffff"/>',
        ),
        (
            "on a flood plain",
            any(spot.site == "white" for spot in spots),
            f'<rect x="2" y="-6" {square} fill="#ffffff" stroke="{INK}"/>',
        ),
        (
            "flood plain",
            any(spot.plain for spot in spots),
            '<rect x="-4" y="-9" width="22" height="18" rx="4" fill="url(#plain)"/>',
        ),
        ("volcano", any(spot.volcano for spot in spots), _volcano(8, 0)),
        *((name, True, _piece(one, 8, 0)) for name, one in _kinds(board).items()),
    )
    for name, present, sign in signs:
        if present:
            yield (
                f'<g transform="translate({x:.0f} {y - 1:.0f})">{sign}'
                f'<text x="26" y="5" font-size="14" fill="{INK}">{name}</text></g>'
            )
            x += 40 + 7.5 * len(name)


def _kinds(board: Board) -> dict[str, Pieces]:
    """What stands on the board in a game, for the legend: a mark of each kind, in nobody's colour,
    and one of each owner who has no region."""
    standing = [one for pieces in board.pieces.values() for one in pieces]
    found = {
        one.piece.replace("_", " "): Pieces("", one.piece, 1, LEGEND, one.rank)
        for one in sorted(standing, key=lambda one: one.rank)
    }
    strangers = {one.owner: one for one in standing if not one.colour}
    return found | {
        owner: Pieces(owner, one.piece, 1, "", one.rank) for owner, one in strangers.items()
    }


# ---- small things -------------------------------------------------------------------------------


def _told(spot: Spot, board: Board) -> str:
    """What a pointer resting on an area shows."""
    parts = [spot.name, board.regions.get(spot.region, "")]
    parts += [f"limit {spot.limit}"] if spot.limit is not None else []
    parts += [f"{spot.site} city site"] if spot.site else []
    return escape(", ".join(part for part in parts if part))


def _owned(found: Shapes) -> Iterable[tuple[tuple[str, str], list[list[Point]]]]:
    for owner, rings in found.outlines.items():
        if isinstance(owner, tuple):
            yield owner, rings


def _kind(owner: object) -> str:
    return str(owner[0]) if isinstance(owner, tuple) else ""


def _id(owner: object) -> str:
    return str(owner[1]) if isinstance(owner, tuple) else ""


def _xy(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


def _line(points: Sequence[Point]) -> str:
    """A line in steps from point to point, which are shorter to write than places."""
    tenths = [(round(x * 10), round(y * 10)) for x, y in points]
    steps = [
        f"{(b[0] - a[0]) / 10:g} {(b[1] - a[1]) / 10:g}" for a, b in pairwise(tenths) if a != b
    ]
    start = f"M{tenths[0][0] / 10:g} {tenths[0][1] / 10:g}"
    return f"{start}l{' '.join(steps)}" if steps else start


def _path(rings: Sequence[Sequence[Point]]) -> str:
    return "".join(f"{_line(ring)}Z" for ring in rings)


def _strokes(lines: Sequence[str], style: str) -> Iterator[str]:
    if lines:
        yield f'<path d="{"".join(lines)}" {style}/>'


def _rgb(colour: str) -> tuple[float, float, float]:
    try:
        value = int(colour.removeprefix("#"), 16)
    except ValueError:
        return _rgb(NO_REGION)
    return (value >> 16) / 255, (value >> 8 & 255) / 255, (value & 255) / 255


def _tint(colour: str, id_: str) -> str:
    """A region's colour on parchment: softened, a little different from area to area."""
    r, g, b = _rgb(colour or NO_REGION)
    hue, light, strength = colorsys.rgb_to_hls(r, g, b)
    shade = (sum(map(ord, id_)) % 5 - 2) * 0.013
    light = 0.5 * light + 0.5 * 0.8 + shade
    r, g, b = colorsys.hls_to_rgb(hue, min(0.93, light), strength * 0.62)
    return f"#{round(r * 255):02x}{round(g * 255):02x}{round(b * 255):02x}"


def _contrast(colour: str) -> str:
    r, g, b = _rgb(colour)
    return INK if math.hypot(r * 0.55, g * 0.75, b * 0.3) > 0.55 else "#ffffff"
