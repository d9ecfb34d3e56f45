"""Who uses whom: what each declaration reads, changes and calls, and who does so with it."""

from collections.abc import Iterable, Iterator
from typing import Any

from ziggurat.dsl.printing.index import Index
from ziggurat.runtime.kernel import All, FieldOf, OptionRef, Ruleset, ThingRef, Whereabouts
from ziggurat.runtime.kernel.description import ATTRIBUTES, PIECES, PILES, Touch, described
from ziggurat.runtime.kernel.forms.bundles import bundle_of
from ziggurat.runtime.kernel.walking import walk

# A declaration: the word that declares it, and its id.
Name = tuple[str, str]
READS, CHANGES, CALLS, NAMES = "reads", "changes", "calls", "names"
_RULES = ("value", "order", "procedure", "phase", "action")


class Uses:
    """All uses of one ruleset. `of[name]` is what a declaration uses, `by[name]` who uses it; both
    say how: `reads`, `changes`, `calls` or `names`."""

    def __init__(self, ruleset: Ruleset, index: Index | None = None) -> None:
        self.ruleset = ruleset
        self.of: dict[Name, dict[str, dict[Name, None]]] = {}
        self.by: dict[Name, dict[str, dict[Name, None]]] = {}
        self._keys = {key: order.id for order in ruleset.orders.values() for key in order.keys}
        self._places = {one.id for one in ruleset.places.values()}
        for user, node in self._passages(index or Index(ruleset)):
            for how, used in self._used(node):
                self._note(user, how, used)

    def reached(self, roots: Iterable[Name]) -> set[Name]:
        """The rules that are read or called from somewhere, by itself or through others."""
        found: set[Name] = set()
        waiting = list(roots)
        while waiting:
            for how, names in self.of.get(waiting.pop(), {}).items():
                if how in (READS, CALLS):
                    fresh = [one for one in names if one[0] in _RULES and one not in found]
                    found.update(fresh)
                    waiting += fresh
        return found

    def _note(self, user: Name, how: str, used: Name) -> None:
        if user != used:
            self.of.setdefault(user, {}).setdefault(how, {})[used] = None
            self.by.setdefault(used, {}).setdefault(how, {})[user] = None

    def _passages(self, index: Index) -> Iterator[tuple[Name, Any]]:
        """Every part of a rule with the declaration that it stands in."""
        ruleset = self.ruleset
        for value in ruleset.values.values():
            yield self._named("value", value.id), value.base
        for procedure in ruleset.procedures.values():
            yield ("procedure", procedure.id), procedure.body
        for phase in ruleset.phases.values():
            yield ("phase", phase.id), (phase.needs, phase.stages)
        for action in ruleset.actions.values():
            yield ("action", action.id), (action.params, action.needs, action.body)
            self._note(("phase", action.phase), CALLS, ("action", action.id))
        for cover in ruleset.covers.values():
            for id_ in (cover.sees, cover.top, cover.fits):
                self._note(("cover", cover.id), READS, ("value", id_))
        for attribute in ruleset.attributes.values():
            if attribute.sees:
                self._note(("attribute", attribute.id), READS, ("value", attribute.sees))
        for kind, page in ruleset.things.items():
            for thing in page.values():
                yield (kind, thing.id), tuple(body.body for body in thing.bodies)
        yield from self._brought(index)

    def _brought(self, index: Index) -> Iterator[tuple[Name, Any]]:
        """What things and rules bring to others, and what stands in them."""
        for home, found in index.homes.items():
            for value, clause in found.clauses:
                self._note(home, CHANGES, self._named("value", value.id))
                yield home, (clause.amount, clause.when)
            for target in found.triggers:
                self._note(home, CHANGES, (target.sort, target.id))
                yield home, (target.trigger.condition, target.trigger.body)
            for sort, one in found.nested:
                self._note(home, CALLS, (sort, one.id))

    def _named(self, word: str, id_: str) -> Name:
        """A key of an order is known by its order."""
        return ("order", self._keys[id_]) if word == "value" and id_ in self._keys else (word, id_)

    def _used(self, passage: Any) -> Iterator[tuple[str, Name]]:
        for node in walk(passage):
            about = described(node)
            for word, id_, *_ in about.calls(node):
                how = READS if word in ("value", "order") else CALLS
                yield how, ("kind", id_) if word == "body" else self._named(word, id_)
            for how, touched in ((READS, about.reads(node)), (CHANGES, about.writes(node))):
                for touch in touched:
                    yield from self._touched(how, touch)
            yield from self._spoken_of(node)

    def _touched(self, how: str, touch: Touch) -> Iterator[tuple[str, Name]]:
        if touch.part == ATTRIBUTES and touch.id:
            bundle = bundle_of(self.ruleset.bundles, touch.id)
            yield how, ("attribute", touch.id) if bundle is None else ("bundle", bundle.id)
        elif touch.part == PIECES and touch.id:
            yield how, ("piece", touch.id)
        elif touch.part == PILES and touch.id in self._places:
            yield how, ("place", touch.id)

    def _spoken_of(self, node: Any) -> Iterator[tuple[str, Name]]:
        match node:
            case OptionRef(id_):
                yield READS, ("option", id_)
            case ThingRef(kind, id_):
                yield NAMES, (kind, id_)
            case FieldOf(owner_kind=kind):
                yield READS, ("kind", kind)
            case All(of=kind) if kind in self.ruleset.kinds:
                yield READS, ("kind", kind)
            case Whereabouts(kind="own", id=id_) if id_ in self._places:
                yield READS, ("place", id_)
