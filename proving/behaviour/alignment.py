"""Positions of two tables, compared by names: what both know of, and only that.

The numbers of two tables need not mean the same. An alignment finds out once which belong together,
so that comparing two positions is quick; names are looked up only for what differs.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from ziggurat.proving.behaviour.findings import Seen
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import SEAT_ATTRIBUTE, Slots, Table

Renames = Mapping[tuple[str, str], str]
MOST = 8
PLAIN = ("int", "bool", "text")


class Alignment:
    """Which numbers of two tables belong together. `renames`: names the old side's things have on
    the new side."""

    def __init__(self, old: Table, new: Table, renames: Renames) -> None:
        self.old, self.new = old, new
        self._names = {thing: renames.get((t.kind, t.id), t.id) for thing, t in _things(old)}
        ids = {(t.kind, t.id): thing for thing, t in _things(new)}
        self.thing = {
            thing: ids[t.kind, self._names[thing]]
            for thing, t in _things(old)
            if (t.kind, self._names[thing]) in ids
        }
        self.owner = {
            old.owner_ids[name]: new.owner_ids[name]
            for name in old.owner_ids
            if name in new.owner_ids
        }
        self.place = {a: self.thing[a] for a in range(old.A) if a in self.thing}
        self.place |= {
            old.place_ids[name]: new.place_ids[name]
            for name in old.place_ids
            if name in new.place_ids
        }
        self._pieces = list(self._aligned_pieces())
        self._cells: tuple[Callable[[Any], Any], ...] = ()
        if len(self._pieces) > 1:
            sides = zip(*((i, j) for i, j, _ in self._pieces), strict=True)
            self._cells = tuple(itemgetter(*cells) for cells in sides)
        self._attributes = list(self._aligned_attributes())
        self._piles = list(self._aligned_piles())

    # ---- comparing

    def differences(self, old: State, new: State, most: int = MOST) -> list[Seen]:
        """What is not the same in two positions, in words, each (what, old, new)."""
        found: list[Seen] = []
        for one in self._all(old, new):
            found.append(one)
            if len(found) == most:
                break
        return found

    def _all(self, old: State, new: State) -> Iterator[Seen]:
        if old.over != new.over:
            yield "the game is over", _yes(old.over), _yes(new.over)
        if self._cells and self._cells[0](old.pieces) != self._cells[1](new.pieces):
            for i, j, what in self._pieces:
                if old.pieces[i] != new.pieces[j]:
                    yield self._told(what), str(old.pieces[i]), str(new.pieces[j])
        for thing, other in self.thing.items():
            if thing in self.old.bit and other in self.new.bit:
                mine, theirs = self.old.bit[thing], self.new.bit[other]
                for a, b in self.owner.items():
                    holds = bool(old.held[a] & mine), bool(new.held[b] & theirs)
                    if holds[0] != holds[1]:
                        name = f"{self.old.owner_names[a]} holds {self.new.things[other].id}"
                        yield name, _yes(holds[0]), _yes(holds[1])
        for i, j, type_, name in self._attributes:
            before, after = old.attrs[i], new.attrs[j]
            if before is after or (type_ is None and before == after):
                continue
            if type_ is not None:
                before = _named(self.old, before, type_, self._names)
                after = _named(self.new, after, type_, {})
            if before != after:
                yield name, _word(before), _word(after)
        for i, j, name in self._piles:
            cards, others = self._faces(old.piles[i], new.piles[j])
            if sorted(cards) != sorted(others):
                more, fewer = Counter(cards) - Counter(others), Counter(others) - Counter(cards)
                yield name, _listed(more), _listed(fewer)

    def reordered(self, old: State, new: State) -> bool:
        """Whether the same cards lie in another order somewhere, which nobody sees yet."""
        piles = (self._faces(old.piles[i], new.piles[j]) for i, j, _ in self._piles)
        return any(mine != theirs for mine, theirs in piles)

    def _faces(self, old: Sequence[int], new: Sequence[int]) -> tuple[list[str], list[str]]:
        """The cards of a pile on both sides, in the names of the new one."""
        mine = [self._names[self.old.face[card]] for card in old]
        return mine, [self.new.things[self.new.face[card]].id for card in new]

    def _told(self, what: tuple[str, str, str, int]) -> str:
        state, piece, owner, place = what
        names = {index: name for name, index in self.old.place_ids.items()}
        where = names[place] if place in names else self._names[place]
        return f"{state} {piece} of {owner} in {where}".strip()

    # ---- what belongs together

    def _aligned_pieces(self) -> Iterator[tuple[int, int, tuple[str, str, str, int]]]:
        for id_, rows in self.old.rows.items():
            other = self.new.rows.get(id_)
            if other is None:
                continue
            blocks = [("", rows.total, other.total)]
            if rows.states.keys() == other.states.keys() and rows.states:
                blocks = [(name, base, other.states[name]) for name, base in rows.states.items()]
            for state, mine, theirs in blocks:
                for a, b in self.owner.items():
                    for place, there in self.place.items():
                        what = state, id_, self.old.owner_names[a], place
                        yield mine + a * self.old.Q + place, theirs + b * self.new.Q + there, what

    def _aligned_attributes(self) -> Iterator[tuple[int, int, ir.Type | None, str]]:
        for id_, slots in self.old.attributes.items():
            other = self.new.attributes.get(id_)
            if other is None or slots.of != other.of:
                continue
            type_, theirs = _type(self.old, id_), _type(self.new, id_)
            if type_ != theirs:
                continue
            short = id_.partition(".")[2]
            for index, twin, name in self._objects(slots):
                told = f"{name}.{short}" if name else short
                for key, other_key in self._keys(slots, other):
                    one = type_.item if slots.keys is not None and type_.item else type_
                    plain = one.name in PLAIN
                    yield (
                        slots.slot(index, key),
                        other.slot(twin, other_key),
                        None if plain else one,
                        told if key is None else f"{told}[{self._names[key]}]",
                    )

    def _objects(self, slots: Slots) -> Iterator[tuple[int | None, int | None, str]]:
        if slots.of == "table":
            yield None, None, ""
        elif slots.of in ("player", "owner"):
            for a, b in self.owner.items():
                yield a, b, self.old.owner_names[a]
        elif slots.of in self.old.families:
            names = {self.new.card_name(card): card for card in self.new.families[slots.of]}
            for card in self.old.families[slots.of]:
                face, copy = self._names[self.old.face[card]], self.old.copy_number[card]
                twin = names.get(f"{face}#{copy}")
                if twin is not None:
                    yield card, twin, f"{face}#{copy}"
        else:
            for thing in self.old.kind_range[slots.of]:
                if thing in self.thing:
                    yield thing, self.thing[thing], self._names[thing]

    def _keys(self, slots: Slots, other: Slots) -> Iterator[tuple[int | None, int | None]]:
        if slots.keys is None or other.keys is None:
            yield None, None
            return
        type_ = _type(self.old, slots.id).key
        players = type_ is not None and type_.name in ("player", "owner")
        for key in slots.keys:
            twin = self.owner.get(key) if players else self.thing.get(key)
            if twin is not None and not players:
                yield key, twin

    def _aligned_piles(self) -> Iterator[tuple[int, int, str]]:
        keys = {
            (pile.place, None if pile.key is None else self._key(self.new, pile.of, pile.key, {}))
            : index for index, pile in enumerate(self.new.piles) if index
        }  # fmt: skip
        for index, pile in enumerate(self.old.piles):
            key = None
            if pile.key is not None:
                key = self._key(self.old, pile.of, pile.key, self._names)
            if index and (pile.place, key) in keys:
                name = f"{pile.place}({key})" if key else pile.place
                yield index, keys[pile.place, key], name

    @staticmethod
    def _key(table: Table, of: str, key: int, names: Mapping[int, str]) -> str:
        if of in ("player", "owner"):
            return table.owner_names[key]
        return names.get(key, table.things[key].id)


def _things(table: Table) -> Iterator[tuple[int, ir.Thing]]:
    return iter(enumerate(table.things))


def _type(table: Table, attribute: str) -> ir.Type:
    """What an attribute holds; of a seat it is the thing that is played."""
    known = table.ruleset.attributes.get(attribute)
    return known.type if known else ir.Type(attribute.removeprefix(SEAT_ATTRIBUTE), maybe=True)


def _named(table: Table, value: Any, type_: ir.Type, names: Mapping[int, str]) -> Any:
    """A value by names; sets have no order, and cards of one face are alike."""
    if value is None:
        return None
    if type_.name in ("set", "list") and type_.item is not None:
        members = [_named(table, member, type_.item, names) for member in value]
        return sorted(members, key=str) if type_.name == "set" else members
    if type_.name == "map" and type_.item is not None and type_.key is not None:
        pairs = value.items()
        key, item = type_.key, type_.item
        return {_named(table, k, key, names): _named(table, v, item, names) for k, v in pairs}
    if type_.name in table.families:
        face = table.face[value]
        return names.get(face, table.things[face].id)
    if type_.name in ("range", *PLAIN, "player", "owner"):
        return table.name(value, type_)
    return names.get(value, table.things[value].id)


def _word(value: Any) -> str:
    """A value as rules write it."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return str(value)


def _listed(cards: "Counter[str]") -> str:
    """`salt, 2 tin`."""
    told = (f"{number} {name}" if number > 1 else name for name, number in sorted(cards.items()))
    return ", ".join(told) or "nothing"


def _yes(value: bool) -> str:
    return "yes" if value else "no"
