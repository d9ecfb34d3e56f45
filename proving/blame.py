"""What a failed check was about: its sides in words, and the executed rules that touch the same.

A check speaks of pieces, attributes, piles and values. Whatever among the executed rules changes
one of those is where to look first.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ziggurat.dsl.forms.logic import conjuncts
from ziggurat.proving import phrasing
from ziggurat.proving.changed_data import data_of
from ziggurat.proving.phrasing import pack_of
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.bodies import bodies, passages, values_of
from ziggurat.runtime.kernel.description import described
from ziggurat.runtime.kernel.evaluator import Evaluator
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.walking import reads, walk

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


Deed = tuple[ir.At, str]  # something that a pack does: where, and in words


def evidence_of(ruleset: ir.Ruleset, check: ir.Expr | None, ran: set[str]) -> dict[str, list[Deed]]:
    """What of each pack can have made a check fail: executed clauses that touch what it speaks of,
    and data that it looks at. If a pack has none, or it was no check that failed, all its clauses
    that ran and its data that they look at."""
    values = values_of(ruleset, check) if check is not None else {}
    touching, others = _executed_clauses(ruleset, check, values, ran)
    near = [check, *values.values()] if check is not None else []
    run = [one.node for one in passages(ruleset) if one.path in ran]
    close = _by_pack((*touching, *data_of(ruleset, near)))
    return _by_pack((*others, *data_of(ruleset, run))) | close


def _by_pack(deeds: Iterable[Deed]) -> dict[str, list[Deed]]:
    found: dict[str, list[Deed]] = {}
    for deed in dict.fromkeys(deeds):
        found.setdefault(pack_of(deed[0]), []).append(deed)
    return found


def deeds_of(ruleset: ir.Ruleset) -> dict[str, list[Deed]]:
    """All that each pack does."""
    clauses = (
        (at, _in_words(at, one.path))
        for one in passages(ruleset)
        for at in {pack_of(node.at): node.at for node in _placed(one.node)}.values()
    )
    return _by_pack((*data_of(ruleset, None), *clauses))


def _in_words(at: ir.At, path: str) -> str:
    return f"{phrasing.where(at)} in {path}"


def _executed_clauses(
    ruleset: ir.Ruleset, check: ir.Expr | None, values: Mapping[str, ir.Value], ran: set[str]
) -> tuple[list[Deed], list[Deed]]:
    """The clauses that ran: those that touch what a check speaks of, and the others; of each pack
    that wrote in a clause the first place."""
    subjects = reads((check, *(value.base for value in values.values())))
    touching: dict[tuple[str, str], Deed] = {}
    others: dict[tuple[str, str], Deed] = {}
    for one in passages(ruleset):
        if one.path not in ran:
            continue
        is_of_value = one.home in values.values()
        for node in _placed(one.node):
            near = is_of_value or not subjects.isdisjoint(described(node).writes(node))
            key = (one.path, pack_of(node.at))
            (touching if near else others).setdefault(key, (node.at, _in_words(node.at, one.path)))
    rest = [deed for key, deed in others.items() if key not in touching]
    return list(touching.values()), rest


def _placed(part: Any) -> list[Any]:
    """The nodes of a piece of rules that have a place."""
    return [node for node in walk(part) if getattr(node, "at", None) and node.at.file]
