"""Two rulesets on one board.

Editions of a game may have other areas, other peoples and other setups, and then their games part
before anything of the rules has been seen. So the data of one is given to the other: kinds that
have nothing but data and are not the same on both sides, with all data that speaks of them. Things
that only have another name or another place in the text are brought into one order, so that a deck
shuffled with one seed lies alike.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from ziggurat.dsl.comparing.names import Reading
from ziggurat.dsl.comparing.renames import find_renames
from ziggurat.proving.behaviour.alignment import Renames
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.walking import walk

Things = dict[str, dict[str, ir.Thing]]
_LAID_OUT = {"place", "seat", "card"}
_RULES = ("values", "procedures", "phases", "actions", "attributes", "turns", "neutrals")


@attrs.frozen
class Board:
    """Both rulesets on the board of one of them: `of` is its stack, `kinds` are what the other one
    was given, `missing` why that, or the same the other way round, could not be."""

    of: str
    old: ir.Ruleset
    new: ir.Ruleset
    kinds: tuple[str, ...] = ()
    missing: str = ""


def boards(old: ir.Ruleset, new: ir.Ruleset) -> list[Board]:
    """The board of the old one and that of the new one, as far as the other can be played there;
    one if they are the same, or if there is no other way."""
    a, b = Reading(old), Reading(new)
    renames = find_renames(a, b)
    kinds = _different(old, new, renames, _mere_data(a) & _mere_data(b))
    if not kinds:
        return [Board(old.stack, old, in_order(old, new, renames))]
    found: list[Board] = []
    reasons: list[str] = []
    for host, guest in ((old, new), (new, old)):
        reason = next(_obstacles(host, guest, kinds), "")
        if reason:
            reasons.append(f"{guest.stack} on the board of {host.stack}: {reason}")
            continue
        given = _moved(host, guest, kinds)
        sides = (old, given) if host is old else (given, new)
        found.append(Board(host.stack, *_ordered(*sides), kinds))
    missing = "; ".join(reasons)
    if not found:
        return [Board("", *_ordered(old, new), (), missing)]
    return [attrs.evolve(one, missing=missing) for one in found]


def _ordered(old: ir.Ruleset, new: ir.Ruleset) -> tuple[ir.Ruleset, ir.Ruleset]:
    a, b = Reading(old), Reading(new)
    return old, in_order(old, new, find_renames(a, b))


def in_order(old: ir.Ruleset, new: ir.Ruleset, renames: Renames) -> ir.Ruleset:
    """The new ruleset with its things in the order of the old one, new things after them."""
    things: Things = {}
    for kind, page in new.things.items():
        told = old.things.get(kind, {})
        ranks = {renames.get((kind, id_), id_): n for n, id_ in enumerate(told)}
        ordered = sorted(page, key=lambda id_: ranks.get(id_, len(ranks)))
        things[kind] = {id_: page[id_] for id_ in ordered}
    first = [kind for kind in old.things if kind in things]
    order = [*first, *(kind for kind in things if kind not in old.things)]
    return attrs.evolve(new, things={kind: things[kind] for kind in order})


# ---- which kinds are exchanged ------------------------------------------------------------------


def _mere_data(side: Reading) -> set[str]:
    """The kinds whose things have fields only: no blocks, no clauses, no values of their own."""
    rules = side.ruleset
    found = {kind.id for kind in rules.kinds.values() if not kind.bodies}
    for subject in side.subjects.values():
        if subject.home is not None:
            found.discard(subject.home[0])
        if subject.sort in found:
            fields = {field.name for field in rules.kinds[subject.sort].fields}
            if any(part.group not in fields for part in subject.parts):
                found.discard(subject.sort)
    return found


def _different(
    old: ir.Ruleset, new: ir.Ruleset, renames: Renames, data: set[str]
) -> tuple[str, ...]:
    """Kinds of mere data that both know and of which they have other places, seats or cards; and
    what those speak of and differ in, or speak of them."""
    data = {kind for kind in data if kind in old.kinds and kind in new.kinds}
    differing = {
        kind
        for kind in data
        if {renames.get((kind, id_), id_) for id_ in old.things[kind]} != set(new.things[kind])
    }
    speaks = {
        kind: {*_mentioned(old.things[kind].values()), *_mentioned(new.things[kind].values())}
        for kind in data
    }
    found = {kind for kind in differing if {*old.kinds[kind].roles} & _LAID_OUT}
    fresh = found
    while fresh:
        told = {kind for kind in data if speaks[kind] & found}
        told |= {other for kind in found for other in speaks[kind]} & differing
        fresh = told - found
        found |= fresh
    return tuple(kind for kind in old.kinds if kind in found)


def _mentioned(things: Iterable[ir.Thing]) -> Iterator[str]:
    """The kinds of the things that fields point at."""
    for thing in things:
        for given in thing.values:
            yield from (name.partition(".")[0] for name in _names(given.value))


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from _names(one)


# ---- whether and how ----------------------------------------------------------------------------


def _obstacles(host: ir.Ruleset, guest: ir.Ruleset, kinds: Iterable[str]) -> Iterator[str]:
    """Why one cannot be played on the board of the other."""
    for kind in kinds:
        known = {field.name for field in host.kinds[kind].fields}
        for field in guest.kinds[kind].fields:
            if field.required and field.name not in known:
                yield f"{kind}s have no `{field.name}` there"
    others = [
        one for kind, page in guest.things.items() if kind not in kinds for one in page.values()
    ]
    rules = tuple(getattr(guest, name) for name in _RULES)
    told = [
        f"{one.kind}.{one.id}" for one in walk((*rules, *others)) if isinstance(one, ir.ThingRef)
    ]
    told += [name for one in others for given in one.values for name in _names(given.value)]
    for name in told:
        kind, dot, id_ = name.partition(".")
        if dot and kind in kinds and id_ not in host.things[kind]:
            yield f"there is no {kind} `{id_}`"


def _moved(host: ir.Ruleset, guest: ir.Ruleset, kinds: Iterable[str]) -> ir.Ruleset:
    """The guest with the data of the host, for as many players as that is for."""
    things = dict(guest.things)
    for kind in kinds:
        fields = {field.name for field in guest.kinds[kind].fields}
        things[kind] = {
            id_: attrs.evolve(one, values=tuple(v for v in one.values if v.field in fields))
            for id_, one in host.things[kind].items()
        }
    bare: Any = {"maps": {}, "marks": {}, "players": host.players}
    return attrs.evolve(guest, things=things, **bare)
