"""Calls of values, procedures and blocks of things."""

from typing import Any

from ziggurat.dsl import ir
from ziggurat.dsl.forms.base import blank
from ziggurat.runtime.kernel.evaluator import Env, Evaluator, expression, lacking
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps, statement


@expression(ir.ValueCall)
def _call(run: Evaluator, state: State, expr: ir.ValueCall, env: Env) -> Any:
    return run.value(state, expr.value, [run.evaluate(state, arg, env) for arg in expr.args])


@statement(ir.Do)
def _do(run: Steps, state: State, node: ir.Do, env: Locals) -> None:
    args = [run.evaluate(state, arg, env) for arg in node.args]
    procedure = run.ruleset.procedures[node.procedure]
    if not lacking(procedure.params, args):
        run.call(state, procedure, args)


@statement(ir.Result)
def _result(run: Steps, state: State, node: ir.Result, env: Locals) -> None:
    args = [run.evaluate(state, arg, env) for arg in node.args]
    procedure = run.ruleset.procedures[node.procedure]
    called = not lacking(procedure.params, args)
    env[node.name] = run.call(state, procedure, args) if called else blank(node.type)


@statement(ir.DoBody)
def _do_body(run: Steps, state: State, node: ir.DoBody, env: Locals) -> None:
    _call_body(run, state, node, env)


@statement(ir.BodyResult)
def _body_result(run: Steps, state: State, node: ir.BodyResult, env: Locals) -> None:
    given = _call_body(run, state, node, env)
    env[node.name] = blank(node.type) if given is None else given


def _call_body(run: Steps, state: State, node: ir.DoBody | ir.BodyResult, env: Locals) -> Any:
    """What the block of a thing gives; None if there is no such block."""
    thing = run.evaluate(state, node.thing, env)
    if thing is None:
        return None
    if node.thing.type.name in run.table.families:
        thing = run.table.face[thing]
    args = [run.evaluate(state, arg, env) for arg in node.args]
    kind = run.ruleset.kinds[node.kind]
    params = next((body.params for body in kind.bodies if body.name == node.body), ())
    declared = run.table.things[thing]
    if declared.kind == node.kind and not lacking(params, args):
        for body in declared.bodies:
            if body.name == node.body:
                return run.triggered(state, f"{declared.id}.{body.name}", body, params, args)
    return None
