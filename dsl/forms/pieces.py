"""Pieces and their places: whose, which, in which state and where; counting and moving them."""

from functools import reduce
from typing import Any

import attrs

from ziggurat.dsl.diagnostics import did_you_mean, nearest
from ziggurat.dsl.forms.owning import as_owner
from ziggurat.dsl.linking.context import BAD, Context
from ziggurat.dsl.linking.expressions import ASK_FIRST, expression, fitted, linked, want
from ziggurat.dsl.linking.own_fields import own_value
from ziggurat.dsl.linking.statements import statement, step
from ziggurat.dsl.linking.types import NONE, fits, of_kind, set_of
from ziggurat.dsl.printing.printer import (
    HAVING,
    POSTFIX,
    SUM,
    Printed,
    Printer,
    prints,
    prints_line,
)
from ziggurat.dsl.syntax import Node, Token
from ziggurat.runtime.kernel.forms.core import Lit, Op
from ziggurat.runtime.kernel.forms.pieces import Count, Having, Move, Turn, Units, Whereabouts
from ziggurat.runtime.kernel.nodes import BOOL, ERROR_TYPE, INT, OWNER, Expr, Stmt, Type

BOX = "box"


NOWHERE_AT_ALL = Whereabouts("everywhere")


def units(cx: Context, node: Any) -> Units:
    """`ready token of p`: the pieces meant, and whose they are."""
    if node.rule == "units":
        name, owner = node.parts
        state = None
    else:
        state, name, owner = node.parts
    which = _in_question(cx, name)
    pieces = _all_of(cx, which) if which is not None else piece_names(cx, name)
    if state is not None and pieces:
        check_state(cx, pieces, state)
    whose = as_owner(cx.world, linked(cx, owner, OWNER))
    many = whose.type.name in ("set", "list")
    if many:
        whose = fitted(cx, whose, set_of(OWNER), owner)
    elif not fits(whose.type, OWNER) or whose.type == NONE:
        what = cx.world.describe(whose.type)
        cx.error("Z301", f"Pieces belong to owners, but this is {what}.", owner)
    return Units(pieces, str(state) if state is not None else None, whose, many, which)


def _in_question(cx: Context, name: Any) -> Expr | None:
    """`t of c`, where t is a name in sight that stands for one of the things that are pieces."""
    entry = cx.names.get(str(name))
    if entry is None or (entry.type.name not in cx.world.groups and entry.cell is None):
        return None
    found = linked(cx, Node("name", (name,), name.start_pos, name.end_pos))
    return found if found.type.name in cx.world.groups else None


def _all_of(cx: Context, which: Expr) -> tuple[str, ...]:
    return cx.world.groups[which.type.name].members


def piece_names(cx: Context, name: Any) -> tuple[str, ...]:
    """The pieces behind a name: one, or all of a group."""
    world = cx.world
    if name in world.pieces:
        cx.mention(world.pieces[name].kind or "piece", str(name), name)
        return (str(name),)
    if name in world.groups:
        cx.mention("kind" if world.groups[name].kind else "piece", str(name), name)
        return world.groups[name].members
    for word in ("piece",):
        new = world.renamed(word, str(name), cx.file.source.pack)
        if new in world.pieces:
            cx.mention("piece", new, name)
            return (new,)
    advice = did_you_mean(name, (*world.pieces, *world.groups))
    cx.error("Z211", f"There is no piece called `{name}`.", name, advice)
    return ()


def check_state(cx: Context, pieces: tuple[str, ...], state: Any) -> None:
    """Every piece meant must know the state."""
    lacking = [one for one in pieces if state not in cx.world.pieces[one].states]
    if not lacking:
        return
    known = [s for one in pieces for s in cx.world.pieces[one].states]
    near = nearest(state, known)
    listed = ", ".join(f"`{one}`" for one in dict.fromkeys(known))
    advice = (
        f"Did you mean `{near}`?"
        if near
        else (f"Its states are {listed}." if known else "Give it one: `states: ready, spent`.")
    )
    cx.error("Z210", f"A {lacking[0]} has no state `{state}`.", state, advice)


def where(cx: Context, node: Any) -> Whereabouts:
    """`in a`, `on board`, or nothing at all."""
    if node.rule == "on_board":
        return board(cx, node)
    if node.rule == "anywhere":
        return NOWHERE_AT_ALL
    return place(cx, node.parts[0])


def board(cx: Context, node: Any) -> Whereabouts:
    if not cx.world.place_kind:
        cx.error("Z320", "There is no board: no kind has the role `place`.", node)
    return Whereabouts("board")


def place(cx: Context, node: Any) -> Whereabouts:
    """A place for pieces: an area, a set of areas, the board, or one every owner has."""
    world = cx.world
    if node.rule == "name":
        name = str(node.parts[0])
        if name not in cx.names:
            if name == "board":
                return board(cx, node)
            if name == BOX:
                return Whereabouts("own", id=BOX)
            if name in world.places:
                return _own(cx, node, name)
    area = of_kind(world.place_kind) if world.place_kind else ERROR_TYPE
    found = linked(cx, node, area)
    if found.type.name in ("set", "list"):
        return Whereabouts("areas", fitted(cx, found, set_of(area), node))
    if found.type is not ERROR_TYPE and not fits(found.type, area):
        message = f"Pieces cannot be here: this is {world.describe(found.type)}."
        found = cx.wrong("Z301", message, node, _place_advice(cx))
    return Whereabouts("area", found)


def _own(cx: Context, node: Any, name: str) -> Whereabouts:
    cx.mention("place", name, node)
    if cx.world.places[name].cards:
        cx.error("Z301", f"`{name}` is a place for cards, not for pieces.", node, _place_advice(cx))
    return Whereabouts("own", id=name)


def _place_advice(cx: Context) -> str:
    own = [one.id for one in cx.world.places.values() if not one.cards]
    kind = cx.world.place_kind or "place"
    listed = "".join(f", `{name}`" for name in own)
    return (
        f"Pieces can be in a place of kind {kind}, a set of them, on the `board`{listed} or `box`."
    )


def _whose_place(cx: Context, meant: Units, there: Whereabouts, node: Any) -> None:
    """Pieces that move must belong to somebody who has the place; counted there are simply none."""
    own = cx.world.places.get(there.id) if there.kind == "own" else None
    whose = meant.owner.type.item if meant.many else meant.owner.type
    if own is not None and own.of == "player" and whose is not None and whose.name == "owner":
        say = cx.world.describe(meant.owner.type)
        advice = "Move those of `players`." if meant.many else ASK_FIRST
        cx.error("Z301", f"Only players have `{there.id}`, and this is {say}.", node, advice)


@expression("places_with")
def _link_places_with(cx: Context, node: Any, wanted: Type | None) -> Expr:
    source, some = node.parts
    kind = cx.world.place_kind
    if not kind:
        return cx.wrong("Z320", "There is no board: no kind has the role `place`.", node)
    areas = set_of(of_kind(kind))
    found = want(cx, source, areas)
    meant = units(cx, some)
    return Having(found, meant, areas, at=cx.at(node)) if found is not BAD else BAD


def counted(cx: Context, node: Any, exists: bool) -> Expr:
    """`count(token of p in a)` and `any(token of p in a)`."""
    some, place_node = node.parts
    meant = units(cx, some)
    there = where(cx, place_node)
    return Count(meant, there, exists, BOOL if exists else INT, at=cx.at(node))


def weighed(cx: Context, node: Any) -> Expr:
    """`sum(points of unit of p in a)`: what each piece counts, times how many there are."""
    name, some, place_node = node.parts
    meant = units(cx, some)
    there = where(cx, place_node)
    parts: list[Expr] = []
    if meant.which is not None:
        advice = f"Write `{meant.which.type.name}.{name} * count(…)` with its own name."
        return cx.wrong("Z301", "This is weighed for pieces that are known.", some, advice)
    for piece in meant.pieces:
        weight = piece_field(cx, piece, name)
        if weight is None:
            return BAD
        count = Count(attrs.evolve(meant, pieces=(piece,)), there, False, INT, at=cx.at(node))
        parts.append(_times(fitted(cx, weight, INT, name), count))
    if not parts:
        return BAD
    return reduce(lambda all_, one: Op("+", (all_, one), INT, at=cx.at(node)), parts)


def _times(weight: Expr, count: Count) -> Expr:
    if isinstance(weight, Lit) and weight.value == 1:
        return count
    return Op("*", (weight, count), INT, at=count.at)


def piece_field(cx: Context, piece: str, name: Any) -> Expr | None:
    """What a piece says of a field that a group of it declares; None after saying it has none."""
    cx.mention("field", f"piece.{name}", name)
    groups = [one for one in cx.world.groups.values() if piece in one.members]
    fields = {field.name: field for group in groups for field in group.fields}
    found = own_value(fields, cx.world.pieces[piece].values, str(name))
    if found is None:
        advice = did_you_mean(name, fields) or (
            f"A group declares it: `piece units {{ any: {piece}  {name}: int }}`."
        )
        cx.error("Z209", f"A {piece} has no `{name}`.", name, advice)
    return found


def quantity(cx: Context, node: Any) -> Expr | None:
    return None if node.rule == "all_of" else want(cx, node.parts[0], INT)


def _new_state(cx: Context, node: Any, pieces: tuple[str, ...]) -> str | None:
    if node is None:
        return None
    if pieces:
        check_state(cx, pieces, node.parts[0])
    return str(node.parts[0])


def _home(cx: Context, pieces: tuple[str, ...], node: Any) -> Whereabouts:
    homes = {cx.world.pieces[one].home: one for one in pieces}
    if len(homes) > 1:
        listed = " and ".join(f"the {one} in `{home}`" for home, one in homes.items())
        message = f"These pieces have different homes: {listed}."
        cx.error("Z318", message, node, "Say where to, with `move … from … to …`.")
    return Whereabouts("own", id=next(iter(homes), ""))


@statement("move")
def _link_move(cx: Context, node: Any) -> Stmt:
    how_many, some, source, goal, state = node.parts
    number = quantity(cx, how_many)
    meant = units(cx, some)
    from_, to = place(cx, source), place(cx, goal)
    _whose_place(cx, meant, from_, source)
    _whose_place(cx, meant, to, goal)
    if to.kind in ("areas", "board"):
        cx.error("Z301", "Pieces can only be moved to one place.", goal)
    return Move(number, meant, from_, to, _new_state(cx, state, meant.pieces), at=cx.at(node))


@statement("place")
def _link_place(cx: Context, node: Any) -> Stmt:
    how_many, some, goal, state = node.parts
    number = quantity(cx, how_many)
    meant = units(cx, some)
    to = place(cx, goal)
    if to.kind in ("areas", "board"):
        cx.error("Z301", "Pieces can only be placed in one place.", goal)
    home = _home(cx, meant.pieces, some)
    _whose_place(cx, meant, to, goal)
    return Move(number, meant, home, to, _new_state(cx, state, meant.pieces), at=cx.at(node))


@statement("place_each")
def _link_place_each(cx: Context, node: Any) -> Stmt | None:
    """The same as a loop that places them in one place after the other."""
    how_many, some, places, state = node.parts
    name = Token("NAME", "one_of_each", places.start, places.end)
    goal = Node("name", (name,), places.start, places.end)
    inner = Node("place", (how_many, some, goal, state), node.start, node.end)
    block = Node("block", (inner,), node.start, node.end)
    return step(cx, Node("for_each", (name, places, None, None, block), node.start, node.end))


@statement("remove")
def _link_remove(cx: Context, node: Any) -> Stmt:
    how_many, some, source = node.parts
    number = quantity(cx, how_many)
    meant = units(cx, some)
    home = _home(cx, meant.pieces, some)
    from_ = where(cx, source)
    _whose_place(cx, meant, from_, source)
    return Move(number, meant, from_, home, None, at=cx.at(node))


@statement("turn")
def _link_turn(cx: Context, node: Any) -> Stmt:
    how_many, some, there, state = node.parts
    number = quantity(cx, how_many)
    meant = units(cx, some)
    new = _new_state(cx, state, meant.pieces) or ""
    in_ = where(cx, there)
    _whose_place(cx, meant, in_, there)
    return Turn(number, meant, in_, new, at=cx.at(node))


@prints(Units)
def _print_units(printer: Printer, units: Units) -> Printed:
    """`ready token of p`."""
    state = f"{units.state} " if units.state else ""
    owner = printer.text(units.owner, POSTFIX)
    named = printer.lexicon.pieces(units.pieces)
    what = named if units.which is None else printer.text(units.which)
    return f"{state}{what} of {owner}", POSTFIX


@prints(Whereabouts)
def _print_whereabouts(printer: Printer, where: Whereabouts) -> Printed:
    if where.expr is not None:
        return printer.text(where.expr, POSTFIX), POSTFIX
    place = "board" if where.kind == "board" else printer.lexicon.name("place", where.id)
    return place, POSTFIX


def _there(printer: Printer, where: Whereabouts) -> str:
    """` in a`, ` on board`, or nothing at all for everywhere."""
    if where.kind == "everywhere":
        return ""
    return " on board" if where.kind == "board" else f" in {printer.text(where)}"


@prints(Count)
def _print_count(printer: Printer, expr: Count) -> Printed:
    fn = "any" if expr.exists else "count"
    return f"{fn}({printer.text(expr.units)}{_there(printer, expr.where)})", POSTFIX


@prints(Having)
def _print_having(printer: Printer, expr: Having) -> Printed:
    return f"{printer.text(expr.source, POSTFIX)} with {printer.text(expr.units)}", HAVING


def _so_many(printer: Printer, stmt: Move | Turn) -> str:
    number = "all" if stmt.quantity is None else printer.text(stmt.quantity, SUM)
    return f"{number} {printer.text(stmt.units)}"


@prints_line(Turn)
def _print_turn(printer: Printer, stmt: Turn) -> str:
    return f"turn {_so_many(printer, stmt)} in {printer.text(stmt.where)} as {stmt.state}"


@prints_line(Move)
def _print_move(printer: Printer, stmt: Move) -> str:
    """`place` and `remove` when one end is the pieces' home, else `move`."""
    units = _so_many(printer, stmt)
    state = f" as {stmt.state}" if stmt.state else ""
    home = printer.lexicon.home(stmt.units.pieces)
    source, target = printer.text(stmt.source), printer.text(stmt.target)
    if _is_home(stmt.source, home):
        return f"place {units} in {target}{state}"
    if _is_home(stmt.target, home) and not state:
        return f"remove {units} from {source}"
    return f"move {units} from {source} to {target}{state}"


def _is_home(where: Whereabouts, home: str | None) -> bool:
    return where.kind == "own" and where.id == home
