"""Why is this 8?

Explanations are plain data made with the reference evaluator: the base of a value, what of a
condition decided, each clause that touches it with the thing that brings it, its citation and
whether its conditions hold, and the values it was made from. `studio` shows them.
"""

from collections.abc import Iterator
from typing import Any

import attrs

from ziggurat.dsl.forms.logic import conjuncts
from ziggurat.proving import phrasing
from ziggurat.proving.reasons import Reason, Reasoner
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.evaluator import Breakdown, Env, Evaluator
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import Table

MOST_PARTS = 12
REASONED = 3  # values so far inside others are told with what decided

FORBIDDEN = "forbidden"
_CHANGES = {
    "to": "becomes {}",
    "by": "{}",
    "adding": "adding {}",
    "removing": "removing {}",
    "extending": "extending {}",
    "times": "times {}",
    "halving": "halved",
    "at_least": "at least {}",
    "at_most": "at most {}",
    "allow": "allowed",
    "forbid": FORBIDDEN,
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
    """A result and where it came from; `parts` are the values that went into it, `why` is what
    decided if it is a condition, and `assumed` what was decided by itself on the way to the
    position it is about."""

    text: str
    result: str
    base: str = ""
    formula: str = ""
    clauses: tuple[Clause, ...] = ()
    cites: str = ""
    where: str = ""
    parts: "tuple[Explanation, ...]" = ()
    why: tuple[Reason, ...] = ()
    assumed: tuple[str, ...] = ()


class Listener(Evaluator):
    """An evaluator that notes which values went into which."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.tell = phrasing.printer(table.ruleset).text
        self.reasoner = Reasoner(Evaluator(table))
        self.heard: list[list[Explanation]] = [[]]

    def breakdown(self, state: State, value: str, args: tuple[Any, ...]) -> Breakdown:
        self.heard.append([])
        found = super().breakdown(state, value, args)
        parts = self.heard.pop()
        if len(self.heard[-1]) < MOST_PARTS:
            told = self._tell(state, found, parts)
            if told not in self.heard[-1]:
                self.heard[-1].append(told)
        return found

    def _tell(self, state: State, found: Breakdown, parts: list[Explanation]) -> Explanation:
        declared = found.value
        env = dict(zip((param.name for param in declared.params), found.args, strict=True))
        pairs = zip(found.args, declared.params, strict=True)
        args = ", ".join(phrasing.value(self.table, arg, param.type) for arg, param in pairs)
        return Explanation(
            f"{declared.id}({args})",
            phrasing.value(self.table, found.result, declared.type),
            phrasing.value(self.table, found.base, declared.type),
            "" if isinstance(declared.base, ir.Lit) else self.reasoner.tell(declared.base, env),
            tuple(self._clauses(state, found, env)),
            phrasing.cites(declared.meta),
            phrasing.where(declared.at),
            tuple(parts),
            self.why(state, declared.base, env),
        )

    def why(self, state: State, expr: ir.Expr, env: Env) -> tuple[Reason, ...]:
        """What decided, if it is a condition and not far inside."""
        near = len(self.heard) <= REASONED and expr.type.name == "bool"
        return self.reasoner.reasons(state, expr, env) if near else ()

    def _clauses(self, state: State, found: Breakdown, env: Env) -> Iterator[Clause]:
        for step in found.applied:
            clause = step.contribution
            yield Clause(
                phrasing.source(self.ruleset, clause.thing),
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
        for part in conjuncts(when):
            holds = bool(self.reasoner.run.evaluate(state, part, env))
            yield Condition(self.reasoner.tell(part, env), holds)
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


def explain_expression(
    table: Table, state: State, expr: ir.Expr, env: Env | None = None
) -> Explanation:
    """Any expression: a value with its clauses, or a result and the values it was made from."""
    listener = Listener(table)
    result = listener.evaluate(state, expr, env or {})
    (parts,) = listener.heard
    if isinstance(expr, ir.ValueCall):
        return parts[-1]
    shown = phrasing.value(table, result, expr.type)
    why = listener.why(state, expr, env or {})
    return Explanation(listener.tell(expr), shown, parts=tuple(parts), why=why)
