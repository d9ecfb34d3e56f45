"""Maps and marks: what packs declare about pictures of their board. None of it changes a game.

A `map` says where the places of a kind lie and what is water; a `mark` what something looks like:
a place (by what is true of it), a piece, whoever plays a thing, or a neutral owner.
"""

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.nodes import NO_META, At, Expr, Meta, at_field


@form("declaration")
@attrs.frozen
class BoardMap:
    """How the places of a kind are laid out in pictures. layout: free, squares, hexes or graph;
    `position` has two numbers, or none. `borders` and `crossings` are fields with neighbours."""

    id: str
    title: str
    of: str
    layout: str = ""
    shifted: str = ""
    position: tuple[Expr, ...] = ()
    water: Expr | None = None
    borders: tuple[str, ...] = ()
    crossings: tuple[str, ...] = ()
    meta: Meta = NO_META
    at: At = at_field()


@form("declaration")
@attrs.frozen
class Mark:
    """How something looks on a map. sort: place, piece, seat, neutral or owner; `of` is its name.
    `shows` is yes or no, a number, a text, a thing or an owner; colours are texts: "#7da35f".
    """

    id: str
    title: str
    sort: str
    of: str
    shows: Expr | None = None
    fill: Expr | None = None
    hatch: Expr | None = None
    line: Expr | None = None
    symbols: tuple[str, ...] = ()
    colours: tuple[Expr, ...] = ()
    ink: Expr | None = None
    letter: Expr | None = None
    size: int = 0
    meta: Meta = NO_META
    at: At = at_field()
