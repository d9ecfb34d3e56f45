"""Decisions inside a step: the answer that was recorded, or what `runtime.step_decisions` says."""

from collections.abc import Callable
from typing import Any

from ziggurat.dsl import ir
from ziggurat.dsl.forms.description import IT
from ziggurat.runtime.kernel import requests as step_decisions
from ziggurat.runtime.kernel.evaluator import Env
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps, statement

_Decision = ir.Choose | ir.May | ir.Select | ir.Divide
# Given the site, who decides and what the question says about the moment.
_Ask = Callable[[int, Any, tuple[Any, ...]], Any]


def _answer(run: Steps, state: State, node: _Decision, env: Env, ask: _Ask) -> Any:
    site = run.site(node)
    answer = step_decisions.recorded(state, site)
    if answer is not step_decisions.MISSING:
        return answer
    return ask(site, run.evaluate(state, node.by, env), run.holes(state, node.prompt, env))


@statement(ir.Choose)
def _choose(run: Steps, state: State, node: ir.Choose, env: Locals) -> None:
    def ask(site: int, by: Any, holes: tuple[Any, ...]) -> Any:
        found = run.members(state, node.source, node.where, node.order, env)
        if node.single:
            return step_decisions.choose(state, site, by, found, holes, node.optional, node.always)
        least = run.number_of(state, node.least, env)
        most = run.number_of(state, node.most, env)
        return step_decisions.choose_some(state, site, by, found, holes, least, most, node.always)

    env[node.name] = _answer(run, state, node, env, ask)


@statement(ir.May)
def _may(run: Steps, state: State, node: ir.May, env: Locals) -> None:
    def ask(site: int, by: Any, holes: tuple[Any, ...]) -> Any:
        possible = node.when is None or bool(run.evaluate(state, node.when, env))
        return step_decisions.may(state, site, by, possible, holes)

    answer = env[node.name or f"may {node.path}"] = _answer(run, state, node, env, ask)
    run.block(state, node.then if answer else node.other, env)


@statement(ir.Select)
def _select(run: Steps, state: State, node: ir.Select, env: Locals) -> None:
    def ask(site: int, by: Any, holes: tuple[Any, ...]) -> Any:
        options = tuple(run.members(state, node.source, node.where, None, env))
        wishes = tuple(
            tuple(_wish(run, state, wish, options, env) for wish in parts)
            for parts in node.constraints
        )
        return step_decisions.select(state, site, by, options, holes, wishes, node.relax)

    env[node.name] = _answer(run, state, node, env, ask)


@statement(ir.Divide)
def _divide(run: Steps, state: State, node: ir.Divide, env: Locals) -> None:
    def ask(site: int, by: Any, holes: tuple[Any, ...]) -> Any:
        total = run.given(state, node.total, env)
        members = tuple(run.given(state, node.among, env))
        allowed = [run.given(state, node.allowing, {**env, IT: m}) for m in members]
        return step_decisions.divide(state, site, by, members, holes, total, allowed)

    env[node.name] = _answer(run, state, node, env, ask)


def _wish(
    run: Steps, state: State, wish: ir.Wish, options: tuple[Any, ...], env: Env
) -> tuple[Any, ...]:
    parts: list[Any] = [wish.kind]
    if wish.weight is not None:
        parts.append([run.given(state, wish.weight, {**env, IT: m}) for m in options])
    if wish.bound is not None:
        parts.append(run.given(state, wish.bound, env))
    return tuple(parts)
