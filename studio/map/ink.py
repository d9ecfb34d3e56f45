"""The small things of a picture: colours, paths and the places of letters."""

import colorsys
import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from xml.sax.saxutils import escape

from ziggurat.studio.map.cells import Point

DEEP, SHALLOW = "#9fc3d6", "#bcd9e4"
INK, COASTLINE, WAVES = "#3c3a36", "#6c6250", "#6b9fba"
PAPER = "#fffaf0"
TOLERANCE = 0.25  # by so much a line may be off
NO_REGION = "#d9d2c0"
SERIF = "Palatino, 'Book Antiqua', 'DejaVu Serif', Georgia, serif"
SANS = "'Gill Sans', 'DejaVu Sans', Verdana, sans-serif"


def xy(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


def line(points: Sequence[Point]) -> str:
    """A line in steps from point to point, which are shorter to write than places."""
    tenths = [(round(x * 10), round(y * 10)) for x, y in _thinned(points)]
    steps = [number for a, b in pairwise(tenths) if a != b for number in (b[0] - a[0], b[1] - a[1])]
    start = f"M{_numbers(tenths[0])}"
    return f"{start}l{_numbers(steps)}" if steps else start


def _numbers(tenths: Iterable[int]) -> str:
    """Numbers as short as paths may have them: `-.5 12-3.1`."""
    spelled = "".join(f" {number / 10:g}" for number in tenths)
    return spelled.replace(" 0.", " .").replace("-0.", "-.").replace(" -", "-").lstrip()


def _thinned(points: Sequence[Point]) -> list[Point]:
    """Leave out points that lie almost on the straight line between those that stay."""
    kept = [points[0]]
    low, high, middle = -math.inf, math.inf, 0.0  # the directions in which the line may go on
    previous = points[0]
    for point in points[1:]:
        (x, y), (from_x, from_y) = point, kept[-1]
        far = math.hypot(x - from_x, y - from_y)
        turn = (math.atan2(y - from_y, x - from_x) - middle + math.pi) % math.tau - math.pi
        if low > -math.inf and not low <= turn <= high:
            kept.append(previous)
            low, high = -math.inf, math.inf
            (from_x, from_y) = previous
            far = math.hypot(x - from_x, y - from_y)
        if low == -math.inf:
            middle, turn = math.atan2(y - from_y, x - from_x), 0.0
        if far > TOLERANCE:
            spread = math.asin(TOLERANCE / far)
            low, high = max(low, turn - spread), min(high, turn + spread)
        previous = point
    return kept if previous == kept[-1] else [*kept, previous]


def path(rings: Sequence[Sequence[Point]]) -> str:
    return "".join(f"{line(ring)}Z" for ring in rings)


def strokes(lines: Sequence[str], style: str) -> Iterator[str]:
    if lines:
        yield f'<path d="{"".join(lines)}" {style}/>'


def rgb(colour: str) -> tuple[float, float, float]:
    """A colour as packs write it, from 0 to 1."""
    digits = colour.removeprefix("#") or NO_REGION.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    value = int(digits, 16)
    return (value >> 16) / 255, (value >> 8 & 255) / 255, (value & 255) / 255


def tint(colour: str, id_: str) -> str:
    """A region's colour on parchment: softened, a little different from area to area."""
    r, g, b = rgb(colour)
    hue, light, strength = colorsys.rgb_to_hls(r, g, b)
    shade = (sum(map(ord, id_)) % 5 - 2) * 0.013
    light = 0.5 * light + 0.5 * 0.8 + shade
    r, g, b = colorsys.hls_to_rgb(hue, min(0.93, light), strength * 0.62)
    return f"#{round(r * 255):02x}{round(g * 255):02x}{round(b * 255):02x}"


def contrast(colour: str) -> str:
    """Letters that can be read on a colour."""
    r, g, b = rgb(colour)
    return INK if math.hypot(r * 0.55, g * 0.75, b * 0.3) > 0.55 else "#ffffff"


def name(text: str, x: float, y: float, leading: float) -> Iterator[str]:
    """A name on one line, or on two when it is long."""
    for i, row in enumerate(rows(text)):
        yield f'<text x="{x:.1f}" y="{y + i * leading:.1f}">{escape(row)}</text>'


def rows(text: str) -> list[str]:
    words = text.split()
    if len(words) < 2 or len(text) < 11:
        return [text]
    cuts = range(1, len(words))
    best = min(cuts, key=lambda i: abs(len(" ".join(words[:i])) - len(" ".join(words[i:]))))
    return [" ".join(words[:best]), " ".join(words[best:])]
