"""What a failed check was about: its sides in words, and the executed rules that touch the same.

A check speaks of pieces, attributes, piles and values. Whatever among the executed rules changes
one of those is where to look first.
"""

from collections.abc import Callable, Iterator, Mapping

from ziggurat.dsl import ir
from ziggurat.dsl.forms.bodies import bodies, passages, values_of
from ziggurat.dsl.forms.description import described
from ziggurat.dsl.forms.logic import conjuncts
from ziggurat.dsl.forms.walking import reads, walk
from ziggurat.proving import phrasing
from ziggurat.proving.changed_data import data_of
from ziggurat.proving.reference import Evaluator
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


def clauses_touching(ruleset: ir.Ruleset, check: ir.Expr, ran: set[str]) -> tuple[str, ...]:
    """The executed steps and clauses that change what a check speaks of, with their places."""
    values = values_of(ruleset, check)
    subjects = reads((check, *(value.base for value in values.values())))
    found = [
        f"{phrasing.where(node.at)} in {one.path}"
        for one in bodies(ruleset)
        if one.path in ran
        for node in walk(one.node)
        if not subjects.isdisjoint(described(node).writes(node))
    ]
    for value in values.values():
        for clause in value.contributions:
            if clause.path in ran:
                found.append(f"{phrasing.where(clause.at)} in {clause.path}")
    return tuple(dict.fromkeys(found))[:MOST]


def clauses_of(
    ruleset: ir.Ruleset, pack: str, check: ir.Expr | None, ran: set[str]
) -> tuple[str, ...]:
    """What of a pack can have made a check fail: executed clauses that touch what it speaks of, and
    data that it looks at. If there are none, or it was no check that failed, all clauses of the
    pack that ran and the data they look at; or else all that it does."""
    values = values_of(ruleset, check) if check is not None else {}
    touching, others = _executed_clauses(ruleset, pack, check, values, ran)
    near = [check, *values.values()] if check is not None else []
    run = [one.node for one in passages(ruleset) if one.path in ran]
    for clauses, nodes in ((touching, near), (others, run)):
        found = dict.fromkeys([*clauses, *data_of(ruleset, pack, nodes)])
        if found:
            return tuple(found)[:MOST]
    return tuple(dict.fromkeys(data_of(ruleset, pack, None)))[:MOST]


def _executed_clauses(
    ruleset: ir.Ruleset,
    pack: str,
    check: ir.Expr | None,
    values: Mapping[str, ir.Value],
    ran: set[str],
) -> tuple[list[str], list[str]]:
    """The clauses of a pack that ran: those that touch what a check speaks of, and the others."""
    subjects = reads((check, *(value.base for value in values.values())))
    touching: list[str] = []
    others: list[str] = []
    for one in passages(ruleset):
        own = [node for node in walk(one.node) if _is_of(node, pack)]
        if one.path not in ran or not own:
            continue
        near = [node for node in own if not subjects.isdisjoint(described(node).writes(node))]
        near = near or (own if one.home in values.values() else [])
        told = f"{phrasing.where((near or own)[0].at)} in {one.path}"
        (touching if near else others).append(told)
    return touching, others


def _is_of(node: object, pack: str) -> bool:
    at: ir.At | None = getattr(node, "at", None)
    return at is not None and at.file.startswith(f"{pack}/")
