"""The board as text: places by region, with what stands there, in columns."""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ziggurat import Game, ir
from ziggurat.studio.language import tr
from ziggurat.studio.map.board import only_drawn
from ziggurat.studio.play.naming import COPIES, Choice, Names, numbers_of
from ziggurat.studio.play.shown import Figure, Shown

GAP = 3
FEW, STEPS = 3, 6
COVERED = "?"  # instead of the letters of a piece that lies covered


class Board:
    """What one seat sees of the board now."""

    def __init__(self, game: Game, seat: str, names: Names) -> None:
        self.moment = names.moment
        self.names = names
        self.seat = seat
        self.ruleset = game.ruleset
        self.drawn = tuple(only_drawn(self.ruleset))
        self.place_kinds = self.moment.kinds("place")
        self.seat_kinds = self.moment.kinds("seat")
        covered = {one.of: COVERED for one in self.ruleset.covers.values()}
        self.shown = Shown(game, seat)
        self.short = abbreviations(list(self.ruleset.pieces)) | covered
        self._standing = pieces_by_place(game.view(seat, log=False)["pieces"])

    # ---- one place

    def standing(self, place: str) -> str:
        """Who has what in a place: `you 3t 1c, Hatti 2t`."""
        here = self._standing.get(place, {})
        owners = sorted(here, key=lambda owner: owner != self.seat)
        return ", ".join(f"{self._called(owner)} {self._pieces(here[owner])}" for owner in owners)

    def own(self, place: str) -> str:
        """What the seat itself has in a place, in full words."""
        here = self._standing.get(place, {}).get(self.seat, {})
        return ", ".join(
            f"{number} {piece}{_turned(states)}" for piece, (number, states) in here.items()
        )

    def cell(self, thing: ir.Thing) -> str:
        numbers = numbers_of(self.moment, thing, self.drawn)
        title = f"{thing.title or thing.id}{f' ({numbers})' if numbers else ''}"
        return f"{title} {self.standing(thing.id)}".rstrip()

    def label(self, one: Choice, type_: ir.Type) -> str:
        """An option; a place with what stands there, another thing with its numbers. What the packs
        show of it to the seat stands behind it."""
        told = " · ".join(figure.text for figure in self._figures(one.value, type_))
        return f"{self._named(one, type_)}{f': {told}' if told else ''}"

    def _named(self, one: Choice, type_: ir.Type) -> str:
        things = self.ruleset.things.get(type_.name, {})
        if one.value not in things:
            return one.label
        thing = things[one.value]
        return self.cell(thing) if type_.name in self.place_kinds else self.names.thing(thing)

    def _figures(self, value: Any, type_: ir.Type) -> list[Figure]:
        if value is None or type_.name not in (
            "player", *self.ruleset.kinds, *self.ruleset.cards
        ):  # fmt: skip
            return []
        if type_.name in self.ruleset.cards:
            face = self.moment.face(value)
            return self.shown.of(face.kind, face.id)
        return self.shown.of(type_.name, value)

    def detail(self, place: str) -> RenderableType:
        """Everything about one place: its fields, its neighbours and what stands there."""
        thing = next(thing for thing in self._places() if thing.id == place)
        lines = [self.standing(place) or tr("nobody is here")]
        facts = []
        for field in self.ruleset.kinds[thing.kind].fields:
            told = self._fact(thing, field)
            if told and field.type.name == "set":
                lines.append(f"{word(field.name)}: {told}")
            elif told:
                facts.append(told)
        if facts:
            lines.insert(0, ", ".join(facts))
        title = Text(thing.title or thing.id, style="bold")
        return Group(title, *map(indented, lines), self.legend())

    def _fact(self, thing: ir.Thing, field: ir.Field) -> str:
        value = self.moment.field(thing, field.name)
        item = field.type.item
        if not value or field.name in self.drawn:
            return ""
        if field.type.name == "bool":
            return word(field.name)
        if field.type.name == "int":
            return f"{word(field.name)} {value}"
        if field.type.name in self.ruleset.kinds:
            found = self.moment.thing(field.type.name, value)
            return f"{word(field.name)} {found.title or found.id}"
        if field.type.name == "set" and item is not None and item.name in self.ruleset.kinds:
            return ", ".join(self.cell(self.moment.thing(item.name, one)) for one in value)
        return ""

    # ---- the whole board

    def render(self, width: int, everything: bool = False) -> RenderableType:
        parts: list[RenderableType] = []
        cells: dict[str, list[str]] = {}
        home = self.home()
        for region, thing in self._by_region():
            if everything or thing.id in self._standing or (region and region == home):
                cells.setdefault(region, []).append(self.cell(thing))
        for region, found in cells.items():
            title = self._title(region)
            if title:
                parts.append(Text(title, style="bold"))
            rows = columns(found, width - 2)
            parts += [Text(f"  {row}" if title else row) for row in rows]
        if not cells:
            has_board = bool(self.place_kinds)
            told = tr("Nothing stands on the board yet.") if has_board else tr("There is no board.")
            parts.append(Text(told))
        return Group(*parts, self.legend())

    def mine(self, width: int, legend: bool = True) -> RenderableType | None:
        """The places where the seat has pieces."""
        places = (one for one in self._places() if self.seat in self._standing.get(one.id, {}))
        own = sorted(self.cell(thing) for thing in places)
        rows = [Text(f"  {row}") for row in columns(own, width - 2)]
        return Group(*rows, *([self.legend()] if legend else [])) if own else None

    def legend(self) -> Text:
        """What the letters and the numbers in brackets mean."""
        covered = tr("covered") + " "
        told = [
            f"{short} {covered if short == COVERED else ''}{piece}"
            for piece, short in self.short.items()
            if short != piece
        ]
        told += filter(None, map(self.brackets, self.place_kinds))
        return Text("  " + " · ".join(told), style="dim")

    def brackets(self, kind: str) -> str:
        """What the numbers behind the things of a kind are."""
        fields = self.ruleset.kinds[kind].fields if kind in self.ruleset.kinds else ()
        skip = (*self.drawn, COPIES)
        told = [word(f.name) for f in fields if f.type.name == "int" and f.name not in skip]
        return f"({'/'.join(told)})" if told else ""

    def home(self) -> str:
        return self.names.alias(self.seat)

    def _places(self) -> Iterator[ir.Thing]:
        for kind in self.place_kinds:
            yield from self.moment.things(kind)

    def _by_region(self) -> list[tuple[str, ir.Thing]]:
        """All places, each with the id of its region; the seat's own region comes first."""
        found = []
        for thing in self._places():
            field = self._region_field(thing.kind)
            region = self.moment.field(thing, field) if field else None
            found.append((region or "", thing))
        home = self.home()
        found.sort(key=lambda one: (one[0] != home, not one[0], one[0], one[1].title or one[1].id))
        return found

    def _region_field(self, kind: str) -> str:
        """The field of a place that says whose region it is."""
        fields = self.ruleset.kinds[kind].fields
        found = (field.name for field in fields if field.type.name in self.seat_kinds)
        return next(found, "")

    def _title(self, region: str) -> str:
        for kind in self.seat_kinds:
            if region in self.ruleset.things.get(kind, {}):
                return self.ruleset.things[kind][region].title or region
        return tr("Elsewhere") if any(map(self._region_field, self.place_kinds)) else ""

    # ---- pieces

    def _called(self, owner: str) -> str:
        return tr("you") if owner == self.seat else self.names.owner(owner)

    def _pieces(self, here: dict[str, tuple[int, dict[str, int]]]) -> str:
        return " ".join(
            f"{number}{self.short[piece]}{_turned(states)}"
            for piece, (number, states) in here.items()
        )


def _turned(states: dict[str, int]) -> str:
    """How many are in another state than the usual one."""
    told = ", ".join(f"{number} {state}" for state, number in states.items())
    return f" ({told})" if told else ""


Standing = dict[str, dict[str, dict[str, tuple[int, dict[str, int]]]]]


def pieces_by_place(pieces: dict[str, dict[str, dict[str, int]]]) -> Standing:
    """By place, owner and kind of piece: how many, and how many in which state but the first."""
    out: Standing = {}
    usual: dict[str, str] = {}
    for label, owners in pieces.items():
        state, _, piece = label.rpartition(" ")
        for owner, places in owners.items():
            for place, number in places.items():
                here = out.setdefault(place, {}).setdefault(owner, {})
                if not state:
                    here[piece] = (number, {})
                elif usual.setdefault(piece, state) != state:
                    here[piece][1][state] = number
    return out


def abbreviations(names: Sequence[str]) -> dict[str, str]:
    """The shortest beginning of each name that no other name has."""
    out: dict[str, str] = {}
    for name in names:
        others = [other for other in names if other != name]
        sizes = range(1, len(name) + 1)
        fits = (n for n in sizes if not any(other.startswith(name[:n]) for other in others))
        out[name] = name[: next(fits, len(name))]
    return out


def indented(text: str, style: str = "") -> Padding:
    return Padding(Text(text, style=style), (0, 0, 0, 2), expand=False)


def hanging(head: str, text: str, width: int) -> list[str]:
    """Return a text in lines that begin below each other behind its head; below the head where
    there is no room beside it."""
    if len(head) + len(text) > width < 2 * len(head):
        return [head.rstrip(), *(f"      {line}" for line in wrap(text, width - 6))]
    rest = wrap(text, width - len(head)) or [""]
    return [f"{head}{rest[0]}".rstrip(), *(" " * len(head) + line for line in rest[1:])]


def word(name: str) -> str:
    return name.replace("_", " ")


def columns(cells: Sequence[str], width: int) -> list[str]:
    """Cells beside each other: columns to be read downwards, or rows if some are too long."""
    if not cells:
        return []
    wide = max(map(len, cells)) + GAP
    number = (width + GAP) // wide
    if number < FEW and len(cells) > 1:
        return _rows(cells, width)
    height = -(-len(cells) // max(1, number))
    rows = [cells[row::height] for row in range(height)]
    return ["".join(cell.ljust(wide) for cell in row).rstrip() for row in rows]


def _rows(cells: Sequence[str], width: int) -> list[str]:
    """Row after row; a cell is as wide as it needs, in steps, so that many begin at one column."""
    step = (width + GAP) // STEPS
    rows: list[str] = [""]
    for cell in cells:
        taken = -(-len(rows[-1]) // step) * step
        if rows[-1] and taken + len(cell) > width:
            rows.append("")
            taken = 0
        rows[-1] = rows[-1].ljust(taken) + cell + " " * GAP
    return [row.rstrip() for row in rows]


def numbered(labels: Sequence[tuple[Any, str]], width: int) -> list[str]:
    """Options with the number each is chosen by."""
    size = max((len(str(number)) for number, _ in labels), default=1)
    return columns([f"{number!s:>{size}}  {label}" for number, label in labels], width - 2)
