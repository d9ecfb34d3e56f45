"""What one seat may see.

Everything is withheld that another seat hides or nobody may know: the cards of secret and hidden
piles (only their number is shown, or only whether there are any), which pieces lie covered (how
many do is told under the name of their kind), secret attributes and answers
that only go into them, attributes of cards out of sight, the seed, sentences told to somebody else,
and what others are deciding about. Two positions that differ only in such things give equal views.
Whoever only looks on (`ONLOOKER`) sees what everybody may.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import attrs

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.covers import Asked, Stack, knows, stacks, uncovered
from ziggurat.runtime.game.log import describe
from ziggurat.runtime.kernel.scheduler import Scheduler
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import NOBODY, ONLOOKER, Pile, Slots, Table

if TYPE_CHECKING:
    from ziggurat.runtime.game.game import Game


SOME, EMPTY = "some", "empty"  # what is shown of a pile nobody may count


def view(
    game: "Game", seat: int, log: bool = True, without: Collection[str] = ()
) -> dict[str, Any]:
    """Return plain data, by names; the log and the parts in `without` may be left out."""
    table, state = game.table, game.shown(seat)
    name = ONLOOKER if seat == NOBODY else table.owner_names[seat]
    seen: set[int] = set()
    piles: dict[str, dict[str, Any]] = {}
    for index, pile in enumerate(table.piles):
        if pile.of == "player" and pile.key not in table.players:
            continue
        cards = state.piles[index]
        shown: Any = len(cards) if pile.counted else SOME if cards else EMPTY
        if sees(pile, seat):
            seen.update(cards)
            shown = [table.card_name(card) for card in cards]
        piles.setdefault(pile.place, {})[_key_name(game, pile)] = shown
    happened = [*state.events(), *state.news] if log else []
    events = (describe(game.run.bound.program, table, e, seat) for e in happened)
    return {
        "seat": name,
        "over": state.over,
        "pieces": {}
        if "pieces" in without
        else _pieces(table, state, stacks(Asked(game.run), state, seat)),
        "holds": {
            table.owner_names[player]: [
                f"{table.things[t].kind}.{table.things[t].id}"
                for t in table.holdable
                if state.held[player] & table.bit[t]
            ]
            for player in (() if "holds" in without else table.players)
        },
        "piles": piles,
        "attributes": {
            slots.id: shown_values
            for slots in (() if "attributes" in without else table.attributes.values())
            if (shown_values := _attribute(game.run, state, slots, seat, seen)) is not None
        },
        "log": [attrs.asdict(event) for event in events if event is not None],
        "decisions": [
            {"decider": d.decider, "path": d.path, "kind": d.kind, "prompt": d.prompt, "id": d.id}
            for d in game.decisions
            if d.decider == name
        ],
        "waiting": [table.owner_names[player] for player in _awaited(game)],
    }


def _awaited(game: "Game") -> list[int]:
    """Who is asked now. Where all act freely, everybody who has not passed: whether somebody can
    do anything may depend on what they hide."""
    acting = bool(game.pending) and game.pending[0].menu is not None
    if acting and game.position.freely:
        return game.run.not_passed(game.state)
    return [pending.decider for pending in game.pending]


def sees(pile: Pile, seat: int) -> bool:
    return pile.seen == "open" or (
        pile.seen == "secret" and pile.of in ("player", "owner") and pile.key == seat
    )


def _key_name(game: "Game", pile: Pile) -> str:
    if pile.key is None:
        return ""
    return str(game.table.name(pile.key, ir.Type(pile.of)))


def _pieces(
    table: Table, state: State, covered: list[Stack]
) -> dict[str, dict[str, dict[str, int]]]:
    """Numbers by kind (and state), owner and place; zeros are left out. Of a covered stack, what is
    seen of it, and under the name of the kind how many others there are."""
    cells = uncovered(state, covered)
    places = [table.things[area].id for area in range(table.A)] + list(table.place_ids)
    out: dict[str, dict[str, dict[str, int]]] = {}
    for rows in table.rows.values():
        blocks = [(rows.id, rows.total)]
        blocks += [(f"{name} {rows.id}", base) for name, base in rows.states.items()]
        for label, base in blocks:
            for owner in table.owners:
                start = base + owner * table.Q
                row = cells[start : start + table.Q]
                found = {places[at]: number for at, number in enumerate(row) if number}
                if found:
                    out.setdefault(label, {})[table.owner_names[owner]] = found
    for stack in covered:
        theirs = out.setdefault(stack.of, {}).setdefault(table.owner_names[stack.owner], {})
        theirs[places[stack.place]] = stack.number
    return out


def _attribute(run: Scheduler, state: State, slots: Slots, seat: int, seen: set[int]) -> Any:
    """The values of an attribute a seat may know, None if it is a secret of the table."""
    table, width = state.table, slots.width
    ids = range(slots.first, slots.first + slots.count)
    if slots.of in table.families:
        if slots.secret:
            return None
        ids_shown = [index for index in ids if index in seen]
    elif slots.sees:
        ids_shown = [index for index in ids if knows(Asked(run), state, slots, seat, index)]
    elif slots.secret:
        if slots.of not in ("player", "owner"):
            return None
        ids_shown = [] if seat == NOBODY else [seat]
    else:
        ids_shown = list(table.players if slots.of == "player" else ids)
    return {
        index: state.attrs[slots.slot(index) : slots.slot(index) + width] for index in ids_shown
    }
