"""Positions that differ only in what is hidden from a seat, and what the seat can find out.

All cards a seat does not see change places with one another: other hands, the order of stacks,
what others have laid aside, what they traded and what they answer while all decide at once. Piles
that nobody may count get other sizes. Pieces that lie covered change places within the stacks of
their owner, as long as the same ones are on top; what others have built and moved was another one.
Secret attributes of others that hold no cards get other values. The seed is another. While a step
waits for an answer the position is the one at its start; what the seat has seen since stays as it
is, and where the step has drawn by lot, all cards do.
"""

from collections.abc import Container
from random import Random
from typing import Any

import attrs

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.covers import Asked, Stack, asking, knows, stacks
from ziggurat.runtime.game.decisions import Decision
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.game.view import sees
from ziggurat.runtime.kernel.frames import PhaseFrame, Together
from ziggurat.runtime.kernel.state import State

# What everybody knows of hidden things: places and attributes that come to light one by one in a
# phase, and the phases in which a covered card of a hand may be of any kind.
TURNED_UP = {"calamity_resolution": "disasters", "short_opening": "drawn"}
OF_ANY_KIND = {"trade_cards_acquisition", "trade", "calamity_selection"}
# Rules may let players find something out about covered pieces: ships bar the way of ships. Only
# pieces that are the same in this field change places.
ALIKE = {"unit": "arm"}


def disguised(game: Game, seat: int, seed: int) -> Game:
    """Another game that the seat cannot tell from this one."""
    table, state = game.table, game.state.copy()
    chance = Random(seed)
    moment = game.shown(seat)
    seen = {
        card
        for index, pile in enumerate(table.piles)
        if sees(pile, seat)
        for card in (*state.piles[index], *moment.piles[index])
    }
    phases = {pending.phase for pending in game.pending}
    known = {TURNED_UP.get(phase) for phase in phases}
    for index, pile in enumerate(table.piles):
        if pile.place in known:
            seen.update(state.piles[index])
    covered: dict[str, list[int]] = {}
    for card, face in enumerate(table.face):
        if card not in seen:
            kind = "" if phases & OF_ANY_KIND else table.kind_of[face]
            covered.setdefault(kind, []).append(card)
    mixed: dict[int, int] = {}
    if moment.draws == state.draws:  # otherwise others would lie on top of what was shuffled
        for cards in covered.values():
            mixed.update(zip(cards, chance.sample(cards, len(cards)), strict=True))
        state.piles = [tuple(mixed.get(card, card) for card in pile) for pile in state.piles]
        _resize(game, state, moment, seen, chance)
    _mix_pieces(game, state, moment, seat, chance)
    _mix_attributes(game, state, moment, seat, mixed, chance, known)
    state.frames = _mix_answers(game, state.frames, seat, mixed)
    state.answers = _mix_given(game, state.answers, seat, mixed)
    events = [_mix_event(game, event, seat, mixed) for event in state.events()]
    state.log = (None, tuple(events)) if events else None
    if moment.draws == state.draws:
        state.seed = chance.randrange(1 << 30)
    other = game.copy()
    other._reach(state)
    return other


def _resize(game: Game, state: State, moment: State, seen: set[int], chance: Random) -> None:
    """Piles that nobody may count, and from which nothing was taken in this step, exchange cards
    until they have other sizes; none becomes empty, because that is seen."""
    piles = [
        index
        for index, pile in enumerate(game.table.piles)
        if not pile.counted and len(state.piles[index]) == len(moment.piles[index]) > 0
        if not seen.intersection(state.piles[index])
    ]
    cards = [card for index in piles for card in state.piles[index]]
    cuts = [0, *sorted(chance.sample(range(1, len(cards)), max(0, len(piles) - 1))), len(cards)]
    for index, start, end in zip(piles, cuts, cuts[1:], strict=False):
        state.piles[index] = tuple(cards[start:end])
    for index, pile in enumerate(state.piles):
        for card in pile:
            state.whereis[card] = index


def _mix_pieces(game: Game, state: State, moment: State, seat: int, chance: Random) -> None:
    """Covered pieces of each owner change places, two and two, if they are covered both at the
    start of the step and now; in a step that has moved some, all stay where they are."""
    if state.pieces != moment.pieces:
        return
    ask = Asked(game.run)
    now = stacks(ask, moment, seat)
    covered = [one for one in stacks(ask, state, seat) if one in now]
    for _ in range(120 if covered else 0):
        here = chance.choice(covered)
        there = chance.choice([one for one in covered if one.owner == here.owner])
        rows = here.hidden
        some = [[r for r in rows if _below(state, one, r) > 0] for one in (here, there)]
        if all(some):
            _exchange(game, state, (here, there), (chance.choice(some[0]), chance.choice(some[1])))


def _below(state: State, stack: Stack, row: Any) -> int:
    return state.count(row, stack.owner, stack.place) - (row is stack.shown)


def _exchange(game: Game, state: State, where: tuple[Stack, Stack], rows: tuple[Any, Any]) -> None:
    """Two pieces change places, unless that shows."""
    table, ask, cover = game.table, Asked(game.run), where[0].cover
    things = [table.thing_ids[cover.of, row.id] for row in rows]
    alike = table.fields[cover.of, ALIKE[cover.of]] if cover.of in ALIKE else None
    if alike is not None and alike[things[0]] != alike[things[1]]:
        return
    for stack, comes in zip(where, reversed(things), strict=True):
        _, whose, place = asking(table, cover, stack.owner, stack.place, 0)
        if not ask(state, cover.fits, whose, place, comes):
            return
    _swap(state, where, rows)
    for stack in where:
        _, whose, place = asking(table, cover, stack.owner, stack.place, 0)
        if place is not None and ask(state, cover.top, whose, place) != stack.top:
            _swap(state, where, rows[::-1])
            return


def _swap(state: State, where: tuple[Stack, Stack], rows: tuple[Any, Any]) -> None:
    here, there = where
    state.move(rows[0], here.owner, here.place, there.place, 1)
    state.move(rows[1], here.owner, there.place, here.place, 1)
    state.forget()


def _another_piece(table: Any, value: Any, type_: ir.Type) -> Any:
    """What others named was another piece of a covered kind."""
    if value is None:
        return None
    if type_.name in table.covered:
        every = table.kind_range[type_.name]
        return every[(value - every.start + 1) % len(every)]
    if type_.name == "map" and type_.key is not None:
        return {_another_piece(table, k, type_.key): v for k, v in value.items()}
    return value


def _mix(value: Any, type_: ir.Type, families: Any, mixed: dict[int, int]) -> Any:
    """A value with its cards exchanged."""
    if value is None:
        return None
    if type_.name in families:
        return mixed.get(value, value)
    if type_.name in ("set", "list") and type_.item is not None:
        members = [_mix(member, type_.item, families, mixed) for member in value]
        return tuple(sorted(members)) if type_.name == "set" else tuple(members)
    return value


def _mix_attributes(
    game: Game,
    state: State,
    moment: State,
    seat: int,
    mixed: dict[int, int],
    chance: Random,
    known: Container[str | None],
) -> None:
    table = game.table
    for rule in table.ruleset.attributes.values():
        slots = table.attributes[rule.id]
        if slots.of in table.families:  # what is noted about a card goes with it
            before = state.attrs[:]
            for card, instead in mixed.items():
                a, b = slots.slot(card), slots.slot(instead)
                state.attrs[b : b + slots.width] = before[a : a + slots.width]
        elif rule.sees:
            _mix_shared(game, state, moment, slots, seat, chance)
        elif rule.secret and rule.id.rpartition(".")[2] not in known:
            for index in range(slots.first, slots.first + slots.count):
                if index != seat and slots.keys is None:
                    at = slots.slot(index)
                    state.attrs[at] = _other(game, state.attrs[at], rule.type, mixed, chance)


def _mix_shared(
    game: Game, state: State, moment: State, slots: Any, seat: int, chance: Random
) -> None:
    """Numbers that somebody else is let see by the rules, at the start of the step and now."""
    for index in range(slots.first, slots.first + slots.count):
        ask = Asked(game.run)
        if not any(knows(ask, one, slots, seat, index) for one in (state, moment)):
            at = slots.slot(index)
            for slot in range(at, at + slots.width):
                state.attrs[slot] += chance.randrange(2)


def _other(game: Game, value: Any, type_: ir.Type, mixed: dict[int, int], chance: Random) -> Any:
    """Another value of a type: cards exchanged, things drawn anew."""
    table = game.table
    item = type_.item if type_.name == "set" else type_
    if item is None or item.name in table.families or value is None:
        return _mix(value, type_, table.families, mixed)
    if item.name == "bool":
        return chance.choice((False, True))
    if item.name == "int":
        return value + chance.randrange(3)
    every = [*table.everything(item.name)]
    return (
        tuple(sorted(chance.sample(every, len(value))))
        if type_.name == "set"
        else chance.choice(every)
    )


def _mix_given(game: Game, given: tuple[Any, ...], seat: int, mixed: dict[int, int]) -> Any:
    """The answers others gave in a step that is not over."""
    sites, families = game.run.bound.program.sites, game.table.families
    return tuple(
        (site, answer, who)
        if who == seat
        else (site, _mix(answer, _type(sites[site].node), families, mixed), who)
        for site, answer, who in given
    )


def _mix_answers(game: Game, frames: tuple[Any, ...], seat: int, mixed: dict[int, int]) -> Any:
    """The same for everybody in a stage where all decide at once."""
    *rest, frame = frames or (None,)
    if not isinstance(frame, PhaseFrame) or frame.progress[2:] not in (("collect",), ("again",)):
        return frames
    together = Together(*frame.progress)
    given = tuple(_mix_given(game, some, seat, mixed) for some in together.given)
    return (*rest, frame.at(frame.index, together._replace(given=given)))


def _mix_event(game: Game, event: tuple[Any, ...], seat: int, mixed: dict[int, int]) -> Any:
    """What others did with cards. Sentences are for all to read."""
    what, to, about, values = event
    families = game.table.families
    if what == "act" and values[0] != seat:
        params = game.table.ruleset.actions[about].params
        pairs = zip(params, values[1], strict=True)
        args = tuple(
            _another_piece(game.table, _mix(arg, param.type, families, mixed), param.type)
            for param, arg in pairs
        )
        return (what, to, about, (values[0], args))
    if what == "chose" and values[0] != seat:
        type_ = _type(game.run.bound.program.sites[about].node)
        answer = _another_piece(game.table, _mix(values[1], type_, families, mixed), type_)
        return (what, to, about, (values[0], answer))
    if what == "say" and to is not None and to != seat:
        others = game.run.bound.program.sites[about].node.others
        kept = () if others is None else values[len(values) - others.holes :]
        return (what, to, about, (None,) * (len(values) - len(kept)) + kept)
    return event


def _type(node: Any) -> ir.Type:
    return ir.Type("bool") if isinstance(node, ir.May) else node.type


def known(game: Game, seat: int) -> Any:
    """All that a seat can read: its view, and everything its decisions offer."""
    name = game.table.owner_names[seat]
    return game.view(name), [_offered(face) for face in game.decisions if face.decider == name]


def _offered(face: Decision) -> Any:
    if face.pending.ask is not None:
        return attrs.astuple(
            face, filter=lambda a, _: not a.name.startswith("_") and a.name != "pending"
        ), face.options()
    return [
        (action, face.parameter_options(action) if face._run.actions.rules[action].params else ())
        for action in face.actions()
    ]
