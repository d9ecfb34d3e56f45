"""Values, orders, procedures and actions: first their signatures, then their bodies."""

from collections.abc import Iterable
from typing import Any

from ziggurat.dsl import ir
from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.ir import Expr, Type
from ziggurat.dsl.linking.context import BAD, Context, meta
from ziggurat.dsl.linking.decisions import bounds
from ziggurat.dsl.linking.expressions import collection, condition, want
from ziggurat.dsl.linking.fields import (
    FIELD_RULES,
    declared_type,
    no_more,
    only,
    params,
    refuse_heads,
    split_fields,
)
from ziggurat.dsl.linking.model import Decl, Item
from ziggurat.dsl.linking.statements import candidates, statement_items, step_items
from ziggurat.dsl.linking.types import INT, PLAYER, WRONG, set_of
from ziggurat.dsl.linking.world import FUNCTIONS, Signature, World
from ziggurat.dsl.syntax import Node


def signatures(world: World) -> None:
    """Everything that can be called, before any body is looked at."""
    for decl in world.book.of("value").values():
        cx = Context(world, decl, f"value {decl.path}")
        refuse_heads(cx, decl, ())
        if decl.path in FUNCTIONS or decl.path in world.places:
            message = f"`{decl.path}` already has a meaning and cannot be the name of a value."
            world.report("Z216", message, decl.name_span, "Choose another name.")
        type_ = declared_type(cx, decl)
        world.values[decl.path] = Signature(decl.path, params(cx, decl), type_, decl)
    for decl in world.book.of("order").values():
        _order_signature(world, decl)
    for decl in world.book.of("procedure").values():
        cx = Context(world, decl, f"procedure {decl.path}")
        refuse_heads(cx, decl, ())
        world.procedures[decl.path] = Signature(decl.path, params(cx, decl), WRONG, decl)
    world.phases.update(world.book.of("phase"))


def _order_signature(world: World, decl: Decl) -> None:
    cx = Context(world, decl, f"order {decl.path}")
    refuse_heads(cx, decl, ())
    found = params(cx, decl)
    if not found:
        message = f"`{decl.spoken}` does not say what it orders."
        world.report("Z308", message, decl.name_span, "Write for example `(p: player)`.")
    world.orders[decl.path] = Signature(decl.path, found, WRONG, decl)
    fields, rest = split_fields(cx, decl)
    no_more(cx, decl, rest)
    keys = []
    for key in fields:
        path = f"{decl.path}.{key}"
        keys.append(path)
        world.values[path] = Signature(path, found, INT, decl)
        world.use(f"order {decl.path}", f"value {path}", decl.name_span)
    world.order_keys[decl.path] = tuple(keys)


def in_sight(cx: Context, found: Iterable[ir.Param], decl: Decl | None = None) -> None:
    """Bring parameters into sight; `decl` says where they are written."""
    nodes = decl.node.params or () if decl is not None else ()
    places = {str(node.parts[0]): cx.file.span(node.parts[0]) for node in nodes}
    for param in found:
        cx.define(param.name, param.type, "param", places.get(param.name))


def finish(cx: Context) -> None:
    """Say which names were made and never used; a name that begins with `_` says: on purpose."""
    for name, entry in cx.locals:
        if entry.used or entry.what not in ("let", "choice", "pick") or name.startswith("_"):
            continue
        if entry.type is not WRONG:
            message = f"`{name}` is never used."
            advice = f"Take it away, or call it `_{name}` to say that this is meant."
            cx.world.warn("Z513", message, entry.span, advice)


def idle(cx: Context, word: str) -> None:
    """Remember the parameters that a rule itself never looks at; triggers of others still may.

    Those of a value do not count: they are what clauses of other packs may ask about.
    """
    for name, entry in cx.locals:
        if entry.what == "param" and not entry.used and not name.startswith("_") and entry.span:
            cx.world.idle_params.setdefault(f"{word} {cx.path}", {})[name] = entry.span


# ---- values and orders --------------------------------------------------------------------------


def value(world: World, signature: Signature) -> ir.Value:
    decl = signature.decl
    cx = Context(world, decl, f"value {signature.path}")
    in_sight(cx, signature.params, decl)
    fields, rest = split_fields(cx, decl)
    no_more(cx, decl, rest)
    only(cx, decl, fields, ("base",), "A value")
    base = decl.base
    for node, file in fields.get("base", []):
        base = Item(node.parts[1].parts[0], file)
    found: Expr = BAD
    if base is None:
        message = f"`{decl.spoken}` does not say what it is to begin with."
        world.report("Z309", message, decl.name_span, "Add `= …` after its type.")
    else:
        cx.enter(base.file)
        found = want(cx, base.node, signature.type)
    cx.enter(decl.file)
    return ir.Value(
        signature.path, decl.title, signature.params, signature.type, found, (),
        meta(world, decl.metas, decl.pack), at=cx.at(decl.node),
    )  # fmt: skip


def order_keys(world: World, decl: Decl) -> list[ir.Value]:
    """The keys of an order, each a value of all its parameters."""
    found = []
    signature = world.orders[decl.path]
    for node, file in decl.items:
        if not isinstance(node, Node) or node.rule not in FIELD_RULES:
            continue
        path = f"{decl.path}.{node.parts[0]}"
        cx = Context(world, decl, f"value {path}")
        cx.enter(file)
        in_sight(cx, signature.params)
        written = node.parts[1]
        if node.rule == "field" and len(written.parts) == 1 and written.parts[0].rule != "pair":
            base = want(cx, written.parts[0], INT)
        else:
            base = cx.wrong("Z301", "A key of an order is one number.", node)
        found.append(
            ir.Value(path, "", signature.params, INT, base, (), cx.meta(()), at=cx.at(node))
        )
    return found


def order(world: World, signature: Signature) -> ir.Order:
    decl = signature.decl
    cx = Context(world, decl, f"order {decl.path}")
    keys = world.order_keys[decl.path]
    info = meta(world, decl.metas, decl.pack)
    return ir.Order(decl.path, decl.title, signature.params, keys, info, at=cx.at(decl.node))


# ---- procedures and actions ---------------------------------------------------------------------


def procedure(world: World, signature: Signature) -> ir.Procedure:
    decl = signature.decl
    cx = Context(world, decl, f"procedure {decl.path}")
    in_sight(cx, signature.params, decl)
    body = step_items(cx, decl.items)
    finish(cx)
    idle(cx, "procedure")
    cx.enter(decl.file)
    return ir.Procedure(
        decl.path, decl.title, signature.params, body, (),
        meta(world, decl.metas, decl.pack), at=cx.at(decl.node),
    )  # fmt: skip


def requirement(cx: Context, node: Any) -> ir.Requirement:
    test, reason, metas = node.parts
    text = " ".join(reason[1:-1].split()) if reason is not None else ""
    return ir.Requirement(condition(cx, test), text, cx.meta(metas.parts), at=cx.at(node))


def action(world: World, decl: Decl) -> ir.Action:
    cx = Context(world, decl, f"action {decl.path}")
    refuse_heads(cx, decl, ("head_in", "head_by"))
    phase = _action_phase(cx, decl)
    actor, nodes = _action_actor(cx, decl)
    if actor is not None:
        entry = cx.bind(actor, PLAYER, "param")
        if cx.thing is not None:
            cx.names["holder"] = entry
    found = tuple(_action_param(cx, node) for node in nodes)
    needs_items, rest = statement_items(decl.items, "needs")
    needs = []
    for node, file in needs_items:
        cx.enter(file)
        needs.append(requirement(cx, node))
    body = step_items(cx, rest)
    finish(cx)
    idle(cx, "action")
    cx.enter(decl.file)
    types = tuple(ir.Param(one.name, one.type) for one in found)
    world.actions[decl.path] = Signature(decl.path, types, PLAYER, decl)
    return ir.Action(
        decl.path, decl.title, phase, str(actor or ""), found, tuple(needs), body,
        _only_holders(cx), meta(world, decl.metas, decl.pack), at=cx.at(decl.node),
    )  # fmt: skip


def _only_holders(cx: Context) -> str:
    """An action inside a holdable thing is for its holders."""
    if cx.thing is None or "holdable" not in cx.world.kinds[cx.thing.kind].roles:
        return ""
    return f"{cx.thing.kind}.{cx.thing.id}"


def _action_phase(cx: Context, decl: Decl) -> str:
    for head in decl.node.heads:
        if head.rule == "head_in":
            return phase_name(cx, head.parts[0])
    message = f"`{decl.spoken}` does not say in which phase it is possible."
    cx.world.report("Z312", message, decl.name_span, "Write `in some_phase` after its name.")
    return ""


def phase_name(cx: Context, token: Any) -> str:
    """A phase by name, or a finding."""
    world = cx.world
    name = str(token)
    if name in world.phases:
        return name
    new = world.renamed("phase", name, cx.file.source.pack)
    if new in world.phases:
        return new
    advice = did_you_mean(name, world.phases)
    cx.error("Z208", f"There is no phase called `{name}`.", token, advice)
    return name


def _action_actor(cx: Context, decl: Decl) -> tuple[Any, tuple[Any, ...]]:
    nodes = decl.node.params or ()
    for head in decl.node.heads:
        if head.rule == "head_by":
            name, inner = head.parts
            return name, (*nodes, *(inner.parts if inner is not None else ()))
    message = f"`{decl.spoken}` does not say who acts."
    cx.world.report("Z312", message, decl.name_span, "Write `by p` before its parameters.")
    return None, nodes


def _action_param(cx: Context, node: Any) -> ir.ActionParam:
    name = node.parts[0]
    if node.rule in ("param", "param_typed"):
        message = f"The parameter `{name}` does not say from where it is taken."
        cx.error("Z312", message, node, f"Write `{name} from …`, a set or a range.")
        cx.bind(name, WRONG, "param")
        return ir.ActionParam(str(name), BAD, None, True, None, None, "", WRONG)
    amount = node.parts[1] if node.rule == "param_many" else None
    source, filter_, prompt = node.parts[-3:]
    single, least, most = bounds(cx, amount)
    found, item = collection(cx, source)
    test = candidates(cx, filter_, item)
    type_: Type = item if single else set_of(item)
    cx.bind(name, type_, "param")
    text = " ".join(prompt[1:-1].split()) if prompt is not None else ""
    return ir.ActionParam(str(name), found, test, single, least, most, text, type_, at=cx.at(node))
