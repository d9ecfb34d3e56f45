"""Why is this 8, and why may I not?

Explanations are plain data made with the reference evaluator: the base of a value, each clause that
touches it with the thing that brings it, its citation and whether its conditions hold, and the
values it was made from. `studio` shows them; a refused action is explained by the first requirement
that fails.
"""

from collections.abc import Iterator
from typing import Any

import attrs

from ziggurat.dsl import ir
from ziggurat.dsl.forms.logic import conjuncts
from ziggurat.proving import phrasing
from ziggurat.proving.reference import Breakdown, Env, Evaluator
from ziggurat.runtime.state import State
from ziggurat.runtime.table import Table

MOST_PARTS = 12

_CHANGES = {
    "to": "becomes {}",
    "by": "{}",
    "adding": "adding {}",
    "removing": "removing {}",
    "extending": "extending {}",
    "times": "times {}",
    "at_least": "at least {}",
    "at_most": "at most {}",
    "allow": "allowed",
    "forbid": "forbidden",
}


@attrs.frozen
class Condition:
    """A part of what a clause asks for, and whether it is so."""

    text: str
    holds: bool


@attrs.frozen
class Clause:
    """One clause that changes a value. `source` is the thing or rule that brings it, `after` what
    the value was afterwards (empty if the clause did not apply)."""

    source: str
    change: str
    applies: bool
    conditions: tuple[Condition, ...]
    after: str
    reason: str
    cites: str
    where: str


@attrs.frozen
class Explanation:
    """A result and where it came from; `parts` are the values that went into it."""

    text: str
    result: str
    base: str = ""
    formula: str = ""
    clauses: tuple[Clause, ...] = ()
    cites: str = ""
    where: str = ""
    parts: "tuple[Explanation, ...]" = ()


@attrs.frozen
class Refusal:
    """Why an action is not open: a sentence, the rule behind it, and the values it looked at."""

    reason: str
    rule: str
    cites: str
    where: str
    parts: tuple[Explanation, ...] = ()


class _Listener(Evaluator):
    """An evaluator that notes which values went into which."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.tell = phrasing.printer(table.ruleset).text
        self.heard: list[list[Explanation]] = [[]]

    def breakdown(self, state: State, value: str, args: tuple[Any, ...]) -> Breakdown:
        self.heard.append([])
        found = super().breakdown(state, value, args)
        parts = self.heard.pop()
        told = self._tell(state, found, parts)
        if told not in self.heard[-1] and len(self.heard[-1]) < MOST_PARTS:
            self.heard[-1].append(told)
        return found

    def _tell(self, state: State, found: Breakdown, parts: list[Explanation]) -> Explanation:
        declared = found.value
        pairs = zip(found.args, declared.params, strict=True)
        args = ", ".join(phrasing.value(self.table, arg, param.type) for arg, param in pairs)
        return Explanation(
            f"{declared.id}({args})",
            phrasing.value(self.table, found.result, declared.type),
            phrasing.value(self.table, found.base, declared.type),
            "" if isinstance(declared.base, ir.Lit) else self.tell(declared.base),
            tuple(self._clauses(state, found)),
            phrasing.cites(declared.meta),
            phrasing.where(declared.at),
            tuple(parts),
        )

    def _clauses(self, state: State, found: Breakdown) -> Iterator[Clause]:
        params = [param.name for param in found.value.params]
        env = dict(zip(params, found.args, strict=True))
        for step in found.applied:
            clause = step.contribution
            yield Clause(
                self._source(clause.thing),
                self._change(clause, step.amount),
                step.applies,
                tuple(self._conditions(state, clause.when, env)),
                phrasing.value(self.table, step.after, found.value.type) if step.applies else "",
                clause.reason,
                phrasing.cites(clause.meta),
                phrasing.where(clause.at),
            )

    def _conditions(self, state: State, when: ir.Expr | None, env: Env) -> Iterator[Condition]:
        """The parts of a condition that must hold together, each with its outcome; those after one
        that fails may make no sense without it and are not looked at."""
        quiet = Evaluator(self.table)
        for part in conjuncts(when):
            holds = bool(quiet.evaluate(state, part, env))
            yield Condition(self.tell(part), holds)
            if not holds:
                return

    def _change(self, clause: ir.Contribution, amount: Any) -> str:
        if clause.amount is None:
            return _CHANGES[clause.op]
        if amount is None:
            written = self.tell(clause.amount)
        else:
            written = phrasing.value(self.table, amount, clause.amount.type)
        if clause.op == "by" and not written.startswith("-"):
            written = f"+{written}"
        return _CHANGES[clause.op].format(written)

    def _source(self, thing: str) -> str:
        kind, _, id_ = thing.partition(".")
        declared = self.ruleset.things.get(kind, {}).get(id_)
        return f"{declared.title or id_} ({kind})" if declared else thing


def explain_expression(
    table: Table, state: State, expr: ir.Expr, env: Env | None = None
) -> Explanation:
    """Any expression: a value with its clauses, or a result and the values it was made from."""
    listener = _Listener(table)
    result = listener.evaluate(state, expr, env or {})
    (parts,) = listener.heard
    if isinstance(expr, ir.ValueCall):
        return parts[-1]
    shown = phrasing.value(table, result, expr.type)
    return Explanation(listener.tell(expr), shown, parts=tuple(parts))


def explain_action(
    table: Table, state: State, action: str, player: int, args: tuple[Any, ...] = ()
) -> Refusal | None:
    """The first reason why a player may not do this now; None if the action's own rules permit it.

    `args` may stop early: then only as much is looked at as they say, and whether the next
    parameter has any option.
    """
    declared = table.ruleset.actions[action]
    return next(_reasons(_Listener(table), state, declared, player, args), None)


def _reasons(
    run: _Listener, state: State, action: ir.Action, player: int, args: tuple[Any, ...]
) -> Iterator[Refusal]:
    env: dict[str, Any] = {action.actor: player}
    if action.thing:
        kind, _, id_ = action.thing.partition(".")
        thing = run.table.thing_ids.get((kind, id_))
        if thing is None or not state.holds(player, thing):
            yield _refusal(action, f"Only holders of {id_} may do this.", action.meta, action.at)
    later = []
    for need in action.needs:
        if locals_of(need.condition) <= env.keys():
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
    run: _Listener, state: State, action: ir.Action, need: ir.Requirement, env: Env
) -> Iterator[Refusal]:
    run.heard = [[]]
    if not run.evaluate(state, need.condition, env):
        reason = (
            need.reason or forbidden(run.heard[0]) or (f"This needs {run.tell(need.condition)}.")
        )
        yield _refusal(action, reason, need.meta, need.at, run.heard[0])


def _param(
    run: _Listener,
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
        reason = ""
        if one not in source:
            reason = f"{param.name} cannot be {name}: it is not in {run.tell(param.source)}."
        elif param.where is not None and not run.evaluate(state, param.where, {**env, "it": one}):
            failed = f"{param.name} cannot be {name}: {run.tell(param.where)} is no."
            reason = forbidden(run.heard[0]) or failed
        if reason:
            yield _refusal(action, reason, action.meta, param.at, run.heard[0])


def forbidden(parts: list[Explanation]) -> str:
    """The reason that a clause which forbade something gives for it."""
    for part in parts:
        for clause in part.clauses:
            if clause.applies and clause.change == _CHANGES["forbid"] and clause.reason:
                return clause.reason
        inner = forbidden(list(part.parts))
        if inner:
            return inner
    return ""


def _refusal(
    action: ir.Action, reason: str, meta: ir.Meta, at: ir.At, parts: list[Explanation] | None = None
) -> Refusal:
    return Refusal(reason, action.id, phrasing.cites(meta), phrasing.where(at), tuple(parts or ()))


def locals_of(expr: Any) -> frozenset[str]:
    """The names an expression takes from around it."""
    if isinstance(expr, ir.Local):
        return frozenset({expr.name})
    if isinstance(expr, ir.Loop):
        inner = [expr.where, expr.body]
        bound = frozenset[str]().union(*map(locals_of, inner)) - {expr.var}
        return bound | locals_of(expr.source) | locals_of(expr.order)
    if isinstance(expr, tuple):
        return frozenset[str]().union(*map(locals_of, expr))
    if attrs.has(type(expr)):
        parts = (getattr(expr, field.name) for field in attrs.fields(type(expr)))
        return frozenset[str]().union(*map(locals_of, parts))
    return frozenset()
