"""Bundles: values that belong together, are there or not, begin together and are cleared together.

`bundle offer of player { cards: set of card secret  size: int }` is kept in attributes: one of its
own id says whether it is there, one for each field what is in it. A bundle that is not there has
nothing in its fields, so whoever reads or views attributes need not know of bundles.
"""

from collections.abc import Mapping

import attrs

from ziggurat.runtime.kernel.description import Touch, form, the_attribute
from ziggurat.runtime.kernel.evaluator import Evaluator
from ziggurat.runtime.kernel.forms.attributes import changed, write
from ziggurat.runtime.kernel.nodes import NO_META, At, Expr, Meta, Stmt, Type, at_field
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps, statement


@form()
@attrs.frozen
class BundleField:
    """`default` is what it is when a bundle begins and nobody says; None: somebody must."""

    name: str
    type: Type
    default: Expr | None
    secret: bool
    at: At = at_field()


@form("declaration")
@attrs.frozen
class Bundle:
    """`of`: table, player, owner, a kind's id or a card family's id."""

    id: str
    title: str
    of: str
    fields: tuple[BundleField, ...]
    secret: bool
    meta: Meta = NO_META
    at: At = at_field()

    def attribute(self, field: str) -> str:
        """The id of the attribute that keeps a field."""
        return f"{self.id}.{field}"

    @property
    def attributes(self) -> tuple[str, ...]:
        """All attributes that keep it; the first says whether it is there."""
        return (self.id, *(self.attribute(field.name) for field in self.fields))


def bundle_of(bundles: Mapping[str, Bundle], attribute: str) -> Bundle | None:
    """The bundle that is kept in an attribute, among others."""
    return bundles.get(attribute) or bundles.get(attribute.rpartition(".")[0])


@form()
@attrs.frozen
class GivenField:
    name: str
    expr: Expr


def _kept(stmt: "Begin | Clear") -> tuple[Touch, ...]:
    return tuple(the_attribute(id_) for id_ in stmt.attributes)


@form(writes=_kept)
@attrs.frozen
class Begin(Stmt):
    """A bundle is there from now on, with the fields as given or else as they are to begin with.
    `of` is None for the table; `attributes` are those that keep it."""

    of: Expr | None
    bundle: str
    given: tuple[GivenField, ...]
    attributes: tuple[str, ...]


@form(writes=_kept)
@attrs.frozen
class Clear(Stmt):
    """A bundle is not there any more."""

    of: Expr | None
    bundle: str
    attributes: tuple[str, ...]


@statement(Clear)
def _clear(run: Steps, state: State, node: Clear, env: Locals) -> None:
    of = None if node.of is None else run.evaluate(state, node.of, env)
    if node.of is None or of is not None:
        _empty(run, state, node.bundle, of)


@statement(Begin)
def _begin(run: Steps, state: State, node: Begin, env: Locals) -> None:
    bundle = run.ruleset.bundles[node.bundle]
    kept = run.ruleset.attributes
    types = {field.name: kept[bundle.attribute(field.name)].type for field in bundle.fields}
    given = {
        one.name: (run.evaluate if types[one.name].maybe else run.given)(state, one.expr, env)
        for one in node.given
    }
    of = None if node.of is None else run.evaluate(state, node.of, env)
    if node.of is not None and of is None:
        return
    _empty(run, state, bundle.id, of)
    write(run, state, bundle.id, of, 1, node)
    for field in bundle.fields:
        start = None if field.default is None else run.evaluate(state, field.default, {})
        value = given.get(field.name, start)
        if value is None and not types[field.name].maybe:
            value = start
        if value is not None:
            new = changed(None, "=", value, types[field.name])
            write(run, state, bundle.attribute(field.name), of, new, node)


def _empty(run: Evaluator, state: State, bundle: str, of: int | None) -> None:
    """Nothing is in any of its attributes, as before the game."""
    start = run.table.attr_start
    for id_ in run.ruleset.bundles[bundle].attributes:
        slots = run.table.attributes[id_]
        for key in slots.keys or (None,):
            at = slots.slot(of, key)
            state.attrs[at] = state.keep(state.attrs[at], start[at], 0)
