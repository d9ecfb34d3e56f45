"""Kinds, and the data of their things."""

from typing import Any

from ziggurat.dsl import ir
from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.ir import Op
from ziggurat.dsl.linking.constants import number_of
from ziggurat.dsl.linking.context import Context, meta
from ziggurat.dsl.linking.data import BROKEN, constant, entries, worked_out
from ziggurat.dsl.linking.expressions import want
from ziggurat.dsl.linking.fields import (
    head_words,
    missing,
    no_more,
    only,
    params,
    read_type,
    refuse_heads,
    split_fields,
)
from ziggurat.dsl.linking.model import BUILT_IN, Decl, Item
from ziggurat.dsl.linking.types import INT, SCALARS, WRONG, of_kind, set_of, with_article
from ziggurat.dsl.linking.world import KindInfo, World
from ziggurat.dsl.syntax import Declaration

ROLES = ("holdable", "seat", "place", "card")


def kind_names(world: World) -> None:
    for decl in world.book.of("kind").values():
        words = head_words(decl)
        plural = f"{decl.path}s"
        if "plural" in words:
            at = words.index("plural")
            plural = str(words[at + 1]) if at + 1 < len(words) else plural
        roles = frozenset(str(word) for word in words if word in ROLES)
        if decl.path in BUILT_IN or decl.path in SCALARS or decl.path == "table":
            message = f"`{decl.path}` already has a meaning and cannot be the name of a kind."
            world.report("Z216", message, decl.name_span, "Choose another name.")
        world.kinds[decl.path] = KindInfo(decl.path, decl, roles, plural)
        world.plurals[decl.path] = plural
        world.all_of[plural] = decl.path
    world.place_kind = _only_role(world, "place")
    world.seat_kind = _only_role(world, "seat")


def _only_role(world: World, role: str) -> str:
    found = [info for info in world.kinds.values() if role in info.roles]
    for info in found[1:]:
        message = f"Only one kind can have the role `{role}`, and `{found[0].id}` has it."
        world.report("Z320", message, info.decl.name_span, "Take the word away from one of them.")
    return found[0].id if found else ""


def kind(world: World, decl: Decl) -> ir.Kind:
    cx = Context(world, decl, f"kind {decl.path}")
    info = world.kinds[decl.path]
    words = [word for word in head_words(decl) if word != "plural" and word != info.plural]
    for word in words:
        if word not in ROLES:
            advice = did_you_mean(word, (*ROLES, "plural")) or f"Roles are {', '.join(ROLES)}."
            cx.error("Z222", f"`{word}` is no role of a kind.", word, advice)
    fields, rest = split_fields(cx, decl)
    for name, items in fields.items():
        info.fields[name] = _field(cx, name, items[-1])
    bodies = []
    for item in rest:
        if isinstance(item.node, Declaration) and item.node.word in ("relation", "body"):
            bodies += _kind_item(cx, info, item)
        elif getattr(item.node, "rule", "") != "needs":
            no_more(cx, decl, [item])
    return ir.Kind(
        decl.path, decl.title, info.plural, tuple(role for role in ROLES if role in info.roles),
        tuple(info.fields.values()), tuple(bodies), meta(world, decl.metas, decl.pack),
        at=cx.at(decl.node),
    )  # fmt: skip


def _field(cx: Context, name: str, item: Item) -> ir.Field:
    node, file = item
    cx.enter(file)
    if node.rule not in ("field", "field_shape"):
        cx.error(
            "Z310", "A field of a kind is declared with a type.", node, f"Write `{name}: int`."
        )
        return ir.Field(name, WRONG, None, False)
    written, default = node.parts[1], node.parts[2]
    if node.rule == "field" and len(written.parts) > 1:
        cx.error("Z203", "This is no type.", written, "A field has one type.")
        type_ = WRONG
    else:
        type_ = read_type(cx, written.parts[0] if node.rule == "field" else written)
    return ir.Field(name, type_, None, default is None, at=cx.at(node))


def _kind_item(cx: Context, info: KindInfo, item: Item) -> list[ir.BodyDecl]:
    node: Declaration = item.node
    cx.enter(item.file)
    name = node.id
    if name in info.fields or name in info.bodies:
        cx.error("Z305", f"`{name}` is given twice.", node.path[0], "Take one of them away.")
        return []
    if node.word == "relation":
        type_ = set_of(of_kind(info.id))
        empty = Op("set", (), type_, at=cx.at(node))
        info.fields[name] = ir.Field(name, type_, empty, False, True, at=cx.at(node))
        return []
    inner = Decl("body", name, node, item.file, "", None, [], [])
    info.bodies[name] = params(cx, inner)
    return [ir.BodyDecl(name, info.bodies[name])]


def field_defaults(world: World, kinds: dict[str, ir.Kind]) -> dict[str, ir.Kind]:
    """The kinds with the defaults of their fields, which may name things of any kind."""
    out: dict[str, ir.Kind] = {}
    for kind in kinds.values():
        info = world.kinds[kind.id]
        cx = Context(world, info.decl, f"kind {kind.id}")
        for node, file in info.decl.items:
            default = (
                node.parts[2] if getattr(node, "rule", "") in ("field", "field_shape") else None
            )
            if default is None:
                continue
            field = info.fields[str(node.parts[0])]
            cx.enter(file)
            if constant(cx, default, field.type) is not BROKEN:
                value = want(cx, default, field.type)
                info.fields[field.name] = ir.Field(
                    field.name, field.type, value, False, field.relation, at=field.at
                )
        out[kind.id] = ir.Kind(
            kind.id, kind.title, kind.plural, kind.roles, tuple(info.fields.values()),
            kind.bodies, kind.meta, at=kind.at,
        )  # fmt: skip
    return out


def thing(world: World, decl: Decl, cx: Context) -> ir.Thing:
    """A thing with its data; its blocks and clauses are read later."""
    info = world.kinds[decl.word]
    refuse_heads(cx, decl, ())
    fields, _ = split_fields(cx, decl)
    only(cx, decl, fields, info.fields, with_article(decl.word).capitalize())
    values = []
    for name, field in info.fields.items():
        if name in fields:
            values += _field_value(cx, decl, field, fields[name])
    lacking = [n for n, field in info.fields.items() if field.required and n not in fields]
    missing(cx, decl, lacking)
    cx.enter(decl.file)
    return ir.Thing(
        decl.word, decl.path, decl.title, tuple(values), (),
        meta(world, decl.metas, decl.pack), at=cx.at(decl.node),
    )  # fmt: skip


def _field_value(
    cx: Context, decl: Decl, field: ir.Field, items: list[Item]
) -> list[ir.FieldValue]:
    found: ir.FieldValue | None = None
    for node, file in items:
        cx.enter(file)
        origin = file.source.pack
        if node.rule == "field":
            value = entries(cx, node.parts[1].parts, field.type, node.parts[1])
            if node.parts[2] is not None:
                cx.error("Z310", "A thing gives its fields values, not types.", node)
        elif node.rule == "field_shape":
            cx.error("Z310", "A thing gives its fields values, not types.", node)
            value = BROKEN
        else:
            value = _relative(cx, decl, field, node, found)
        found = (
            None if value is BROKEN else ir.FieldValue(field.name, value, origin, at=cx.at(node))
        )
    return [found] if found else []


def _relative(
    cx: Context, decl: Decl, field: ir.Field, node: Any, before: ir.FieldValue | None
) -> Any:
    """`cost +10`: more or less than it was before."""
    amount = constant(cx, node.parts[1], INT)
    old = before.value if before else field.default and number_of(field.default)
    if field.type != INT or not isinstance(old, int):
        message = f"`{field.name}` of `{decl.spoken}` is no number that could be changed by some."
        cx.error("Z405", message, node, f"Write its new value: `{field.name}: …`.")
        return BROKEN
    if amount is BROKEN:
        return BROKEN
    return worked_out(cx, node, "+" if node.rule == "field_plus" else "-", old, amount)
