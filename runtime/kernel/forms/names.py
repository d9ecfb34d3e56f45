"""What packs declare under a name: neutral owners, everything of a kind, options."""

from typing import Any

from ziggurat.dsl import ir
from ziggurat.runtime.kernel.evaluator import Env, Evaluator, expression
from ziggurat.runtime.kernel.state import State


@expression(ir.OwnerRef)
def _owner(run: Evaluator, _: State, expr: ir.OwnerRef, __: Env) -> Any:
    return run.table.owner_ids.get(expr.id)


@expression(ir.All)
def _all(run: Evaluator, _: State, expr: ir.All, __: Env) -> Any:
    return tuple(run.table.everything(expr.of))


@expression(ir.OptionRef)
def _option(run: Evaluator, _: State, expr: ir.OptionRef, __: Env) -> Any:
    return run.table.options[expr.id]
