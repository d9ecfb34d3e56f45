"""Procedures, with what happens before, after and instead."""

import ast

from ziggurat.dsl import ir
from ziggurat.runtime.lowering import python as py
from ziggurat.runtime.lowering.declarations import Lowering, declaration
from ziggurat.runtime.lowering.expressions import test


@declaration(ir.Procedure)
def _procedure(low: Lowering, procedure: ir.Procedure) -> None:
    params = [param.name for param in procedure.params]
    key = ("procedure", procedure.id)
    if not procedure.triggers:
        low.procedure(key, procedure.id, procedure.at, params, procedure.body, procedure.meta)
        return
    main = ("main", procedure.id)
    low.procedure(main, procedure.id, procedure.at, params, procedure.body, procedure.meta)
    scope = low.scope(procedure.id, procedure.at, params, procedure.meta)
    arguments = [py.name("S"), *[py.name(scope.env[param]) for param in params]]

    def run(name: str) -> list[ast.stmt]:
        return [ast.Expr(py.call(name, *arguments))]

    parts: dict[str, list[ast.stmt]] = {"before": [], "after": []}
    middle = run(low.shared.function(*main))
    for number, trigger in enumerate(procedure.triggers):
        own = ("trigger", procedure.id, number)
        low.procedure(own, trigger.path, trigger.at, params, trigger.body, trigger.meta)
        made = run(low.shared.function(*own))
        condition = trigger.condition and test(scope, trigger.condition)
        if trigger.when == "instead":
            middle = [py.when(condition, made, middle)] if condition else made
        else:
            parts[trigger.when] += [py.when(condition, made)] if condition else made
    body = [*parts["before"], *middle, *parts["after"]]
    low.add(key, scope, params, procedure.at, body)
