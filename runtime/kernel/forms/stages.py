"""Stages of a phase: who does something, in which order, and until when."""

from collections.abc import Iterator

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.forms.core import OrderRef
from ziggurat.runtime.kernel.nodes import NO_META, At, Body, Expr, Meta, Type, at_field
from ziggurat.runtime.kernel.signatures import Spec
from ziggurat.runtime.kernel.walker import Keyed, Walker


@form(
    "stage",
    binds={"var": ("condition", "body")},
    calls=lambda one: (("phase", one.phase),) if one.phase else (),
)
@attrs.frozen
class Stage:
    """kind: once, each, at_once, act, while, perform, repeat. `var` is the player or thing in turn;
    `source` the set (All players for act and at_once); `condition` is the filter, the while
    condition or the perform guard. act: `freely`, `until` ('done' or 'pass') and `limit` (extra end
    condition), `body` after each done. repeat: `times` says how often the phase runs at most."""

    kind: str
    path: str
    var: str = ""
    var_type: Type | None = None
    source: Expr | None = None
    condition: Expr | None = None
    order: OrderRef | None = None
    freely: bool = False
    until: str = ""
    limit: Expr | None = None
    phase: str = ""
    times: Expr | None = None
    body: Body = ()
    meta: Meta = NO_META
    at: At = at_field()


def walked_stage(walker: Walker, key: Spec, stage: Stage) -> Iterator[Keyed]:
    names = [stage.var] if stage.var else []
    if stage.source is not None:
        yield (*key, "items"), walker.items(stage.source, stage.condition, stage.var)
    elif stage.condition is not None:
        yield (*key, "test"), walker.expression((), stage.condition)
    if stage.limit is not None:
        yield (*key, "limit"), walker.expression((), stage.limit)
    if stage.times is not None:
        yield (*key, "times"), walker.expression((), stage.times)
    if stage.order is not None:
        yield (*key, "order"), walker.sort_key(stage.order)
    yield (*key, "body"), walker.block(names, stage.body)
