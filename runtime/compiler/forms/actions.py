"""Actions: the options for each parameter, what they need, what they do."""

import ast
import copy

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler.declarations import Lowering, declaration
from ziggurat.runtime.kernel.signatures import need_level
from ziggurat.runtime.kernel.walking import is_light


@declaration(ir.Action)
def _action(low: Lowering, action: ir.Action) -> None:
    names = [action.actor, *[param.name for param in action.params]]
    for number, param in enumerate(action.params):
        params = names[: number + 1]
        key = ("action", action.id, "options", number)
        source = param.source
        if param.where is not None and param.single:
            own = ("action", action.id, "source", number)
            low.expression(own, action.id, param.at, params, source, action.meta)
            own = ("action", action.id, "where", number)
            low.expression(own, action.id, param.at, [*params, "it"], param.where, condition=True)
        if param.where is not None:
            fn = "list" if source.type.name == "list" else "set"
            source = ir.Loop(fn, "it", source, param.where, None, None, source.type, at=param.at)
        low.expression(key, action.id, param.at, params, source, action.meta)
        if param.single and param.where is not None and not is_light(param.where):
            _one_by_one(low, action, number)
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


def _one_by_one(low: Lowering, action: ir.Action, number: int) -> None:
    """The same options, each found when it is wanted: often the first will do."""
    made = copy.deepcopy(low.shared.unit.files[action.params[number].at.file][-1])
    match made:
        case ast.FunctionDef(body=[*loads, ast.Return(ast.Call(args=[ast.ListComp() as found]))]):
            made.name = low.shared.function("action", action.id, "each", number)
            made.body = [*loads, ast.Return(ast.GeneratorExp(found.elt, found.generators))]
            low.shared.unit.files[action.params[number].at.file].append(made)
            low.shared.unit.pure.add(made.name)
