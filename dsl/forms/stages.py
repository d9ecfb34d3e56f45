"""Stages of a phase: who does something, in which order, and until when."""

from typing import Any

import attrs

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.forms.flow import knowing
from ziggurat.dsl.linking.arguments import order_ref
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import condition, guard, want
from ziggurat.dsl.linking.lookup import phase_name
from ziggurat.dsl.linking.narrowing import narrowing
from ziggurat.dsl.linking.statements import block, no_step, split_meta
from ziggurat.dsl.linking.types import of_kind, set_of
from ziggurat.dsl.printing.layout import OPEN, Line
from ziggurat.dsl.printing.printer import SUM, Printer
from ziggurat.dsl.syntax import Node
from ziggurat.runtime.kernel.forms.names import All
from ziggurat.runtime.kernel.forms.stages import Stage
from ziggurat.runtime.kernel.nodes import (
    ERROR_TYPE,
    INT,
    PLAYER,
    Expr,
)
from ziggurat.runtime.kernel.registry import Registry

# How stages are linked, by the rule of the grammar, and their first line printed, by their kind.
STAGES = Registry[str, Stage]()


HEADS = Registry[str, str]()


stage, head = STAGES.add, HEADS.add


_PLAYERS = All("players", set_of(PLAYER))


def link_stage(cx: Context, node: Any, path: str) -> Stage:
    """A stage with its citations; the names in it are not seen outside."""
    outer = cx.names
    cx.names = dict(outer)
    found = STAGES[node.rule](cx, _without_meta(node), path)
    cx.names = outer
    metas, _ = split_meta(_block_parts(node))
    return attrs.evolve(found, meta=cx.meta(metas))


def _block_parts(node: Any) -> tuple[Any, ...]:
    last = node.parts[-1]
    return last.parts if getattr(last, "rule", "") == "block" else ()


def _without_meta(node: Any) -> Any:
    """A stage whose block is free of citations and tags, which belong to the stage."""
    metas, rest = split_meta(_block_parts(node))
    if not metas:
        return node
    block_ = node.parts[-1]
    inner = Node("block", tuple(rest), block_.start, block_.end)
    return Node(node.rule, (*node.parts[:-1], inner), node.start, node.end)


@stage("once")
def _link_once(cx: Context, node: Any, path: str) -> Stage:
    return Stage("once", path, body=block(cx, node.parts[0]), at=cx.at(node))


@stage("each")
def _link_each(cx: Context, node: Any, path: str) -> Stage:
    word, name, source, filter_, by, inner = node.parts
    world = cx.world
    if word in ("player", "owner") or word in world.kinds or word in world.families:
        type_ = of_kind(str(word))
        if word not in ("player", "owner"):
            cx.mention("cards" if word in world.families else "kind", str(word), word)
    else:
        advice = did_you_mean(word, ("player", "owner", *world.kinds, *world.families))
        cx.error("Z203", f"There is nothing called `{word}` to go through.", word, advice)
        type_ = ERROR_TYPE
    found: Expr
    if source is not None:
        found = want(cx, source.parts[0], set_of(type_))
    elif type_.name in world.families:
        message = "All cards are no set to go through; say which ones."
        found = cx.wrong("Z312", message, word, f"Write `each {word} {name} in cards(…)`.")
    else:
        of = {"player": "players", "owner": "owners"}.get(str(word), str(word))
        found = All(of, set_of(type_), at=cx.at(node))
    entry = cx.bind(name, type_, "param")
    order = order_ref(cx, by, type_)
    with narrowing(cx):
        test = guard(cx, filter_)
        body = knowing(cx, lambda: block(cx, inner))
    return Stage("each", path, entry.name, type_, found, test, order, body=body, at=cx.at(node))


@stage("at_once")
def _link_at_once(cx: Context, node: Any, path: str) -> Stage:
    word, name, filter_, by, inner = node.parts
    if word != "players":
        cx.error("Z203", "Only players can act at once.", word, "Write `all players p at once`.")
    entry = cx.bind(name, PLAYER, "param")
    order = order_ref(cx, by, PLAYER)
    with narrowing(cx):
        test = guard(cx, filter_)
        body = knowing(cx, lambda: block(cx, inner))
    return Stage(
        "at_once", path, entry.name, PLAYER, _PLAYERS, test, order, body=body, at=cx.at(node)
    )


@stage("act")
def _link_act(cx: Context, node: Any, path: str) -> Stage:
    name, freely, filter_, by, ending, inner = node.parts
    entry = cx.bind(name, PLAYER, "param")
    test = guard(cx, filter_)
    order = order_ref(cx, by, PLAYER)
    body = block(cx, inner)
    limit = None
    if ending.rule == "all_pass" and ending.parts[0] is not None:
        # The end of the stage is looked at between acts, when no player is in turn.
        cx.names = {key: one for key, one in cx.names.items() if one is not entry}
        limit = condition(cx, ending.parts[0])
    return Stage(
        "act", path, entry.name, PLAYER, _PLAYERS, test, order, freely is not None,
        "done" if ending.rule == "when_done" else "pass", limit, body=body, at=cx.at(node),
    )  # fmt: skip


@stage("while_stage")
def _link_while(cx: Context, node: Any, path: str) -> Stage:
    test, inner = node.parts
    with narrowing(cx):
        while_ = condition(cx, test)
        body = knowing(cx, lambda: block(cx, inner))
    return Stage("while", path, condition=while_, body=body, at=cx.at(node))


@stage("perform")
def _link_perform(cx: Context, node: Any, path: str) -> Stage:
    name, when = node.parts
    found = phase_name(cx, name)
    cx.uses(f"phase {found}", name)
    return Stage("perform", path, condition=guard(cx, when), phase=found, at=cx.at(node))


@stage("repeat_phase")
def _link_repeat(cx: Context, node: Any, path: str) -> Stage:
    name, times, test = node.parts
    found = phase_name(cx, name)
    cx.uses(f"phase {found}", name)
    going_on = condition(cx, test) if test is not None else None
    often = want(cx, times, INT)
    return Stage("repeat", path, condition=going_on, phase=found, times=often, at=cx.at(node))


no_step("A stage", *STAGES)


def stage_lines(printer: Printer, stage: Stage, depth: int = 0) -> list[Line]:
    """A stage of a phase: its first line and its block."""
    opens = not stage.phase and (stage.kind != "act" or stage.body)
    text = HEADS[stage.kind](printer, stage) + (OPEN if opens else "")
    return [Line(depth, text, stage.at, stage.meta), *printer.block(stage.body, depth + 1)]


def _rest(printer: Printer, stage: Stage) -> str:
    return printer.where(stage.condition) + printer.order(stage.order)


@head("once")
def _print_once(printer: Printer, stage: Stage) -> str:
    return "once"


@head("each")
def _print_each(printer: Printer, stage: Stage) -> str:
    kind = stage.var_type.name if stage.var_type else "player"
    text = f"each {printer.lexicon.name('kind', kind)} {printer.local(stage.var)}"
    if stage.source is not None and not _is_everything(stage.source, kind):
        text += f" in {printer.text(stage.source, SUM)}"
    return text + _rest(printer, stage)


def _is_everything(source: Expr, kind: str) -> bool:
    whole = isinstance(source, All) and source.of
    return whole == kind or (whole == "players" and kind == "player")


@head("at_once")
def _print_at_once(printer: Printer, stage: Stage) -> str:
    return f"all players {printer.local(stage.var)} at once{_rest(printer, stage)}"


@head("act")
def _print_act(printer: Printer, stage: Stage) -> str:
    freely = " freely" if stage.freely else ""
    limit = f" or {printer.text(stage.limit)}" if stage.limit else ""
    ending = "done" if stage.until == "done" else f"all pass{limit}"
    var = printer.local(stage.var)
    return f"players {var} act{freely}{_rest(printer, stage)} until {ending}"


@head("while")
def _print_while(printer: Printer, stage: Stage) -> str:
    return f"while {printer.text(stage.condition)}" if stage.condition else "while yes"


@head("perform")
def _print_perform(printer: Printer, stage: Stage) -> str:
    phase = printer.lexicon.name("phase", stage.phase)
    return f"perform {phase}{printer.where(stage.condition, 'when')}"


@head("repeat")
def _print_repeat(printer: Printer, stage: Stage) -> str:
    phase = printer.lexicon.name("phase", stage.phase)
    times = printer.text(stage.times, SUM) if stage.times else "1"
    return f"repeat {phase} up to {times} times{printer.where(stage.condition, 'while')}"
