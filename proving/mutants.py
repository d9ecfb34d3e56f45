"""Small wrong changes of a ruleset: what good scenarios notice.

A mutant is a linked ruleset with one thing different: a number by one, a sign, a condition or a
step left out, two keys of an order swapped. Only rules are changed, never the data of things (their
costs and limits are checked against their sources), nor what only people or advice look at. What
comes to the same as the rule itself is no change, and what comes to the same as another change is
made once (see `proving.normal_form`).
"""

from collections.abc import Iterator
from typing import Any

import attrs

from ziggurat.dsl import ir
from ziggurat.dsl.forms.description import FORMS, described, fields_of
from ziggurat.dsl.forms.logic import conjuncts
from ziggurat.dsl.forms.walking import calls
from ziggurat.proving import phrasing
from ziggurat.proving.coverage import used_values
from ziggurat.proving.normal_form import Plain

_CONDITIONS = ("when", "where", "condition")
_BOOL = ir.Type("bool")


@attrs.frozen
class Change:
    """A changed node, what was changed in it, and where that stands."""

    new: Any
    what: str
    at: ir.At


@attrs.frozen
class Mutant:
    """One changed declaration: `table` and `id` say which of the ruleset's declarations it is."""

    table: str
    id: str
    what: str
    at: ir.At
    declaration: Any = attrs.field(repr=False)

    def apply(self, ruleset: ir.Ruleset) -> ir.Ruleset:
        """The ruleset with this one change."""
        if self.table == "things":
            kind = self.declaration.kind
            things = {**ruleset.things, kind: {**ruleset.things[kind], self.id: self.declaration}}
            return attrs.evolve(ruleset, things=things)
        changes: Any = {self.table: {**getattr(ruleset, self.table), self.id: self.declaration}}
        return attrs.evolve(ruleset, **changes)

    def __str__(self) -> str:
        place = phrasing.where(self.at)
        return f"{self.id}: {self.what}" + (f" ({place})" if place else "")


def mutants(ruleset: ir.Ruleset) -> list[Mutant]:
    """Every single change that can be made to the rules."""
    changes = _Changes(ruleset)
    plain = Plain(ruleset)
    used = used_values(plain.ruleset())
    keys = _mere_keys(ruleset)
    found = []
    for table in ("values", "orders", "procedures", "phases", "actions"):
        for id_, declaration in getattr(ruleset, table).items():
            if table == "values" and id_ not in used:
                continue
            seen = {plain.of(declaration, id_ in keys)}
            for change in changes.of(declaration):
                if _new(plain.of(change.new, id_ in keys), seen):
                    found.append(Mutant(table, id_, change.what, change.at, change.new))
    for things in ruleset.things.values():
        for thing in things.values():
            seen = {plain.of(thing.bodies)}
            for change in changes.of(thing.bodies):
                if _new(plain.of(change.new), seen):
                    new = attrs.evolve(thing, bodies=change.new)
                    found.append(Mutant("things", thing.id, change.what, change.at, new))
    return found


def _new(form: Any, seen: set[Any]) -> bool:
    """Whether a change comes to something not seen before."""
    known = form in seen
    seen.add(form)
    return not known


def _mere_keys(ruleset: ir.Ruleset) -> set[str]:
    """The keys of orders that no rule reads by themselves."""
    tables = (ruleset.values, ruleset.procedures, ruleset.phases, ruleset.actions, ruleset.things)
    read = {call[1] for call in calls(tables) if call[0] == "value"}
    return {key for order in ruleset.orders.values() for key in order.keys} - read


class _Changes:
    """Every way to change a node, itself or one of its parts."""

    def __init__(self, ruleset: ir.Ruleset) -> None:
        self.tell = phrasing.printer(ruleset).text

    def of(self, node: Any) -> Iterator[Change]:
        if isinstance(node, tuple):
            yield from self._in_tuple(node)
        elif type(node) in FORMS and not described(node).shown:
            yield from self._itself(node)
            exactly = hasattr(node, "least") and node.least == node.most
            for name in fields_of(type(node)):
                part = getattr(node, name)
                if exactly and name == "least":
                    for change in self.of(part):
                        new = attrs.evolve(node, least=change.new, most=change.new)
                        yield Change(new, change.what, _at(change, node))
                if exactly and name in ("least", "most"):
                    continue
                if name in _CONDITIONS and isinstance(part, ir.Expr):
                    yield from self._conditions(node, name, part)
                if not _mere_bound(node, name):
                    for change in self.of(part):
                        new = attrs.evolve(node, **{name: change.new})
                        yield Change(new, change.what, _at(change, node))

    def _in_tuple(self, nodes: tuple[Any, ...]) -> Iterator[Change]:
        for i, node in enumerate(nodes):
            before, after = nodes[:i], nodes[i + 1 :]
            if isinstance(node, ir.Stmt) and described(node).dispensable:
                what = f"the step {type(node).__name__.lower()} left out"
                yield Change((*before, *after), what, node.at)
            if isinstance(node, ir.Requirement):
                what = f"`needs {self.tell(node.condition)}` left out"
                yield Change((*before, *after), what, node.at)
            for change in self.of(node):
                yield Change((*before, change.new, *after), change.what, change.at)

    def _itself(self, node: Any) -> Iterator[Change]:
        for name, others in described(node).variants.items():
            old = getattr(node, name)
            if old in others:
                new = attrs.evolve(node, **{name: others[old]})
                yield Change(new, self._turned(node, old, others[old]), node.at)
        match node:
            case ir.Lit(value=int(number), type=ir.Type(name="int"), at=at):
                for other in (number + 1, number - 1):
                    yield Change(attrs.evolve(node, value=other), f"{number} made {other}", at)
            case ir.Contribution(op="by", amount=amount, at=at, path=path):
                if amount is not None and amount.type.name == "int":
                    opposite = ir.Op("neg", (amount,), amount.type)
                    what = f"a sign turned in {path}"
                    yield Change(attrs.evolve(node, amount=opposite), what, at)
            case ir.Order(keys=keys, at=at):
                for i in range(len(keys) - 1):
                    swapped = (*keys[:i], keys[i + 1], keys[i], *keys[i + 2 :])
                    what = f"the keys {keys[i]} and {keys[i + 1]} swapped"
                    yield Change(attrs.evolve(node, keys=swapped), what, at)

    def _turned(self, node: Any, old: str, new: str) -> str:
        """A changed sign or word, in words."""
        if isinstance(node, ir.Expr):
            return f"a sign turned in `{self.tell(node)}`"
        words = {"+": "added", "-": "subtracted"}
        path = getattr(node, "path", "")
        change = f"{words.get(old, old)} made {words.get(new, new)}"
        return f"{change} in {path}" if path else change

    def _conditions(self, node: Any, name: str, condition: ir.Expr) -> Iterator[Change]:
        """The condition left out, or one of several that must hold together."""
        parts = conjuncts(condition)
        if len(parts) == 1 and not _optional(node, name):
            return
        for i, part in enumerate(parts):
            rest = _together([*parts[:i], *parts[i + 1 :]])
            if rest is None and isinstance(node, ir.If):
                rest = ir.Lit(True, _BOOL)
            what = f"the condition `{self.tell(part)}` left out"
            yield Change(attrs.evolve(node, **{name: rest}), what, _at(part, node))


def _together(parts: list[ir.Expr]) -> ir.Expr | None:
    if not parts:
        return None
    whole = parts[0]
    for part in parts[1:]:
        whole = ir.Op("and", (whole, part), _BOOL)
    return whole


def _optional(node: Any, name: str) -> bool:
    """Whether a node may do without its condition: not a `while`, which would never end, nor a
    requirement, which is left out as a whole."""
    if isinstance(node, ir.Requirement | ir.Repeat | ir.Loop) and name == "condition":
        return False
    return not (isinstance(node, ir.Stage) and node.kind == "while")


def _mere_bound(node: Any, name: str) -> bool:
    """The bound of a loop that ends by its condition is a safety net, not a rule."""
    return isinstance(node, ir.Repeat) and name == "times" and node.condition is not None


def _at(change: Any, node: Any) -> ir.At:
    at: ir.At = change.at
    return at if at.file else getattr(node, "at", ir.NOWHERE)
