"""The words of maps that need no pack: shapes of marks, layouts, and what is a colour.

A shape is an SVG path in a box from -10 to 10 with its middle at 0, 0; a pack may also write such a
path itself. Whoever draws (a picture, a page, an editor) takes the shapes from here.
"""

import re

SYMBOLS: dict[str, str] = {
    "disc": "M-10 0A10 10 0 1 1 10 0A10 10 0 1 1-10 0Z",
    "dot": "M-5 0A5 5 0 1 1 5 0A5 5 0 1 1-5 0Z",
    "ring": "M-10 0A10 10 0 1 1 10 0A10 10 0 1 1-10 0ZM-6 0A6 6 0 1 0 6 0A6 6 0 1 0-6 0Z",
    "square": "M-7-10H7A3 3 0 0 1 10-7V7A3 3 0 0 1 7 10H-7A3 3 0 0 1-10 7V-7A3 3 0 0 1-7-10Z",
    "bar": "M-10-4H10V4H-10Z",
    "diamond": "M0-10L10 0L0 10L-10 0Z",
    "triangle": "M0-9L10 8H-10Z",
    "hexagon": "M-10 0L-5-8.7H5L10 0L5 8.7H-5Z",
    "star": "M0-10L2.4-3.2L9.5-3.1L3.8 1.2L5.9 8.1L0 4L-5.9 8.1L-3.8 1.2L-9.5-3.1L-2.4-3.2Z",
    "cross": "M-3-10H3V-3H10V3H3V10H-3V3H-10V-3H-3Z",
    "slash": "M-10 7L7-10L10-7L-7 10Z",
    "arrow": "M0-10L8-1H3V10H-3V-1H-8Z",
    "shield": "M-9-9H9V0Q9 7 0 10Q-9 7-9 0Z",
    "tower": "M-9-10H-5V-7H-2V-10H2V-7H5V-10H9V-3H6V10H-6V-3H-9Z",
    "house": "M0-10L10-1H7V10H-7V-1H-10Z",
    "flag": "M-7-10H-5V-9L8-5L-5 0V10H-7Z",
    "tree": "M0-10L7 0H4L9 6H2V10H-2V6H-9L-4 0H-7Z",
    "peak": "M-10 9L-2-6H2L10 9Z",
    "flame": "M-2-6Q0-13-2-16Q5-12 2-6Z",
    "wave": "M-10 2Q-7-4-3 0T4 0T10-2V3Q7 6 4 4T-3 4T-10 6Z",
    "hull": "M-10 1H10L6 9H-6ZM-1-10L7-1H-1Z",
}  # fmt: skip

FREE, SQUARES, HEXES, GRAPH = "free", "squares", "hexes", "graph"
LAYOUTS = (FREE, SQUARES, HEXES, GRAPH)
GRIDS = (SQUARES, HEXES)
# Which columns or rows of hexes lie half a hex farther. The usual numbering of war games comes
# first: it is taken where nothing speaks for another.
SHIFTS = ("even_columns", "odd_columns", "odd_rows", "even_rows", "every_column", "every_row")

_PATH = re.compile(r"M[MmLlHhVvCcSsQqTtAaZz0-9 ,.+-]{3,1999}")
_COLOUR = re.compile(r"#(?:[0-9A-Fa-f]{3}){1,2}")


def is_path(text: str) -> bool:
    """Whether a text is an SVG path, and nothing that could be anything else in a picture."""
    return bool(_PATH.fullmatch(text))


def is_colour(text: str) -> bool:
    """`#7da35f` or `#7a5`; the empty text stands for no colour."""
    return not text or bool(_COLOUR.fullmatch(text))
