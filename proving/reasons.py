"""What decided: of a condition only the parts that made it so, with numbers in place of names.

Of parts that must all hold, the first that fails is the reason; of parts of which one is enough,
the first that holds. Where it takes all of them, all are told. A comparison tells what there is and
what is needed: `0 cities of rome, 3 needed`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from ziggurat.dsl.forms.logic import conjuncts
from ziggurat.proving import phrasing
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.description import FORMS, fields_of
from ziggurat.runtime.kernel.evaluator import Env, Evaluator
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.walking import in_sight

DEEPEST = 6
MOST_MEMBERS = 3
# What a comparison asks of the number on its left.
_WANTED = {
    ">=": "{} needed",
    ">": "more than {} needed",
    "<=": "at most {} allowed",
    "<": "fewer than {} allowed",
    "==": "exactly {} needed",
    "!=": "any number but {} needed",
}


@attrs.frozen
class Reason:
    """A part of a condition, whether it is so, and the parts of it that made it so."""

    text: str
    holds: bool
    parts: "tuple[Reason, ...]" = ()


class Reasoner:
    """Finds the parts of conditions that decided, in states of one table."""

    def __init__(self, run: Evaluator) -> None:
        self.run = run
        self.table = run.table
        self._print = phrasing.printer(run.ruleset).text

    def tell(self, expr: ir.Expr, env: Env) -> str:
        """An expression as it would be written here: what names stand for in their places."""
        return self._print(self._here(expr, env))

    def reasons(self, state: State, condition: ir.Expr, env: Env) -> tuple[Reason, ...]:
        """The parts of a condition that decided; none for one that is plain data."""
        return tuple(self._deciding(state, condition, env, DEEPEST))

    def _deciding(self, state: State, expr: ir.Expr, env: Env, depth: int) -> Iterator[Reason]:
        parts = members("or", expr) if _is_op(expr, "or") else conjuncts(expr)
        alone = _is_op(expr, "or")  # whether one that holds is enough
        seen = []
        for part in parts:
            reason = self._reason(state, part, env, depth)
            if reason.holds is alone:
                yield reason
                return
            seen.append(reason)
        yield from (one for one in seen if one.text)

    def _reason(self, state: State, expr: ir.Expr, env: Env, depth: int) -> Reason:
        holds = bool(self.run.evaluate(state, expr, env))
        parts: tuple[Reason, ...] = ()
        if isinstance(expr, ir.Lit):
            return Reason("", holds)
        if isinstance(expr, ir.Op) and expr.op in _WANTED and expr.args[0].type.name == "int":
            return Reason(self._compared(state, expr, env), holds)
        if depth:
            if _is_op(expr, "or") or _is_op(expr, "and"):
                parts = tuple(self._deciding(state, expr, env, depth - 1))
            elif isinstance(expr, ir.Op) and expr.op == "not":
                inner = self._reason(state, expr.args[0], env, depth - 1)
                parts = inner.parts
            elif isinstance(expr, ir.ValueCall):
                parts = tuple(self._value(state, expr, env, depth - 1))
            elif isinstance(expr, ir.Loop) and expr.fn in ("every", "any"):
                parts = tuple(self._loop(state, expr, env, depth - 1))
        return Reason(self.tell(expr, env), holds, parts)

    def _value(self, state: State, call: ir.ValueCall, env: Env, depth: int) -> Iterator[Reason]:
        """The clause that had the last word on a permission, or what its base says."""
        args = tuple(self.run.evaluate(state, arg, env) for arg in call.args)
        declared = self.run.ruleset.values[call.value]
        if any(a is None and not p.type.maybe for a, p in zip(args, declared.params, strict=True)):
            return
        found = self.run.breakdown(state, call.value, args)
        inner = dict(zip((p.name for p in declared.params), args, strict=True))
        said = [one for one in found.applied if one.applies]
        if not said or declared.type.name != "bool":
            yield from self._deciding(state, declared.base, inner, depth)
            return
        clause = said[-1].contribution
        about = f"{clause.op} by {phrasing.source(self.run.ruleset, clause.thing)}"
        text = f'{about}: "{clause.reason}"' if clause.reason else about
        when = () if clause.when is None else self._deciding(state, clause.when, inner, depth)
        yield Reason(text, bool(found.result), tuple(when))

    def _loop(self, state: State, loop: ir.Loop, env: Env, depth: int) -> Iterator[Reason]:
        """The member for which it is otherwise than for all others, or some of those alike."""
        every = loop.fn == "every"
        filtered = loop.where if every else None
        members = self.run.members(state, loop.source, filtered, None, env, loop.var)
        test = loop.body if every else loop.where
        if test is None:
            return
        alike = []
        for member in members:
            inner = {**env, loop.var: member}
            if bool(self.run.evaluate(state, test, inner)) is not every:
                yield from self._deciding(state, test, inner, depth)
                return
            alike.append(inner)
        for inner in alike if len(alike) <= MOST_MEMBERS else ():
            yield from self._deciding(state, test, inner, depth)

    def _compared(self, state: State, expr: ir.Op, env: Env) -> str:
        left, right = expr.args
        have, want = (self.run.given(state, one, env) for one in expr.args)
        wanted, named = _WANTED[expr.op].format(want), self.tell(right, env)
        told = f"{self._amount(have, left, env)}, {wanted}"
        return told if named == str(want) else f"{told} ({named})"

    def _amount(self, number: int, of: ir.Expr, env: Env) -> str:
        """A number and what it counts: `0 cities of rome`, `5 token of rome in argos`."""
        if isinstance(of, ir.Count) and not of.exists:
            counted = self.tell(of, env).removeprefix("count(").removesuffix(")")
            return f"{number} {counted}"
        if isinstance(of, ir.ValueCall):
            declared = self.run.ruleset.values[of.value]
            named = declared.title or of.value.replace("_", " ").replace(".", " ")
            people = [arg for arg in of.args if arg.type.name in ("player", "owner")]
            if len(of.args) <= 1:
                return f"{number} {named}" + "".join(f" of {self.tell(a, env)}" for a in people)
        named = self.tell(of, env)
        return named if named == str(number) else f"{named} is {number}"

    def _here(self, node: Any, env: Env) -> Any:
        """A node with what its locals stand for in their places, where that can be written."""
        if isinstance(node, ir.Local):
            return self._written(node, env)
        if isinstance(node, tuple):
            return tuple(self._here(part, env) for part in node)
        if type(node) not in FORMS:
            return node
        changes = {}
        for field in fields_of(type(node)):
            bound = in_sight(node, field)
            outer = {name: value for name, value in env.items() if name not in bound}
            changes[field] = self._here(getattr(node, field), outer)
        return attrs.evolve(node, **changes)

    def _written(self, local: ir.Local, env: Mapping[str, Any]) -> ir.Expr:
        if local.name not in env:
            return local
        value, type_ = env[local.name], local.type
        if value is None or type_.name in ("int", "bool", "text"):
            return ir.Lit(value, type_)
        if type_.name in ("player", "owner"):
            return ir.OwnerRef(self.table.owner_names[value], type_)
        if type_.name in self.run.ruleset.kinds:
            return ir.ThingRef(type_.name, self.table.things[value].id, type_)
        return local


def _is_op(expr: ir.Expr, op: str) -> bool:
    return isinstance(expr, ir.Op) and expr.op == op


def members(op: str, expr: ir.Expr) -> list[ir.Expr]:
    """The parts of a condition that an operation joins."""
    if isinstance(expr, ir.Op) and expr.op == op:
        return [part for arg in expr.args for part in members(op, arg)]
    return [expr]
