"""Stacks: which packs make a ruleset, and in which order they are linked.

`west+expert` names two packs; everything they extend or require comes in with them. The order is
stable: first what was brought in, as early as its own needs allow, and the written packs as
written. Later packs amend earlier ones, so a stack whose order contradicts its packs is refused
with the right one, not silently mended.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

import attrs

from ziggurat.dsl.diagnostics import Diagnostic, Note, Span, did_you_mean
from ziggurat.dsl.manifest import NO_VERSION, Need, Pack
from ziggurat.dsl.players import admitted, check_players
from ziggurat.dsl.version import __version__

# Mistakes in a `pack.toml` that do not change what is linked, so that checking can go on.
HARMLESS = frozenset({"Z014", "Z016", "Z017", "Z019"})

Lookup = Callable[[str], Pack | None]
Known = Callable[[], Iterable[str]]
Packs = Mapping[str, Pack]
Places = Mapping[str, Span]


@attrs.frozen
class Stack:
    """Packs in linking order; `written` are the ids asked for, the others came with them."""

    packs: tuple[Pack, ...]
    written: tuple[str, ...]
    # The ids of all packs there are, these or others; nothing where that is not known.
    known: Known = attrs.field(default=tuple, eq=False, repr=False)

    def may_know(self, pack_id: str) -> bool:
        """Whether there is such a pack, or might be."""
        known = self.known()
        return not known or pack_id in known

    @property
    def name(self) -> str:
        return "+".join(self.written)

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(pack.id for pack in self.packs)

    def pack(self, pack_id: str) -> Pack:
        return next(pack for pack in self.packs if pack.id == pack_id)

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players its packs admit; nothing if none of them says any."""
        return admitted(self.packs, self.foundations)

    @cached_property
    def foundations(self) -> Mapping[str, frozenset[str]]:
        """Of every pack, those that it comes after, directly or through others."""
        return _foundations(self.packs)

    def builds_on(self, later: str, earlier: str) -> bool:
        """Return whether a pack says, directly or through others, that it comes after another."""
        return earlier in self.foundations[later]


def order_stack(
    elements: Sequence[tuple[Span, Pack | None]], lookup: Lookup, known: Known, game: bool = True
) -> tuple[Stack | None, list[Diagnostic]]:
    """Put the written packs and all they need in order, or say why they do not fit together."""
    findings: list[Diagnostic] = []
    written, places = _written(elements, known, findings)
    present = _gathered(written, lookup, known, findings)
    for pack in present.values():
        findings += pack.findings
        findings += _engine(pack)
        findings += _versions(pack, present)
    conflicts = _conflicts(present, places)
    findings += conflicts
    if game:
        findings += _incomplete(written, present, places, lookup, known)
    order, ring = _order(present, list(written))
    findings += _cycle(ring, present) or _contradictions(present, places)
    if not ring and not conflicts:
        packs = [present[name] for name in order]
        findings += check_players(packs, _foundations(packs))
    if any(found.is_error and found.code not in HARMLESS for found in findings):
        return None, findings
    return Stack(tuple(present[name] for name in order), tuple(written), known), findings


def _incomplete(
    written: dict[str, Pack],
    present: dict[str, Pack],
    places: dict[str, Span],
    lookup: Lookup,
    known: Known,
) -> list[Diagnostic]:
    """A stack in which every pack leaves rules to others is no game; say what to stack instead."""
    if not written or not all(pack.incomplete for pack in present.values()):
        return []
    name = list(written)[-1]
    message = f"`{name}` is not a game of its own: it leaves rules to other packs."
    packs = [pack for pack in map(lookup, sorted(known())) if pack and not pack.incomplete]
    builds = [pack.id for pack in packs if any(need.id == name for need in pack.extends)]
    examples = builds or [f"{pack.id}+{name}" for pack in packs]
    advice = f"Stack it with one that has them, such as `{'` or `'.join(examples[:2])}`."
    return [Diagnostic("Z029", message, places[name], advice if examples else None)]


def _written(
    elements: Sequence[tuple[Span, Pack | None]], known: Known, out: list[Diagnostic]
) -> tuple[dict[str, Pack], dict[str, Span]]:
    packs: dict[str, Pack] = {}
    places: dict[str, Span] = {}
    for span, pack in elements:
        if pack is None:
            out.append(_unknown(span.text, span, known))
        elif pack.id in packs:
            message = f"The pack `{pack.id}` is named twice in this stack."
            first = Note("It is already here.", places[pack.id])
            out.append(Diagnostic("Z025", message, span, "Name it once.", (first,)))
        else:
            packs[pack.id] = pack
            places[pack.id] = span
    return packs, places


def _unknown(name: str, span: Span, known: Known) -> Diagnostic:
    advice = did_you_mean(name, known()) or (
        "`ziggurat packs` lists the packs there are; `--packs FOLDER` adds a folder to look in."
    )
    return Diagnostic("Z020", f"There is no pack called `{name}`.", span, advice)


def _gathered(
    written: dict[str, Pack], lookup: Lookup, known: Known, out: list[Diagnostic]
) -> dict[str, Pack]:
    """The written packs and all they extend or require, those brought in first."""
    brought: dict[str, Pack] = {}
    waiting = list(written.values())
    while waiting:
        pack = waiting.pop(0)
        for need in (*pack.extends, *pack.requires):
            if need.id in written or need.id in brought:
                continue
            found = lookup(need.id)
            if found is None:
                out.append(_unknown(need.id, need.span, known))
            else:
                brought[need.id] = found
                waiting.append(found)
    return brought | written


def _needs(pack: Pack, present: Packs) -> Iterator[Need]:
    """What comes before a pack in this stack; `optional` counts only for packs that are there."""
    for need in (*pack.extends, *pack.requires, *pack.optional):
        if need.id in present:
            yield need


def _foundations(packs: Sequence[Pack]) -> dict[str, frozenset[str]]:
    """Return the packs that each of these, which are in linking order, comes after."""
    present = {pack.id: pack for pack in packs}
    found: dict[str, frozenset[str]] = {}
    for pack in packs:
        direct = [need.id for need in _needs(pack, present)]
        found[pack.id] = frozenset(direct).union(*(found[name] for name in direct))
    return found


def _order(present: Packs, written: list[str]) -> tuple[list[str], list[str]]:
    """The linking order, and the packs that wait for one another and so have no place in it."""
    needed = {name: {need.id for need in _needs(present[name], present)} for name in present}
    for earlier, later in pairwise(written):
        needed[later].add(earlier)
    order: list[str] = []
    while ready := next((name for name, waits in needed.items() if not waits), None):
        order.append(ready)
        del needed[ready]
        for waits in needed.values():
            waits.discard(ready)
    return order, list(needed)


def _cycle(waiting: list[str], present: Packs) -> list[Diagnostic]:
    """The ring of packs that need one another, if that is why some are still waiting."""
    for name in waiting:
        ring = _ring(name, present)
        if ring:
            if len(ring) == 1:
                message = f"The pack `{name}` says that it needs itself."
                return [Diagnostic("Z024", message, ring[0].span, "Take this entry away.")]
            names = " → ".join(f"`{need.id}`" for need in (ring[-1], *ring))
            notes = [Note("And this one closes the circle.", need.span) for need in ring[1:]][-1:]
            message = f"These packs need one another in a circle: {names}."
            advice = "Take one of these entries out of its `extends` or `requires`."
            return [Diagnostic("Z024", message, ring[0].span, advice, tuple(notes))]
    return []


def _ring(start: str, present: Packs) -> list[Need]:
    """The shortest way from a pack over what it needs back to itself."""
    ways: list[list[Need]] = [[need] for need in _needs(present[start], present)]
    seen: set[str] = set()
    while ways:
        way = ways.pop(0)
        if way[-1].id == start:
            return way
        if way[-1].id not in seen:
            seen.add(way[-1].id)
            ways += [[*way, need] for need in _needs(present[way[-1].id], present)]
    return []


def _need_towards(present: Packs, later: str, earlier: str) -> Need | None:
    """The entry of `later` through which it comes after `earlier`, if it does."""
    for first in _needs(present[later], present):
        reached, waiting = {first.id}, [first.id]
        while waiting:
            if earlier in reached:
                return first
            for need in _needs(present[waiting.pop()], present):
                if need.id not in reached:
                    reached.add(need.id)
                    waiting.append(need.id)
        if earlier in reached:
            return first
    return None


def _contradictions(present: Packs, places: Places) -> list[Diagnostic]:
    names = list(places)
    out = []
    for index, name in enumerate(names):
        for other in names[index + 1 :]:
            need = _need_towards(present, name, other)
            if need:
                message = f"`{name}` builds on `{other}`, so it cannot come before it."
                note = Note(f"`{name}` says so here.", need.span)
                advice = f"Write `{other}` before `{name}`."
                out.append(Diagnostic("Z026", message, places[name], advice, (note,)))
    return out


def _engine(pack: Pack) -> list[Diagnostic]:
    if pack.engine.contains(__version__, prereleases=True):
        return []
    message = (
        f"`{pack.id}` is written for version {pack.engine} of Ziggurat; this is {__version__}."
    )
    advice = "Get another version of the pack or of Ziggurat."
    return [Diagnostic("Z021", message, pack.span("engine"), advice)]


def _versions(pack: Pack, present: Packs) -> list[Diagnostic]:
    out = []
    for need in _needs(pack, present):
        other = present[need.id]
        if other.version != NO_VERSION and not need.admits(other.version):
            message = f"`{pack.id}` needs `{need.id}` {need.versions}, but it is {other.version}."
            note = Note(f"`{need.id}` says its version here.", other.span("version"))
            advice = f"Get a version of `{need.id}` in that range, or change the range."
            out.append(Diagnostic("Z022", message, need.span, advice, (note,)))
    return out


def _conflicts(present: Packs, places: Places) -> list[Diagnostic]:
    out: dict[frozenset[str], Diagnostic] = {}
    for pack in present.values():
        for need in pack.conflicts:
            other = present.get(need.id)
            if other and need.admits(other.version):
                pair = frozenset({pack.id, other.id})
                out.setdefault(pair, _conflict(pack, need, present, places))
    return list(out.values())


def _conflict(pack: Pack, need: Need, present: Packs, places: Places) -> Diagnostic:
    """Two packs that cannot be stacked together: who says so, and who brought in those of them
    that nobody wrote."""
    pair = (pack.id, need.id)
    message = f"`{pack.id}` and `{need.id}` cannot be stacked together. {need.reason}".rstrip()
    written = [place for name, place in places.items() if name in pair]
    brought = [
        (user, one)
        for user in present.values()
        for one in (*user.extends, *user.requires)
        if one.id in pair and one.id not in places
    ]
    notes = [Note(f"`{user.id}` brings in `{one.id}` here.", one.span) for user, one in brought]
    if not written:
        advice = "Let only one of them be brought in."
        return Diagnostic("Z023", message, need.span, advice, tuple(notes))
    advice, place = "Take one of them out of the stack.", written[-1]
    if brought:
        (user, one), other = brought[0], next(name for name in pair if name in places)
        advice = f"`{user.id}` builds on `{one.id}`, so it cannot be stacked with `{other}`."
        place = places.get(user.id, place)
    notes.insert(0, Note(f"`{pack.id}` says so here.", need.span))
    return Diagnostic("Z023", message, place, advice, tuple(notes))
