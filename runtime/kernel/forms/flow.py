"""Names for results, loops, branches, labelled steps, and ways out of them."""

from collections.abc import Callable, Iterable
from typing import Any

import attrs

from ziggurat.runtime.kernel.description import AFTER, BLOCKS, ENDS, form
from ziggurat.runtime.kernel.evaluator import COST
from ziggurat.runtime.kernel.forms.core import OrderRef
from ziggurat.runtime.kernel.nodes import NO_META, Body, Expr, Meta, Stmt
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import BlockExit, Locals, Steps, statement

REPEAT_BOUND = 10_000


@form(binds={"name": AFTER})
@attrs.frozen
class Let(Stmt):
    name: str
    expr: Expr


@form(binds={"var": ("where", "body")}, it=("where",), loops=True)
@attrs.frozen
class For(Stmt):
    var: str
    source: Expr
    where: Expr | None
    order: OrderRef | None
    grouped: bool
    body: Body


@form(loops=True)
@attrs.frozen
class Repeat(Stmt):
    """While a condition holds, at most `times` (an expression or None: the language's own
    bound)."""

    condition: Expr | None
    times: Expr | None
    body: Body


@form(ends=BLOCKS)
@attrs.frozen
class If(Stmt):
    condition: Expr
    then: Body
    other: Body


@form(ends=ENDS)
@attrs.frozen
class Jump(Stmt):
    """how: stop (this procedure or block of a stage), skip (to the next round), leave (the
    loop)."""

    how: str


@form(ends=ENDS)
@attrs.frozen
class GiveBack(Stmt):
    """The procedure ends with a result."""

    expr: Expr


@form(fence=False, ends=BLOCKS)
@attrs.frozen
class Step(Stmt):
    """A labelled step. `path` is stable: `tax_revolt.overflow`."""

    label: str
    path: str
    title: str
    body: Body
    meta: Meta = NO_META


@statement(Let)
def _let(run: Steps, state: State, node: Let, env: Locals) -> None:
    env[node.name] = run.evaluate(state, node.expr, env)


@statement(For)
def _for(run: Steps, state: State, node: For, env: Locals) -> None:
    members = run.members(state, node.source, node.where, node.order, env, node.var)
    if node.grouped and node.order is not None:
        key = run.sort_key(state, node.order, env)
        members = grouped(members, key)
    for member in members:
        env[node.var] = member
        if not _round(run, state, node.body, env):
            return


@statement(Repeat)
def _repeat(run: Steps, state: State, node: Repeat, env: Locals) -> None:
    times = run.number_of(state, node.times, env)
    for _ in range(REPEAT_BOUND if times is None else times):
        run.pay(state, COST, node.at)
        if node.condition is not None and not run.evaluate(state, node.condition, env):
            return
        if not _round(run, state, node.body, env):
            return


def _round(run: Steps, state: State, body: Body, env: Locals) -> bool:
    """One round of a loop; whether there may be another."""
    try:
        run.block(state, body, env)
    except BlockExit as jump:
        if jump.how in ("stop", "give"):
            raise
        return jump.how == "skip"
    return True


@statement(If)
def _if(run: Steps, state: State, node: If, env: Locals) -> None:
    run.block(state, node.then if run.evaluate(state, node.condition, env) else node.other, env)


@statement(Jump)
def _jump(run: Steps, state: State, node: Jump, env: Locals) -> None:
    raise BlockExit(node.how)


@statement(GiveBack)
def _give(run: Steps, state: State, node: GiveBack, env: Locals) -> None:
    raise BlockExit("give", run.evaluate(state, node.expr, env))


@statement(Step)
def _step(run: Steps, state: State, node: Step, env: Locals) -> None:
    run.begins(state, node.path)
    run.block(state, node.body, env)


def grouped(items: Iterable[Any], key: Callable[[Any], Any]) -> list[tuple[Any, ...]]:
    """Members with equal keys together, the lowest key first."""
    groups: dict[Any, list[Any]] = {}
    for member in items:
        groups.setdefault(key(member), []).append(member)
    return [tuple(groups[k]) for k in sorted(groups)]
