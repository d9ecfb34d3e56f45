"""Calls: values that are asked, procedures and blocks of things that are run."""

from typing import Any

import attrs

from ziggurat.runtime.kernel.description import AFTER, form
from ziggurat.runtime.kernel.evaluator import Env, Evaluator, expression, lacking
from ziggurat.runtime.kernel.nodes import Expr, Stmt, Type, blank
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps, statement


@form(calls=lambda one: (("value", one.value),))
@attrs.frozen
class ValueCall(Expr):
    """A call of a value or an order key (`movement.late`)."""

    value: str
    args: tuple[Expr, ...]
    type: Type


@form(calls=lambda one: (("procedure", one.procedure),))
@attrs.frozen
class Do(Stmt):
    """A call of a procedure."""

    procedure: str
    args: tuple[Expr, ...]


@form(binds={"name": AFTER}, calls=lambda one: (("procedure", one.procedure),))
@attrs.frozen
class Result(Stmt):
    """A call of a procedure, and a name for what it gives."""

    name: str
    procedure: str
    args: tuple[Expr, ...]
    type: Type


@form(calls=lambda one: (("body", one.kind, one.body),))
@attrs.frozen
class DoBody(Stmt):
    """A call of a thing's own block: `c.resolve(victim)`; things without it do nothing. `kind` and
    `body` say which; `thing` may be a card of a family with that face kind."""

    thing: Expr
    kind: str
    body: str
    args: tuple[Expr, ...]


@form(binds={"name": AFTER}, calls=lambda one: (("body", one.kind, one.body),))
@attrs.frozen
class BodyResult(Stmt):
    """A call of a thing's own block, and a name for what it gives; things without it give what
    stands for nothing."""

    name: str
    thing: Expr
    kind: str
    body: str
    args: tuple[Expr, ...]
    type: Type


@expression(ValueCall)
def _call(run: Evaluator, state: State, expr: ValueCall, env: Env) -> Any:
    return run.value(state, expr.value, [run.evaluate(state, arg, env) for arg in expr.args])


@statement(Do)
def _do(run: Steps, state: State, node: Do, env: Locals) -> None:
    args = [run.evaluate(state, arg, env) for arg in node.args]
    procedure = run.ruleset.procedures[node.procedure]
    if not lacking(procedure.params, args):
        run.call(state, procedure, args)


@statement(Result)
def _result(run: Steps, state: State, node: Result, env: Locals) -> None:
    args = [run.evaluate(state, arg, env) for arg in node.args]
    procedure = run.ruleset.procedures[node.procedure]
    called = not lacking(procedure.params, args)
    env[node.name] = run.call(state, procedure, args) if called else blank(node.type)


@statement(DoBody)
def _do_body(run: Steps, state: State, node: DoBody, env: Locals) -> None:
    _call_body(run, state, node, env)


@statement(BodyResult)
def _body_result(run: Steps, state: State, node: BodyResult, env: Locals) -> None:
    given = _call_body(run, state, node, env)
    env[node.name] = blank(node.type) if given is None else given


def _call_body(run: Steps, state: State, node: DoBody | BodyResult, env: Locals) -> Any:
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
