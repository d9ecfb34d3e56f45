"""Clauses, requirements, triggers and stages in words.

A linked clause speaks of its value's own parameters and carries the tests of its arguments in its
condition. Telling turns that around again: `modify kept(holder) by +5`, not `when p holds music`.
"""

from collections.abc import Sequence
from typing import Any

from ziggurat.dsl.forms.walking import names_bound, walk
from ziggurat.dsl.ir import (
    Contribution,
    Expr,
    Local,
    Loop,
    Op,
    Param,
    Requirement,
    Stage,
    ThingRef,
    Trigger,
    Value,
)
from ziggurat.dsl.printing.expressions import SPAN, SUM, Teller
from ziggurat.dsl.printing.layout import OPEN, Line, quoted
from ziggurat.dsl.printing.statements import body_lines

_CHANGES = {
    "to": "to", "adding": "by adding", "removing": "by removing",
    "extending": "by extending", "times": "by times", "at_least": "to at least",
    "at_most": "to at most",
}  # fmt: skip
_VERBS = {"allow": "allow", "forbid": "forbid"}


def verb(contribution: Contribution) -> str:
    """allow, forbid or modify: with the value's name, how amendments address a clause."""
    return _VERBS.get(contribution.op, "modify")


def contribution_text(teller: Teller, value: Value, clause: Contribution) -> str:
    """One clause as it would stand in the thing that brings it."""
    args, teller, rest = _arguments(teller, value.params, clause.thing, clause.when, clause.amount)
    name = teller.lexicon.name("value", value.id)
    text = f"{verb(clause)} {name}({', '.join(args)}){_change(teller, clause)}{rest}"
    reason = f" {quoted(clause.reason)}" if clause.reason and teller.wording else ""
    return text + reason


def _change(teller: Teller, clause: Contribution) -> str:
    if clause.amount is None:
        return ""
    rank = SPAN if clause.op == "extending" else SUM
    amount = teller.tell(clause.amount, 0 if clause.op == "to" else rank)
    if clause.op == "by":
        return f" by {amount}" if amount.startswith("-") else f" by +{amount}"
    return f" {_CHANGES.get(clause.op, clause.op)} {amount}"


def _arguments(
    teller: Teller, params: Sequence[Param], thing: str, when: Expr | None, change: Any
) -> tuple[list[str], Teller, str]:
    """The arguments of a clause, a teller that calls the holder so, and the rest of the condition.

    The linker puts what the arguments mean before what the author demands: `arguments and when`.
    A parameter that the rest or the change speaks of keeps its name.
    """
    names = [param.name for param in params]
    splits: list[tuple[Expr | None, Expr | None]] = [(when, None), (None, when)]
    if isinstance(when, Op) and when.op == "and":
        splits.insert(1, (when.args[0], when.args[1]))
    for meant, rest in splits:
        told = _told(teller, _left(meant), names, thing)
        holder = {param: text for param, text in (told or {}).items() if text == "holder"}
        if told is None or any(_rebound(param, rest) for param in holder):
            continue
        if not (told.keys() - holder.keys()) & _spoken_of(rest, change):
            break
    speaking = teller.called(holder)
    args = [(told or {}).get(name, teller.local(name)) for name in names]
    return args, speaking, f" when {speaking.tell(rest)}" if rest is not None else ""


def _told(
    teller: Teller, tests: Sequence[Expr], names: Sequence[str], thing: str
) -> dict[str, str] | None:
    """What stands for each parameter that is tested, or None if a test is no argument."""
    told: dict[str, str] = {}
    waiting = list(names)
    for test in tests:
        found = _argument(teller, test, waiting, thing)
        if found is None or (found[1] == "holder" and "holder" in told.values()):
            return None
        told[found[0]] = found[1]
        waiting = waiting[waiting.index(found[0]) + 1 :]
    return told


def _left(condition: Expr | None) -> list[Expr]:
    """The parts of a condition that was put together from left to right."""
    parts: list[Expr] = []
    while isinstance(condition, Op) and condition.op == "and":
        condition, last = condition.args
        parts.insert(0, last)
    return parts if condition is None else [condition, *parts]


def _argument(
    teller: Teller, test: Expr, names: Sequence[str], thing: str
) -> tuple[str, str] | None:
    match test:
        case Op("holds", (Local(name), ThingRef(kind, id_))) if f"{kind}.{id_}" == thing:
            return (name, "holder") if name in names else None
        case Op("==", (Local(name), expr)) if name in names:
            plain = not any(isinstance(part, Local) for part in walk(expr))
            return (name, teller.tell(expr)) if plain else None
    return None


def _spoken_of(*parts: Any) -> set[str]:
    return {one.name for part in parts for one in walk(part) if isinstance(one, Local)}


def _rebound(name: str, rest: Expr | None) -> bool:
    return any(name in names_bound(part) for part in walk(rest))


def conjuncts(condition: Expr | None) -> list[Expr]:
    """The parts of a condition that must all hold, from left to right."""
    if condition is None:
        return []
    if isinstance(condition, Op) and condition.op == "and":
        return [part for arg in condition.args for part in conjuncts(arg)]
    return [condition]


def requirement_text(teller: Teller, need: Requirement) -> str:
    """`needs …`, with its reason when wording is told."""
    reason = f" {quoted(need.reason)}" if need.reason and teller.wording else ""
    return f"needs {teller.tell(need.condition)}{reason}"


def trigger_lines(
    teller: Teller, target: str, params: Sequence[Param], trigger: Trigger, depth: int = 0
) -> list[Line]:
    """`after receive(holder, this) { … }`."""
    args, teller, rest = _arguments(teller, params, trigger.thing, trigger.condition, trigger.body)
    word = "instead of" if trigger.when == "instead" else trigger.when
    told = f"({', '.join(args)})" if params else ""
    head = f"{word} {target}{told}{rest}{OPEN}"
    return [
        Line(depth, head, trigger.at, trigger.meta),
        *body_lines(teller, trigger.body, depth + 1),
    ]


def stage_lines(teller: Teller, stage: Stage, depth: int = 0) -> list[Line]:
    """A stage of a phase: its first line and its block."""
    head = stage_head(teller, stage)
    opens = stage.kind != "perform" and (stage.kind != "act" or stage.body)
    first = Line(depth, head + (OPEN if opens else ""), stage.at, stage.meta)
    return [first, *body_lines(teller, stage.body, depth + 1)]


def stage_head(teller: Teller, stage: Stage) -> str:
    """Who does something in a stage, and in which order."""
    var = teller.local(stage.var)
    rest = teller.where(stage.condition) + teller.order(stage.order)
    match stage.kind:
        case "once":
            return "once"
        case "at_once":
            return f"all players {var} at once{rest}"
        case "while":
            return f"while {teller.tell(stage.condition)}" if stage.condition else "while yes"
        case "perform":
            phase = teller.lexicon.name("phase", stage.phase)
            return f"perform {phase}{teller.where(stage.condition, 'when')}"
        case "act":
            freely = " freely" if stage.freely else ""
            return f"players {var} act{freely}{rest} until {_ending(teller, stage)}"
    return f"each {_each(teller, stage)}{rest}"


def _each(teller: Teller, stage: Stage) -> str:
    kind = stage.var_type.name if stage.var_type else "player"
    told = f"{teller.lexicon.name('kind', kind)} {teller.local(stage.var)}"
    if stage.source is None or _is_everything(stage.source, kind):
        return told
    return f"{told} in {teller.tell(stage.source, SUM)}"


def _is_everything(source: Expr, kind: str) -> bool:
    match source:
        case Local() | Op() | Loop():
            return False
    of = getattr(source, "of", None)
    return of == kind or (of == "players" and kind == "player")


def _ending(teller: Teller, stage: Stage) -> str:
    if stage.until == "done":
        return "done"
    limit = f" or {teller.tell(stage.limit)}" if stage.limit else ""
    return f"all pass{limit}"
