"""Kinds, and the things of a kind with their data and blocks."""

from functools import partial
from typing import Any

import attrs

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.forms.clauses import CHANGES, TRIGGERS
from ziggurat.dsl.forms.flow import check_gives
from ziggurat.dsl.forms.requirements import KIND_DEMANDS, requirement_lines
from ziggurat.dsl.linking.constants import number_of
from ziggurat.dsl.linking.context import Context, meta
from ziggurat.dsl.linking.data import BROKEN, constant, entries, worked_out
from ziggurat.dsl.linking.expressions import want
from ziggurat.dsl.linking.fields import (
    ENTRY_RULES,
    FIELD_RULES,
    field_type,
    head_words,
    missing,
    no_more,
    only,
    params,
    read_type,
    refuse_heads,
    split_fields,
)
from ziggurat.dsl.linking.members import changed_entry, changed_members
from ziggurat.dsl.linking.model import BUILT_IN, Decl, Item, signed
from ziggurat.dsl.linking.removals import lacking_with
from ziggurat.dsl.linking.sight import finish, in_sight
from ziggurat.dsl.linking.statements import block, split_meta
from ziggurat.dsl.linking.types import SCALARS, of_kind, set_of, with_article
from ziggurat.dsl.linking.world import KindInfo, World
from ziggurat.dsl.printing.declarations import Declarations, declares
from ziggurat.dsl.printing.layout import OPEN, Line
from ziggurat.dsl.syntax import Declaration, Node
from ziggurat.runtime.kernel.forms.clauses import Trigger
from ziggurat.runtime.kernel.forms.core import Lit, Op
from ziggurat.runtime.kernel.forms.kinds import BodyDecl, Field, FieldValue, Kind, Thing, ThingBody
from ziggurat.runtime.kernel.nodes import (
    ERROR_TYPE,
    INT,
    Type,
    zero,
)

ROLES = ("holdable", "seat", "place", "card", "owner", "piece")


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


def kind(world: World, decl: Decl) -> Kind:
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
        elif getattr(item.node, "rule", "") not in KIND_DEMANDS:
            no_more(cx, decl, [item])
    return Kind(
        decl.path, decl.title, info.plural, tuple(role for role in ROLES if role in info.roles),
        tuple(info.fields.values()), tuple(bodies), meta(world, decl.metas, decl.pack),
        home_of(decl), at=cx.at(decl.node),
    )  # fmt: skip


def home_of(decl: Decl) -> str:
    """`kind troop piece in pool`."""
    homes = [str(head.parts[0]) for head in decl.node.heads if head.rule == "head_in"]
    return homes[0] if homes else ""


def _field(cx: Context, name: str, item: Item) -> Field:
    node = item.node
    type_ = field_type(cx, name, item, "a kind")
    typed = node.rule in ("field", "field_shape")
    return Field(name, type_, None, typed and node.parts[2] is None, at=cx.at(node))


def _kind_item(cx: Context, info: KindInfo, item: Item) -> list[BodyDecl]:
    node: Declaration = item.node
    cx.enter(item.file)
    name = node.id
    if name in info.fields or name in info.bodies:
        cx.error("Z305", f"`{name}` is given twice.", node.path[0], "Take one of them away.")
        return []
    if node.word == "relation":
        type_ = set_of(of_kind(info.id))
        empty = Op("set", (), type_, at=cx.at(node))
        info.fields[name] = Field(name, type_, empty, False, True, at=cx.at(node))
        return []
    inner = Decl("body", name, node, item.file, "", None, [], [])
    info.bodies[name] = BodyDecl(name, params(cx, inner), _given_by(cx, node))
    return [info.bodies[name]]


def _given_by(cx: Context, node: Declaration) -> Type | None:
    """What a block gives. Things without it give nothing, which must be able to stand there."""
    type_ = None if node.type is None else read_type(cx, node.type)
    if type_ is None or type_ is ERROR_TYPE or type_.maybe or zero(type_) is not None:
        return type_
    message = f"A thing without `{node.id}` does not give {cx.world.describe(type_)}."
    cx.error("Z352", message, node.type, f"Let it give `{type_.name} or none`.")
    return ERROR_TYPE


def field_defaults(world: World, kinds: dict[str, Kind]) -> dict[str, Kind]:
    """The kinds with the defaults of their fields, which may name things of any kind."""
    out: dict[str, Kind] = {}
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
            data = constant(cx, default, field.type)
            if data is not BROKEN:
                losses = len(world.notes.losses)
                none = Lit(None, field.type, at=cx.at(default))
                value = none if data is None else want(cx, default, field.type)
                del world.notes.losses[losses:]  # `constant` has listed them
                info.fields[field.name] = Field(
                    field.name, field.type, value, False, field.relation, at=field.at
                )
        out[kind.id] = Kind(
            kind.id, kind.title, kind.plural, kind.roles, tuple(info.fields.values()),
            kind.bodies, kind.meta, kind.home, at=kind.at,
        )  # fmt: skip
    return out


def thing(world: World, decl: Decl, cx: Context) -> Thing:
    """A thing with its data; its blocks and clauses are read later."""
    info = world.kinds[decl.word]
    refuse_heads(cx, decl, ())
    fields, _ = split_fields(cx, decl)
    only(cx, decl, fields, info.fields, with_article(decl.word).capitalize())
    values = []
    for name, field in info.fields.items():
        if name in fields:
            values += field_value(cx, decl, field, fields[name])
    lacking = [n for n, field in info.fields.items() if field.required and n not in fields]
    missing(cx, decl, lacking)
    cx.enter(decl.file)
    return Thing(
        decl.word, decl.path, decl.title, tuple(values), (),
        meta(world, decl.metas, decl.pack), at=cx.at(decl.node),
    )  # fmt: skip


def field_value(cx: Context, decl: Decl, field: Field, items: list[Item]) -> list[FieldValue]:
    """What a thing, a piece or an owner says of a field, with whatever was changed since."""
    found: FieldValue | None = None
    owner = cx.world.seat_kind if decl.word == "neutral" else decl.word
    for node, file in items:
        cx.enter(file)
        cx.mention("field", f"{owner}.{field.name}", node.parts[0])
        origin = file.source.pack
        if node.rule == "field":
            read = partial(entries, cx, node.parts[1].parts, field.type, node.parts[1])
            value = lacking_with(cx.world, field.name, decl.spoken, cx.span(node.parts[1]), read)
            if node.parts[2] is not None:
                cx.error("Z310", "A thing gives its fields values, not types.", node)
        elif node.rule == "field_shape":
            cx.error("Z310", "A thing gives its fields values, not types.", node)
            value = BROKEN
        else:
            value = _relative(cx, decl, field, node, found)
        if value is not BROKEN:
            found = FieldValue(field.name, value, origin, at=cx.at(node))
    return [found] if found else []


def _relative(cx: Context, decl: Decl, field: Field, node: Any, before: FieldValue | None) -> Any:
    """`cost +10`, `land +sidon -tyre`, `credits for crafts: 20`: what it is after a change."""
    old = before.value if before else _default(field)
    if node.rule in ENTRY_RULES:
        return changed_entry(cx, decl, field.name, field.type, node, old)
    if field.type.name in ("set", "map"):
        return changed_members(cx, decl, field.name, field.type, node, old)
    if field.type != INT or not isinstance(old, int):
        message = f"`{field.name}` of `{decl.spoken}` is no number that could be changed by some."
        cx.error("Z405", message, node, f"Write its new value: `{field.name}: …`.")
        return BROKEN
    for sign, part in signed(node):
        amount = constant(cx, part, INT)
        if amount is BROKEN or old is BROKEN:
            return BROKEN
        old = worked_out(cx, node, "+" if sign > 0 else "-", old, amount)
    return old


def _default(field: Field) -> Any:
    """What a field is without a word; collections that are not empty have to be given first."""
    if field.type.name in ("set", "map"):
        return ()
    return field.default and number_of(field.default)


def with_triggers(thing: Thing, triggers: dict[str, list[Trigger]]) -> Thing:
    """A thing with what others do before, after and instead of its blocks. One without the block
    gets an empty one for them."""
    stem = f"{thing.kind}.{thing.id}."
    watched = {
        key.removeprefix(stem): found for key, found in triggers.items() if key.startswith(stem)
    }
    if not watched:
        return thing
    brought = {body.name for body in thing.bodies}
    lacking = [ThingBody(name, (), at=thing.at) for name in watched if name not in brought]
    bodies = [
        attrs.evolve(body, triggers=tuple(watched.get(body.name, ())))
        for body in (*thing.bodies, *lacking)
    ]
    return attrs.evolve(thing, bodies=tuple(bodies))


def mirrored(world: World, kind: str, things: dict[str, Thing]) -> dict[str, Thing]:
    """The things with both sides of a relation changed where an amendment changes one."""
    changed = dict(things)
    relations = [field for field in world.kinds[kind].fields.values() if field.relation]
    for decl in world.things[kind].values():
        for node, file in decl.items:
            if getattr(node, "rule", "") not in ("field_plus", "field_minus"):
                continue
            for field in relations:
                if node.parts[0] == field.name:
                    cx = Context(world, decl, f"{kind} {decl.path}")
                    cx.enter(file)
                    _mirror(cx, field, node, decl.path, changed)
    return changed


def _mirror(cx: Context, field: Field, node: Any, here: str, things: dict[str, Thing]) -> None:
    for sign, part in signed(node):
        name = str(part.parts[0]) if part.rule == "name" else ""
        kind = things[here].kind
        there = things.get(cx.world.renamed(kind, name, cx.file.source.pack))
        near = f"{kind}.{here}"
        if there is None or (near in neighbours(there, field.name)) is (sign > 0):
            continue
        old = neighbours(there, field.name)
        new = (*old, near) if sign > 0 else tuple(one for one in old if one != near)
        value = FieldValue(field.name, new, cx.file.source.pack, at=cx.at(node))
        rest = [one for one in there.values if one.field != field.name]
        order = list(cx.world.kinds[there.kind].fields)
        values = sorted([*rest, value], key=lambda one: order.index(one.field))
        things[there.id] = attrs.evolve(there, values=tuple(values))


def neighbours(thing: Thing, field: str) -> tuple[str, ...]:
    return next((value.value for value in thing.values if value.field == field), ())


def thing_bodies(world: World, decl: Decl, cx: Context) -> tuple[ThingBody, ...]:
    """The blocks a thing brings (`resolve { … }`); whatever else is no clause is refused."""
    info = world.kinds[decl.word]
    out: list[ThingBody] = []
    for item in decl.items:
        node, file = item
        rule = node.rule if isinstance(node, Node) else ""
        if rule in FIELD_RULES or rule in CHANGES or rule in TRIGGERS:
            continue
        if rule != "body":
            no_more(cx, decl, [item])
            continue
        name = str(node.parts[0])
        if name not in info.bodies:
            known = ", ".join(f"`{one}`" for one in info.bodies)
            declare = f"Declare it in the kind: `body {name}(…)`."
            hint = did_you_mean(name, info.bodies) or (
                f"It may have {known}." if known else declare
            )
            message = f"A thing of kind {decl.word} has no block `{name}`."
            world.report("Z219", message, file.span(node.parts[0]), hint)
            continue
        out.append(_thing_body(world, decl, item, name))
    return tuple(out)


def _thing_body(world: World, decl: Decl, item: Item, name: str) -> ThingBody:
    user = f"body {decl.word}.{decl.path}.{name}"
    cx = Context(world, decl, user)
    cx.path = f"{decl.path}.{name}"
    cx.enter(item.file)
    world.use(f"bodies {decl.word}.{name}", user, item.file.span(item.node.parts[0]))
    cx.mention("body", f"{decl.word}.{name}", item.node.parts[0])
    declared = world.kinds[decl.word].bodies[name]
    in_sight(cx, declared.params)
    cx.gives = declared.type
    _, ahead, inner = item.node.parts
    metas, rest = split_meta((*ahead.parts, *inner.parts))
    found = block(cx, Node("block", tuple(rest), inner.start, inner.end))
    if declared.type is not None:
        check_gives(world, found, declared.type, cx.path, item.file.span(item.node.parts[0]))
    finish(cx)
    return ThingBody(name, found, cx.meta(metas), at=cx.at(item.node))


@declares(Kind)
def _print_kind(page: Declarations, kind: Kind, depth: int) -> list[Line]:
    roles = "".join(f" {role}" for role in kind.roles)
    inner = [Line(1, field_text(page, field), field.at) for field in kind.fields]
    inner += [Line(1, body_text(page, body)) for body in kind.bodies]
    with page.inside(kind):
        inner += requirement_lines(page, (*kind.needs, *kind.shoulds), 1)
    plural = f" plural {kind.plural}" if kind.plural else ""
    home = f" in {page.printer.lexicon.name('place', kind.home)}" if kind.home else ""
    return page.block(f"{page.head('kind', kind)}{roles}{home}{plural}", kind, inner, 0)


def body_text(page: Declarations, body: BodyDecl) -> str:
    gives = f": {page.printer.lexicon.type(body.type)}" if body.type else ""
    return f"body {body.name}({page.params(body.params)}){gives}"


def field_text(page: Declarations, field: Field) -> str:
    if field.relation:
        return f"relation {field.name}"
    default = f" = {page.default(field.default)}" if field.default is not None else ""
    return f"{field.name}: {page.printer.lexicon.type(field.type)}{default}"


@declares(Thing)
def _print_thing(page: Declarations, thing: Thing, depth: int) -> list[Line]:
    fields = {field.name: field.type for field in page.ruleset.kinds[thing.kind].fields}
    inner = [
        Line(1, value_text(page, one, fields[one.field]), one.at)
        for one in thing.values
        if one.field in fields
    ]
    home = page.index.get(thing.kind, thing.id)
    with page.inside(thing):
        inner += page.nested(home)
        for body in thing.bodies:
            lines = page.meta(body.meta, 2) + page.printer.block(body.body, 2)
            inner += [Line(1, body.name + (OPEN if lines else " {}"), body.at), *lines]
        inner += page.brought(home)
    head = f"{thing.kind} {page.printer.lexicon.name(thing.kind, thing.id)}"
    return page.block(head + page.title(thing.title), thing, inner, 0)


def value_text(page: Declarations, given: FieldValue, type_: Type) -> str:
    """`credits: crafts 10, science 5`."""
    return f"{given.field}: {page.data(given.value, type_)}"
