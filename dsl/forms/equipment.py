"""What lies on the table: card families, places, pieces, and owners without a seat."""

from typing import Any

import attrs

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.forms.base import NO_META, At, Meta, at_field
from ziggurat.dsl.forms.description import form
from ziggurat.dsl.linking.context import Context, meta
from ziggurat.dsl.linking.fields import (
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


@form("declaration")
@attrs.frozen
class Piece:
    id: str
    title: str
    supply: int
    home: str
    states: tuple[str, ...]
    meta: Meta = NO_META
    at: At = at_field()


@form("declaration")
@attrs.frozen
class PieceGroup:
    id: str
    members: tuple[str, ...]
    at: At = at_field()


@form("declaration")
@attrs.frozen
class Place:
    """`of`: owner, player, a kind's id, or table. `cards` is the family held, empty for pieces.
    seen: open, secret (its owner only), hidden (nobody). Who does not see the cards sees how many
    there are if they are `counted`, else only whether there are any."""

    id: str
    title: str
    of: str
    cards: str
    seen: str
    counted: bool = True
    at: At = at_field()


@form("declaration")
@attrs.frozen
class CardFamily:
    id: str
    title: str
    faces: tuple[str, ...]
    at: At = at_field()


@form("declaration")
@attrs.frozen
class Neutral:
    id: str
    title: str
    supply: tuple[tuple[str, int], ...]
    at: At = at_field()


def families(world: World) -> None:
    for decl in world.book.of("cards").values():
        cx = Context(world, decl, f"cards {decl.path}")
        refuse_heads(cx, decl, ())
        fields = only_fields(cx, decl, ("faces",), "A card family")
        faces = []
        for token, file in names_in(cx, fields.get("faces", [])):
            if token in world.kinds:
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


def pieces(world: World) -> None:
    groups: list[tuple[Decl, Context, list[Item]]] = []
    for decl in world.book.of("piece").values():
        cx = Context(world, decl, f"piece {decl.path}")
        refuse_heads(cx, decl, ())
        fields, rest = split_fields(cx, decl)
        no_more(cx, decl, rest)
        if "any" in fields:
            only(cx, decl, fields, ("any",), "A group of pieces")
            groups.append((decl, cx, fields["any"]))
            continue
        only(cx, decl, fields, ("supply", "home", "states"), "A piece")
        missing(cx, decl, [name for name in ("supply", "home") if name not in fields])
        states = tuple(str(token) for token, _ in names_in(cx, fields.get("states", [])))
        supply = number_in(cx, fields.get("supply", [])) or 0
        home = _home(cx, fields.get("home", []))
        cx.enter(decl.file)
        world.pieces[decl.path] = Piece(
            decl.path, decl.title, supply, home, states, meta(world, decl.metas, decl.pack),
            at=cx.at(decl.node),
        )  # fmt: skip
    for decl, cx, items in groups:
        members = []
        for token, file in names_in(cx, items):
            if token in world.pieces:
                members.append(str(token))
            else:
                advice = did_you_mean(token, world.pieces)
                message = f"There is no piece called `{token}`."
                world.report("Z211", message, file.span(token), advice)
        world.groups[decl.path] = PieceGroup(decl.path, tuple(members), at=cx.at(decl.node))


def _home(cx: Context, items: list[Item]) -> str:
    world = cx.world
    for token, file in names_in(cx, items):
        if token == "box" or (token in world.places and not world.places[token].cards):
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
        fields = only_fields(cx, decl, ("supply",), "A neutral owner")
        supply: list[tuple[str, int]] = []
        for node, file in fields.get("supply", []):
            cx.enter(file)
            for entry in node.parts[1].parts if node.rule == "field" else ():
                if entry.rule != "pair":
                    cx.error("Z301", "This must be a piece and a number.", entry,
                             "Write for example `token 20`.")  # fmt: skip
                elif entry.parts[0] not in world.pieces:
                    advice = did_you_mean(entry.parts[0], world.pieces)
                    message = f"There is no piece called `{entry.parts[0]}`."
                    cx.error("Z211", message, entry.parts[0], advice)
                else:
                    supply.append((str(entry.parts[0]), cx.number(entry.parts[1])))
        cx.enter(decl.file)
        world.neutrals[decl.path] = Neutral(
            decl.path, decl.title, tuple(supply), at=cx.at(decl.node)
        )


@declares(Piece)
def _print_piece(page: Declarations, piece: Piece, depth: int) -> list[Line]:
    name = page.printer.lexicon.name
    inner = [Line(1, f"supply: {piece.supply}"), Line(1, f"home: {name('place', piece.home)}")]
    if piece.states:
        inner.append(Line(1, f"states: {', '.join(piece.states)}"))
    return page.block(page.head("piece", piece), piece, inner, 0)


@declares(PieceGroup)
def _print_piece_group(page: Declarations, group: PieceGroup, depth: int) -> list[Line]:
    name = page.printer.lexicon.name
    members = ", ".join(name("piece", member) for member in group.members)
    head = f"piece {name('piece', group.id)}{OPEN}"
    return [Line(0, head, group.at), Line(1, f"any: {members}")]


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
    return [Line(0, head, neutral.at), Line(1, f"supply: {supply}")]
