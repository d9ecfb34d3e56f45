"""Squares and hexes: where a column and a row lie, and the corners of a cell.

Hexes whose columns are shifted stand on a side, those whose rows are shifted on a point. Where a
pack does not say what is shifted, its neighbours do: the form in which most of them meet is taken.
"""

import math
from collections.abc import Mapping

import attrs

from ziggurat import symbols

Point = tuple[float, float]
Cell = tuple[int, int]

RADIUS = 40.0  # of a hex; a square is as large


@attrs.frozen
class Form:
    """What a grid is made of; `shifted` is empty for squares."""

    shifted: str = ""

    @property
    def in_columns(self) -> bool:
        return self.shifted.endswith(("column", "columns"))


def form(
    layout: str, shifted: str, cells: Mapping[str, Cell], near: Mapping[str, tuple[str, ...]]
) -> Form:
    """The form a pack declares, or the one in which most neighbours meet."""
    if shifted:
        return Form(shifted)
    hexes = [Form(shift) for shift in symbols.SHIFTS]
    forms = {symbols.SQUARES: [Form()], symbols.HEXES: hexes}.get(layout, [Form(), *hexes])
    pairs = [
        (cells[id_], cells[other]) for id_, others in near.items() for other in others
        if other in cells
    ]  # fmt: skip
    return max(forms, key=lambda one: sum(_meet(one, a, b) for a, b in pairs))


def _meet(one: Form, a: Cell, b: Cell) -> int:
    """2 for cells that share a side, 1 for squares that share but a corner."""
    distance = math.dist(middle(one, a), middle(one, b)) / RADIUS
    if distance < (1.8 if one.shifted else 1.5):
        return 2
    return 1 if not one.shifted and distance < 2.1 else 0


def middle(one: Form, cell: Cell) -> Point:
    column, row = cell
    if not one.shifted:
        side = RADIUS * 2**0.5
        return column * side, row * side
    wide, high = 1.5 * RADIUS, 3**0.5 * RADIUS
    if one.in_columns:
        return column * wide, (row + _shift(one.shifted, column)) * high
    return (column + _shift(one.shifted, row)) * high, row * wide


def _shift(shifted: str, number: int) -> float:
    if shifted.startswith("every"):
        return number / 2
    return 0.5 if (number % 2 == 1) == shifted.startswith("odd") else 0.0


def corners(one: Form, at: Point) -> tuple[Point, ...]:
    """The corners of a cell in their order; those of neighbours are the same to a hundredth."""
    if not one.shifted:
        start, number = 45, 4
    else:
        start, number = (0, 6) if one.in_columns else (30, 6)
    angles = (math.radians(start + 360 / number * k) for k in range(number))
    return tuple(
        (round(at[0] + RADIUS * math.cos(a), 2), round(at[1] + RADIUS * math.sin(a), 2))
        for a in angles
    )
