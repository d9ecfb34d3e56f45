"""The terms of an answer that gives something away: what lies on the table on both sides.

The rules say so themselves: an action names another player and reads cards of a bundle of theirs.
Then what the player may see of that bundle, and of their own that the action reads, are its terms.
So is what an action chooses to take: it ends a bundle of the player, takes nothing to be asked for,
and cards or pieces go that the bundle does not name.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from ziggurat import Decision, Game, Moment, Ruleset, ir, walk
from ziggurat.studio.language import tr
from ziggurat.studio.play.naming import Names
from ziggurat.studio.play.shown import Shown
from ziggurat.studio.play.unfinished import bundle_parts, bundle_title, cleared_by


@attrs.frozen
class Side:
    """What one side has on the table: whose it is, what it is called, its parts, and what the
    packs show about that player."""

    owner: str
    title: str
    parts: tuple[str, ...]

    @property
    def text(self) -> str:
        """All of it in a line."""
        return f"{self.owner}: {self.title} ({'; '.join(self.parts)})"


def has_terms(rules: Ruleset, action: str) -> bool:
    """Return whether an action deals with what another player has on the table."""
    rule = rules.actions[action]
    if not rule.params and any(cleared_by(rules, action)):
        return True
    others = {param.name for param in rule.params if param.single and _is_player(param.type)}
    return any(who in others for who, _ in _read(rules, rule))


def terms(game: Game, decision: Decision, action: str, args: Sequence[Any]) -> list[Side]:
    """Return both sides' terms of an action with its arguments; nothing if it has none."""
    rules, seat = game.ruleset, decision.decider
    if not has_terms(rules, action):
        return []
    rule = rules.actions[action]
    if not rule.params:
        return list(_chosen_losses(game, decision, action))
    given = zip(rule.params, args, strict=True)
    people = {rule.actor: seat} | {param.name: arg for param, arg in given if param.single}
    moment = game.seen_by(seat)
    names, shown = Names(moment), Shown(game, seat)
    out = []
    for local, bundle in _read(rules, rule):
        owner = people.get(local)
        parts = bundle_parts(moment, bundle, owner, seat) if owner is not None else ()
        if owner is not None and parts:
            told = tuple(one.text for one in shown.of("player", owner))
            title = bundle_title(rules, bundle)
            out.append(Side(names.owner(owner), title, (*parts, *told)))
    return out


def on_the_table(game: Game, seat: str) -> list[Side]:
    """Return the bundles of all players as a seat sees them, its own first."""
    moment, rules = game.seen_by(seat), game.ruleset
    names = Names(moment)
    bundles = [id_ for id_, bundle in rules.bundles.items() if bundle.of == "player"]
    return [
        Side(names.owner(owner), bundle_title(rules, id_), parts)
        for owner in sorted(game.seats, key=lambda one: one != seat)
        for id_ in bundles
        if (parts := bundle_parts(moment, id_, owner, seat))
    ]


def _chosen_losses(game: Game, decision: Decision, action: str) -> Iterator[Side]:
    """Yield what an action takes from its player, if the bundles that it ends do not say so, below
    these bundles with the figures of the phase."""
    seat, rules = decision.decider, game.ruleset
    before = game.seen_by(seat)
    after = _afterwards(game, seat, action)
    if after.chances != before.chances:  # nobody learns beforehand what chance will bring
        return
    cards = [
        card
        for place in rules.places.values()
        if place.of == "player" and place.cards
        for card in before.pile(place.id, seat)
        if card not in after.pile(place.id, seat)
    ]
    pieces = {
        (piece.title or piece.id, place.title or place.id): lost
        for piece in rules.pieces.values()
        if _in_use(after, piece, seat) < _in_use(before, piece, seat)
        for place in rules.places.values()
        if place.of == "player" and not place.cards and place.id != piece.home
        if (lost := before.count(piece.id, seat, place.id) - after.count(piece.id, seat, place.id))
        > 0
    }
    named = [before.attribute(id_, seat) or {} for id_ in cleared_by(rules, action)]
    fields = [value for bundle in named for value in bundle.values()]
    known = {card for value in fields if isinstance(value, list | tuple | set) for card in value}
    if known.issuperset(cards) and all(lost in fields for lost in pieces.values()):
        return
    titles = Counter(before.face(card).title for card in cards)
    parts = [f"{title} ×{n}" if n > 1 else title for title, n in titles.items()]
    parts += [f"{place}: {piece} ×{n}" for (piece, place), n in pieces.items()]
    owner = Names(before).owner(seat)
    figures = tuple(one.text for one in Shown(game, seat).figures)
    for id_ in sorted(cleared_by(rules, action)):
        if begun := bundle_parts(before, id_, seat, seat):
            yield Side(owner, bundle_title(rules, id_), (*begun, *figures))
    yield Side(owner, tr("gives"), tuple(parts))


def _in_use(moment: Moment, piece: ir.Piece, seat: str) -> int:
    """Return how many pieces of a seat are anywhere but where they lie unused."""
    areas = (thing.id for kind in moment.kinds("place") for thing in moment.things(kind))
    places = (*areas, *moment.places)
    return sum(moment.count(piece.id, seat, place) for place in places if place != piece.home)


def _afterwards(game: Game, seat: str, action: str) -> Moment:
    """Return the moment after an action: the next decision, or the end of the phase."""
    ahead, ends = game.copy(), list[Moment]()
    ahead.watch = lambda state: ends.append(game.moment(state.copy()))
    ahead.answer({"action": action, "args": []}, seat)
    return ends[0] if ends else ahead.seen_by(seat)


def _read(rules: Ruleset, rule: ir.Action) -> list[tuple[str, str]]:
    """Return the bundles that an action reads cards of: whose, by the name of a local."""
    return list(dict.fromkeys(_card_fields(rules, rule)))


def _card_fields(rules: Ruleset, rule: ir.Action) -> Iterator[tuple[str, str]]:
    for node in walk(rule.body):
        if not isinstance(node, ir.AttrOf) or not isinstance(node.of, ir.Local):
            continue
        bundle = node.attr.rpartition(".")[0]
        item = node.type.item or node.type
        if bundle in rules.bundles and item.name in rules.cards:
            yield node.of.name, bundle


def _is_player(type_: ir.Type) -> bool:
    return type_.name == "player"
