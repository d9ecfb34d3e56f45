"""Actions: the options for each parameter, what they need, what they do."""

from collections.abc import Iterator

from ziggurat.dsl import ir
from ziggurat.runtime.kernel.signatures import need_level
from ziggurat.runtime.kernel.walker import Keyed, Walker, declaration


@declaration(ir.Action)
def _action(walker: Walker, action: ir.Action) -> Iterator[Keyed]:
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
