"""What a mistake is, and what an author who makes one could have written instead.

An author who writes a wrong name writes one that is in sight and of the right type: then nobody
finds out when the packs are linked. `Sight` knows these names where a form stands, and what the
ruleset declares that could stand in its place.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import attrs

from ziggurat.dsl.linking.types import fits
from ziggurat.proving import phrasing
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.description import IT
from ziggurat.runtime.kernel.walking import in_sight, made, walk

# Of several declarations that could stand in a place, so many are tried.
MOST_OTHERS = 2


@attrs.frozen
class Change:
    """A changed node, what was changed in it, where that stands, and the sort of mistake. `clause`
    is the path of the innermost clause it is part of, empty for the declaration itself."""

    new: Any
    what: str
    at: ir.At
    sort: str
    clause: str = ""


@attrs.frozen
class Sight:
    """The names that can be written in a place, with their types."""

    known: "Known"
    names: Mapping[str, ir.Type]
    # The types of all names of the declaration, in sight here or not.
    types: Mapping[str, ir.Type]

    def tell(self, node: Any) -> str:
        return self.known.tell(node)

    def within(self, node: Any, field: str) -> "Sight":
        """What is in sight in one of the fields of a form."""
        found = {name: self.types[name] for name in in_sight(node, field) if name in self.types}
        if isinstance(node, ir.Action):
            params = () if field == "params" else node.params
            found = {node.actor: PLAYER, **{param.name: param.type for param in params}}
        return self._with(found)

    def after(self, node: Any) -> "Sight":
        """What is in sight after a statement or a parameter."""
        if isinstance(node, ir.ActionParam):
            return self._with({node.name: node.type})
        return self._with({name: self.types[name] for name in made(node) if name in self.types})

    def _with(self, names: Mapping[str, ir.Type]) -> "Sight":
        return attrs.evolve(self, names={**self.names, **names}) if names else self

    def others(self, expr: ir.Expr) -> Iterator[ir.Local]:
        """The other names that could stand where an expression does."""
        own = expr.name if isinstance(expr, ir.Local) else ""
        for name, type_ in self.names.items():
            if name not in (own, IT) and fits(type_, expr.type):
                yield ir.Local(name, type_, at=expr.at)


class Known:
    """What a ruleset declares, by what it can be taken for."""

    def __init__(self, ruleset: ir.Ruleset) -> None:
        self.ruleset = ruleset
        self.tell: Callable[[Any], str] = phrasing.printer(ruleset).text
        self.keys = {key for order in ruleset.orders.values() for key in order.keys}

    def sight(self, declared: Any, params: Iterable[ir.Param]) -> Sight:
        """What is in sight where a declaration begins."""
        types = {one.name: one.type for one in walk(declared) if isinstance(one, ir.Local)}
        return Sight(self, {param.name: param.type for param in params}, types)

    def like_value(self, id_: str) -> list[ir.Value]:
        """Other values that are asked in the same way and say something of the same type."""
        return self._like(self.ruleset.values[id_], self.ruleset.values.values())

    def like_order(self, id_: str) -> list[ir.Order]:
        """Other orders of the same things with the same arguments."""
        return self._like(self.ruleset.orders[id_], self.ruleset.orders.values())

    def _like(self, one: Any, all_: Iterable[Any]) -> list[Any]:
        """The ones that follow it in the order of their names, from the last on to the first."""
        found = sorted(other.id for other in all_ if _signature(other) == _signature(one))
        where = found.index(one.id)
        chosen = (found[where + 1 :] + found[:where])[:MOST_OTHERS]
        declared = {other.id: other for other in all_}
        return [declared[id_] for id_ in chosen if id_ not in self.keys]

    def like_field(self, kind: str, name: str) -> list[str]:
        """Other fields of a kind with the same type."""
        fields = {field.name: field.type for field in self.ruleset.kinds[kind].fields}
        others = [one for one, type_ in fields.items() if type_ == fields.get(name) and one != name]
        return sorted(others)[:MOST_OTHERS]


PLAYER = ir.Type("player")


def _signature(declared: Any) -> tuple[Any, ...]:
    return tuple(param.type for param in declared.params), getattr(declared, "type", None)
