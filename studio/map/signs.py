"""What stands on the spots of a map: the symbols of marks, pieces, and the legend that tells them.

Signs of one spot stand in a row around its middle. A mark that shows a thing (something several
spots share) has one sign for all of them, between them.
"""

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

import attrs

from ziggurat.studio.map.board import Board, Look, Pieces, Spot
from ziggurat.studio.map.cells import Point
from ziggurat.studio.map.ink import INK, NO_REGION, PAPER, SERIF, contrast
from ziggurat.studio.map.land import Plan

BAND = 48
TITLE = 340.0  # how wide a title may be
GAP = 4.0
LIFT = 1.0
BESIDE = 17.0  # how far a shared sign lies from the middle of its spots, up and to the right
LEFT = 24.0  # where rows of the legend begin
STEP = 23.0  # from piece to piece
LEGEND, NOBODY = "#fffdf6", "#111111"


def marks(board: Board, plan: Plan) -> Iterator[str]:
    shared: dict[tuple[str, str], tuple[Look, list[Point]]] = {}
    for spot in board.spots.values():
        x, y = plan.at[spot.id]
        for look in spot.looks:
            if look.value and look.is_sign:
                found = shared.setdefault((look.mark, look.value), (look, []))
                found[1].append((x + BESIDE, y - BESIDE))
        yield from _row(spot, x, y - LIFT)
    for look, touched in shared.values():
        xs, ys = zip(*touched, strict=True)
        yield sign(look, sum(xs) / len(xs), sum(ys) / len(ys))


def _row(spot: Spot, x: float, y: float) -> Iterator[str]:
    """The signs of a spot that are its own, beside each other."""
    signs = [look for look in spot.looks if look.is_sign and not look.value]
    widths = [_width(look) for look in signs]
    left = x - (sum(widths) + GAP * (len(signs) - 1)) / 2
    for look, width in zip(signs, widths, strict=True):
        yield sign(look, left + width / 2, y)
        left += width + GAP


def _width(look: Look) -> float:
    return 2.0 * look.size if look.shapes else 8.0 * len(look.text)


def sign(look: Look, x: float, y: float) -> str:
    """Shapes upon each other, each in its colour, and the text of the mark."""
    ink = look.ink or INK
    drawn = "".join(
        _shape(shape, _colour(look, number), ink, look.size, x, y)
        for number, shape in enumerate(look.shapes)
    )
    if not look.text:
        return drawn
    colour = contrast(_colour(look, 0)) if look.shapes else ink
    return drawn + letters(look.text, x, y + 4.6, 13, colour)


def _colour(look: Look, number: int) -> str:
    """The colour of the nth shape; the last one serves for all that follow."""
    return (look.colours[min(number, len(look.colours) - 1)] if look.colours else "") or LEGEND


def _shape(shape: str, colour: str, ink: str, size: int, x: float, y: float) -> str:
    scale = size / 10
    return (
        f'<path d={quoteattr(shape)} transform="translate({x:.1f} {y:.1f}) scale({scale:g})"'
        f' fill="{colour}" stroke="{ink}" stroke-width="{1.3 / scale:.2g}" fill-rule="evenodd"/>'
    )


def letters(text: str, x: float, y: float, size: int, colour: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="bold"'
        f' text-anchor="middle" fill="{colour}">{escape(text)}</text>'
    )


# ---- pieces -------------------------------------------------------------------------------------


def pieces(board: Board, plan: Plan) -> Iterator[str]:
    """What stands on the board, if there is a game: a sign for each owner and kind of piece."""
    for id_, standing in board.pieces.items():
        if id_ not in plan.at:
            continue
        x, y = plan.at[id_]
        for i, one in enumerate(standing):
            yield piece(one, x - STEP / 2 * (len(standing) - 1) + STEP * i, y - 22)


def piece(one: Pieces, x: float, y: float) -> str:
    """The shape of the piece in its owner's colour, with its letter and how many there are."""
    colour = one.colour or NOBODY
    look = one.look
    number = str(one.number) if one.number > 1 or not look.text else ""
    shapes = "".join(
        _shape(shape, colour, look.ink or INK, look.size, x, y) for shape in look.shapes
    )
    told = letters(f"{look.text}{number}", x, y + 4.2, 12, contrast(colour))
    title = f"{escape(one.owner)}: {one.number} {escape(one.piece)}"
    return f"<g><title>{title}</title>{shapes}{told}</g>"


# ---- legend -------------------------------------------------------------------------------------


def legend(board: Board, plan: Plan) -> Iterator[str]:
    """The title and what everything means, in a band along the bottom."""
    y = plan.height + BAND / 2
    size = _title_size(board)
    yield (
        f'<rect x="0" y="{plan.height:.0f}" width="{plan.width:.0f}"'
        f' height="{band(board, plan):.0f}" fill="{PAPER}"/>'
        f'<text x="24" y="{y + 6:.0f}" font-family={quoteattr(SERIF)} font-size="{size:.1f}"'
        f' fill="{INK}">{escape(board.title)}</text>'
    )
    for number, row in enumerate(_rows(board, plan)):
        for x, text, drawn in row:
            yield (
                f'<g transform="translate({x:.0f} {y - 1 + number * BAND * 0.6:.0f})">{drawn}'
                f'<text x="26" y="5" font-size="14" fill="{INK}">{escape(text)}</text></g>'
            )


def band(board: Board, plan: Plan) -> float:
    """How high the legend is."""
    return BAND + BAND * 0.6 * (len(_rows(board, plan)) - 1)


def _title_size(board: Board) -> float:
    return min(24.0, TITLE / 0.54 / max(len(board.title), 1))


def _rows(board: Board, plan: Plan) -> list[list[tuple[float, str, str]]]:
    """The entries of the legend with their places, in as many rows as they need."""
    rows: list[list[tuple[float, str, str]]] = [[]]
    x = 2.5 * LEFT + 0.54 * _title_size(board) * len(board.title)
    for text, drawn in _entries(board):
        wide = 44 + 7.9 * len(text)
        if x + wide > plan.width and x > LEFT:
            rows.append([])
            x = LEFT
        rows[-1].append((x, text, drawn))
        x += wide
    return rows


def _entries(board: Board) -> Iterator[tuple[str, str]]:
    for text, look in board.legend:
        yield text, _sample(look)
    standing = [one for found in board.pieces.values() for one in found]
    present = {one.look for one in standing}
    for look in board.kinds:
        if look in present:
            yield look.told, piece(Pieces("", look.told, 1, LEGEND, look), 8, 0)
    known = {text for text, _ in board.legend}
    for owner, one in {one.owner: one for one in standing}.items():
        if owner not in known:
            yield owner, piece(attrs.evolve(one, number=1), 8, 0)


def _sample(look: Look) -> str:
    """A mark as the legend shows it."""
    square = 'x="-3" y="-9" width="22" height="18" rx="4"'
    found = f'<rect {square} stroke="{INK}" fill="{look.fill or NO_REGION}"/>' if look.fill else ""
    if look.hatch:
        found += f'<rect {square} fill="url(#{hatch_id(look.hatch)})"/>'
    if look.line:
        found += f'<rect {square} fill="none" stroke="{look.line}" stroke-width="3"/>'
    return found + (sign(look, 8, 0) if look.is_sign else "")


def hatch_id(colour: str) -> str:
    return f"hatch-{colour.removeprefix('#').lower()}"
