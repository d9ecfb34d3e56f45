"""Sets, lists and maps: written out, asked for entries, and gone through."""

from typing import Any

import attrs

from ziggurat.runtime.kernel.arithmetic import LOOPS, a_set
from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.evaluator import Env, Evaluator, expression, operation
from ziggurat.runtime.kernel.forms.core import Loop, Op
from ziggurat.runtime.kernel.nodes import Expr, Type, blank
from ziggurat.runtime.kernel.state import State


@form(binds={"var": ("through", "where", "cost")}, loops=True)
@attrs.frozen
class Reach(Expr):
    """All that can be reached from the members of a set, them included: from each (`var`) one comes
    to what it leads `through`, `where` that may be entered, at most so many `steps` far; entering
    something takes `cost` of them, or one."""

    source: Expr
    var: str
    through: Expr
    where: Expr | None
    steps: Expr | None
    type: Type
    cost: Expr | None = None


@operation("set")
def _set(run: Evaluator, state: State, expr: Op, env: Env) -> Any:
    """Empty brackets may also be an empty map."""
    members = run.operands(state, expr, env)
    return {} if expr.type.name == "map" else a_set(members)


@operation("nth")
def _nth(run: Evaluator, state: State, expr: Op, env: Env) -> Any:
    members, place = run.operands(state, expr, env)
    found = dict(enumerate(members, start=1)).get(place)
    return blank(expr.type) if found is None else found


@expression(Loop)
def _loop(run: Evaluator, state: State, expr: Loop, env: Env) -> Any:
    members = run.members(state, expr.source, expr.where, expr.order, env, expr.var)
    results = members
    if expr.body is not None:
        read = run.given if expr.fn in ("sum", "max", "min") else run.evaluate
        results = [read(state, expr.body, {**env, expr.var: m}) for m in members]
    return LOOPS[expr.fn](results)


@expression(Reach)
def _reach(run: Evaluator, state: State, expr: Reach, env: Env) -> Any:
    """Look around from everywhere, again and again, until nothing new is seen."""
    if expr.cost is not None:
        return _reach_within(run, state, expr, env)
    found = set(run.given(state, expr.source, env))
    steps = None if expr.steps is None else run.given(state, expr.steps, env)
    while steps is None or steps > 0:
        seen: set[Any] = set()
        for one in found:
            seen.update(run.members(state, expr.through, None, None, {**env, expr.var: one}))
        entered = {
            one
            for one in seen - found
            if expr.where is None or run.evaluate(state, expr.where, {**env, expr.var: one})
        }
        if not entered:
            break
        found |= entered
        steps = None if steps is None else steps - 1
    return a_set(found)


def _reach_within(run: Evaluator, state: State, expr: Reach, env: Env) -> Any:
    """Walk on from everything with the steps that are left there, until nobody gets farther."""
    assert expr.cost is not None
    assert expr.steps is not None
    begin: int = run.given(state, expr.steps, env)
    left = dict.fromkeys(run.given(state, expr.source, env), begin)
    moved = True
    while moved:
        moved = False
        for one in list(left):
            for other in run.members(state, expr.through, None, None, {**env, expr.var: one}):
                inner = {**env, expr.var: other}
                if expr.where is not None and not run.evaluate(state, expr.where, inner):
                    continue
                rest = left[one] - max(0, run.given(state, expr.cost, inner))
                if rest >= 0 and rest > left.get(other, -1):
                    left[other] = rest
                    moved = True
    return a_set(left)
