"""What can be read after a dot, fields and attributes, and the steps that change attributes."""

from typing import Any

import attrs

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.forms.pieces import piece_field
from ziggurat.dsl.linking.bundled import Named, named, no_field, no_value
from ziggurat.dsl.linking.context import BAD, Context
from ziggurat.dsl.linking.expressions import ASK_FIRST, expression, linked, want
from ziggurat.dsl.linking.lookup import dotted_path, short_names, thing_kinds
from ziggurat.dsl.linking.own_fields import own_value
from ziggurat.dsl.linking.statements import statement
from ziggurat.dsl.linking.types import COLLECTIONS, fits, join, of_kind, optional, present
from ziggurat.dsl.printing.printer import (
    COMPARED,
    POSTFIX,
    SUM,
    Printed,
    Printer,
    prints,
    prints_line,
)
from ziggurat.runtime.kernel.forms.attributes import Assign, AttrOf, FieldOf
from ziggurat.runtime.kernel.forms.core import Lit, Local, Op, OwnerRef
from ziggurat.runtime.kernel.nodes import (
    BOOL,
    ERROR_TYPE,
    INT,
    OWNER,
    PLAYER,
    TEXT,
    At,
    Expr,
    Stmt,
    Type,
)


@expression("attribute")
def _link_attribute(cx: Context, node: Any, wanted: Type | None) -> Expr:
    whole, name = node.parts
    is_table = whole.rule == "name" and whole.parts[0] == "table" and "table" not in cx.names
    if is_table and f"table.{name}" not in cx.world.bundles:
        return _of_table(cx, node, name)
    dotted = dotted_path(cx, node)
    if dotted and dotted in cx.world.values:
        params = ", ".join(param.name for param in cx.world.values[dotted].params)
        message = f"`{dotted}` is a value and must be asked with brackets."
        return cx.wrong("Z224", message, node, f"Write `{dotted}({params})`.")
    bundle = named(cx, whole)
    if bundle is not None:
        return _in_bundle(cx, node, bundle, name)
    bundle = named(cx, node)
    if bundle is not None:
        return no_value(cx, bundle, node)
    piece = _piece(cx, whole)
    if piece is not None:
        cx.mention("piece", piece, whole)
        found = piece_field(cx, piece, name)
        return BAD if found is None else attrs.evolve(found, at=cx.at(node))
    base = linked(cx, whole)
    if base.type is ERROR_TYPE:
        return BAD
    found = read(cx, base, str(name), cx.at(node))
    if isinstance(found, AttrOf):
        cx.uses(f"attribute {found.attr}", node)
        if found.attr not in cx.world.attributes:
            cx.mention("kind", str(name), node)  # what a player plays
    elif found is not None:
        _mention_field(cx, found, node)
    return found if found is not None else _unreadable(cx, base, name)


def _mention_field(cx: Context, found: Expr, node: Any) -> None:
    """Note which field was read, of whatever kind has it."""
    while isinstance(found, Op) and found.op == "if":
        found = found.args[1] if isinstance(found.args[1], FieldOf) else found.args[2]
    if isinstance(found, FieldOf):
        cx.mention("field", f"{found.owner_kind}.{found.field}", node)
    elif isinstance(found, Op) and found.op == "face":
        cx.mention("kind", str(node.parts[1]), node)


def _piece(cx: Context, node: Any) -> str | None:
    """The piece that is meant by a name, if nothing else is called so."""
    name = str(node.parts[0]) if node.rule == "name" else ""
    if name not in cx.world.pieces or name in cx.names or thing_kinds(cx, name):
        return None
    return name


def _in_bundle(cx: Context, node: Any, found: Named, name: Any) -> Expr:
    """`p.offer.size`."""
    attribute = cx.world.attributes.get(found.bundle.attribute(str(name)))
    if attribute is None:
        return no_field(cx, found, name)
    cx.uses(f"attribute {attribute.id}", node)
    return AttrOf(found.of, attribute.id, attribute.type, at=cx.at(node))


def there(cx: Context, node: Any, found: Named, wanted: bool) -> Expr:
    """`p.offer is not none`, or is none."""
    cx.uses(f"attribute {found.bundle.id}", node)
    is_there = AttrOf(found.of, found.bundle.id, BOOL, at=cx.at(node))
    return is_there if wanted else Op("not", (is_there,), BOOL, at=cx.at(node))


def _of_table(cx: Context, node: Any, name: Any) -> Expr:
    attribute = cx.world.attributes.get(f"table.{name}")
    if attribute is None:
        known = short_names(cx.world, "table")
        here = f"Write `{name}` alone: it is a name of its own here." if name in cx.names else None
        declare = "Declare it: `attribute … of table: int`."
        advice = here or did_you_mean(name, known) or _as_parameter(cx, name) or declare
        return cx.wrong("Z209", f"The table has no attribute `{name}`.", name, advice)
    cx.uses(f"attribute {attribute.id}", node)
    return AttrOf(None, attribute.id, attribute.type, at=cx.at(node))


def _as_parameter(cx: Context, name: str) -> str | None:
    """Return how values get what is called `name`: a former attribute may have become theirs."""
    for path, value in cx.world.values.items():
        if any(param.name == name for param in value.params):
            head = f"{path}({', '.join(param.name for param in value.params)})"
            return f"Take it as a parameter, as `{head}` does."
    return None


def read(cx: Context, base: Expr, name: str, at: At) -> Expr | None:
    """An attribute or field of something, or None when it has none of that name."""
    world = cx.world
    kind = base.type.name
    attribute = world.attributes.get(f"{kind}.{name}")
    if attribute is None and kind == "player":
        attribute = world.attributes.get(f"owner.{name}")
    if attribute is not None:
        return AttrOf(base, attribute.id, attribute.type, at=at)
    info = world.kinds.get(kind)
    if info is not None:
        field = info.fields.get(name)
        return FieldOf(base, kind, name, field.type, at=at) if field else None
    if kind == "player" and world.seat_kind:
        if name == world.seat_kind:
            return AttrOf(base, f"player.{name}", optional(of_kind(name)), at=at)
        field = world.kinds[world.seat_kind].fields.get(name)
        return FieldOf(base, world.seat_kind, name, field.type, at=at) if field else None
    if kind == "owner" and world.seat_kind:
        return _of_owner(cx, base, name, at)
    return _of_card(cx, base, name, at) if kind in world.families else None


def _of_owner(cx: Context, base: Expr, name: str, at: At) -> Expr | None:
    """A field that players have from what they play, and every neutral owner of its own."""
    world = cx.world
    fields = world.kinds[world.seat_kind].fields
    if name not in fields:
        return None
    type_ = fields[name].type
    player = Op("player", (base,), optional(PLAYER), at=at)
    found: Expr = FieldOf(player, world.seat_kind, name, type_, at=at)
    for neutral in world.neutrals.values():
        own = own_value(fields, neutral.values, name)
        if own is None:
            return None
        if isinstance(base, OwnerRef) and base.id == neutral.id:
            return attrs.evolve(own, at=at)
        same = Op("==", (base, OwnerRef(neutral.id, OWNER, at=at)), BOOL, at=at)
        found = Op("if", (same, own, found), type_, at=at)
    return found


def _of_card(cx: Context, base: Expr, name: str, at: At) -> Expr | None:
    """`c.face_kind`, the face; `c.value`, a field of the face."""
    world = cx.world
    faces = world.families[base.type.name].faces
    if name in faces:
        return Op("face", (base, Lit(name, TEXT, at=at)), optional(of_kind(name)), at=at)
    owners = [face for face in faces if face in world.kinds and name in world.kinds[face].fields]
    if not owners:
        return None
    found: Expr = FieldOf(base, owners[-1], name, world.kinds[owners[-1]].fields[name].type, at=at)
    # Several kinds of face may share a field; then it is read from the kind that is there.
    for owner in reversed(owners[:-1]):
        one = FieldOf(base, owner, name, world.kinds[owner].fields[name].type, at=at)
        type_ = join(one.type, found.type)
        if type_ is None:
            return None
        test = Op("is_kind", (base, Lit(owner, TEXT, at=at)), BOOL, at=at)
        found = Op("if", (test, one, found), type_, at=at)
    return found


def _unreadable(cx: Context, base: Expr, name: Any) -> Expr:
    known = readable(cx, base.type)
    advice = did_you_mean(name, known)
    if base.type.name == "owner" and read(cx, Local("owner", PLAYER), name, base.at):
        advice = ASK_FIRST
    if not advice and base.type.name in ("set", "list"):
        advice = f"Ask each member: `{{x.{name} for x in …}}`."
    what = cx.world.describe(present(base.type))
    return cx.wrong("Z209", f"{what[0].upper()}{what[1:]} has no `{name}`.", name, advice)


def readable(cx: Context, type_: Type) -> list[str]:
    """All that can stand after a dot."""
    world = cx.world
    kind = type_.name
    owners = {"player", "owner"} if kind == "player" else {kind}
    found = short_names(world, *owners)
    kinds = [kind] if kind in world.kinds else []
    if kind == "player" and world.seat_kind:
        kinds.append(world.seat_kind)
        found.append(world.seat_kind)
    if kind == "owner" and world.seat_kind:
        fields = world.kinds[world.seat_kind].fields
        found += [
            name for name in fields
            if all(own_value(fields, one.values, name) for one in world.neutrals.values())
        ]  # fmt: skip
    if kind in world.families:
        kinds += world.families[kind].faces
        found += world.families[kind].faces
    for one in kinds:
        found += world.kinds[one].fields if one in world.kinds else ()
    return found


def target(cx: Context, node: Any) -> tuple[AttrOf, Expr | None] | None:
    """What a step may change: an attribute, or one entry of an attribute that is a map."""
    read_before = set(cx.world.uses.get(cx.user, ()))
    found = _target(cx, node)
    if found is not None and f"attribute {found[0].attr}" not in read_before:
        # To write something down is not to read it.
        cx.world.uses[cx.user].pop(f"attribute {found[0].attr}", None)
    return found


def _target(cx: Context, node: Any) -> tuple[AttrOf, Expr | None] | None:
    index = None
    if node.rule == "index":
        node, key = node.parts
        found = linked(cx, node)
        if found.type is ERROR_TYPE:
            return None
        if found.type.name != "map" or found.type.key is None:
            cx.error("Z306", "Only a map has entries that can be set.", node)
            return None
        index = want(cx, key, found.type.key)
    else:
        found = linked(cx, node)
    if isinstance(found, AttrOf):
        return found, index
    if found.type is not ERROR_TYPE:
        message = "Only attributes can be changed, and this is not one."
        advice = "Declare what changes during the game: `attribute name of player: int`."
        if isinstance(found, FieldOf):
            message = "A field stays what it is; only attributes can be changed."
        if isinstance(found, Local) and node.rule == "name":
            advice = f"Give a name another value with `let {node.parts[0]} = …`."
        cx.error("Z314", message, node, advice)
    return None


def assign(cx: Context, node: Any) -> Stmt | None:
    """`set p.score = 3`."""
    found = target(cx, node.parts[0])
    if found is None:
        linked(cx, node.parts[1])
        return None
    attribute, index = found
    wanted = attribute.type if index is None else attribute.type.item or ERROR_TYPE
    value = want(cx, node.parts[1], wanted)
    return Assign(attribute, index, "=", value, at=cx.at(node))


@statement("add", "subtract")
def _link_add(cx: Context, node: Any) -> Stmt | None:
    amount, what = node.parts
    value = want(cx, amount, INT)
    found = target(cx, what)
    if found is None:
        return None
    attribute, index = found
    type_ = attribute.type if index is None else attribute.type.item or ERROR_TYPE
    if not fits(type_, INT):
        message = f"Only numbers can be added to, and this is {cx.world.describe(type_)}."
        advice = (
            "Members are added to a set with `include … in …`." if type_.name == "set" else None
        )
        cx.error("Z301", message, what, advice)
    sign = "+" if node.rule == "add" else "-"
    return Assign(attribute, index, sign, value, at=cx.at(node))


@statement("include", "exclude")
def _link_include(cx: Context, node: Any) -> Stmt | None:
    what, into = node.parts
    found = target(cx, into)
    if found is None:
        linked(cx, what)
        return None
    attribute, index = found
    type_ = attribute.type if index is None else attribute.type.item or ERROR_TYPE
    if type_.name not in COLLECTIONS or type_.item is None:
        message = f"Only a set has members, and this is {cx.world.describe(type_)}."
        cx.error("Z301", message, into)
        return None
    value = want(cx, what, type_.item)
    return Assign(attribute, index, node.rule, value, at=cx.at(node))


@prints(FieldOf)
def _print_field(printer: Printer, expr: FieldOf) -> Printed:
    return f"{printer.text(expr.of, POSTFIX)}.{expr.field}", POSTFIX


@prints(AttrOf)
def _print_attribute(printer: Printer, expr: AttrOf) -> Printed:
    text = whole_bundle(printer, expr)
    if expr.attr in printer.lexicon.bundles:
        return f"{text} is not none", COMPARED
    return text, POSTFIX


def whole_bundle(printer: Printer, expr: AttrOf) -> str:
    of = printer.text(expr.of, POSTFIX) if expr.of else "table"
    return f"{of}.{printer.lexicon.attribute(expr.attr)}"


_CHANGES = {"+": "add {} to {}", "-": "subtract {} from {}", "include": "include {} in {}",
            "exclude": "exclude {} from {}"}  # fmt: skip


@prints_line(Assign)
def _print_assign(printer: Printer, stmt: Assign) -> str:
    target = printer.text(stmt.target, POSTFIX)
    if stmt.index is not None:
        target += f"[{printer.text(stmt.index)}]"
    if stmt.op == "=":
        return f"set {target} = {printer.text(stmt.expr)}"
    return _CHANGES[stmt.op].format(printer.text(stmt.expr, SUM), target)


def shared_field(expr: Expr) -> FieldOf | None:
    """A field that cards of several kinds have: written once, linked as one case for each kind."""
    match expr:
        case Op("if", (Op("is_kind", (card, Lit(kind))), FieldOf(of, owner, name) as field, rest)):
            if (card, kind) != (of, owner):
                return None
            last = rest if isinstance(rest, FieldOf) else shared_field(rest)
            return field if last is not None and (last.of, last.field) == (of, name) else None
    return None
