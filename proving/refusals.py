"""Why an action is refused: the first of its requirements that fails, and what that looked at."""

from collections.abc import Iterable, Iterator
from copy import copy
from typing import Any, Self

import attrs

from ziggurat.dsl.forms.logic import conjuncts
from ziggurat.dsl.telling import english
from ziggurat.dsl.telling.marked import plain
from ziggurat.dsl.telling.sentences import Sentences
from ziggurat.proving import phrasing
from ziggurat.proving.explain import FORBIDDEN, Explanation, Listener
from ziggurat.proving.reasons import Reason
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.log import spoken_names, value_text
from ziggurat.runtime.kernel.evaluator import Env, Evaluator
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import Table
from ziggurat.runtime.kernel.walking import free


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
            title = run.table.ruleset.things[kind][id_].title or id_
            yield _refusal(action, f"Only holders of {title} may do this.", action.meta, action.at)
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
        heard = run.heard[0]
        reason = _clause_behind(run, state, need.condition, env)
        reason = reason or need.reason or forbidden(heard)
        if not reason:
            words = _Words(run.table, state, action, env)
            reason = f"This is only possible if {words.clause(need.condition)}."
        why = run.reasoner.reasons(state, need.condition, env)
        yield _refusal(action, reason, need.meta, need.at, heard, why)


def _clause_behind(run: Listener, state: State, condition: ir.Expr, env: Env) -> str:
    """The reason of a clause that forbids what a requirement asks of a value, which says more than
    the requirement itself; none if another part of it is what fails."""
    for part in conjuncts(condition):
        run.heard = [[]]
        if not run.evaluate(state, part, env):
            return forbidden(run.heard[0]) if isinstance(part, ir.ValueCall) else ""
    return ""


def _only_reason(
    run: Listener, state: State, where: ir.Expr | None, members: Iterable[Any], env: Env
) -> tuple[str, list[Explanation]]:
    """The reason why none of several members is open, if it is the same for all of them."""
    reasons: set[str] = set()
    heard: list[Explanation] = []
    for one in members:
        run.heard = [[]]
        if where is not None:
            run.evaluate(state, where, {**env, "it": one})
        reasons.add(forbidden(run.heard[0]))
        heard = run.heard[0]
    return (reasons.pop(), heard) if len(reasons) == 1 else ("", [])


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
    about = asked_as(param)
    source = list(quiet.evaluate(state, param.source, env))
    least = quiet.evaluate(state, param.least, env) if param.least is not None else 0
    if not given:
        passing = quiet.members(state, param.source, param.where, None, env)
        if len(passing) < (1 if param.single else least):
            shut, heard = _only_reason(run, state, param.where, source, env)
            reason = shut or f"There is nothing to choose for “{about}”."
            yield _refusal(action, reason, action.meta, param.at, heard)
        return
    members = given if param.single else given[0]
    most = quiet.evaluate(state, param.most, env) if param.most is not None else len(source)
    if not param.single and not least <= len(members) <= most:
        reason = f"“{about}” takes {least} to {most}, not {len(members)}."
        yield _refusal(action, reason, action.meta, param.at)
    type_ = param.type if param.single else (param.type.item or param.type)
    for one in members:
        run.heard = [[]]
        inner = {**env, "it": one}
        if one not in source:
            words = _Words(run.table, state, action, env)
            name = words.value(one, type_)
            reason = f"“{about}” cannot be {name}: it is not among {words.noun(param.source)}."
            yield _refusal(action, reason, action.meta, param.at)
        elif param.where is not None and not run.evaluate(state, param.where, inner):
            reason = forbidden(run.heard[0])
            if not reason:
                words = _Words(run.table, state, action, env)
                name = words.value(one, type_)
                failed = words.about(name).clause(param.where, False)
                reason = f"“{about}” cannot be {name}: {failed}."
            why = run.reasoner.reasons(state, param.where, inner)
            yield _refusal(action, reason, action.meta, param.at, run.heard[0], why)


def asked_as(param: ir.ActionParam) -> str:
    """Return what players read where they choose a parameter, without its question mark."""
    return (param.prompt or english.capital(english.words(param.name))).rstrip("?")


class _Words:
    """The words of people for parts of an action: locals that have a value are called by it."""

    def __init__(self, table: Table, state: State, action: ir.Action, env: Env) -> None:
        self._table = table
        self._owners = spoken_names(table, state)
        types = {param.name: param.type for param in action.params}
        types[action.actor] = ir.Type("player")
        named = {name: self.value(env[name], type_) for name, type_ in types.items() if name in env}
        self._sentences = Sentences(table.ruleset).knowing(named)

    def about(self, name: str) -> Self:
        """Return the same words where one of several members is called so."""
        other = copy(self)
        other._sentences = self._sentences.knowing({"it": name})
        return other

    def value(self, one: Any, type_: ir.Type) -> str:
        """Return what a value is called."""
        return value_text(self._table, one, type_, self._owners)

    def noun(self, expr: ir.Expr) -> str:
        """Return an expression as something that can be spoken of."""
        return plain(self._sentences.noun(expr))

    def clause(self, expr: ir.Expr, so: bool = True) -> str:
        """Return a condition as a clause, that it is so or that it is not."""
        return plain(self._sentences.condition(expr, so))


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
