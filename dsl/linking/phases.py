"""Phases and the turn: stages one after the other, and the sequence of phases."""

from typing import Any

import attrs

from ziggurat.dsl import ir
from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.ir import Stage
from ziggurat.dsl.linking.calls import order_ref
from ziggurat.dsl.linking.clauses import TRIGGERS
from ziggurat.dsl.linking.context import Context, meta
from ziggurat.dsl.linking.expressions import condition, guard, want
from ziggurat.dsl.linking.fields import names_in, no_more, only, refuse_heads, split_fields
from ziggurat.dsl.linking.model import Decl, Item
from ziggurat.dsl.linking.rules import finish, phase_name, requirement
from ziggurat.dsl.linking.statements import STATEMENTS, block, statement_items
from ziggurat.dsl.linking.types import OWNER, PLAYER, WRONG, of_kind, set_of
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.syntax import Node

_PLAYERS = ir.All("players", set_of(PLAYER))


def phase(world: World, decl: Decl) -> ir.Phase:
    cx = Context(world, decl, f"phase {decl.path}")
    refuse_heads(cx, decl, ())
    needs_items, rest = statement_items(decl.items, "needs")
    needs = []
    for node, file in needs_items:
        cx.enter(file)
        needs.append(requirement(cx, node))
    stages: list[Stage] = []
    for item in rest:
        found = _stage(cx, decl, item, len(stages) + 1)
        if found is not None:
            stages.append(found)
    finish(cx)
    cx.enter(decl.file)
    return ir.Phase(
        decl.path, decl.title, tuple(needs), tuple(stages), (),
        meta(world, decl.metas, decl.pack), at=cx.at(decl.node),
    )  # fmt: skip


def _stage(cx: Context, decl: Decl, item: Item, number: int) -> Stage | None:
    node, file = item
    rule = getattr(node, "rule", "")
    if rule in TRIGGERS:
        return None
    cx.enter(file)
    reader = _STAGES.get(rule)
    if reader is None:
        if rule in STATEMENTS:
            message = "A phase consists of stages; this step must stand inside one."
            cx.error("Z310", message, node, "Write `once { … }` around it.")
        else:
            no_more(cx, decl, [item])
        return None
    outer = cx.names
    cx.names = dict(outer)
    found = reader(cx, _without_meta(node), f"{decl.path}.{number}")
    cx.names = outer
    metas = [one for one in _block_parts(node) if getattr(one, "rule", "") in ("cites", "tags")]
    return attrs.evolve(found, meta=cx.meta(metas))


def _block_parts(node: Any) -> tuple[Any, ...]:
    last = node.parts[-1]
    return last.parts if getattr(last, "rule", "") == "block" else ()


def _without_meta(node: Any) -> Any:
    """A stage whose block is free of citations and tags, which belong to the stage."""
    parts = _block_parts(node)
    rest = tuple(one for one in parts if getattr(one, "rule", "") not in ("cites", "tags"))
    if len(rest) == len(parts):
        return node
    block_ = node.parts[-1]
    inner = Node("block", rest, block_.start, block_.end)
    return Node(node.rule, (*node.parts[:-1], inner), node.start, node.end)


def _once(cx: Context, node: Any, path: str) -> Stage:
    return Stage("once", path, body=block(cx, node.parts[0]), at=cx.at(node))


def _each(cx: Context, node: Any, path: str) -> Stage:
    word, name, source, filter_, by, inner = node.parts
    world = cx.world
    if word in ("player", "owner") or word in world.kinds or word in world.families:
        type_ = of_kind(str(word))
    else:
        advice = did_you_mean(word, ("player", "owner", *world.kinds, *world.families))
        cx.error("Z203", f"There is nothing called `{word}` to go through.", word, advice)
        type_ = WRONG
    found: ir.Expr
    if source is not None:
        found = want(cx, source.parts[0], set_of(type_))
    elif type_.name in world.families:
        message = "All cards are no set to go through; say which ones."
        found = cx.wrong("Z312", message, word, f"Write `each {word} {name} in cards(…)`.")
    else:
        of = {"player": "players", "owner": "owners"}.get(str(word), str(word))
        found = ir.All(of, set_of(type_), at=cx.at(node))
    entry = cx.bind(name, type_, "param")
    test = guard(cx, filter_)
    order = order_ref(cx, by, type_)
    return Stage(
        "each", path, entry.name, type_, found, test, order, body=block(cx, inner), at=cx.at(node)
    )


def _at_once(cx: Context, node: Any, path: str) -> Stage:
    word, name, filter_, by, inner = node.parts
    if word != "players":
        cx.error("Z203", "Only players can act at once.", word, "Write `all players p at once`.")
    entry = cx.bind(name, PLAYER, "param")
    test = guard(cx, filter_)
    order = order_ref(cx, by, PLAYER)
    body = block(cx, inner)
    return Stage(
        "at_once", path, entry.name, PLAYER, _PLAYERS, test, order, body=body, at=cx.at(node)
    )


def _act(cx: Context, node: Any, path: str) -> Stage:
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


def _while(cx: Context, node: Any, path: str) -> Stage:
    test = condition(cx, node.parts[0])
    return Stage("while", path, condition=test, body=block(cx, node.parts[1]), at=cx.at(node))


def _perform(cx: Context, node: Any, path: str) -> Stage:
    name, when = node.parts
    found = phase_name(cx, name)
    cx.uses(f"phase {found}", name)
    return Stage("perform", path, condition=guard(cx, when), phase=found, at=cx.at(node))


_STAGES = {
    "once": _once,
    "each": _each,
    "at_once": _at_once,
    "act": _act,
    "while_stage": _while,
    "perform": _perform,
}


_TURN_FIELDS = ("start", "phases", "ranking", "score", "shows", "parts")


def turn(world: World, decl: Decl) -> ir.TurnOrder:
    cx = Context(world, decl, f"turn {decl.path}")
    refuse_heads(cx, decl, ())
    fields, rest = split_fields(cx, decl)
    no_more(cx, decl, rest)
    only(cx, decl, fields, _TURN_FIELDS, "A turn")
    start = _sequence(cx, fields.get("start", []))
    phases = _sequence(cx, fields.get("phases", []))
    if "phases" not in fields:
        message = f"`{decl.spoken}` has no phases."
        world.report("Z303", message, decl.name_span, "Write `phases: first, second`.")
    ranking = _first(_named(cx, fields.get("ranking", []), "order", "Z207", world.orders))
    score, shows, parts = (
        _named(cx, fields.get(name, []), "value", "Z204", world.values)
        for name in ("score", "shows", "parts")
    )
    cx.enter(decl.file)
    return ir.TurnOrder(
        decl.path, start, phases, ranking, _first(score), shows, parts,
        meta(world, decl.metas, decl.pack), at=cx.at(decl.node),
    )  # fmt: skip


def _sequence(cx: Context, items: list[Item]) -> tuple[str, ...]:
    found = []
    for token, file in names_in(cx, items):
        cx.enter(file)
        name = phase_name(cx, token)
        cx.uses(f"phase {name}", token)
        found.append(name)
    return tuple(found)


def _first(names: tuple[str, ...]) -> str:
    return names[0] if names else ""


def _named(cx: Context, items: list[Item], word: str, code: str, known: Any) -> tuple[str, ...]:
    """The orders or values of a player that a field of the turn names."""
    found = []
    for token, file in names_in(cx, items):
        cx.enter(file)
        name = cx.world.renamed(word, str(token), file.source.pack)
        if name not in known:
            advice = did_you_mean(token, known)
            cx.error(code, f"There is no {word} called `{token}`.", token, advice)
            continue
        params = known[name].params
        if len(params) != 1 or params[0].type not in (PLAYER, OWNER, WRONG):
            message = f"`{token}` must be {'an' if word == 'order' else 'a'} {word} of one player."
            cx.error("Z302", message, token, f"Declare it as `{word} {token}(p: player) …`.")
        cx.uses(f"{word} {name}", token)
        found.append(name)
    return tuple(found)
