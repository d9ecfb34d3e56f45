"""A digest of a position in names, not in numbers.

A table numbers everything it has, so a new option, attribute or thing changes every number behind
it. Here only what differs from the start counts, each by its name; so a change of the rules shows
where it first matters to play, and not at the first turn of every game.
"""

from array import array
from hashlib import sha256
from typing import Any

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import SEAT_ATTRIBUTE, Table

MASK = (1 << 64) - 1
ODD = 0x9E3779B97F4A7C15


def mark(*words: Any) -> int:
    """A number for a name."""
    return int.from_bytes(sha256(repr(words).encode()).digest()[:8], "big")


class Digest:
    """Digests the positions of one table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.start: array[int] = table.start_pieces()
        self._memory: dict[tuple[str, int, Any], int] = {}
        self.cells = self._cells()
        self.slots = self._slots()
        self.cards = [mark("card", table.card_name(card)) for card in range(len(table.face))]
        self.piles = [
            mark("pile", pile.place, None if pile.key is None else self._name(pile.of, pile.key))
            for pile in table.piles
        ]

    def _cells(self) -> list[int]:
        table = self.table
        places = [thing.id for thing in table.things[: table.A]]
        places += sorted(table.place_ids, key=table.place_ids.__getitem__)
        cells = [0] * table.cells
        for rows in table.rows.values():
            for state, base in [("", rows.total), *rows.states.items()]:
                for owner, name in enumerate(table.owner_names):
                    at = base + owner * table.Q
                    for place, where in enumerate(places):
                        cells[at + place] = mark("piece", rows.id, state, name, where)
        return cells

    def _slots(self) -> list[tuple[str, ir.Type]]:
        """What each slot of the attributes is called, and the type of what is in it."""
        table = self.table
        found: list[tuple[str, ir.Type]] = [("", ir.Type("int"))] * len(table.attr_start)
        for id_, slots in table.attributes.items():
            rule = table.ruleset.attributes.get(id_)
            type_ = rule.type if rule else ir.Type(id_.removeprefix(SEAT_ATTRIBUTE))
            for index in range(slots.first, slots.first + slots.count):
                of = "" if slots.of == "table" else self._name(slots.of, index)
                for number, key in enumerate(slots.keys or (None,)):
                    at = slots.base + (index - slots.first) * slots.width + number
                    if key is None or type_.key is None or type_.item is None:
                        found[at] = (f"{id_} {of}", type_)
                    else:
                        found[at] = (f"{id_} {of} {table.name(key, type_.key)}", type_.item)
        return found

    def _name(self, of: str, index: int) -> str:
        return str(self.table.name(index, ir.Type(of)))

    def of(self, state: State) -> str:
        table = self.table
        total = mark("draws", state.draws, state.over)
        total += sum(
            self._known("pieces", at, state.pieces[at : at + table.Q].tobytes())
            for at in range(0, table.cells, table.Q)
        )
        for at, (value, old) in enumerate(zip(state.attrs, table.attr_start, strict=True)):
            if value != old:
                total += self._known("attribute", at, value)
        total += sum(self._known("held", owner, held) for owner, held in enumerate(state.held))
        total += sum(self._known("pile", at, pile) for at, pile in enumerate(state.piles) if at)
        return f"{total & MASK:016x}"[:8]

    def _known(self, what: str, at: int, value: Any) -> int:
        """The mark of a part of the position, worked out once: most parts stay as they were."""
        key = (what, at, repr(value) if isinstance(value, dict) else value)
        found = self._memory.get(key)
        if found is None:
            found = self._memory[key] = getattr(self, f"_{what}")(at, value)
        return found

    def _pieces(self, at: int, data: bytes) -> int:
        now, end = array(self.table.typecode, data), at + self.table.Q
        pairs = zip(self.cells[at:end], now, self.start[at:end], strict=True)
        return sum(cell * (number - before) for cell, number, before in pairs)

    def _attribute(self, at: int, value: Any) -> int:
        name, type_ = self.slots[at]
        return mark("attribute", name, self._told(value, type_))

    def _held(self, owner: int, held: int) -> int:
        table = self.table
        things = [table.things[thing].id for thing, bit in table.bit.items() if held & bit]
        return sum(mark("held", table.owner_names[owner], id_) for id_ in things)

    def _pile(self, at: int, cards: tuple[int, ...]) -> int:
        order = self.piles[at]
        for card in cards:
            order = (order * ODD + self.cards[card]) & MASK
        return order if cards else 0

    def _told(self, value: Any, type_: ir.Type) -> Any:
        named = self.table.name(value, type_)
        if type_.name == "set":
            return sorted(map(str, named or ()))
        return sorted(named.items()) if isinstance(named, dict) else named
