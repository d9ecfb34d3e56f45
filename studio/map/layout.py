"""Where the places of a board lie: as its pack says, or as its data lets one guess.

A pack that says nothing is looked at for fields `x` and `y`, for columns and rows in fields or in
the names of places (`c4`, `h0305`), and at last only for neighbours.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import attrs

from ziggurat import Facts, Ruleset, ir, symbols, walk
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
    points = finder.points() if declared.layout in ("", symbols.FREE) else None
    if points is not None:
        _refuse_twins(kind.id, points, "the same point")
        return Laid(spread_out(ids, near, points))
    cells = finder.cells() if declared.layout in ("", *symbols.GRIDS) else {}
    if cells:
        _refuse_twins(kind.id, cells, "the same column and row")
        return _on_grid(grid.form(declared.layout, declared.shifted, cells, near), cells)
    if declared.layout in ("", symbols.GRAPH):
        return Laid(spread_out(ids, near))
    raise NoBoardError(finder.nowhere())


def _on_grid(form: grid.Form, cells: dict[str, Cell]) -> Laid:
    at = {id_: grid.middle(form, cell) for id_, cell in cells.items()}
    return Laid(at, {id_: grid.corners(form, at[id_]) for id_ in cells})


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

    def points(self) -> dict[str, Point] | None:
        """Return the points of the places that have one, or None if nothing gives them points."""
        if self.declared.position:
            found = self._told(self._with_any(_fields_in(self.declared.position)))
        else:
            found = self._in_fields(PLANE, self._with_any(PLANE[0]))
            if not found:
                return None
        return {id_: (float(x), float(y)) for id_, (x, y) in found.items()}

    def _with_any(self, fields: Collection[str]) -> list[str]:
        """Return the places that give any of these fields a value; without fields, all places."""
        things = self.facts.ruleset.things[self.kind.id]
        return [
            id_
            for id_ in self.ids
            if not fields or any(one.field in fields for one in things[id_].values)
        ]

    def cells(self) -> dict[str, Cell]:
        """Columns and rows, or nothing when the places do not say."""
        if self.declared.position:
            return self._told(self.ids)
        return self._in_fields(GRID, self.ids) or self._in_names()

    def nowhere(self) -> str:
        """A sentence about the first place of which nobody knows where it lies."""
        first = next((id_ for id_ in self.ids if _in_name(id_) is None), self.ids[0])
        wanted = "x and y" if self.declared.layout == symbols.FREE else "column and row"
        return (
            f"`{self.kind.id} {first}` cannot be drawn, because nothing says where it lies:"
            f" add `at: …, …` with its {wanted} to the map, or take its `layout` away."
        )

    def _told(self, ids: Iterable[str]) -> dict[str, Cell]:
        across, down = self.declared.position
        return {id_: (self._number(across, id_), self._number(down, id_)) for id_ in ids}

    def _number(self, expr: ir.Expr, id_: str) -> int:
        found = self.facts.read(expr, self.kind.id, id_)
        if not isinstance(found, int):
            raise NoBoardError(
                f"`{self.kind.id} {id_}` cannot be drawn: one of the two numbers that say where it"
                " lies is none."
            )
        return found

    def _in_fields(self, pairs: tuple[tuple[str, str], ...], ids: Iterable[str]) -> dict[str, Cell]:
        names = {field.name for field in self.kind.fields if field.type.name == "int"}
        pair = next((pair for pair in pairs if names.issuperset(pair)), None)
        if pair is None:
            return {}
        things = self.facts.ruleset.things[self.kind.id]
        given = {id_: {one.field: one.value for one in things[id_].values} for id_ in ids}
        found = {id_: (one.get(pair[0]) or 0, one.get(pair[1]) or 0) for id_, one in given.items()}
        distinct = len(set(found.values())) == len(found)
        return found if distinct or self.declared.layout else {}

    def _in_names(self) -> dict[str, Cell]:
        found = dict(self._read_names())
        return found if len(found) == len(self.ids) == len(set(found.values())) else {}

    def _read_names(self) -> Iterator[tuple[str, Cell]]:
        for id_ in self.ids:
            cell = _in_name(id_)
            if cell is not None:
                yield id_, cell


def _fields_in(exprs: Iterable[ir.Expr]) -> frozenset[str]:
    """Return the fields that expressions read."""
    return frozenset(part.field for part in walk(exprs) if isinstance(part, ir.FieldOf))


def _in_name(id_: str) -> Cell | None:
    """Column and row in a name: `h0305`, `hex_3_5`, `c4`."""
    numbered = _NUMBERED.fullmatch(id_)
    if numbered:
        column, row = (int(part) for part in numbered.groups() if part is not None)
        return column, row
    lettered = _LETTERED.fullmatch(id_)
    return (ord(lettered[1]) - ord("a") + 1, int(lettered[2])) if lettered else None
