"""What a bare word means where it stands."""

from typing import Any

import attrs

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.linking.bundled import Named, no_value
from ziggurat.dsl.linking.context import BAD, Context, Entry
from ziggurat.dsl.linking.expressions import expression, linked
from ziggurat.dsl.linking.lookup import (
    known_names,
    mention_player,
    mention_thing,
    removed_name,
    thing_kinds,
    value_path,
)
from ziggurat.dsl.linking.types import of_kind, set_of, with_article
from ziggurat.dsl.nearest import sought
from ziggurat.dsl.printing.printer import POSTFIX, Printed, Printer, prints
from ziggurat.runtime.kernel.forms.attributes import AttrOf, FieldOf
from ziggurat.runtime.kernel.forms.cards import PileRef
from ziggurat.runtime.kernel.forms.core import Local, OwnerRef, ThingRef
from ziggurat.runtime.kernel.forms.names import All, OptionRef
from ziggurat.runtime.kernel.nodes import ERROR_TYPE, OWNER, PLAYER, At, Expr, Type

_SPECIAL = {
    "holder": ("Z217", "`holder` has no meaning here.",
               "It is whoever holds the thing a clause stands in, when the clause names it among"
               " its arguments: `modify limit(holder) by +1`."),
    "this": ("Z217", "`this` has no meaning here.", "It is the thing a rule stands in."),
    "it": ("Z218", "`it` has no meaning here.",
           "It is the candidate inside `where`, `allowing` and `such that`."),
}  # fmt: skip


@expression("name")
def _link_name(cx: Context, node: Any, wanted: Type | None) -> Expr:
    token = node.parts[0]
    entry = cx.names.get(token)
    if entry is not None and entry.cell is not None:
        return _cell(cx, entry, node, wanted)
    if entry is not None:
        return local(cx, entry, node)
    found = declared(cx, str(token), wanted, cx.at(node), node)
    if found is None:
        sought(token, wanted)
    return found if found is not None else unknown_name(cx, node)


def _cell(cx: Context, entry: Entry, node: Any, wanted: Type | None) -> Expr:
    """What a column of a table of cases stands for; no column is in sight there."""
    entry.used = True
    cx.mention_local(entry, node)
    outer = cx.names
    cx.names = {}
    found = linked(cx, entry.cell, wanted)
    cx.names = outer
    return found


def local(cx: Context, entry: Entry, node: Any) -> Expr:
    entry.used = True
    cx.mention_local(entry, node)
    if entry.type is ERROR_TYPE:
        return BAD
    if entry.what == "field":
        this = cx.names["this"]
        whole = Local(this.name, this.type, at=cx.at(node))
        return FieldOf(whole, this.type.name, entry.name, entry.type, at=cx.at(node))
    if entry.meaning is not None:
        return attrs.evolve(entry.meaning, at=cx.at(node))
    return Local(entry.name, entry.type, at=cx.at(node))


def declared(cx: Context, name: str, wanted: Type | None, at: At, node: Any) -> Expr | None:
    """Whatever a pack declares under a name; None when nothing is called so."""
    world = cx.world
    attribute = world.attributes.get(f"table.{name}")
    if attribute is not None and attribute.id in world.bundles:
        return no_value(cx, Named(world.bundles[attribute.id], None), node)
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
        mention_player(cx, node)
        return OwnerRef(name, PLAYER, at=at)
    if kinds:
        other = wanted is not None and wanted.name not in kinds
        renamed = _renamed(cx, name, at, node, wanted) if other else None
        if renamed is None and wanted is not None and (wanted.name, name) in world.book.gone:
            return removed_name(cx, node, wanted.name, name)
        return renamed or _thing(cx, name, kinds, wanted, at, node)
    if name in world.neutrals:
        cx.mention("neutral", name, node)
        return OwnerRef(name, OWNER, at=at)
    if name in world.all_of:
        of = world.all_of[name]
        cx.mention("kind", of, node)
        return All(of, set_of(of_kind(of)), at=at)
    if name == "players" or name == "owners":
        return All(name, set_of(PLAYER if name == "players" else OWNER), at=at)
    if name == "board" and world.place_kind:
        return All(world.place_kind, set_of(of_kind(world.place_kind)), at=at)
    place = world.places.get(name)
    if place is not None and place.of == "table" and place.cards:
        cx.mention("place", name, node)
        return PileRef(name, None, Type("pile", of_kind(place.cards)), at=at)
    if name == "box":
        families = list(world.families)
        held = of_kind(families[0]) if len(families) == 1 else ERROR_TYPE
        return PileRef(name, None, Type("pile", held), at=at)
    return _renamed(cx, name, at, node)


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
    mention_thing(cx, kind, name, node)
    return ThingRef(kind, name, of_kind(kind), at=at)


def _renamed(cx: Context, name: str, at: At, node: Any, wanted: Type | None = None) -> Expr | None:
    """What an earlier pack called so, of the kind that is wanted if there is one."""
    for word, old in cx.world.book.aliases:
        if old == name and word in cx.world.kinds and wanted in (None, of_kind(word)):
            new = cx.world.renamed(word, name, cx.file.source.pack)
            if new != name and new in cx.world.things[word]:
                cx.mention(word, new, node)
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


@prints(Local)
def _print_local(printer: Printer, expr: Local) -> Printed:
    return printer.local(expr.name), POSTFIX


@prints(ThingRef)
def _print_thing(printer: Printer, expr: ThingRef) -> Printed:
    return printer.lexicon.name(expr.kind, expr.id), POSTFIX


@prints(OwnerRef)
def _print_owner(printer: Printer, expr: OwnerRef) -> Printed:
    return printer.lexicon.name("neutral", expr.id), POSTFIX


@prints(All)
def _print_all(printer: Printer, expr: All) -> Printed:
    return printer.lexicon.plural(expr.of), POSTFIX


@prints(OptionRef)
def _print_option(printer: Printer, expr: OptionRef) -> Printed:
    return printer.lexicon.name("option", expr.id), POSTFIX
