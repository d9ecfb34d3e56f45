"""The forms that the machinery of linking itself makes: data, names, operations, loops over sets.

How they are linked and printed stands in the families that write them.
"""

from collections.abc import Callable
from typing import Any

import attrs

from ziggurat.runtime.kernel.arithmetic import OPERATIONS as ARITHMETIC
from ziggurat.runtime.kernel.arithmetic import CannotCompute
from ziggurat.runtime.kernel.description import MISTAKEN_OPERATIONS, OPERATIONS_READ, form
from ziggurat.runtime.kernel.errors import RulesError
from ziggurat.runtime.kernel.evaluator import OPERATIONS, Env, Evaluator, expression, operation
from ziggurat.runtime.kernel.nodes import Expr, Type
from ziggurat.runtime.kernel.state import State


@form()
@attrs.frozen
class Lit(Expr):
    """int, bool, text, or None for `none`; a range literal is an Op."""

    value: int | bool | str | None
    type: Type


@form(uses="name")
@attrs.frozen
class Local(Expr):
    """A parameter, a `let`, a loop variable, `it`."""

    name: str
    type: Type


@form()
@attrs.frozen
class ThingRef(Expr):
    """A declared thing: `kind` is its kind's id, `id` its id (unique in the ruleset within its
    kind)."""

    kind: str
    id: str
    type: Type


@form()
@attrs.frozen
class OwnerRef(Expr):
    """A neutral owner, or in scenarios a player by name."""

    id: str
    type: Type


@form(reads=lambda one: OPERATIONS_READ.get(one.op, ()), variants={"op": MISTAKEN_OPERATIONS})
@attrs.frozen
class Op(Expr):
    """A built-in operation, which one of the families describes: `+`, `size`, `holds` …

    Operands are in the order they are written, but for `if` (condition, then, else); a `map` has
    its keys and values in turn, `is_kind` and `face` have the kind's id as a Lit.
    """

    op: str
    args: tuple[Expr, ...]
    type: Type


@form(calls=lambda one: (("order", one.order),))
@attrs.frozen
class OrderRef:
    """An order with its leading arguments: `removal(a)`; the last parameter is the thing sorted."""

    order: str
    args: tuple[Expr, ...] = ()


@form(binds={"var": ("where", "body")}, loops=True)
@attrs.frozen
class Loop(Expr):
    """Something over a set. fn: set, list (body or the variable itself), count, any, every, sum,
    max, min, first. `where` filters; `every` tests `body`. max/min of nothing is 0; first of
    nothing is none."""

    fn: str
    var: str
    source: Expr
    where: Expr | None
    order: OrderRef | None
    body: Expr | None
    type: Type


@form()
@attrs.frozen
class Param:
    name: str
    type: Type


@expression(Lit)
def _lit(_: Evaluator, __: State, expr: Lit, ___: Env) -> Any:
    return int(expr.value) if isinstance(expr.value, bool) else expr.value


@expression(Local)
def _local(_: Evaluator, __: State, expr: Local, env: Env) -> Any:
    return env[expr.name]


@expression(ThingRef)
def _thing(run: Evaluator, _: State, expr: ThingRef, __: Env) -> Any:
    return run.table.thing_ids.get((expr.kind, expr.id))


@expression(Op)
def _operation(run: Evaluator, state: State, expr: Op, env: Env) -> Any:
    return OPERATIONS[expr.op](run, state, expr, env)


def _computed(function: Callable[..., Any]) -> Callable[..., Any]:
    def operate(run: Evaluator, state: State, expr: Op, env: Env) -> Any:
        args = run.operands(state, expr, env)
        try:
            return function(*args)
        except CannotCompute as wrong:
            raise RulesError(str(wrong), expr.at) from wrong

    return operate


for _op, _function in ARITHMETIC.items():
    if _op != "set":
        operation(_op)(_computed(_function))
