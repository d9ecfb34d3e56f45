"""What advice looks at: only what its decider may see, whatever other rules it asks on the way.

A secret place or attribute is seen by its owner alone, so for every player an expression speaks of
it is worked out whether that must be the decider: `p` is, a loop over `{p}` is, everybody else need
not be. Values are looked into once for each way they are called, because what is fine for the
decider may be a secret of others. What the decider chooses from is shown to them: options and
parameters may be looked at. Pieces that lie covered may be counted as whole stacks, and what lies
on top may be asked; more of them only where a condition says that the decider sees them
(`known_facts.py`). What says who sees something may itself look at nothing that is hidden.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any

import attrs

from ziggurat.dsl.diagnostics import Note
from ziggurat.dsl.linking.known_facts import (
    ANY,
    NO_FACTS,
    SOMETHING,
    WHO,
    Facts,
    follows,
    handed_on,
    holding,
    stated,
    without,
)
from ziggurat.dsl.linking.span import source_text, span_of
from ziggurat.dsl.linking.world import World
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.description import ATTRIBUTES, IT, PIECES, PILES, described, fields_of
from ziggurat.runtime.kernel.walking import names_bound

DECIDER = "p"
OWNERS = ("player", "owner")
Own = Mapping[str, bool]  # of each name in sight: must it be the decider?


@attrs.frozen
class Peek:
    """Something that the decider may not see. `whose` is where it says who would see it, `path` the
    calls that led there."""

    at: ir.At
    why: str
    whose: ir.At = ir.NOWHERE
    path: tuple[ir.At, ...] = ()


def check_advice(world: World, ruleset: ir.Ruleset) -> None:
    """Say what each piece of advice peeps at. Quiet while anything else is wrong."""
    if world.findings.has_errors:
        return
    sight = Sight(ruleset)
    for advice in ruleset.advice:
        told: set[tuple[ir.At, ir.At]] = set()
        for preference in advice.preferences:
            own, when = {DECIDER: True}, preference.when
            known = sight.facts(when, own)
            for peek in (*sight.peeks(when, own), *sight.peeks(preference.score, own, known)):
                key = (peek.path[0] if peek.path else peek.at, peek.at)
                if key not in told:
                    told.add(key)
                    _report(world, peek)


def check_seers(world: World, ruleset: ir.Ruleset) -> None:
    """Say what those values peep at that tell who sees something, or what may lie covered."""
    if world.findings.has_errors:
        return
    sight = Sight(ruleset)
    asked = [one.sees for one in ruleset.attributes.values() if one.sees]
    asked += [id_ for one in ruleset.covers.values() for id_ in (one.sees, one.fits)]
    for value in dict.fromkeys(asked):
        for peek in sight.value(value):
            at = peek.path[0] if peek.path else peek.at
            message = f"`{value}` tells what is seen, but depends on what is not: "
            message += f"`{source_text(world, at)}`."
            advice = "Let it ask only what everybody sees."
            world.report("Z332", message, span_of(world, at), advice)


def _report(world: World, peek: Peek) -> None:
    reasons = {
        "secret": f"is secret, and `{source_text(world, peek.whose)}` need not be who decides",
        "hidden": "is hidden from everybody",
        "uncounted": "may be counted by nobody",
        "shared": "is secret, and nothing says here that the decider sees it",
        "covered": "may lie covered, and nothing says here that the decider sees it",
    }
    what = f"`{source_text(world, peek.at)}` {reasons[peek.why]}."
    steps = (*peek.path, peek.at)
    notes = tuple(
        Note(
            f"`{source_text(world, one)}` reads `{source_text(world, two)}` here.",
            span_of(world, two),
        )
        for one, two in pairwise(steps)
    )
    whose = "or say before whose it is, as in `when e.ruler is p`."
    advice = {
        "uncounted": "Ask whether it is `empty(…)`; how many there are is not seen.",
        "shared": f"Ask something else, {whose}",
        "covered": f"Count the whole stack, ask what lies on top, {whose}",
    }.get(peek.why, "Ask only what the decider sees: what is their own, and what lies open.")
    message = f"Advice looks at what its decider may not see: {what}"
    world.report("Z607", message, span_of(world, steps[0]), advice, notes)


class Sight:
    """Looks into expressions of one ruleset."""

    def __init__(self, ruleset: ir.Ruleset) -> None:
        self._rules = ruleset
        self._values: dict[tuple[str, tuple[bool, ...], Facts], tuple[Peek, ...]] = {}
        self._covers = {one.of: one for one in ruleset.covers.values()}
        self._tops = {one.top for one in ruleset.covers.values()}

    def facts(self, condition: ir.Expr | None, own: Own) -> Facts:
        """What is known where a condition holds."""
        return holding(condition, _names(own)) if self._covers or self._shares else NO_FACTS

    @cached_property
    def _shares(self) -> bool:
        return any(one.sees for one in self._rules.attributes.values())

    def peeks(self, node: Any, own: Own, facts: Facts = NO_FACTS) -> Iterator[Peek]:
        """What an expression looks at that the decider may not see."""
        match node:
            case tuple():
                for part in node:
                    yield from self.peeks(part, own, facts)
            case ir.Op(op="size" | "empty" as op, args=(of,)) if (pile := _pile(of)) is not None:
                if op == "size":
                    yield from self._counted(pile, own)
                yield from self.peeks(pile.key, own, facts)
            case ir.Op(op="and" | "if", args=(first, second, *rest)):
                yield from self.peeks(first, own, facts)
                yield from self.peeks(second, own, facts | self.facts(first, own))
                yield from self.peeks(tuple(rest), own, facts)
            case ir.PileRef():
                yield from self._cards(node, own)
                yield from self.peeks(node.key, own, facts)
            case ir.AttrOf():
                yield from self._attribute(node, own, facts)
                yield from self.peeks(node.of, own, facts)
            case ir.Count(units=units) | ir.Having(units=units):
                yield from self._pieces(node, own, facts)
                yield from self.peeks((units.owner, units.which), own, facts)
                where = node.where.expr if isinstance(node, ir.Count) else node.source
                yield from self.peeks(where, own, facts)
            case ir.ValueCall(value=value, args=args):
                yield from self.peeks(args, own, facts)
                if value not in self._tops:
                    known = [_is_own(arg, own) for arg in args]
                    yield from self._called(node.at, value, known, self._passed(node, own, facts))
            case ir.Loop(var=var, source=source, order=order):
                yield from self.peeks((source, order.args if order else ()), own, facts)
                inner = {**own, var: _is_own(source, own)}
                there = without(facts, {var}) | self._members(source, var, own)
                yield from self.peeks(node.where, inner, there)
                yield from self.peeks(node.body, inner, there | self.facts(node.where, inner))
                if order is not None:
                    known = [*(_is_own(arg, own) for arg in order.args), inner[var]]
                    for key in self._rules.orders[order.order].keys:
                        yield from self._called(node.at, key, known)
            case _ if attrs.has(type(node)):
                yield from self._unknown(node)
                bound = names_bound(node) | ({IT} if described(node).it else set())
                for field in fields_of(type(node)):
                    yield from self.peeks(getattr(node, field), own, without(facts, bound))

    def _unknown(self, node: Any) -> Iterator[Peek]:
        """A form that reads piles, covered pieces or secret attributes in a way not known here is
        refused."""
        for part, id_ in described(node).reads(node):
            rule = self._rules.attributes.get(id_)
            if part == PILES or (part == ATTRIBUTES and rule is not None and rule.secret):
                yield Peek(node.at, "hidden")
            elif part == PIECES and any(id_ in self._rules.things[kind] for kind in self._covers):
                yield Peek(node.at, "covered")

    def _cards(self, pile: ir.PileRef, own: Own) -> Iterator[Peek]:
        place = self._rules.places.get(pile.place)  # the box is no place of the rules
        if place is None or place.seen == "hidden":
            yield Peek(pile.at, "hidden")
        elif place.seen == "secret" and not self._is_mine(place.of, pile.key, own):
            yield Peek(pile.at, "secret", _place(pile.key))

    def _counted(self, pile: ir.PileRef, own: Own) -> Iterator[Peek]:
        place = self._rules.places.get(pile.place)
        if place is None or place.counted:
            return
        if place.seen == "hidden" or not self._is_mine(place.of, pile.key, own):
            yield Peek(pile.at, "uncounted")

    def _attribute(self, node: ir.AttrOf, own: Own, facts: Facts) -> Iterator[Peek]:
        rule = self._rules.attributes.get(node.attr)  # what a seat plays has no rule
        if rule is None or not rule.secret:
            return
        if rule.sees:
            of = () if node.of is None else (stated(node.of, _names(own)),)
            if not follows(self._rules.values[rule.sees], (WHO, *of), facts):
                yield Peek(node.at, "shared", _place(node.of))
        elif not self._is_mine(rule.of, node.of, own):
            yield Peek(node.at, "secret" if rule.of in OWNERS else "hidden", _place(node.of))

    def _pieces(self, node: ir.Count | ir.Having, own: Own, facts: Facts) -> Iterator[Peek]:
        """Pieces that may lie covered: all of a stack may be counted, and what the decider sees."""
        units, names = node.units, _names(own)
        for kind, cover in self._covers.items():
            every = self._rules.things[kind].keys()
            some = every & {*units.pieces}
            if not some or (units.which is None and some == every):
                continue
            whose = piece = where = SOMETHING
            if isinstance(units.owner, ir.Op) and units.owner.op == "owner_of":
                whose = stated(units.owner.args[0], names)
            elif not units.many:
                whose = stated(units.owner, names)
            if units.which is not None:
                piece = stated(units.which, names)
            if isinstance(node, ir.Count) and node.where.kind == "area" and node.where.expr:
                where = stated(node.where.expr, names)
            sees = self._rules.values[cover.sees]
            if whose == SOMETHING or not follows(sees, (WHO, whose, where, piece), facts):
                yield Peek(node.at, "covered", _place(units.owner))

    def _passed(self, node: ir.ValueCall, own: Own, facts: Facts) -> Facts:
        if not facts:
            return NO_FACTS
        params, names = self._rules.values[node.value].params, _names(own)
        return handed_on(facts, params, [stated(arg, names) for arg in node.args])

    def _members(self, source: ir.Expr, var: str, own: Own) -> Facts:
        """What is known of all members of a set that a value gives: `{x in S where C}`."""
        rule = self._rules.values.get(source.value) if isinstance(source, ir.ValueCall) else None
        loop = rule.base if rule is not None and not rule.contributions else None
        if rule is None or not isinstance(loop, ir.Loop) or loop.fn != "set" or loop.body:
            return NO_FACTS
        assert isinstance(source, ir.ValueCall)
        given = [stated(arg, _names(own)) for arg in source.args]
        if without(frozenset(given), {var}) != frozenset(given):
            return NO_FACTS
        names = dict(zip((param.name for param in rule.params), given, strict=True))
        return holding(loop.where, {**names, loop.var: ir.Local(var, ANY)})

    def _is_mine(self, of: str, whose: ir.Expr | None, own: Own) -> bool:
        return of in OWNERS and whose is not None and _is_own(whose, own)

    def _called(
        self, at: ir.At, value: str, own: list[bool], facts: Facts = NO_FACTS
    ) -> Iterator[Peek]:
        for peek in self.value(value, tuple(own), facts):
            yield attrs.evolve(peek, path=(at, *peek.path))

    def value(
        self, value: str, own: tuple[bool, ...] = (), facts: Facts = NO_FACTS
    ) -> tuple[Peek, ...]:
        """What a value looks at, if those of its parameters must be the decider."""
        key = (value, own, facts)
        if key not in self._values:
            self._values[key] = ()
            rule = self._rules.values[value]
            names = dict(zip((param.name for param in rule.params), own, strict=False))
            found = [*self.peeks(rule.base, names, facts)]
            for one in rule.contributions:
                found += self.peeks(one.when, names, facts)
                found += self.peeks(one.amount, names, facts | self.facts(one.when, names))
            self._values[key] = tuple(found)
        return self._values[key]


def _names(own: Own) -> dict[str, ir.Expr]:
    """Names that are the decider, whatever they are called."""
    return {name: WHO for name, mine in own.items() if mine}


def _pile(node: ir.Expr) -> ir.PileRef | None:
    if isinstance(node, ir.Op) and node.op == "cards":
        node = node.args[0]
    return node if isinstance(node, ir.PileRef) else None


def _place(node: ir.Expr | None) -> ir.At:
    return ir.NOWHERE if node is None else node.at


def _is_own(node: ir.Expr, own: Own) -> bool:
    """Must it be the decider, or a collection of nobody else?"""
    match node:
        case ir.Local(name=name):
            return own.get(name, False)
        case ir.Op(op="if", args=(_, *parts)) | ir.Op(op="set" | "list" | "union", args=parts):
            return all(_is_own(part, own) for part in parts)
        case ir.Op(op="minus" | "one_of" | "nth", args=(first, *_)):
            return _is_own(first, own)
        case ir.Op(op="common", args=parts):
            return any(_is_own(part, own) for part in parts)
        case ir.Loop(fn="set" | "list" | "first", var=var, source=source, body=body):
            inner = {**own, var: _is_own(source, own)}
            return inner[var] if body is None else _is_own(body, inner)
    return False
