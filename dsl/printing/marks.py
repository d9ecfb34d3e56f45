"""Maps and marks in words."""

from typing import TYPE_CHECKING

from ziggurat.dsl.ir import BoardMap, Expr, Mark
from ziggurat.dsl.printing.layout import Line, quoted
from ziggurat.dsl.symbols import SYMBOLS

if TYPE_CHECKING:
    from ziggurat.dsl.printing.declarations import Declarations

_SORTS = {"place": "kind", "seat": "kind", "piece": "piece", "neutral": "neutral"}


def map_lines(told: "Declarations", one: BoardMap) -> list[Line]:
    rows = {
        "layout": one.layout,
        "shifted": one.shifted,
        "at": _listed(told, *one.position),
        "water": _listed(told, one.water),
        "borders": ", ".join(one.borders),
        "crossings": ", ".join(one.crossings),
    }
    name = told.teller.lexicon.name
    head = f"map {name('map', one.id)}{told.title(one.title)} of {name('kind', one.of)}"
    return told.block(head, one, _rows(rows), 0)


def mark_lines(told: "Declarations", one: Mark) -> list[Line]:
    rows = {
        "fill": _listed(told, one.fill),
        "hatch": _listed(told, one.hatch),
        "line": _listed(told, one.line),
        "symbol": ", ".join(s if s in SYMBOLS else quoted(s) for s in one.symbols),
        "colour": _listed(told, *one.colours),
        "ink": _listed(told, one.ink),
        "letter": _listed(told, one.letter),
        "size": str(one.size or ""),
    }
    name = told.teller.lexicon.name
    head = f"mark {name('mark', one.id)}{told.title(one.title)} of {name(_SORTS[one.sort], one.of)}"
    shows = f" = {told.teller.tell(one.shows)}" if one.shows is not None else ""
    return told.block(head + shows, one, _rows(rows), 0)


def _listed(told: "Declarations", *parts: Expr | None) -> str:
    return ", ".join(told.teller.tell(part) for part in parts if part is not None)


def _rows(rows: dict[str, str]) -> list[Line]:
    return [Line(1, f"{word}: {text}") for word, text in rows.items() if text]
