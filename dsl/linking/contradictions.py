"""Requirements that can never hold together: `X` and `not X`, `n > 5` and `n < 3`."""

from collections.abc import Iterable, Iterator
from typing import Any

from ziggurat.dsl.diagnostics import Note
from ziggurat.dsl.linking.span import span_of
from ziggurat.dsl.linking.world import World
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel import Expr, Lit, Op
from ziggurat.runtime.kernel.nodes import ERROR_TYPE

_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
_DENIED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MANY = 10**9


def check_requirements(world: World, ruleset: ir.Ruleset) -> None:
    for action in ruleset.actions.values():
        _check(world, action.needs)
    for phase in ruleset.phases.values():
        _check(world, phase.needs)


def _check(world: World, needs: Iterable[ir.Requirement]) -> None:
    seen: list[tuple[Expr, bool]] = []
    limits: list[list[Any]] = []
    for part in _parts(need.condition for need in needs):
        expr, holds = _bare(part)
        if expr.type is ERROR_TYPE:
            continue
        if isinstance(expr, Lit) and bool(expr.value) is not holds:
            _report(world, part, None, "This never holds.")
            return
        for other, held in seen:
            if other == expr and held is not holds:
                _report(world, part, other, "This and an earlier requirement exclude each other.")
                return
        seen.append((expr, holds))
        found = _limit(expr, holds)
        if found is None:
            continue
        subject, low, high = found
        for limit in limits:
            if limit[0] == subject:
                limit[1], limit[2] = max(limit[1], low), min(limit[2], high)
                if limit[1] > limit[2]:
                    message = "No number is both this and what an earlier requirement says."
                    _report(world, part, limit[3], message)
                    return
                break
        else:
            limits.append([subject, low, high, part])


def _parts(conditions: Iterable[Expr]) -> Iterator[Expr]:
    waiting = list(conditions)[::-1]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Op) and one.op == "and":
            waiting += one.args[::-1]
        else:
            yield one


def _bare(expr: Expr) -> tuple[Expr, bool]:
    """The expression without `not`, and whether it must hold."""
    holds = True
    while isinstance(expr, Op) and expr.op == "not":
        expr, holds = expr.args[0], not holds
    return expr, holds


def _limit(expr: Expr, holds: bool) -> tuple[Expr, int, int] | None:
    """What a comparison with a number says about the other side."""
    if not isinstance(expr, Op) or expr.op not in _FLIPPED:
        return None
    left, right = expr.args
    sign = expr.op if holds else _DENIED[expr.op]
    if isinstance(left, Lit):
        left, right, sign = right, left, _FLIPPED[sign]
    if not isinstance(right, Lit) or type(right.value) is not int:
        return None
    number = right.value
    spans = {
        "<": (-_MANY, number - 1), "<=": (-_MANY, number), ">": (number + 1, _MANY),
        ">=": (number, _MANY), "==": (number, number),
    }  # fmt: skip
    return (left, *spans[sign]) if sign in spans else None


def _report(world: World, part: Expr, other: Expr | None, message: str) -> None:
    notes = (Note("The other one is here.", span_of(world, other.at)),) if other else ()
    advice = f"Correct {'one of them' if other else 'it'}; as it is, this can never happen."
    world.report("Z510", message, span_of(world, part.at), advice, notes)
