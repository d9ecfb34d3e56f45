"""Kinds, and the things of a kind with their data and blocks."""

from collections.abc import Iterator
from typing import Any

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.forms.clauses import Trigger
from ziggurat.runtime.kernel.forms.core import Param
from ziggurat.runtime.kernel.forms.requirements import Requirement
from ziggurat.runtime.kernel.nodes import NO_META, At, Body, Expr, Meta, Type, at_field
from ziggurat.runtime.kernel.signatures import Function
from ziggurat.runtime.kernel.walker import Keyed, Walker, declaration


@form()
@attrs.frozen
class Field:
    """relation: a symmetric field of neighbours."""

    name: str
    type: Type
    default: Expr | None
    required: bool
    relation: bool = False
    at: At = at_field()


@form()
@attrs.frozen
class BodyDecl:
    """A block that things may bring. `type` is what it gives, if it gives anything."""

    name: str
    params: tuple[Param, ...]
    type: Type | None = None


@form("declaration")
@attrs.frozen
class Kind:
    """`needs` is what the kind demands of the data of its things, with the thing as the local
    `this`; it is checked when packs are linked and changes no game. `shoulds` is what it wants of
    them, and a warning if it is not so. `home` is where pieces are that
    are things of it."""

    id: str
    title: str
    plural: str
    roles: tuple[str, ...]
    fields: tuple[Field, ...]
    bodies: tuple[BodyDecl, ...]
    meta: Meta = NO_META
    home: str = ""
    needs: tuple[Requirement, ...] = attrs.field(default=(), eq=False, kw_only=True)
    shoulds: tuple[Requirement, ...] = attrs.field(default=(), eq=False, kw_only=True)
    at: At = at_field()


@form()
@attrs.frozen
class FieldValue:
    """`value` is plain data: int, bool, text, None, a thing's id as "kind.id", a tuple of those
    (set, list), or a tuple of pairs (map). `origin` and `at` say which pack set it last."""

    field: str
    value: Any
    origin: str = attrs.field(default="", eq=False)
    at: At = at_field()


@form()
@attrs.frozen
class ThingBody:
    name: str
    body: Body
    meta: Meta = NO_META
    at: At = at_field()
    triggers: tuple[Trigger, ...] = ()


@form("declaration")
@attrs.frozen
class Thing:
    kind: str
    id: str
    title: str
    values: tuple[FieldValue, ...]
    bodies: tuple[ThingBody, ...]
    meta: Meta = NO_META
    at: At = at_field()


@declaration(Thing)
def _thing(walker: Walker, thing: Thing) -> Iterator[Keyed]:
    kind = walker.steps.ruleset.kinds[thing.kind]
    declared = {body.name: body.params for body in kind.bodies}
    for body in thing.bodies:
        key = ("body", thing.kind, thing.id, body.name)
        params = declared.get(body.name, ())
        yield key, _block(walker, f"{thing.id}.{body.name}", body, params)


def _block(walker: Walker, path: str, body: ThingBody, params: tuple[Param, ...]) -> Function:
    return lambda state, *args: walker.steps.triggered(state, path, body, params, args)
