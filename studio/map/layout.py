"""Where the places of a board lie: as its pack says, or as its data lets one guess.

A pack that says nothing is looked at for fields `x` and `y`, for columns and rows in fields or in
the names of places (`c4`, `h0305`), and at last only for neighbours.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from ziggurat import Facts, Ruleset, ir
from ziggurat.studio.map import grid
from ziggurat.studio.map.graph import spread_out
from ziggurat.studio.map.grid import Cell, Point

PLANE = (("x", "y"),)
GRID = (("column", "row"), ("col", "row"), ("q", "r"))
_NUMBERED = re.compile(r"[a-z_]*?(\d\d)_?(\d\d)|[a-z_]*?(\d+)_(\d+)")
_LETTERED = re.compile(r"([a-z])(\d+)")

Neighbours = Mapping[str, tuple[str, ...]]


class NoBoardError(Exception):
    """There is nothing to draw a map of; the text says what is missing, and where."""


@attrs.frozen
class Laid:
    """Where each place lies; on a grid also the corners of its square or hex."""

    at: dict[str, Point]
    cells: dict[str, tuple[Point, ...]] = attrs.field(factory=dict)


def lay_out(
    ruleset: Ruleset, kind: ir.Kind, declared: ir.BoardMap, facts: Facts, near: Neighbours
) -> Laid:
    """The places of the board, at their places."""
    ids = list(ruleset.things.get(kind.id, {}))
    if not ids:
        raise NoBoardError(
            f"this ruleset has no {kind.plural or kind.id}, so nothing can be drawn."
        )
    finder = _Finder(kind, declared, facts, ids)
    if declared.layout in ("", "free"):
        found = finder.points()
        if found or declared.layout:
            return Laid(_apart(kind.id, found) if found else finder.nowhere("x and y"))
    if declared.layout != "graph":
        cells = finder.cells()
        if cells:
            form = grid.form(declared.layout, declared.shifted, cells, near)
            return _on_grid(form, _one_each(kind.id, cells))
        if declared.layout:
            finder.nowhere("column and row")
    return Laid(spread_out(ids, near))


def _on_grid(form: grid.Form, cells: dict[str, Cell]) -> Laid:
    at = {id_: grid.middle(form, cell) for id_, cell in cells.items()}
    return Laid(at, {id_: grid.corners(form, at[id_]) for id_ in cells})


def _apart(kind: str, points: dict[str, Point]) -> dict[str, Point]:
    _refuse_twins(kind, points, "the same point")
    return points


def _one_each(kind: str, cells: dict[str, Cell]) -> dict[str, Cell]:
    _refuse_twins(kind, cells, "the same column and row")
    return cells


def _refuse_twins(kind: str, where: Mapping[str, Any], what: str) -> None:
    taken: dict[Any, str] = {}
    for id_, place in where.items():
        other = taken.setdefault(place, id_)
        if other != id_:
            told = ", ".join(f"{number:g}" for number in place)
            raise NoBoardError(
                f"`{kind} {id_}` cannot be drawn: it has {what} as `{kind} {other}` ({told})."
            )


class _Finder:
    """Looks for the two numbers that say where a place lies."""

    def __init__(self, kind: ir.Kind, declared: ir.BoardMap, facts: Facts, ids: list[str]) -> None:
        self.kind = kind
        self.declared = declared
        self.facts = facts
        self.ids = ids

    def points(self) -> dict[str, Point]:
        """Points of the plane, or nothing when the places do not say."""
        if self.declared.layout in ("", "free") and self.declared.position:
            return {id_: (float(x), float(y)) for id_, (x, y) in self._told().items()}
        found = self._in_fields(PLANE)
        guessed = len(set(found.values())) == len(self.ids) or self.declared.layout
        return {id_: (float(x), float(y)) for id_, (x, y) in found.items()} if guessed else {}

    def cells(self) -> dict[str, Cell]:
        """Columns and rows, or nothing when the places do not say."""
        if self.declared.position:
            return self._told()
        found = self._in_fields(GRID)
        guessed = len(set(found.values())) == len(self.ids) or self.declared.layout
        return found if found and guessed else self._in_names()

    def nowhere(self, wanted: str) -> Any:
        """Complain about the first place of which nobody knows where it lies."""
        hint = f"add `at: …, …` with its {wanted} to the map"
        raise NoBoardError(
            f"`{self.kind.id} {self._first_nameless()}` cannot be drawn, because nothing says where"
            f" it lies: {hint}, or take its `layout` away."
        )

    def _first_nameless(self) -> str:
        return next((id_ for id_ in self.ids if _in_name(id_) is None), self.ids[0])

    def _told(self) -> dict[str, Cell]:
        across, down = self.declared.position
        return {id_: (self._number(across, id_), self._number(down, id_)) for id_ in self.ids}

    def _number(self, expr: ir.Expr, id_: str) -> int:
        found = self.facts.read(expr, self.kind.id, id_)
        if not isinstance(found, int):
            raise NoBoardError(
                f"`{self.kind.id} {id_}` cannot be drawn: one of the two numbers that say where it"
                " lies is none."
            )
        return found

    def _in_fields(self, pairs: tuple[tuple[str, str], ...]) -> dict[str, Cell]:
        names = {field.name for field in self.kind.fields if field.type.name == "int"}
        pair = next((pair for pair in pairs if names.issuperset(pair)), None)
        if pair is None:
            return {}
        things = self.facts.ruleset.things[self.kind.id]
        given = {
            id_: {one.field: one.value for one in thing.values} for id_, thing in things.items()
        }
        return {
            id_: (data.get(pair[0]) or 0, data.get(pair[1]) or 0) for id_, data in given.items()
        }

    def _in_names(self) -> dict[str, Cell]:
        found = dict(self._read_names())
        return found if len(found) == len(self.ids) == len(set(found.values())) else {}

    def _read_names(self) -> Iterator[tuple[str, Cell]]:
        for id_ in self.ids:
            cell = _in_name(id_)
            if cell is not None:
                yield id_, cell


def _in_name(id_: str) -> Cell | None:
    """Column and row in a name: `h0305`, `hex_3_5`, `c4`."""
    numbered = _NUMBERED.fullmatch(id_)
    if numbered:
        column, row = (int(part) for part in numbered.groups() if part is not None)
        return column, row
    lettered = _LETTERED.fullmatch(id_)
    return (ord(lettered[1]) - ord("a") + 1, int(lettered[2])) if lettered else None
