"""Why an action is refused: the first of its requirements that fails, and what that looked at."""

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from ziggurat.dsl import ir
from ziggurat.dsl.forms.walking import free
from ziggurat.proving import phrasing
from ziggurat.proving.explain import FORBIDDEN, Explanation, Listener
from ziggurat.proving.reasons import Reason
from ziggurat.proving.reference import Env, Evaluator
from ziggurat.runtime.state import State
from ziggurat.runtime.table import Table


@attrs.frozen
class Refusal:
    """Why an action is not open: a sentence, the rule behind it, what of its condition decided, and
    the values it looked at."""

    reason: str
    rule: str
    cites: str
    where: str
    parts: tuple[Explanation, ...] = ()
    why: tuple[Reason, ...] = ()


def explain_action(
    table: Table, state: State, action: str, player: int, args: tuple[Any, ...] = ()
) -> Refusal | None:
    """The first reason why a player may not do this now; None if the action's own rules permit it.

    `args` may stop early: then only as much is looked at as they say, and whether the next
    parameter has any option.
    """
    declared = table.ruleset.actions[action]
    return next(_reasons(Listener(table), state, declared, player, args), None)


def _reasons(
    run: Listener, state: State, action: ir.Action, player: int, args: tuple[Any, ...]
) -> Iterator[Refusal]:
    env: dict[str, Any] = {action.actor: player}
    if action.thing:
        kind, _, id_ = action.thing.partition(".")
        thing = run.table.thing_ids.get((kind, id_))
        if thing is None or not state.holds(player, thing):
            yield _refusal(action, f"Only holders of {id_} may do this.", action.meta, action.at)
    later = []
    for need in action.needs:
        if free(need.condition) <= env.keys():
            yield from _need(run, state, action, need, env)
        else:
            later.append(need)
    for i, param in enumerate(action.params):
        if i > len(args) or (i == len(args) and i > 0):
            return
        yield from _param(run, state, action, param, env, args[i : i + 1])
        if i < len(args):
            env[param.name] = args[i]
    if len(args) == len(action.params):
        for need in later:
            yield from _need(run, state, action, need, env)


def _need(
    run: Listener, state: State, action: ir.Action, need: ir.Requirement, env: Env
) -> Iterator[Refusal]:
    run.heard = [[]]
    if not run.evaluate(state, need.condition, env):
        reason = (
            need.reason or forbidden(run.heard[0]) or (f"This needs {run.tell(need.condition)}.")
        )
        why = run.reasoner.reasons(state, need.condition, env)
        yield _refusal(action, reason, need.meta, need.at, run.heard[0], why)


def _param(
    run: Listener,
    state: State,
    action: ir.Action,
    param: ir.ActionParam,
    env: Env,
    given: tuple[Any, ...],
) -> Iterator[Refusal]:
    """An argument that is not among the options, and the reason; without one, no options at all."""
    quiet = Evaluator(run.table)
    source = list(quiet.evaluate(state, param.source, env))
    least = quiet.evaluate(state, param.least, env) if param.least is not None else 0
    if not given:
        passing = quiet.members(state, param.source, param.where, None, env)
        if len(passing) < (1 if param.single else least):
            reason = f"There is nothing to choose for {param.name}."
            yield _refusal(action, reason, action.meta, param.at)
        return
    members = given if param.single else given[0]
    most = quiet.evaluate(state, param.most, env) if param.most is not None else len(source)
    if not param.single and not least <= len(members) <= most:
        reason = f"{param.name} takes {least} to {most}, not {len(members)}."
        yield _refusal(action, reason, action.meta, param.at)
    type_ = param.type if param.single else (param.type.item or param.type)
    for one in members:
        name = phrasing.value(run.table, one, type_)
        run.heard = [[]]
        inner = {**env, "it": one}
        if one not in source:
            reason = f"{param.name} cannot be {name}: it is not in {run.tell(param.source)}."
            yield _refusal(action, reason, action.meta, param.at)
        elif param.where is not None and not run.evaluate(state, param.where, inner):
            failed = f"{param.name} cannot be {name}: {run.tell(param.where)} is no."
            reason = forbidden(run.heard[0]) or failed
            why = run.reasoner.reasons(state, param.where, inner)
            yield _refusal(action, reason, action.meta, param.at, run.heard[0], why)


def forbidden(parts: list[Explanation]) -> str:
    """The reason that a clause which forbade something gives for it."""
    for part in parts:
        for clause in part.clauses:
            if clause.applies and clause.change == FORBIDDEN and clause.reason:
                return clause.reason
        inner = forbidden(list(part.parts))
        if inner:
            return inner
    return ""


def _refusal(
    action: ir.Action,
    reason: str,
    meta: ir.Meta,
    at: ir.At,
    parts: Iterable[Explanation] = (),
    why: tuple[Reason, ...] = (),
) -> Refusal:
    cites, where = phrasing.cites(meta), phrasing.where(at)
    return Refusal(reason, action.id, cites, where, tuple(parts), why)
