"""What advice looks at: only what its decider may see, whatever other rules it asks on the way.

A secret place or attribute is seen by its owner alone, so for every player an expression speaks of
it is worked out whether that must be the decider: `p` is, a loop over `{p}` is, everybody else need
not be. Values are looked into once for each way they are called, because what is fine for the
decider may be a secret of others. What the decider chooses from is shown to them: options and
parameters may be looked at.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import attrs

from ziggurat.dsl import ir
from ziggurat.dsl.diagnostics import Note
from ziggurat.dsl.forms.description import ATTRIBUTES, PILES, described, fields_of
from ziggurat.dsl.linking.span import span_of
from ziggurat.dsl.linking.world import World

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
    sight = _Sight(ruleset)
    for advice in ruleset.advice:
        told: set[tuple[ir.At, ir.At]] = set()
        for preference in advice.preferences:
            for peek in sight.peeks((preference.score, preference.when), {DECIDER: True}):
                key = (peek.path[0] if peek.path else peek.at, peek.at)
                if key not in told:
                    told.add(key)
                    _report(world, peek)


def _report(world: World, peek: Peek) -> None:
    reasons = {
        "secret": f"is secret, and `{_text(world, peek.whose)}` need not be who decides",
        "hidden": "is hidden from everybody",
        "uncounted": "may be counted by nobody",
    }
    what = f"`{_text(world, peek.at)}` {reasons[peek.why]}."
    steps = (*peek.path, peek.at)
    notes = tuple(
        Note(f"`{_text(world, one)}` reads `{_text(world, two)}` here.", span_of(world, two))
        for one, two in pairwise(steps)
    )
    advice = (
        "Ask whether it is `empty(…)`; how many there are is not seen."
        if peek.why == "uncounted"
        else "Ask only what the decider sees: what is their own, and what lies open."
    )
    message = f"Advice looks at what its decider may not see: {what}"
    world.report("Z607", message, span_of(world, steps[0]), advice, notes)


def _text(world: World, at: ir.At) -> str:
    span = span_of(world, at)
    return " ".join(span.source.text[span.start : span.end].split()) if span else ""


class _Sight:
    """Looks into expressions of one ruleset."""

    def __init__(self, ruleset: ir.Ruleset) -> None:
        self._rules = ruleset
        self._values: dict[tuple[str, tuple[bool, ...]], tuple[Peek, ...]] = {}

    def peeks(self, node: Any, own: Own) -> Iterator[Peek]:
        """What an expression looks at that the decider may not see."""
        match node:
            case tuple():
                for part in node:
                    yield from self.peeks(part, own)
            case ir.Op(op="size" | "empty" as op, args=(of,)) if (pile := _pile(of)) is not None:
                if op == "size":
                    yield from self._counted(pile, own)
                yield from self.peeks(pile.key, own)
            case ir.PileRef():
                yield from self._cards(node, own)
                yield from self.peeks(node.key, own)
            case ir.AttrOf():
                yield from self._attribute(node, own)
                yield from self.peeks(node.of, own)
            case ir.ValueCall(value=value, args=args):
                yield from self.peeks(args, own)
                yield from self._called(node.at, value, [_is_own(arg, own) for arg in args])
            case ir.Loop(var=var, source=source, order=order):
                yield from self.peeks((source, order.args if order else ()), own)
                inner = {**own, var: _is_own(source, own)}
                yield from self.peeks((node.where, node.body), inner)
                if order is not None:
                    known = [*(_is_own(arg, own) for arg in order.args), inner[var]]
                    for key in self._rules.orders[order.order].keys:
                        yield from self._called(node.at, key, known)
            case _ if attrs.has(type(node)):
                yield from self._unknown(node)
                for field in fields_of(type(node)):
                    yield from self.peeks(getattr(node, field), own)

    def _unknown(self, node: Any) -> Iterator[Peek]:
        """A form that reads piles or secret attributes in a way not known here is refused."""
        for part, id_ in described(node).reads(node):
            rule = self._rules.attributes.get(id_)
            if part == PILES or (part == ATTRIBUTES and rule is not None and rule.secret):
                yield Peek(node.at, "hidden")

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

    def _attribute(self, node: ir.AttrOf, own: Own) -> Iterator[Peek]:
        rule = self._rules.attributes.get(node.attr)  # what a seat plays has no rule
        if rule is not None and rule.secret and not self._is_mine(rule.of, node.of, own):
            yield Peek(node.at, "secret" if rule.of in OWNERS else "hidden", _place(node.of))

    def _is_mine(self, of: str, whose: ir.Expr | None, own: Own) -> bool:
        return of in OWNERS and whose is not None and _is_own(whose, own)

    def _called(self, at: ir.At, value: str, own: list[bool]) -> Iterator[Peek]:
        for peek in self._value(value, tuple(own)):
            yield attrs.evolve(peek, path=(at, *peek.path))

    def _value(self, value: str, own: tuple[bool, ...]) -> tuple[Peek, ...]:
        """What a value looks at, if those of its parameters must be the decider."""
        key = (value, own)
        if key not in self._values:
            self._values[key] = ()
            rule = self._rules.values[value]
            names = dict(zip((param.name for param in rule.params), own, strict=True))
            clauses = tuple((one.when, one.amount) for one in rule.contributions)
            self._values[key] = tuple(self.peeks((rule.base, clauses), names))
        return self._values[key]


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
