"""The fixed layout of one game: which integer stands for what.

A state is a handful of flat arrays, so that copying one takes microseconds. This module decides
what each number in them means; it never changes during a game. Conventions, shared by the compiled
rules and the reference evaluator:

- players are 0..n-1 in seat order, neutral owners follow;
- things have global ids, the kinds with the role `place` first, so that an area's id is also its
  place index (0..A-1); every other place for pieces has an index in A..Q-1, the last is the box;
- cards are numbered family by family; `face[card]` is the thing on it;
- `none` is Python's None, a range is `range(low, high + 1)`, a set is a sorted tuple without none,
  a list a tuple, a map a dict; what is read through none, and a missing key of a map, is blank.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ziggurat.runtime.kernel.evaluator import Evaluator
from ziggurat.runtime.kernel.layout import PieceRows, Pile, Seat, Slots
from ziggurat.runtime.kernel.names import Names
from ziggurat.runtime.kernel.nodes import Expr, Type, blank

if TYPE_CHECKING:
    from ziggurat.runtime.kernel.forms.kinds import Field, Thing
    from ziggurat.runtime.kernel.ruleset import Ruleset

__all__ = [
    "BOX",
    "NOBODY",
    "ONLOOKER",
    "SEAT_ATTRIBUTE",
    "PieceRows",
    "Pile",
    "Seat",
    "Slots",
    "Table",
]

BOX = "box"
SEAT_ATTRIBUTE = "player."
ONLOOKER, NOBODY = "", -1  # the seat of whoever only looks on: its name, its number


class Table:
    """Everything about a game that its rules, options and seats settle before it begins."""

    def __init__(
        self,
        ruleset: Ruleset,
        seats: Sequence[Seat | str],
        options: Mapping[str, Any] | None = None,
        things: Iterable[Thing] = (),
    ) -> None:
        self.ruleset = ruleset
        self._lay_things(things)
        self._seat(seats)
        self.options = self._settle(options or {})
        self._lay_fields()
        self._lay_cards()
        self._lay_pieces()
        self._lay_attributes()

    # ---- things, owners, options

    def _lay_things(self, overrides: Iterable[Thing]) -> None:
        replaced: dict[str, dict[str, Thing]] = {}
        for thing in overrides:
            replaced.setdefault(thing.kind, {})[thing.id] = thing
        kinds = sorted(self.ruleset.kinds.values(), key=lambda kind: "place" not in kind.roles)
        self.things: list[Thing] = []
        self.kind_range: dict[str, range] = {}
        for kind in kinds:
            own = replaced.get(kind.id) or self.ruleset.things.get(kind.id, {})
            start = len(self.things)
            self.things.extend(own.values())
            self.kind_range[kind.id] = range(start, len(self.things))
        ids = {(thing.kind, thing.id): index for index, thing in enumerate(self.things)}
        self.thing_ids = Names("thing", ids)
        self.kind_of = [thing.kind for thing in self.things]
        self.place_kinds = [kind.id for kind in kinds if "place" in kind.roles]
        self.A = sum(len(self.kind_range[kind]) for kind in self.place_kinds)
        holdable = [
            index
            for kind in kinds
            if "holdable" in kind.roles
            for index in self.kind_range[kind.id]
        ]
        self.holdable = tuple(holdable)
        self.bit: dict[int, int] = {thing: 1 << n for n, thing in enumerate(holdable)}

    def _seat(self, seats: Sequence[Seat | str]) -> None:
        kinds = [kind.id for kind in self.ruleset.kinds.values() if "seat" in kind.roles]
        self.seat_kinds = tuple(kinds)
        self.playable = [thing.id for thing in self.things if thing.kind in kinds]
        full = [
            seat if isinstance(seat, Seat) else Seat(seat, seat if seat in self.playable else None)
            for seat in seats
        ]
        names = [seat.name for seat in full]
        if len(set(names)) != len(names):
            raise ValueError("Two seats have the same name.")
        self.seats = tuple(full)
        self.players = range(len(full))
        self.owner_names = names + [n for n in self.ruleset.neutrals if n not in names]
        self.owners = range(len(self.owner_names))
        numbers = {name: index for index, name in enumerate(self.owner_names)}
        self.owner_ids = Names("player", numbers)

    def is_piece(self, thing: Thing) -> bool:
        """Whether a thing is a piece as well."""
        return "piece" in self.ruleset.kinds[thing.kind].roles

    def owner_of(self, thing: int) -> int | None:
        """The owner that a thing is."""
        one = self.things[thing]
        return self.owner_ids.get(one.id) if "owner" in self.ruleset.kinds[one.kind].roles else None

    def _settle(self, given: Mapping[str, Any]) -> dict[str, Any]:
        for name, value in given.items():
            option = self.ruleset.options.get(name)
            if option is None:
                raise ValueError(f"There is no option called '{name}'.")
            if option.choices and value not in option.choices:
                raise ValueError(f"Option '{name}' cannot be {value!r}.")
        return {
            option.id: self.decode(given.get(option.id, option.default), option.type)
            for option in self.ruleset.options.values()
        }

    # ---- plain data of the ruleset -> the numbers of this table

    def decode(self, value: Any, type_: Type) -> Any:
        """Plain data as the ruleset writes it, in this table's numbers; unknown things are none."""
        if value is None:
            return None
        name = type_.name
        if name in ("set", "list") and type_.item is not None:
            members = [self.decode(member, type_.item) for member in value]
            known = [member for member in members if member is not None]
            return tuple(known) if name == "list" else tuple(sorted(set(known)))
        if name == "map" and type_.key is not None and type_.item is not None:
            pairs = value.items() if isinstance(value, Mapping) else value
            decoded = ((self.decode(k, type_.key), self.decode(v, type_.item)) for k, v in pairs)
            return {key: item for key, item in decoded if key is not None}
        if name == "range":
            return value if isinstance(value, range) else range(value[0], value[1] + 1)
        if name in ("int", "bool", "text"):
            return int(value) if name == "bool" else value
        if not isinstance(value, str):
            return value
        if name in ("player", "owner"):
            return self.owner_ids.get(value.rpartition(".")[2])
        return self.thing_ids.get((name, value.rpartition(".")[2]))

    def constant(self, expr: Expr) -> Any:
        """Return the value of an expression without state: defaults of fields and attributes."""
        return Evaluator(self).constant(expr)

    def everything(self, of: str) -> range:
        """All ids of a kind, a card family, `players` or `owners`."""
        if of in ("players", "player"):
            return self.players
        if of in ("owners", "owner"):
            return self.owners
        return self.kind_range[of] if of in self.kind_range else self.families[of]

    def keepers(self, of: str) -> range:
        """Who has a pile or an attribute. What players have neutral owners have too, unused:
        what owners and what players have is found alike."""
        return self.owners if of == "player" else self.everything(of)

    # ---- fields and cards

    def _lay_fields(self) -> None:
        self.fields: dict[tuple[str, str], list[Any]] = {}
        for kind in self.ruleset.kinds.values():
            for field in kind.fields:
                default = self.field_default(field)
                column = [default] * len(self.things)
                for index in self.kind_range[kind.id]:
                    for given in self.things[index].values:
                        if given.field == field.name:
                            column[index] = self.decode(given.value, field.type)
                self.fields[kind.id, field.name] = column

    def field_default(self, field: Field) -> Any:
        """What a thing without the field, or of another kind, has there."""
        if field.default is None:
            return blank(field.type)
        value = self.constant(field.default)
        return {} if field.type.name == "map" and not value else value

    def _lay_cards(self) -> None:
        self.face: list[int] = []
        self.copy_number: list[int] = []
        self.families: dict[str, range] = {}
        for family in self.ruleset.cards.values():
            start = len(self.face)
            for kind in family.faces:
                copies = self.fields.get((kind, "copies"))
                for thing in self.kind_range[kind]:
                    number = copies[thing] if copies else 1
                    self.face.extend([thing] * number)
                    self.copy_number.extend(range(1, number + 1))
            self.families[family.id] = range(start, len(self.face))
        self.piles: list[Pile] = [Pile(BOX, None, "table", "hidden")]
        self.pile_base: dict[str, int] = {BOX: 0}
        for place in self.ruleset.places.values():
            if place.cards:
                keys: Iterable[int | None]
                keys = (None,) if place.of == "table" else self.keepers(place.of)
                ids = list(keys)
                first = ids[0] if ids and ids[0] is not None else 0
                self.pile_base[place.id] = len(self.piles) - first
                look = place.of, place.seen, place.counted
                self.piles.extend(Pile(place.id, key, *look) for key in ids)

    def pile(self, place: str, key: int | None = None) -> int:
        """The index of a pile; `pile_base[place] + key` for places that somebody has."""
        return self.pile_base[place] + (key or 0)

    # ---- pieces

    def _lay_pieces(self) -> None:
        names = [place.id for place in self.ruleset.places.values() if not place.cards]
        if BOX not in names:
            names.append(BOX)
        self.place_ids = {name: self.A + index for index, name in enumerate(names)}
        self.Q = self.A + len(names)
        block = len(self.owners) * self.Q
        self.rows: dict[str, PieceRows] = {}
        size = 0
        for piece in self.ruleset.pieces.values():
            states = {state: size + (n + 1) * block for n, state in enumerate(piece.states)}
            home = self.place_ids[piece.home or BOX]
            default = piece.states[0] if piece.states else None
            sums = size // block * self.Q
            state_sums = {state: sums + (n + 1) * self.Q for n, state in enumerate(states)}
            self.rows[piece.id] = PieceRows(piece.id, home, size, states, default, sums, state_sums)
            size += block * (1 + len(states))
        self.cells = size
        covers = self.ruleset.covers.values()
        self.covers = tuple(one for one in covers if self.options.get(one.option, True))
        self.covered = frozenset(one.of for one in self.covers)
        self.supply = {
            piece.id: [piece.supply] * len(self.players)
            + [dict(n.supply).get(piece.id, 0) for n in self.ruleset.neutrals.values()]
            for piece in self.ruleset.pieces.values()
        }
        most = max((max(row, default=0) for row in self.supply.values()), default=0)
        self.typecode = "B" if most < 256 else "h"  # the linker allows far fewer than 32,768

    def start_pieces(self) -> array[int]:
        """All pieces at home, in their default state."""
        cells = array(self.typecode, bytes(self.cells * array(self.typecode).itemsize))
        for rows in self.rows.values():
            for owner in self.owners:
                at = owner * self.Q + rows.home
                number = self.supply[rows.id][owner]
                cells[rows.total + at] = number
                if rows.default is not None:
                    cells[rows.states[rows.default] + at] = number
        return cells

    def totals(self, cells: array[int]) -> list[int]:
        """How many pieces of each kind each owner has, which never changes."""
        starts = [r.total + owner * self.Q for r in self.rows.values() for owner in self.owners]
        return [sum(cells[start : start + self.Q]) for start in starts]

    def sum_pieces(self, cells: array[int]) -> array[int]:
        """How many stand in each place, whoever owns them: a row for each block of the pieces."""
        block, width = len(self.owners) * self.Q, self.Q
        found = array("i")
        for start in range(0, self.cells, block):
            owned = (cells[at : at + width] for at in range(start, start + block, width))
            found.extend(map(sum, zip(*owned, strict=True)))
        return found

    # ---- attributes

    def _lay_attributes(self) -> None:
        self.attributes: dict[str, Slots] = {}
        self.attr_start: list[Any] = []
        self.ending: dict[str, dict[str, slice]] = {}
        for kind in self.seat_kinds:
            slots = Slots(
                SEAT_ATTRIBUTE + kind,
                len(self.attr_start),
                0,
                len(self.owners),
                None,
                of="player",
            )
            self.attributes[slots.id] = slots
            plays = ((kind, seat.plays or "") for seat in self.seats)
            self.attr_start.extend(self.thing_ids.get(key) for key in plays)
            self.attr_start.extend([None] * (len(self.owners) - len(self.players)))
        for attribute in self.ruleset.attributes.values():
            ids = range(1) if attribute.of == "table" else self.keepers(attribute.of)
            keys: tuple[int, ...] | None = None
            default = self.constant(attribute.default)
            type_ = attribute.type
            if type_.name == "map" and type_.key is not None and type_.item is not None:
                given = default if isinstance(default, dict) else {}
                one = [given]
                if type_.key.name not in ("int", "text", "bool"):
                    keys = tuple(self.everything(type_.key.name))
                    one = [given.get(key, blank(type_.item)) for key in keys]
            else:
                one = [blank(type_) if default is None and not type_.maybe else default]
            slots = Slots(
                attribute.id,
                len(self.attr_start),
                ids.start,
                len(ids),
                keys,
                attribute.lasts,
                attribute.secret,
                attribute.of,
                attribute.sees,
            )
            self.attributes[attribute.id] = slots
            self.attr_start.extend(one * len(ids))
            if attribute.lasts != "game":
                ending = slice(slots.base, len(self.attr_start))
                self.ending.setdefault(attribute.lasts, {})[attribute.id] = ending

    # ---- names at the edge

    def seat_number(self, name: str) -> int:
        """The number of a seat; that of nobody for an onlooker."""
        return NOBODY if name == ONLOOKER else self.owner_ids[name]

    def name(self, value: Any, type_: Type) -> Any:
        """A number of this table as plain data for people: ids of things, names of owners."""
        if value is None:
            return None
        if type_.name in ("set", "list") and type_.item is not None:
            return [self.name(member, type_.item) for member in value]
        if type_.name == "map" and type_.item is not None and type_.key is not None:
            return {self.name(k, type_.key): self.name(v, type_.item) for k, v in value.items()}
        if type_.name == "range":
            return [value.start, value.stop - 1]
        if type_.name in ("int", "text"):
            return value
        if type_.name == "bool":
            return bool(value)
        if type_.name in ("player", "owner"):
            return self.owner_names[value]
        if type_.name in self.families:
            return self.card_name(value)
        return self.things[value].id

    def card_name(self, card: int) -> str:
        """A card by its face and which copy it is: `ochre#2`."""
        return f"{self.things[self.face[card]].id}#{self.copy_number[card]}"

    def parse(self, value: Any, type_: Type) -> Any:
        """The inverse of `name`; raises KeyError or TypeError for what names nothing here."""
        if value is None:
            return None
        name = type_.name
        if name in ("set", "list") and type_.item is not None:
            if not isinstance(value, list | tuple | set | frozenset | range):
                raise TypeError(value)
            members = [self.parse(member, type_.item) for member in value]
            return tuple(sorted(set(members))) if name == "set" else tuple(members)
        if name == "map" and type_.item is not None and type_.key is not None:
            return {self.parse(k, type_.key): self.parse(v, type_.item) for k, v in value.items()}
        if name == "range":
            return range(value[0], value[1] + 1)
        if name == "bool":
            if isinstance(value, bool | int):
                return int(value)
            return {"yes": 1, "no": 0}[value]
        if name == "int" and type(value) is int:
            return value
        if not isinstance(value, str):
            raise TypeError(value)
        if name == "text":
            return value
        if name == "int":
            return int(value)
        if name in ("player", "owner"):
            return self.owner_ids[value]
        if name in self.families:
            return self.card_ids[value]
        return self.thing_ids[name, value.rpartition(".")[2]]

    @property
    def card_ids(self) -> dict[str, int]:
        if not hasattr(self, "_card_ids"):
            self._card_ids = {self.card_name(card): card for card in range(len(self.face))}
        return self._card_ids
