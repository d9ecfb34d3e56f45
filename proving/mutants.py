"""Small wrong changes of a ruleset: what good scenarios notice.

A mutant is a linked ruleset with one mistake in it (`proving.mistakes`): a number by one, a step
left out, somebody else who decides, another set, filter, order or text. Only rules are changed,
never the data of things (their costs and limits are checked against their sources), nor what only
advice looks at. What comes to the same as the rule itself is no change, and what comes to the same
as another change is made once (see `dsl.normal_form`).
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import attrs

from ziggurat.dsl.normal_form import Plain
from ziggurat.proving import phrasing
from ziggurat.proving.coverage import CLAUSES, used_values
from ziggurat.proving.mistakes import MISTAKES
from ziggurat.proving.mistakes.sight import Change, Known, Sight
from ziggurat.proving.phrasing import pack_of
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.description import FORMS, described, fields_of
from ziggurat.runtime.kernel.walking import calls


@attrs.frozen
class Mutant:
    """One changed declaration: `table` and `id` say which of the ruleset's declarations it is,
    `clause` the path of the clause in it, `sort` the sort of mistake. Changes of one clause that
    are told alike are numbered."""

    table: str
    id: str
    what: str
    at: ir.At
    sort: str
    clause: str
    declaration: Any = attrs.field(repr=False)
    number: int = 1

    def apply(self, ruleset: ir.Ruleset) -> ir.Ruleset:
        """The ruleset with this one change."""
        if self.table == "things":
            kind = self.declaration.kind
            things = {**ruleset.things, kind: {**ruleset.things[kind], self.id: self.declaration}}
            return attrs.evolve(ruleset, things=things)
        changes: Any = {self.table: {**getattr(ruleset, self.table), self.id: self.declaration}}
        return attrs.evolve(ruleset, **changes)

    def original(self, ruleset: ir.Ruleset) -> Any:
        """The declaration as it is in the ruleset."""
        table = getattr(ruleset, self.table)
        return table[self.declaration.kind][self.id] if self.table == "things" else table[self.id]

    @property
    def pack(self) -> str:
        return pack_of(self.at)

    @property
    def name(self) -> str:
        """The mutant without its place, which moves with every edit."""
        where = self.id if self.table == "orders" else self.clause
        return f"{where}: {self.what}" + (f" ({self.number})" if self.number > 1 else "")

    def __str__(self) -> str:
        place = phrasing.where(self.at)
        return self.name + (f", {place}" if place else "")


def mutants(ruleset: ir.Ruleset) -> list[Mutant]:
    """Every single change that can be made to the rules."""
    told: Counter[str] = Counter()
    found = []
    for mutant in (*_of_declarations(ruleset), *_of_things(ruleset)):
        told[mutant.name] += 1
        found.append(attrs.evolve(mutant, number=told[mutant.name]))
    return found


def _of_declarations(ruleset: ir.Ruleset) -> Iterator[Mutant]:
    known, plain = Known(ruleset), Plain(ruleset)
    used, keys = used_values(plain.ruleset()), _mere_keys(ruleset)
    for table in ("values", "orders", "procedures", "phases", "actions"):
        for id_, declared in getattr(ruleset, table).items():
            if table == "values" and id_ not in used:
                continue
            is_key = id_ in keys
            seen = {plain.of(declared, is_key)}
            params = () if table in ("actions", "phases") else declared.params
            sight = known.sight(declared, params)
            clause = declared.keys[0] if table == "orders" else id_
            for change in changes(declared, sight):
                if change.sort == "text" or _new(plain.of(change.new, is_key), seen):
                    yield _mutant(table, id_, change, clause, declared.at, change.new)


def _of_things(ruleset: ir.Ruleset) -> Iterator[Mutant]:
    known, plain = Known(ruleset), Plain(ruleset)
    for thing in (thing for page in ruleset.things.values() for thing in page.values()):
        params = {body.name: body.params for body in ruleset.kinds[thing.kind].bodies}
        for i, body in enumerate(thing.bodies):
            seen = {plain.of(body)}
            for change in changes(body, known.sight(body, params[body.name])):
                if change.sort == "text" or _new(plain.of(change.new), seen):
                    bodies = (*thing.bodies[:i], change.new, *thing.bodies[i + 1 :])
                    new = attrs.evolve(thing, bodies=bodies)
                    clause = f"{thing.id}.{body.name}"
                    yield _mutant("things", thing.id, change, clause, body.at, new)


def _mutant(table: str, id_: str, change: Change, clause: str, at: ir.At, declared: Any) -> Mutant:
    place = change.at if change.at.file else at
    return Mutant(table, id_, change.what, place, change.sort, change.clause or clause, declared)


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


def changes(node: Any, sight: Sight) -> Iterator[Change]:
    """Every way to change a form, itself or one of its parts."""
    if isinstance(node, tuple):
        yield from _in_tuple(node, sight)
        return
    if type(node) not in FORMS:
        return
    for change in _of_form(node, sight):
        change = attrs.evolve(change, at=change.at if change.at.file else _at(node))
        if isinstance(node, CLAUSES) and not change.clause:
            change = attrs.evolve(change, clause=node.path)
        yield change


def _of_form(node: Any, sight: Sight) -> Iterator[Change]:
    for mistake in MISTAKES:
        yield from mistake(node, sight)
    if described(node).shown:
        return
    exactly = hasattr(node, "least") and node.least == node.most
    for name in fields_of(type(node)):
        if _mere_bound(node, name) or (exactly and name == "most"):
            continue
        for change in changes(getattr(node, name), sight.within(node, name)):
            parts = {name: change.new}
            if exactly and name == "least":
                parts["most"] = change.new
            yield attrs.evolve(change, new=attrs.evolve(node, **parts))


def _in_tuple(nodes: tuple[Any, ...], sight: Sight) -> Iterator[Change]:
    for i, node in enumerate(nodes):
        before, after = nodes[:i], nodes[i + 1 :]
        if isinstance(node, ir.Stmt) and described(node).dispensable:
            what = f"the step {type(node).__name__.lower()} left out"
            yield Change((*before, *after), what, node.at, "step")
        if isinstance(node, ir.Requirement):
            what = f"`needs {sight.tell(node.condition)}` left out"
            yield Change((*before, *after), what, node.at, "condition")
        for change in changes(node, sight):
            yield attrs.evolve(change, new=(*before, change.new, *after))
        if type(node) in FORMS:
            sight = sight.after(node)


def _mere_bound(node: Any, name: str) -> bool:
    """The bound of a loop that ends by its condition is a safety net, not a rule."""
    return isinstance(node, ir.Repeat) and name == "times" and node.condition is not None


def _at(node: Any) -> ir.At:
    at: ir.At = getattr(node, "at", ir.NOWHERE)
    return at
