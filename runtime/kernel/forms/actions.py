"""Actions: what players may do in a phase, with what they choose for it."""

from collections.abc import Iterator

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.forms.requirements import Requirement
from ziggurat.runtime.kernel.nodes import NO_META, At, Body, Expr, Meta, Type, at_field
from ziggurat.runtime.kernel.signatures import need_level
from ziggurat.runtime.kernel.walker import Keyed, Walker, declaration


@form()
@attrs.frozen
class ActionParam:
    """single: one option; otherwise a set with bounds, as in Choose."""

    name: str
    source: Expr
    where: Expr | None
    single: bool
    least: Expr | None
    most: Expr | None
    prompt: str
    type: Type
    at: At = at_field()


@form("declaration")
@attrs.frozen
class Action:
    """`thing` is "kind.id" of the holdable thing it belongs to ('' for everybody)."""

    id: str
    title: str
    phase: str
    actor: str
    params: tuple[ActionParam, ...]
    needs: tuple[Requirement, ...]
    body: Body
    thing: str = ""
    meta: Meta = NO_META
    at: At = at_field()


@declaration(Action)
def _action(walker: Walker, action: Action) -> Iterator[Keyed]:
    names = [action.actor, *(param.name for param in action.params)]
    for number, param in enumerate(action.params):
        known = names[: number + 1]
        options = walker.items(param.source, param.where, "it", known)
        yield ("action", action.id, "options", number), options
        for part, bound in (("least", param.least), ("most", param.most)):
            if bound is not None:
                yield ("action", action.id, part, number), walker.expression(known, bound)
    for number, need in enumerate(action.needs):
        known = names[: need_level(action, need) + 1]
        key = ("action", action.id, "needs", number)
        yield key, walker.expression(known, need.condition)
    yield ("action", action.id, "body"), walker.block(names, action.body, action.id)
