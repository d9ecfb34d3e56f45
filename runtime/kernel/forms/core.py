"""Data, names, and operations of their operands alone, which are the arithmetic of the language."""

from collections.abc import Callable
from typing import Any

from ziggurat.dsl import ir
from ziggurat.runtime.kernel.arithmetic import OPERATIONS as ARITHMETIC
from ziggurat.runtime.kernel.arithmetic import CannotCompute
from ziggurat.runtime.kernel.errors import RulesError
from ziggurat.runtime.kernel.evaluator import OPERATIONS, Env, Evaluator, expression, operation
from ziggurat.runtime.kernel.state import State


@expression(ir.Lit)
def _lit(_: Evaluator, __: State, expr: ir.Lit, ___: Env) -> Any:
    return int(expr.value) if isinstance(expr.value, bool) else expr.value


@expression(ir.Local)
def _local(_: Evaluator, __: State, expr: ir.Local, env: Env) -> Any:
    return env[expr.name]


@expression(ir.ThingRef)
def _thing(run: Evaluator, _: State, expr: ir.ThingRef, __: Env) -> Any:
    return run.table.thing_ids.get((expr.kind, expr.id))


@expression(ir.Op)
def _operation(run: Evaluator, state: State, expr: ir.Op, env: Env) -> Any:
    return OPERATIONS[expr.op](run, state, expr, env)


def _computed(function: Callable[..., Any]) -> Callable[..., Any]:
    def operate(run: Evaluator, state: State, expr: ir.Op, env: Env) -> Any:
        args = run.operands(state, expr, env)
        try:
            return function(*args)
        except CannotCompute as wrong:
            raise RulesError(str(wrong), expr.at) from wrong

    return operate


for _op, _function in ARITHMETIC.items():
    if _op != "set":
        operation(_op)(_computed(_function))
