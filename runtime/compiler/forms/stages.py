"""Stages: whom they go through, when they end, what is done."""

import ast

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler.declarations import Lowering
from ziggurat.runtime.compiler.expressions import key_of


def lower_stage(low: Lowering, phase: ir.Phase, number: int, stage: ir.Stage) -> None:
    key = ("stage", phase.id, number)
    rule = stage.path or phase.id
    at = stage.at if stage.at.line else phase.at
    params = [stage.var] if stage.var else []
    if stage.source is not None:
        low.expression((*key, "items"), rule, at, [], _items(stage), stage.meta)
    if stage.condition is not None and stage.source is None:
        low.expression((*key, "test"), rule, at, [], stage.condition, stage.meta, True)
    if stage.limit is not None:
        low.expression((*key, "limit"), rule, at, [], stage.limit, stage.meta, True)
    if stage.times is not None:
        low.expression((*key, "times"), rule, at, [], stage.times, stage.meta)
    if stage.order is not None:
        scope = low.scope(rule, at, params, stage.meta)
        made = key_of(scope, stage.order, scope.env[stage.var])
        low.add((*key, "order"), scope, params, at, [ast.Return(made)], pure=True)
    low.procedure((*key, "body"), rule, at, params, stage.body, stage.meta)


def _items(stage: ir.Stage) -> ir.Expr:
    """The members of the stage's set for which its condition holds."""
    assert stage.source is not None
    if stage.condition is None:
        return stage.source
    name = "list" if stage.source.type.name == "list" else "set"
    return ir.Loop(
        name, stage.var, stage.source, stage.condition, None, None, stage.source.type,
        at=stage.at,
    )  # fmt: skip
