"""One moment of a game, read by the names of its rules.

Everything here answers in plain data: ids of things, names of owners, numbers, yes and no. A `Game`
is read like any of its moments; whoever watches a game while it runs, or looks at it as one seat
does, gets a moment.
"""

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.log import Event, describe, spoken_names, value_text
from ziggurat.runtime.game.names import known
from ziggurat.runtime.kernel.names import UnknownName
from ziggurat.runtime.kernel.position import Position
from ziggurat.runtime.kernel.scheduler import Scheduler
from ziggurat.runtime.kernel.state import FUEL, State
from ziggurat.runtime.kernel.table import SEAT_ATTRIBUTE, Slots

BOARD = "board"


def shared_ranks(keys: Mapping[str, Any]) -> dict[str, int]:
    """Return the rank of every seat by its key, lowest first. Equal keys share one: 1, 1, 3."""
    ordered = sorted(keys, key=lambda seat: keys[seat])
    levels = groupby(ordered, key=lambda seat: keys[seat])
    ranks: dict[str, int] = {}
    for _, level in levels:
        ranks |= dict.fromkeys(level, len(ranks) + 1)
    return ranks


class Moment:
    """A position that can be read, and no more."""

    def __init__(self, run: Scheduler, state: State) -> None:
        self.run = run
        self.table = run.bound.table
        self.state = state

    @property
    def now(self) -> State:
        """The state that is read."""
        return self.state

    @property
    def identity(self) -> object:
        """Return an object that is the same for all who look at the same position."""
        return self.now

    @property
    def chances(self) -> int:
        """How often chance has decided something so far: cards shuffled and drawn, dice."""
        return self.now.draws

    # ---- who plays what by which rules

    @property
    def ruleset(self) -> ir.Ruleset:
        """The rules that are played."""
        return self.run.rules

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.over

    @property
    def position(self) -> Position:
        """Where the game is in its rules: turn, phase, stage, whose turn it is to act."""
        return self.run.position(self.state)

    @property
    def seats(self) -> list[str]:
        """The names of the players, in the order they sit."""
        return self.table.owner_names[: len(self.table.players)]

    @property
    def owners(self) -> list[str]:
        """The names of all who own pieces: the players, then neutral owners."""
        return list(self.table.owner_names)

    @property
    def spoken(self) -> list[str]:
        """What sentences call the owners, in their order: the titles of what they play."""
        return spoken_names(self.table, self.now)

    def plays(self, owner: str) -> ir.Thing | None:
        """The thing a player plays, None while that is not settled."""
        number = self.table.owner_ids[owner]
        for kind in self.table.seat_kinds if number in self.table.players else ():
            slots = self.table.attributes[f"{SEAT_ATTRIBUTE}{kind}"]
            thing: int | None = self.now.attrs[slots.slot(number)]
            if thing is not None:
                return self.table.things[thing]
        return None

    # ---- things of the rules

    def things(self, kind: str) -> list[ir.Thing]:
        """The things of a kind in this game, in the order of the rules."""
        return [self.table.things[index] for index in known("kind", self.table.kind_range, kind)]

    def kinds(self, role: str) -> list[str]:
        """The kinds of things with a role, such as `place` or `seat`."""
        return [kind.id for kind in self.ruleset.kinds.values() if role in kind.roles]

    def thing(self, kind: str, id_: str) -> ir.Thing:
        """A thing of this game by its id."""
        return self.table.things[self.table.thing_ids[kind, id_]]

    def field(self, thing: ir.Thing, name: str) -> Any:
        """What a thing has in a field: its own, or the default."""
        type_ = next(f.type for f in self.ruleset.kinds[thing.kind].fields if f.name == name)
        index = self.table.thing_ids[thing.kind, thing.id]
        return self.table.name(self.table.fields[thing.kind, name][index], type_)

    def face(self, card: str) -> ir.Thing:
        """The thing on a card."""
        return self.table.things[self.table.face[self.table.card_ids[card]]]

    # ---- values

    def value(self, name: str, *args: Any) -> Any:
        """A declared value in this position: `game.value("hand_limit", "rome")`."""
        rule = known("value", self.ruleset.values, name)
        if len(args) != len(rule.params):
            wanted = ", ".join(param.name for param in rule.params) or "nothing"
            raise TypeError(f"`{name}` takes {wanted}; {len(args)} arguments were given.")
        given = [self.table.parse(a, p.type) for p, a in zip(rule.params, args, strict=True)]
        return self.table.name(self.inner_value(name, *given), rule.type)

    def inner_value(self, name: str, *args: Any) -> Any:
        """The same in the table's numbers."""
        state = self.now
        fuel, state.fuel = state.fuel, FUEL
        try:
            return self.run.call(state, ("value", name), args)
        finally:
            state.fuel = fuel

    def ranking(self) -> list[str]:
        """Return the seats, best first. Those that are level stand as they sit; see `ranks`."""
        return list(self.ranks())

    def ranks(self) -> dict[str, int]:
        """Return the rank of every seat, best first. Seats that are level share one: 1, 1, 3.

        Rules without a ranking put nobody ahead of anybody.
        """
        turn = next(iter(self.ruleset.turns.values()))
        key = ("order", turn.ranking)
        return shared_ranks(
            {
                self.table.owner_names[player]: (
                    self.run.call(self.now, key, (player,)) if turn.ranking else ()
                )
                for player in self.table.players
            }
        )

    def scores(self) -> dict[str, int]:
        """What the turn counts as the score, of every seat."""
        turn = next(iter(self.ruleset.turns.values()))
        return {
            self.table.owner_names[player]: self.inner_value(turn.score, player)
            for player in self.table.players
            if turn.score
        }

    def in_words(self, value: Any, type_: ir.Type) -> str:
        """A value as a sentence tells it: titles of things, names of owners."""
        return value_text(self.table, self.table.parse(value, type_), type_, self.spoken)

    # ---- pieces, holdings, cards, attributes

    def count(self, piece: str, owner: str, place: str = BOARD, state: str | None = None) -> int:
        """How many pieces somebody has: on the `board`, in an area, in a place such as the box."""
        table = self.table
        rows, who = known("piece", table.rows, piece), table.owner_ids[owner]
        if place == BOARD:
            return sum(self.now.count(rows, who, area, state) for area in range(table.A))
        return self.now.count(rows, who, self.place(place), state)

    def place(self, name: str) -> int:
        """The index of an area or of a place that owners have."""
        if name in self.table.place_ids:
            return self.table.place_ids[name]
        for kind in self.table.place_kinds:
            if (kind, name) in self.table.thing_ids:
                return self.table.thing_ids[kind, name]
        areas = (thing.id for thing in self.table.things[: self.table.A])
        raise UnknownName("place", name, [*self.table.place_ids, *areas])

    @property
    def places(self) -> list[str]:
        """The places for pieces that are not on the board."""
        return list(self.table.place_ids)

    def holds(self, player: str, kind: str, thing: str) -> bool:
        """Whether somebody holds a thing."""
        owner = self.table.owner_ids[player]
        return self.now.holds(owner, self.table.thing_ids[kind, thing])

    def holdings(self, player: str) -> list[ir.Thing]:
        """The things somebody holds."""
        held = self.now.held[self.table.owner_ids[player]]
        return [self.table.things[t] for t, bit in self.table.bit.items() if held & bit]

    def attribute(self, name: str, of: str | None = None) -> Any:
        """An attribute of the table, a player or a thing: `turn`, or in full `table.turn`. A bundle
        is its fields by name, None if it is not there; one of them is `offer.size`."""
        slots = self._slots(name)
        bundle = self.ruleset.bundles.get(slots.id)
        if bundle is not None:
            index = None if of is None else self.table.parse(of, ir.Type(slots.of))
            fields = (field.name for field in bundle.fields)
            there = self._attribute(slots, index)
            return {f: self.attribute(bundle.attribute(f), of) for f in fields} if there else None
        rule = self.ruleset.attributes.get(slots.id)
        type_ = rule.type if rule else ir.Type(slots.id.removeprefix(SEAT_ATTRIBUTE))
        index = None if of is None else self.table.parse(of, ir.Type(slots.of))
        return self.table.name(self._attribute(slots, index), type_)

    def _slots(self, name: str) -> Slots:
        """Where an attribute is, by its name or in full."""
        found = self.table.attributes.get(name)
        if found is not None:
            return found
        named = {id_.partition(".")[2]: slots for id_, slots in self.table.attributes.items()}
        return known("attribute", named | self.table.attributes, name)

    def _attribute(self, slots: Slots, index: int | None) -> Any:
        if slots.keys is None:
            return self.now.attrs[slots.slot(index)]
        return {key: self.now.attrs[slots.slot(index, key)] for key in slots.keys}

    def pile(self, place: str, of: str | None = None) -> list[str]:
        """The cards of a pile, the top first."""
        known("pile", self.table.pile_base, place)
        rule = self.ruleset.places.get(place)
        key = None if of is None or rule is None else self.table.parse(of, ir.Type(rule.of))
        return [self.table.card_name(c) for c in self.now.piles[self.table.pile(place, key)]]

    # ---- what happened

    @property
    def turn_number(self) -> int:
        """Which turn it is: one begins when a phase comes that is not after the one before."""
        turn = next(iter(self.ruleset.turns.values()), None)
        places = {phase: place for place, phase in enumerate(turn.phases if turn else ())}
        number, last = 0, len(places)
        for what, _, about, _ in self.state.events():
            if what == "phase" and about in places:
                number += places[about] <= last
                last = places[about]
        return number

    @property
    def event_count(self) -> int:
        """How many events there have been, told or not."""
        return self.now.log_size + len(self.now.news)

    def events(self, seat: str | None = None, since: int = 0) -> list[Event]:
        """What happened after the first `since` events, in sentences for people; for a seat without
        what others hide."""
        number = None if seat is None else self.table.seat_number(seat)
        return self._described(number, since, self.spoken)

    @property
    def log(self) -> list[Event]:
        """Everything that happened, with nothing hidden, and players by their names."""
        return self._described(None, 0, None)

    def _described(self, seat: int | None, since: int, names: list[str] | None) -> list[Event]:
        now = self.now
        happened = [*now.events(since), *now.news[max(0, since - now.log_size) :]]
        program = self.run.bound.program
        found = (describe(program, self.table, event, seat, names) for event in happened)
        return [event for event in found if event is not None]
