"""Decisions: the four ways a rule asks somebody, each with a path of its own."""

from collections.abc import Callable
from typing import Any

import attrs

from ziggurat.runtime.kernel import requests as step_decisions
from ziggurat.runtime.kernel.description import AFTER, IT, form
from ziggurat.runtime.kernel.evaluator import Env
from ziggurat.runtime.kernel.forms.core import OrderRef
from ziggurat.runtime.kernel.forms.speech import Text
from ziggurat.runtime.kernel.nodes import (
    NO_META,
    At,
    Body,
    Expr,
    Meta,
    Stmt,
    Type,
    at_field,
    later_field,
)
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps, statement


@form(binds={"name": AFTER}, it=("where",), asks=True)
@attrs.frozen
class Choose(Stmt):
    """least/most None: one single answer (none if `optional` and declined); otherwise a set, with
    `most` None meaning any number when least is given. `path` names the decision."""

    name: str
    path: str
    by: Expr
    source: Expr
    where: Expr | None
    order: OrderRef | None
    single: bool
    least: Expr | None
    most: Expr | None
    optional: bool
    always: bool
    secret: bool
    prompt: "Text"
    type: Type
    meta: Meta = NO_META


@form(asks=True)
@attrs.frozen
class May(Stmt):
    name: str
    path: str
    by: Expr
    when: Expr | None
    then: Body
    other: Body
    prompt: "Text"
    meta: Meta = NO_META


@form()
@attrs.frozen
class Wish:
    """One part of a constraint: kind total_is, total_at_most, total_at_least (weight of `it`,
    bound), connected (neighbours of `it`), none_spare (no pick could be left out of the totals)."""

    kind: str
    weight: Expr | None = None
    bound: Expr | None = None
    at: At = at_field()


@form(binds={"name": AFTER}, it=("where", "constraints"), asks=True)
@attrs.frozen
class Select(Stmt):
    """A subset of source under constraints, most important first; parts of one constraint must hold
    together. `relax`: each as well as the ones before permit."""

    name: str
    path: str
    by: Expr
    source: Expr
    where: Expr | None
    constraints: tuple[tuple[Wish, ...], ...]
    relax: bool
    prompt: "Text"
    type: Type
    meta: Meta = NO_META


@form(binds={"name": AFTER}, it=("allowing",), asks=True)
@attrs.frozen
class Divide(Stmt):
    """An amount for each member, from what `allowing` permits (range or set of int, of `it`)."""

    name: str
    path: str
    total: Expr
    among: Expr
    by: Expr
    allowing: Expr
    prompt: "Text"
    type: Type
    meta: Meta = NO_META
    secret: bool = later_field(False)


_Decision = Choose | May | Select | Divide
# Given the site, who decides and what the question says about the moment.
_Ask = Callable[[int, Any, tuple[Any, ...]], Any]


def _answer(run: Steps, state: State, node: _Decision, env: Env, ask: _Ask) -> Any:
    site = run.site(node)
    answer = step_decisions.recorded(state, site)
    if answer is not step_decisions.MISSING:
        return answer
    return ask(site, run.evaluate(state, node.by, env), run.holes(state, node.prompt, env))


@statement(Choose)
def _choose(run: Steps, state: State, node: Choose, env: Locals) -> None:
    def ask(site: int, by: Any, holes: tuple[Any, ...]) -> Any:
        found = run.members(state, node.source, node.where, node.order, env)
        if node.single:
            return step_decisions.choose(state, site, by, found, holes, node.optional, node.always)
        least = run.number_of(state, node.least, env)
        most = run.number_of(state, node.most, env)
        return step_decisions.choose_some(state, site, by, found, holes, least, most, node.always)

    env[node.name] = _answer(run, state, node, env, ask)


@statement(May)
def _may(run: Steps, state: State, node: May, env: Locals) -> None:
    def ask(site: int, by: Any, holes: tuple[Any, ...]) -> Any:
        possible = node.when is None or bool(run.evaluate(state, node.when, env))
        return step_decisions.may(state, site, by, possible, holes)

    answer = env[node.name or f"may {node.path}"] = _answer(run, state, node, env, ask)
    run.block(state, node.then if answer else node.other, env)


@statement(Select)
def _select(run: Steps, state: State, node: Select, env: Locals) -> None:
    def ask(site: int, by: Any, holes: tuple[Any, ...]) -> Any:
        options = tuple(run.members(state, node.source, node.where, None, env))
        wishes = tuple(
            tuple(_wish(run, state, wish, options, env) for wish in parts)
            for parts in node.constraints
        )
        return step_decisions.select(state, site, by, options, holes, wishes, node.relax)

    env[node.name] = _answer(run, state, node, env, ask)


@statement(Divide)
def _divide(run: Steps, state: State, node: Divide, env: Locals) -> None:
    def ask(site: int, by: Any, holes: tuple[Any, ...]) -> Any:
        total = run.given(state, node.total, env)
        members = tuple(run.given(state, node.among, env))
        allowed = [run.given(state, node.allowing, {**env, IT: m}) for m in members]
        return step_decisions.divide(state, site, by, members, holes, total, allowed)

    env[node.name] = _answer(run, state, node, env, ask)


def _wish(
    run: Steps, state: State, wish: Wish, options: tuple[Any, ...], env: Env
) -> tuple[Any, ...]:
    parts: list[Any] = [wish.kind]
    if wish.weight is not None:
        parts.append([run.given(state, wish.weight, {**env, IT: m}) for m in options])
    if wish.bound is not None:
        parts.append(run.given(state, wish.bound, env))
    return tuple(parts)
