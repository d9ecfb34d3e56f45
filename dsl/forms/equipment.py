"""What lies on the table: card families, places, pieces, and owners without a seat."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.forms.kinds import field_text, field_value, value_text
from ziggurat.dsl.linking.context import Context, meta
from ziggurat.dsl.linking.counts import SUPPLY, check_supply
from ziggurat.dsl.linking.data import BROKEN, constant
from ziggurat.dsl.linking.expressions import want
from ziggurat.dsl.linking.fields import (
    field_type,
    head_words,
    missing,
    names_in,
    no_more,
    number_in,
    only,
    only_fields,
    refuse_heads,
    split_fields,
)
from ziggurat.dsl.linking.model import Decl, Item
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.printing.declarations import Declarations, declares
from ziggurat.dsl.printing.layout import OPEN, Line
from ziggurat.runtime.kernel.forms.equipment import CardFamily, Neutral, Piece, PieceGroup, Place
from ziggurat.runtime.kernel.forms.kinds import Field, FieldValue
from ziggurat.runtime.kernel.nodes import ERROR_TYPE, Type


def families(world: World) -> None:
    for decl in world.book.of("cards").values():
        cx = Context(world, decl, f"cards {decl.path}")
        refuse_heads(cx, decl, ())
        fields = only_fields(cx, decl, ("faces",), "A card family")
        faces = []
        for token, file in names_in(cx, fields.get("faces", [])):
            if token in world.kinds:
                world.notes.mentions.add(file.span(token), "kind", str(token))
                faces.append(str(token))
                continue
            advice = did_you_mean(token, world.kinds)
            message = f"There is no kind called `{token}`."
            world.report("Z202", message, file.span(token), advice)
        if "faces" not in fields:
            message = "A card family must say which kinds are on its faces."
            world.report("Z303", message, decl.name_span, "Write `faces: some_kind`.")
        world.families[decl.path] = CardFamily(
            decl.path, decl.title, tuple(faces), at=cx.at(decl.node)
        )


def places(world: World) -> None:
    for decl in world.book.of("place").values():
        cx = Context(world, decl, f"place {decl.path}")
        refuse_heads(cx, decl, ("head_of",), ("secret", "hidden", "open", "uncounted"))
        fields = only_fields(cx, decl, ("cards",), "A place")
        of = _place_of(cx, decl)
        words = head_words(decl)
        seen = next((str(word) for word in words if word in ("secret", "hidden")), "open")
        counted = "uncounted" not in words
        if not counted and seen == "open":
            message = "Everybody can count the cards of an open place."
            advice = "Write `hidden uncounted`, or `secret uncounted`, or leave the word out."
            world.report("Z330", message, decl.name_span, advice)
        family = _family_of_place(cx, decl, fields, seen)
        if not family and of not in ("owner", "player"):
            message = f"A place for pieces belongs to every owner or player, not to {of}."
            advice = "Write `of owner`, or `{ cards: … }` if it is for cards."
            world.report("Z312", message, decl.name_span, advice)
        world.places[decl.path] = Place(
            decl.path, decl.title, of, family, seen, counted, at=cx.at(decl.node)
        )


def _place_of(cx: Context, decl: Decl) -> str:
    for head in decl.node.heads:
        if head.rule == "head_of":
            type_ = head.parts[0]
            name = type_.parts[0] if type_.rule == "type_name" else None
            if name in ("owner", "player", "table") or name in cx.world.kinds:
                return str(name)
            advice = did_you_mean(str(name), ("owner", "player", "table", *cx.world.kinds))
            cx.error(
                "Z203", "A place is of an owner, a player, a kind or the table.", type_, advice
            )
            return "owner"
    return "table"


def _family_of_place(cx: Context, decl: Decl, fields: Any, seen: str) -> str:
    world = cx.world
    for token, file in names_in(cx, fields.get("cards", [])):
        if token in world.families:
            world.notes.mentions.add(file.span(token), "cards", str(token))
            return str(token)
        message = f"There is no card family called `{token}`."
        advice = did_you_mean(token, world.families)
        world.report("Z203", message, file.span(token), advice)
        return str(token)
    if seen != "open":
        # Only cards can be kept from somebody's sight.
        if len(world.families) == 1:
            return next(iter(world.families))
        message = f"A {seen} place is for cards, and it does not say which."
        world.report("Z303", message, decl.name_span, "Write `{ cards: some_family }`.")
    return ""


_OF_PIECES = ("supply", "home", "states")


_SIMPLE = ("int", "bool", "text")


def pieces(world: World) -> None:
    """Pieces and groups of them. What a piece may say of itself, its groups declare."""
    decls = world.book.of("piece").values()
    for decl in decls:
        if _is_group(decl):
            world.groups[decl.path] = _group(world, decl)
    for decl in decls:
        if not _is_group(decl):
            world.pieces[decl.path] = _piece(world, decl)


def _is_group(decl: Decl) -> bool:
    return any(getattr(node, "rule", "") == "field" and node.parts[0] == "any"
               for node, _ in decl.items)  # fmt: skip


def _group(world: World, decl: Decl) -> PieceGroup:
    cx = Context(world, decl, f"piece {decl.path}")
    refuse_heads(cx, decl, ())
    fields, rest = split_fields(cx, decl)
    no_more(cx, decl, rest)
    singles = [one.path for one in world.book.of("piece").values() if not _is_group(one)]
    members = []
    for token, file in names_in(cx, fields.pop("any")):
        if token in singles:
            world.notes.mentions.add(file.span(token), "piece", str(token))
            members.append(str(token))
        else:
            message = f"There is no piece called `{token}`."
            world.report("Z211", message, file.span(token), did_you_mean(token, singles))
    typed = tuple(_group_field(cx, name, items[-1]) for name, items in fields.items())
    cx.enter(decl.file)
    return PieceGroup(decl.path, tuple(members), typed, at=cx.at(decl.node))


def _group_field(cx: Context, name: str, item: Item) -> Field:
    type_ = field_type(cx, name, item, "a group of pieces")
    node = item.node
    if type_.name not in _SIMPLE and type_ is not ERROR_TYPE:
        message = "A field of pieces is a number, yes or no, or a text."
        cx.error("Z203", message, node.parts[1], f"Write `{name}: int`.")
        type_ = ERROR_TYPE
    default = node.parts[2] if node.rule == "field" else None
    found = want(cx, default, type_) if default is not None else None
    if default is not None and constant(cx, default, type_) is BROKEN:
        found = None
    required = default is None and type_ is not ERROR_TYPE
    return Field(name, type_, found, required, at=cx.at(node))


def _piece(world: World, decl: Decl) -> Piece:
    cx = Context(world, decl, f"piece {decl.path}")
    refuse_heads(cx, decl, ())
    fields, rest = split_fields(cx, decl)
    no_more(cx, decl, rest)
    groups = [one for one in world.groups.values() if decl.path in one.members]
    known = {field.name: field for group in groups for field in group.fields}
    only(cx, decl, fields, (*_OF_PIECES, *known), "A piece")
    required = [*_OF_PIECES[:2], *(one.name for one in known.values() if one.required)]
    missing(cx, decl, [name for name in required if name not in fields])
    states = tuple(str(token) for token, _ in names_in(cx, fields.get("states", [])))
    supplied = fields.get(SUPPLY, [])
    supply = number_in(cx, supplied) or 0
    if supplied:
        check_supply(world, decl.path, supply, supplied[-1].span)
    home = _home(cx, fields.get("home", []))
    values = _values(cx, decl, known, fields)
    cx.enter(decl.file)
    return Piece(
        decl.path, decl.title, supply, home, states, meta(world, decl.metas, decl.pack), values,
        at=cx.at(decl.node),
    )  # fmt: skip


def _values(
    cx: Context, decl: Decl, known: Mapping[str, Field], fields: Mapping[str, list[Item]]
) -> tuple[FieldValue, ...]:
    given = (field_value(cx, decl, known[name], fields[name]) for name in known if name in fields)
    return tuple(value for values in given for value in values)


def _home(cx: Context, items: list[Item]) -> str:
    world = cx.world
    for token, file in names_in(cx, items):
        if token == "box" or (token in world.places and not world.places[token].cards):
            world.notes.mentions.add(file.span(token), "place", str(token))
            return str(token)
        known = [one.id for one in world.places.values() if not one.cards]
        advice = did_you_mean(token, known) or f"Declare it: `place {token} of owner`."
        message = f"There is no place for pieces called `{token}`."
        world.report("Z212", message, file.span(token), advice)
    return ""


def neutrals(world: World) -> None:
    for decl in world.book.of("neutral").values():
        cx = Context(world, decl, f"neutral {decl.path}")
        refuse_heads(cx, decl, ())
        lent = world.kinds[world.seat_kind].fields if world.seat_kind else {}
        known = {name: field for name, field in lent.items() if name != "supply"}
        fields = only_fields(cx, decl, ("supply", *known), "A neutral owner")
        supply = tuple(_supply(cx, fields.get("supply", [])))
        values = _values(cx, decl, known, fields)
        cx.enter(decl.file)
        world.neutrals[decl.path] = Neutral(
            decl.path, decl.title, supply, values, at=cx.at(decl.node)
        )


def _supply(cx: Context, items: list[Item]) -> Iterator[tuple[str, int]]:
    """`supply: token 20, city 5`."""
    known = cx.world.pieces
    for node, file in items:
        cx.enter(file)
        for entry in node.parts[1].parts if node.rule == "field" else ():
            if entry.rule != "pair":
                message = "This must be a piece and a number."
                cx.error("Z301", message, entry, "Write for example `token 20`.")
            elif entry.parts[0] not in known:
                message = f"There is no piece called `{entry.parts[0]}`."
                cx.error("Z211", message, entry.parts[0], did_you_mean(entry.parts[0], known))
            else:
                cx.mention("piece", str(entry.parts[0]), entry.parts[0])
                yield str(entry.parts[0]), cx.count(entry.parts[1])


@declares(Piece)
def _print_piece(page: Declarations, piece: Piece, depth: int) -> list[Line]:
    name = page.printer.lexicon.name
    inner = [Line(1, f"supply: {piece.supply}"), Line(1, f"home: {name('place', piece.home)}")]
    if piece.states:
        inner.append(Line(1, f"states: {', '.join(piece.states)}"))
    groups = page.ruleset.piece_groups.values()
    types = {one.name: one.type for group in groups for one in group.fields}
    inner += _value_lines(page, piece.values, types)
    return page.block(page.head("piece", piece), piece, inner, 0)


@declares(PieceGroup)
def _print_piece_group(page: Declarations, group: PieceGroup, depth: int) -> list[Line]:
    name = page.printer.lexicon.name
    members = ", ".join(name("piece", member) for member in group.members)
    head = f"piece {name('piece', group.id)}{OPEN}"
    fields = [Line(1, field_text(page, field), field.at) for field in group.fields]
    return [Line(0, head, group.at), Line(1, f"any: {members}"), *fields]


def _value_lines(
    page: Declarations, values: Iterable[FieldValue], types: Mapping[str, Type]
) -> list[Line]:
    return [Line(1, value_text(page, one, types[one.field]), one.at) for one in values]


@declares(Place)
def _print_place(page: Declarations, place: Place, depth: int) -> list[Line]:
    name = page.printer.lexicon.name
    of = name("kind", place.of)
    seen = "" if place.seen == "open" else f" {place.seen}"
    seen += "" if place.counted else " uncounted"
    head = f"{page.head('place', place)} of {of}{seen}"
    if not place.cards:
        return [Line(0, head, place.at)]
    return [Line(0, head + OPEN, place.at), Line(1, f"cards: {name('cards', place.cards)}")]


@declares(CardFamily)
def _print_cards(page: Declarations, family: CardFamily, depth: int) -> list[Line]:
    name = page.printer.lexicon.name
    faces = ", ".join(name("kind", face) for face in family.faces)
    head = page.head("cards", family) + OPEN
    return [Line(0, head, family.at), Line(1, f"faces: {faces}")]


@declares(Neutral)
def _print_neutral(page: Declarations, neutral: Neutral, depth: int) -> list[Line]:
    name = page.printer.lexicon.name
    supply = ", ".join(f"{name('piece', piece)} {n}" for piece, n in neutral.supply)
    head = page.head("neutral", neutral) + OPEN
    kinds = page.ruleset.kinds.values()
    lent = [field for kind in kinds if "seat" in kind.roles for field in kind.fields]
    told = _value_lines(page, neutral.values, {field.name: field.type for field in lent})
    return [Line(0, head, neutral.at), Line(1, f"supply: {supply}"), *told]
