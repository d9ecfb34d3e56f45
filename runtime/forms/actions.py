"""Actions: the options for each parameter, what they need, what they do."""

from ziggurat.dsl import ir
from ziggurat.runtime.lowering.declarations import Lowering, declaration
from ziggurat.runtime.signatures import need_level


@declaration(ir.Action)
def _action(low: Lowering, action: ir.Action) -> None:
    names = [action.actor, *[param.name for param in action.params]]
    for number, param in enumerate(action.params):
        params = names[: number + 1]
        key = ("action", action.id, "options", number)
        source = param.source
        if param.where is not None:
            fn = "list" if source.type.name == "list" else "set"
            source = ir.Loop(fn, "it", source, param.where, None, None, source.type, at=param.at)
        low.expression(key, action.id, param.at, params, source, action.meta)
        for part, bound in (("least", param.least), ("most", param.most)):
            if bound is not None:
                own = ("action", action.id, part, number)
                low.expression(own, action.id, param.at, params, bound, action.meta)
    for number, need in enumerate(action.needs):
        key = ("action", action.id, "needs", number)
        level = need_level(action, need)
        params = names[: level + 1]
        low.expression(key, action.id, need.at, params, need.condition, need.meta, True)
    low.procedure(
        ("action", action.id, "body"), action.id, action.at, names, action.body, action.meta
    )
