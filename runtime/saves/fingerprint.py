"""A hash of a position in the words of its rules.

`State.digest` is made of the numbers of a table, so it differs where rules only count their things
or attributes differently. This one is made of names, and of nothing that is as it was at the start:
two versions of the rules, or of the program, that come to the same position give the same hash.
"""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.layout import Slots
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import Table

LENGTH = 16


def hash_position(state: State) -> str:
    """Return the hash of all pieces, cards, holdings and attributes, and of the draws so far."""
    table = state.table
    position = {
        "pieces": sorted(_name_pieces(state)),
        "attributes": sorted(_name_attributes(state), key=repr),
        "held": {
            table.owner_names[owner]: sorted(
                table.things[thing].id for thing in table.holdable if held & table.bit[thing]
            )
            for owner, held in enumerate(state.held)
            if held
        },
        "piles": [
            [pile.place, _name_key(table, pile.of, pile.key), [*map(table.card_name, cards)]]
            for pile, cards in zip(table.piles[1:], state.piles[1:], strict=True)
            if cards
        ],
        "draws": state.draws,
        "over": state.over,
    }
    text = json.dumps(position, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH]


def _name_pieces(state: State) -> Iterator[tuple[str, str, str, str, int]]:
    """Yield the pieces that are not at home: kind, state, owner, place and number."""
    table = state.table
    names = [table.things[place].id for place in range(table.A)] + [*table.place_ids]
    for rows in table.rows.values():
        for word, start in (rows.states or {"": rows.total}).items():
            for owner in table.owners:
                at = start + owner * table.Q
                for place in range(table.Q):
                    number = state.pieces[at + place]
                    if number and place != rows.home:
                        yield rows.id, word, table.owner_names[owner], names[place], number


def _name_attributes(state: State) -> Iterator[list[Any]]:
    """Yield the attributes that have another value than at the start: id, whose, key and value."""
    table = state.table
    start = table.attr_start
    for slots in table.attributes.values():
        attribute = table.ruleset.attributes.get(slots.id)
        for at in range(slots.base, slots.base + slots.count * slots.width):
            value = state.attrs[at]
            if value == start[at]:
                continue
            index, number = divmod(at - slots.base, slots.width)
            owner = _name_key(table, slots.of, slots.first + index)
            yield [slots.id, owner, *_name_value(table, slots, attribute, number, value)]


def _name_value(
    table: Table, slots: Slots, attribute: ir.Attribute | None, number: int, value: Any
) -> list[Any]:
    if attribute is None:  # what a seat plays
        return ["", None if value is None else table.things[value].id]
    type_ = attribute.type
    if slots.keys is None or type_.key is None or type_.item is None:
        return ["", _sort_maps(table.name(value, type_))]
    return [table.name(slots.keys[number], type_.key), _sort_maps(table.name(value, type_.item))]


def _sort_maps(value: Any) -> Any:
    """Return plain data with maps as sorted pairs: their keys may be numbers, and have no order."""
    if isinstance(value, dict):
        pairs = ([key, _sort_maps(member)] for key, member in value.items())
        return sorted(pairs, key=repr)
    return [*map(_sort_maps, value)] if isinstance(value, list) else value


def _name_key(table: Table, of: str, key: int | None) -> str:
    if key is None or of == "table":
        return ""
    if of in ("player", "players", "owner", "owners"):
        return table.owner_names[key]
    return table.card_name(key) if of in table.families else table.things[key].id
