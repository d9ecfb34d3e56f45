"""What a failed check was about: its sides in words, and the executed rules that touch the same.

A check speaks of pieces, attributes, piles and values. Whatever among the executed rules changes
one of those is where to look first.
"""

from collections.abc import Callable, Iterator
from typing import Any

from ziggurat.dsl import ir
from ziggurat.dsl.printing.clauses import conjuncts
from ziggurat.proving import phrasing
from ziggurat.proving.reference import Evaluator
from ziggurat.runtime.lowering.scope import walk
from ziggurat.runtime.state import State

MOST = 8
Tell = Callable[[ir.Expr], str]


def sides(run: Evaluator, state: State, check: ir.Expr, tell: Tell) -> Iterator[str]:
    """The parts of the first condition that fails, each with what it is now."""
    for part in conjuncts(check):
        if run.evaluate(state, part, {}):
            continue
        inner: ir.Expr = part
        while isinstance(inner, ir.Op) and inner.op == "not":
            inner = inner.args[0]
        operands = inner.args if isinstance(inner, ir.Op) and inner.op != "if" else ()
        shown: list[ir.Expr] = [arg for arg in operands if not isinstance(arg, _OBVIOUS)]
        for operand in shown or [inner]:
            value = run.evaluate(state, operand, {})
            yield f"{tell(operand)} is {phrasing.value(run.table, value, operand.type)}"
        return


_OBVIOUS = ir.Lit | ir.ThingRef | ir.OwnerRef | ir.OptionRef


def suspects(ruleset: ir.Ruleset, check: ir.Expr, ran: set[str]) -> tuple[str, ...]:
    """The executed steps and clauses that change what a check speaks of, with their places."""
    subjects = _subjects(ruleset, check)
    found = [
        f"{phrasing.where(node.at)} in {rule}"
        for rule, body in _bodies(ruleset)
        if rule in ran
        for node in walk(body)
        if _changes(node) & subjects
    ]
    for value in _values(ruleset, check):
        for clause in value.contributions:
            if clause.path in ran:
                found.append(f"{phrasing.where(clause.at)} in {clause.path}")
    return tuple(dict.fromkeys(found))[:MOST]


def _subjects(ruleset: ir.Ruleset, check: ir.Expr) -> set[str]:
    """The pieces, attributes and piles a check and the values in it speak of."""
    found: set[str] = set()
    for expr in (check, *(value.base for value in _values(ruleset, check))):
        for node in walk(expr):
            match node:
                case ir.Units(pieces=pieces):
                    found.update(pieces)
                case ir.AttrOf(attr=attr):
                    found.add(attr)
                case ir.PileRef(place=place):
                    found.add(place)
                case ir.Op(op="holds"):
                    found.add("holds")
    return found


def _values(ruleset: ir.Ruleset, check: ir.Expr) -> list[ir.Value]:
    """The values a check calls, and those they call."""
    found: dict[str, ir.Value] = {}
    waiting: list[Any] = [check]
    while waiting:
        for node in walk(waiting.pop()):
            if isinstance(node, ir.ValueCall) and node.value not in found:
                value = found[node.value] = ruleset.values[node.value]
                waiting += [value.base, *(c.amount for c in value.contributions if c.amount)]
    return list(found.values())


def _bodies(ruleset: ir.Ruleset) -> Iterator[tuple[str, ir.Body]]:
    for procedure in ruleset.procedures.values():
        yield procedure.id, procedure.body
        for trigger in procedure.triggers:
            yield trigger.path, trigger.body
    for things in ruleset.things.values():
        for thing in things.values():
            for body in thing.bodies:
                yield f"{thing.id}.{body.name}", body.body
    for phase in ruleset.phases.values():
        for stage in phase.stages:
            yield stage.path or phase.id, stage.body
    for action in ruleset.actions.values():
        yield action.id, action.body


def _changes(node: Any) -> set[str]:
    match node:
        case ir.Move(units=units) | ir.Turn(units=units):
            return set(units.pieces)
        case ir.Assign(target=target):
            return {target.attr}
        case ir.Put(pile=pile) | ir.Shuffle(pile=pile):
            return {pile.place}
        case ir.Give():
            return {"holds"}
    return set()
