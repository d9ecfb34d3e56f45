"""Procedures, with what happens before, after and instead."""

import ast
from collections.abc import Sequence
from typing import Any

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.declarations import Lowering, declaration
from ziggurat.runtime.compiler.expressions import test


@declaration(ir.Procedure)
def _procedure(low: Lowering, procedure: ir.Procedure) -> None:
    params = [param.name for param in procedure.params]
    triggered(low, ("procedure", procedure.id), procedure.id, params, procedure, procedure.type)


Triggered = ir.Procedure | ir.ThingBody


def triggered(low: Lowering, key: tuple[Any, ...], rule: str, params: Sequence[str],
              steps: Triggered, gives: ir.Type | None = None) -> None:  # fmt: skip
    """Steps under a name, with what happens before, after and instead of them."""
    main = ("main", *key[1:]) if steps.triggers else key
    low.procedure(main, rule, steps.at, params, steps.body, steps.meta, gives)
    if not steps.triggers:
        return
    scope = low.scope(rule, steps.at, params, steps.meta)
    arguments = [py.name("S"), *[py.name(scope.env[param]) for param in params]]

    result = scope.fresh()

    def run(name: str, in_its_place: bool = False) -> list[ast.stmt]:
        call = py.call(name, *arguments)
        return [py.assign(result, call) if gives and in_its_place else ast.Expr(call)]

    parts: dict[str, list[ast.stmt]] = {"before": [], "after": []}
    middle = run(low.shared.function(*main), in_its_place=True)
    for number, trigger in enumerate(steps.triggers):
        own = ("trigger", *key[1:], number)
        instead = trigger.when == "instead"
        low.procedure(own, trigger.path, trigger.at, params, trigger.body, trigger.meta,
                      gives if instead else None)  # fmt: skip
        made = run(low.shared.function(*own), in_its_place=instead)
        condition = trigger.condition and test(scope, trigger.condition)
        if instead:
            middle = [py.when(condition, made, middle)] if condition else made
        else:
            parts[trigger.when] += [py.when(condition, made)] if condition else made
    body = [*parts["before"], *middle, *parts["after"]]
    if gives:
        body.append(ast.Return(py.name(result)))
    low.add(key, scope, params, steps.at, body)
