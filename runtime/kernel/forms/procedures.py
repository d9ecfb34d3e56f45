"""Procedures: steps under a name."""

from collections.abc import Iterator

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.forms.clauses import Trigger
from ziggurat.runtime.kernel.forms.core import Param
from ziggurat.runtime.kernel.nodes import NO_META, At, Body, Meta, Type, at_field
from ziggurat.runtime.kernel.walker import Keyed, Walker, declaration


@form("declaration")
@attrs.frozen
class Procedure:
    """`type` is what it gives, if it gives anything."""

    id: str
    title: str
    params: tuple[Param, ...]
    body: Body
    triggers: tuple[Trigger, ...] = ()
    type: Type | None = None
    meta: Meta = NO_META
    at: At = at_field()


@declaration(Procedure)
def _procedure(walker: Walker, procedure: Procedure) -> Iterator[Keyed]:
    key = ("procedure", procedure.id)
    yield key, lambda state, *args: walker.steps.call(state, procedure, args)
