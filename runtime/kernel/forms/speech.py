"""Sentences."""

from typing import Any

from ziggurat.dsl import ir
from ziggurat.runtime.kernel.evaluator import Env, Evaluator, expression
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps, statement


@expression(ir.Agreement)
def _agreement(run: Evaluator, state: State, expr: ir.Agreement, env: Env) -> Any:
    return run.evaluate(state, expr.of, env)


@statement(ir.Say)
def _say(run: Steps, state: State, node: ir.Say, env: Locals) -> None:
    to = None if node.to is None else run.evaluate(state, node.to, env)
    if node.to is not None and node.others is None and to is None:
        return
    told = run.holes(state, node.text, env)
    if node.others is not None:
        told += run.holes(state, node.others, env)
    state.say(to, run.site(node), told)
