"""Names and dots: what a bare word means where it stands, and what can be read from something."""

from typing import Any

from ziggurat.dsl.diagnostics import Note, did_you_mean
from ziggurat.dsl.ir import (
    All,
    At,
    AttrOf,
    Expr,
    FieldOf,
    Lit,
    Local,
    Op,
    OptionRef,
    OwnerRef,
    PileRef,
    ThingRef,
    Type,
)
from ziggurat.dsl.linking.context import BAD, Context, Entry
from ziggurat.dsl.linking.expressions import expression, lower
from ziggurat.dsl.linking.model import Decl
from ziggurat.dsl.linking.types import (
    BOOL,
    OWNER,
    PLAYER,
    TEXT,
    WRONG,
    join,
    of_kind,
    optional,
    present,
    set_of,
    with_article,
)

_SPECIAL = {
    "holder": ("Z217", "`holder` has no meaning here.",
               "It is whoever holds the thing a clause stands in, when the clause names it among"
               " its arguments: `modify limit(holder) by +1`."),
    "this": ("Z217", "`this` has no meaning here.", "It is the thing a rule stands in."),
    "it": ("Z218", "`it` has no meaning here.",
           "It is the candidate inside `where`, `allowing` and `such that`."),
}  # fmt: skip


@expression("name")
def _name(cx: Context, node: Any, wanted: Type | None) -> Expr:
    token = node.parts[0]
    entry = cx.names.get(token)
    if entry is not None:
        return local(cx, entry, node)
    found = declared(cx, str(token), wanted, cx.at(node), node)
    return found if found is not None else unknown_name(cx, node)


def local(cx: Context, entry: Entry, node: Any) -> Expr:
    entry.used = True
    if entry.type is WRONG:
        return BAD
    if entry.what == "field":
        this = cx.names["this"]
        whole = Local(this.name, this.type, at=cx.at(node))
        return FieldOf(whole, this.type.name, entry.name, entry.type, at=cx.at(node))
    if entry.thing is not None:
        return ThingRef(entry.thing.kind, entry.thing.id, entry.type, at=cx.at(node))
    return Local(entry.name, entry.type, at=cx.at(node))


def declared(cx: Context, name: str, wanted: Type | None, at: At, node: Any) -> Expr | None:
    """Whatever a pack declares under a name; None when nothing is called so."""
    world = cx.world
    attribute = world.attributes.get(f"table.{name}")
    if attribute is not None:
        cx.uses(f"attribute {attribute.id}", node)
        return AttrOf(None, attribute.id, attribute.type, at=at)
    option = world.options.get(name)
    if option is not None:
        cx.uses(f"option {name}", node)
        return OptionRef(name, option.type, at=at)
    playing = cx.scenario is not None and name in cx.scenario.players
    kinds = thing_kinds(cx, name)
    if playing and (wanted is None or wanted.name not in kinds):
        return OwnerRef(name, PLAYER, at=at)
    if kinds:
        return _thing(cx, name, kinds, wanted, at, node)
    if name in world.neutrals:
        return OwnerRef(name, OWNER, at=at)
    if name in world.all_of:
        of = world.all_of[name]
        return All(of, set_of(of_kind(of)), at=at)
    if name == "players" or name == "owners":
        return All(name, set_of(PLAYER if name == "players" else OWNER), at=at)
    if name == "board" and world.place_kind:
        return All(world.place_kind, set_of(of_kind(world.place_kind)), at=at)
    place = world.places.get(name)
    if place is not None and place.of == "table" and place.cards:
        return PileRef(name, None, Type("pile", of_kind(place.cards)), at=at)
    if name == "box":
        families = list(world.families)
        held = of_kind(families[0]) if len(families) == 1 else WRONG
        return PileRef(name, None, Type("pile", held), at=at)
    return _renamed(cx, name, at)


def thing_kinds(cx: Context, name: str) -> list[str]:
    """The kinds that have a thing of this name; a scenario's own things hide the real ones."""
    kinds = cx.world.kinds_of_name.get(name, [])
    if cx.scenario is None or not cx.scenario.things:
        return kinds
    own = cx.scenario.things
    return [k for k in kinds if k not in own] + [k for k, page in own.items() if name in page]


def things_of(cx: Context, kind: str) -> dict[str, Decl]:
    if cx.scenario is not None and kind in cx.scenario.things:
        page: dict[str, Decl] = cx.scenario.things[kind]
        return page
    return cx.world.things.get(kind, {})


def _thing(
    cx: Context, name: str, kinds: list[str], wanted: Type | None, at: At, node: Any
) -> Expr:
    kind = kinds[0]
    if len(kinds) > 1:
        if wanted is None or wanted.name not in kinds:
            listed = " and ".join(with_article(k) for k in kinds)
            message = f"`{name}` is the name of {listed}, and here it could be either."
            return cx.wrong(
                "Z213", message, node, "Rename one of them, or compare it with a field."
            )
        kind = wanted.name
    return ThingRef(kind, name, of_kind(kind), at=at)


def _renamed(cx: Context, name: str, at: At) -> Expr | None:
    for word, old in cx.world.book.aliases:
        if old == name and word in cx.world.kinds:
            new = cx.world.renamed(word, name, cx.file.source.pack)
            if new != name and new in cx.world.things[word]:
                return ThingRef(word, new, of_kind(word), at=at)
    return None


def unknown_name(cx: Context, node: Any) -> Expr:
    name = str(node.parts[0])
    if name in cx.unknown:
        return BAD
    cx.unknown.add(name)
    world = cx.world
    if name in _SPECIAL:
        code, message, advice = _SPECIAL[name]
        return cx.wrong(code, message, node, advice)
    shape = _other_shape(cx, name)
    if shape:
        message, advice = shape
        return cx.wrong("Z224", message, node, advice)
    for (word, old), alias in world.book.aliases.items():
        if old == name and word in world.kinds:
            message = f"`{name}` was renamed to `{alias.new}` by the pack `{alias.item.pack}`."
            return cx.wrong("Z201", message, node, f"Write `{alias.new}`.")
    for kind, old in world.book.gone:
        if old == name:
            return removed_name(cx, node, kind, name)
    near = did_you_mean(name, known_names(cx))
    return cx.wrong("Z201", f"Nothing called `{name}` is known here.", node, near)


def removed_name(cx: Context, node: Any, kind: str, name: str) -> Expr:
    """Say who took away what is still spoken of."""
    span = cx.world.book.gone[kind, name]
    message = f"There is no {kind.replace('_', ' ')} `{name}` any more."
    advice = "Amend this, too, so that it does without, or remove it."
    cx.error("Z201", message, node, advice, (Note("It is removed here.", span),))
    return BAD


def _other_shape(cx: Context, name: str) -> tuple[str, str] | None:
    """Known words used in the wrong way, with the right one."""
    world = cx.world
    path = value_path(cx, name)
    if path:
        params = ", ".join(param.name for param in world.values[path].params)
        return f"`{name}` is a value and must be asked with brackets.", f"Write `{name}({params})`."
    if name in world.pieces or name in world.groups:
        advice = f"Write for example `count({name} of p in a)` or `any({name} of p on board)`."
        return f"`{name}` is a piece, which can only be counted or moved.", advice
    if name in world.kinds:
        advice = f"All of them are called `{world.kinds[name].plural}`."
        return f"`{name}` is a kind, not a thing of that kind.", advice
    if name in world.places:
        place = world.places[name]
        advice = f"Write `cards({name}(…))`." if place.cards else f"Write `count(… in {name})`."
        return f"`{name}` is a place, which has no value of its own.", advice
    if name in world.procedures:
        return f"`{name}` is a procedure, which gives no value.", "Call it as a step of its own."
    return None


def known_names(cx: Context) -> list[str]:
    world = cx.world
    table = [a.id.removeprefix("table.") for a in world.attributes.values() if a.of == "table"]
    own = [n for page in cx.scenario.things.values() for n in page] if cx.scenario else []
    players = list(cx.scenario.players) if cx.scenario else []
    return [
        *cx.names, *table, *world.options, *own, *players, *world.kinds_of_name, *world.neutrals,
        *world.all_of, "players", "owners",
    ]  # fmt: skip


def value_path(cx: Context, name: str) -> str | None:
    """The path of a value as named here: inside a thing the short name is enough."""
    world = cx.world
    if cx.thing is not None:
        inner = f"{cx.thing.id}.{name}"
        if inner in world.values:
            return inner
    if name in world.values:
        return name
    return renamed_path(cx, "value", name, world.values)


def renamed_path(cx: Context, word: str, name: str, known: Any) -> str | None:
    """A path as an earlier pack knew it, if it exists under another name now."""
    if not cx.world.book.aliases:
        return None
    new = cx.world.renamed(word, name, cx.file.source.pack)
    return new if new in known else None


# ---- dots ---------------------------------------------------------------------------------------


@expression("attribute")
def _attribute(cx: Context, node: Any, wanted: Type | None) -> Expr:
    whole, name = node.parts
    if whole.rule == "name" and whole.parts[0] == "table" and "table" not in cx.names:
        return _of_table(cx, node, name)
    dotted = dotted_path(cx, node)
    if dotted and dotted in cx.world.values:
        params = ", ".join(param.name for param in cx.world.values[dotted].params)
        message = f"`{dotted}` is a value and must be asked with brackets."
        return cx.wrong("Z224", message, node, f"Write `{dotted}({params})`.")
    base = lower(cx, whole)
    if base.type is WRONG:
        return BAD
    found = read(cx, base, str(name), cx.at(node))
    if isinstance(found, AttrOf):
        cx.uses(f"attribute {found.attr}", node)
    return found if found is not None else _unreadable(cx, base, name)


def dotted_path(cx: Context, node: Any) -> str | None:
    """`thing.value` as a path, when its first word is no local name."""
    parts: list[str] = []
    while node.rule == "attribute":
        parts.append(str(node.parts[1]))
        node = node.parts[0]
    if node.rule != "name" or node.parts[0] in cx.names:
        return None
    return ".".join([str(node.parts[0]), *reversed(parts)])


def _of_table(cx: Context, node: Any, name: Any) -> Expr:
    attribute = cx.world.attributes.get(f"table.{name}")
    if attribute is None:
        known = [one.id[6:] for one in cx.world.attributes.values() if one.of == "table"]
        advice = did_you_mean(name, known) or "Declare it: `attribute … of table: int`."
        return cx.wrong("Z209", f"The table has no attribute `{name}`.", name, advice)
    cx.uses(f"attribute {attribute.id}", node)
    return AttrOf(None, attribute.id, attribute.type, at=cx.at(node))


def read(cx: Context, base: Expr, name: str, at: At) -> Expr | None:
    """An attribute or field of something, or None when it has none of that name."""
    world = cx.world
    kind = base.type.name
    attribute = world.attributes.get(f"{kind}.{name}")
    if attribute is None and kind in ("player", "owner"):
        other = "owner" if kind == "player" else "player"
        attribute = world.attributes.get(f"{other}.{name}")
    if attribute is not None:
        return AttrOf(base, attribute.id, attribute.type, at=at)
    info = world.kinds.get(kind)
    if info is not None:
        field = info.fields.get(name)
        return FieldOf(base, kind, name, field.type, at=at) if field else None
    if kind in ("player", "owner") and world.seat_kind:
        if name == world.seat_kind:
            return AttrOf(base, f"player.{name}", optional(of_kind(name)), at=at)
        field = world.kinds[world.seat_kind].fields.get(name)
        return FieldOf(base, world.seat_kind, name, field.type, at=at) if field else None
    return _of_card(cx, base, name, at) if kind in world.families else None


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
    if not advice and base.type.name in ("set", "list"):
        advice = f"Ask each member: `{{x.{name} for x in …}}`."
    what = cx.world.describe(present(base.type))
    return cx.wrong("Z209", f"{what[0].upper()}{what[1:]} has no `{name}`.", name, advice)


def readable(cx: Context, type_: Type) -> list[str]:
    """All that can stand after a dot."""
    world = cx.world
    kind = type_.name
    owners = {"player", "owner"} if kind in ("player", "owner") else {kind}
    found = [one.id.partition(".")[2] for one in world.attributes.values() if one.of in owners]
    kinds = [kind] if kind in world.kinds else []
    if kind in ("player", "owner") and world.seat_kind:
        kinds.append(world.seat_kind)
        found.append(world.seat_kind)
    if kind in world.families:
        kinds += world.families[kind].faces
        found += world.families[kind].faces
    for one in kinds:
        found += world.kinds[one].fields if one in world.kinds else ()
    return found
