"""Maps and marks: what packs declare about pictures of their board. None of it changes a game.

A `map` says where the places of a kind lie and what is water; a `mark` what something looks like:
a place (by what is true of it), a piece, whoever plays a thing, or a neutral owner.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ziggurat.dsl.diagnostics import Note, did_you_mean
from ziggurat.dsl.linking.constants import is_data
from ziggurat.dsl.linking.context import BAD, Context, Entry, meta
from ziggurat.dsl.linking.expressions import linked, want
from ziggurat.dsl.linking.fields import no_more, only, only_fields, refuse_heads, split_fields
from ziggurat.dsl.linking.model import Decl, Item, unquoted
from ziggurat.dsl.linking.span import span_of
from ziggurat.dsl.linking.types import of_kind, with_article
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.printing.declarations import Declarations, declares
from ziggurat.dsl.printing.layout import Line, quoted
from ziggurat.dsl.symbols import HEXES, LAYOUTS, SHIFTS, SYMBOLS, is_path
from ziggurat.runtime.kernel.forms.core import Lit
from ziggurat.runtime.kernel.forms.kinds import Field
from ziggurat.runtime.kernel.forms.marks import BoardMap, Mark
from ziggurat.runtime.kernel.nodes import (
    BOOL,
    ERROR_TYPE,
    INT,
    TEXT,
    Expr,
    Type,
)

MAP_FIELDS = ("layout", "shifted", "at", "water", "borders", "crossings")


LOOKS = {
    "place": ("fill", "hatch", "line", "symbol", "colour", "ink", "letter", "size"),
    "piece": ("symbol", "ink", "letter", "size"),
    "seat": ("colour",),
    "neutral": ("colour",),
    "owner": ("colour",),
}


_TEXTS = ("fill", "hatch", "line", "ink", "letter")


LARGEST = 20


Fields = Mapping[str, list[Item]]


def maps(world: World) -> dict[str, BoardMap]:
    declared = list(world.book.of("map").values())
    for decl in declared[1:]:
        message = f"There is already a map of the board, `{declared[0].path}`."
        note = Note("It is this one.", declared[0].name_span)
        advice = "Change that one with `amend map`, or remove it."
        world.report("Z320", message, decl.name_span, advice, (note,))
    return {decl.path: _map(world, decl) for decl in declared}


def _map(world: World, decl: Decl) -> BoardMap:
    cx = Context(world, decl, f"map {decl.path}")
    refuse_heads(cx, decl, ("head_of",))
    fields = only_fields(cx, decl, MAP_FIELDS, "A map")
    of = _subject(cx, decl, ("place",)).name
    _fields_in_sight(cx, of)
    layout, shifted = _word(cx, fields, "layout", LAYOUTS), _word(cx, fields, "shifted", SHIFTS)
    position = [_of_data(cx, want(cx, node, INT)) for node in _entries(cx, fields, "at")]
    if len(position) not in (0, 2):
        message = "Where a place lies takes two numbers: how far to the right and how far down."
        cx.error("Z302", message, fields["at"][-1].node, "Write for example `at: column, row`.")
    if shifted and layout != HEXES:
        message = "Only the rows or columns of a map of hexes are shifted."
        cx.error("Z312", message, fields["shifted"][-1].node, "Write `layout: hexes`, too.")
    water = _single(cx, fields, "water", BOOL)
    cx.enter(decl.file)
    return BoardMap(
        decl.path, decl.title, of, layout, shifted,
        position=tuple(position),
        water=None if water is None else _of_data(cx, water),
        borders=tuple(_neighbours(cx, fields, "borders", of)),
        crossings=tuple(_neighbours(cx, fields, "crossings", of)),
        meta=meta(world, decl.metas, decl.pack),
        at=cx.at(decl.node),
    )  # fmt: skip


def _of_data(cx: Context, found: Expr) -> Expr:
    """What a map is made of must be known without a game."""
    if found.type is not ERROR_TYPE and not is_data(found, cx.world.kinds):
        message = "Where a place lies and what is water must be known before the game begins."
        span = span_of(cx.world, found.at)
        cx.world.report("Z311", message, span, "Use fields, things and numbers only.")
        return BAD
    return found


def _neighbours(cx: Context, fields: Fields, name: str, of: str) -> Iterator[str]:
    """The fields of a kind in which neighbours stand."""
    info = cx.world.kinds.get(of)
    known = [one.name for one in info.fields.values() if _holds_places(one, of)] if info else []
    for node in _entries(cx, fields, name):
        if node.rule == "name" and node.parts[0] in known:
            cx.mention("field", f"{of}.{node.parts[0]}", node)
            yield str(node.parts[0])
            continue
        written = str(node.parts[0]) if node.rule == "name" else ""
        advice = did_you_mean(written, known) or f"Declare it in the kind: `relation {written}`."
        cx.error(
            "Z340",
            f"{with_article(of).capitalize()} has no neighbours called `{written}`.",
            node,
            advice,
        )


def _holds_places(field: Field, of: str) -> bool:
    item = field.type.item
    return field.type.name == "set" and item is not None and item.name == of


def marks(world: World) -> dict[str, Mark]:
    return {path: _mark(world, decl) for path, decl in world.book.of("mark").items()}


def _mark(world: World, decl: Decl) -> Mark:
    cx = Context(world, decl, f"mark {decl.path}")
    refuse_heads(cx, decl, ("head_of",))
    fields, rest = split_fields(cx, decl)
    no_more(cx, decl, rest)
    subject = _subject(cx, decl, tuple(LOOKS))
    sort = subject.sort
    only(cx, decl, fields, LOOKS[sort], f"A mark of {_SPOKEN[sort]}")
    if sort in ("place", "seat", "owner"):
        _fields_in_sight(cx, subject.name)
    shows = _shows(cx, decl, sort)
    texts = {name: _single(cx, fields, name, TEXT) for name in _TEXTS}
    if not fields:
        message = f"`{decl.spoken}` does not say what it looks like."
        world.report("Z303", message, decl.name_span, f"Add one of: {', '.join(LOOKS[sort])}.")
    return Mark(
        decl.path, decl.title, sort, subject.name, shows,
        symbols=tuple(_symbols(cx, fields)),
        colours=tuple(want(cx, node, TEXT) for node in _entries(cx, fields, "colour")),
        size=_size(cx, fields),
        meta=meta(world, decl.metas, decl.pack),
        at=Context(world, decl, cx.user).at(decl.node),
        **texts,
    )  # fmt: skip


def _shows(cx: Context, decl: Decl, sort: str) -> Expr | None:
    """What is true of a place: yes or no, a number or a text, a thing or an owner."""
    if decl.base is None:
        return None
    node, file = decl.base
    cx.enter(file)
    if sort != "place":
        message = f"A mark of {_SPOKEN[sort]} shows nothing but itself."
        cx.error("Z343", message, node, "Take away what stands after `=`.")
        return None
    found = linked(cx, node)
    one = found.type.name in (*cx.world.kinds, "int", "bool", "text", "player", "owner")
    if found.type is not ERROR_TYPE and not one:
        message = f"A mark cannot show {cx.world.describe(found.type)}."
        advice = "It shows yes or no, a number, a text, a thing or an owner."
        cx.error("Z343", message, node, advice)
    return found


def _single(cx: Context, fields: Fields, name: str, type_: Type) -> Expr | None:
    """The one value of a field, or none if it is not given."""
    first, *more = [*_entries(cx, fields, name)] or [None]
    if more:
        cx.error("Z301", f"This must be {cx.world.describe(type_)}, but it is a list.", more[0])
    return None if first is None else want(cx, first, type_)


def _symbols(cx: Context, fields: Fields) -> Iterator[str]:
    for node in _entries(cx, fields, "symbol"):
        if node.rule == "text" and is_path(unquoted(node.parts[0])):
            yield unquoted(node.parts[0])
        elif node.rule == "name" and node.parts[0] in SYMBOLS:
            yield str(node.parts[0])
        elif node.rule == "text":
            advice = "A path begins with M and has only letters of SVG paths and numbers."
            cx.error("Z341", "This is no path of an SVG picture.", node, advice)
        else:
            _no_word(cx, node, "symbol", SYMBOLS)


def _size(cx: Context, fields: Fields) -> int:
    for node in _entries(cx, fields, "size"):
        found = want(cx, node, INT)
        if isinstance(found, Lit) and isinstance(found.value, int) and 1 <= found.value <= LARGEST:
            return found.value
        if found.type is not ERROR_TYPE:
            message = f"A symbol has a size from 1 to {LARGEST}."
            cx.error("Z325", message, node, "Half its width; most are 9.")
    return 0


_SPOKEN = {
    "place": "a place", "piece": "a piece", "seat": "whoever plays", "neutral": "a neutral owner",
    "owner": "a thing that owns pieces",
}  # fmt: skip


class _Subject(NamedTuple):
    sort: str
    name: str


def _subject(cx: Context, decl: Decl, sorts: Sequence[str]) -> _Subject:
    """What a map or a mark is of."""
    world = cx.world
    known = {
        "place": [world.place_kind] if world.place_kind else [],
        "piece": [*world.pieces],
        "seat": [world.seat_kind] if world.seat_kind else [],
        "neutral": [*world.neutrals],
        "owner": [one.id for one in world.kinds.values() if "owner" in one.roles],
    }
    names: dict[str, str] = {}
    for sort in sorts:
        names |= {name: sort for name in known[sort] if name not in names}
    for head in decl.node.heads:
        if head.rule == "head_of":
            name = str(head.parts[0].parts[0]) if head.parts[0].rule == "type_name" else ""
            if name in names:
                return _Subject(names[name], name)
            advice = did_you_mean(name, names) or f"It can be of: {', '.join(names)}."
            cx.error("Z340", f"Nothing called `{name}` is on a map.", head.parts[0], advice)
            return _Subject(sorts[0], "")
    advice = f"Write `of {next(iter(names), 'some_kind')}` after its name."
    world.report("Z303", f"`{decl.spoken}` does not say of what.", decl.name_span, advice)
    return _Subject(sorts[0], "")


def _fields_in_sight(cx: Context, kind: str) -> None:
    """The thing is `this`, and its fields are called by their bare names."""
    info = cx.world.kinds.get(kind)
    if info is not None:
        cx.names["this"] = Entry("this", of_kind(kind), "param")
        for field in info.fields.values():
            cx.names.setdefault(field.name, Entry(field.name, field.type, "field"))


def _entries(cx: Context, fields: Fields, name: str) -> Iterator[Any]:
    """What a field lists, each in its own file."""
    for node, file in fields.get(name, ()):
        cx.enter(file)
        if node.rule == "field":
            yield from node.parts[1].parts
        else:
            cx.error("Z301", "Here must stand what it is, after a colon.", node)


def _word(cx: Context, fields: Fields, name: str, known: Sequence[str]) -> str:
    for node in _entries(cx, fields, name):
        if node.rule == "name" and node.parts[0] in known:
            return str(node.parts[0])
        _no_word(cx, node, name, known)
    return ""


def _no_word(cx: Context, node: Any, noun: str, known: Iterable[str]) -> None:
    written = str(node.parts[0]) if node.rule == "name" else ""
    advice = did_you_mean(written, known) or f"There are {', '.join(known)}."
    noun = {"shifted": "shift"}.get(noun, noun)
    cx.error("Z341", f"There is no {noun} called `{written}`.", node, advice)


_SORTS = {"place": "kind", "seat": "kind", "piece": "piece", "neutral": "neutral", "owner": "kind"}


@declares(BoardMap)
def _print_map(page: Declarations, one: BoardMap, depth: int) -> list[Line]:
    rows = {
        "layout": one.layout,
        "shifted": one.shifted,
        "at": _written(page, *one.position),
        "water": _written(page, one.water),
        "borders": ", ".join(one.borders),
        "crossings": ", ".join(one.crossings),
    }
    name = page.printer.lexicon.name
    head = f"map {name('map', one.id)}{page.title(one.title)} of {name('kind', one.of)}"
    return page.block(head, one, _rows(rows), 0)


@declares(Mark)
def _print_mark(page: Declarations, one: Mark, depth: int) -> list[Line]:
    rows = {
        "fill": _written(page, one.fill),
        "hatch": _written(page, one.hatch),
        "line": _written(page, one.line),
        "symbol": ", ".join(s if s in SYMBOLS else quoted(s) for s in one.symbols),
        "colour": _written(page, *one.colours),
        "ink": _written(page, one.ink),
        "letter": _written(page, one.letter),
        "size": str(one.size or ""),
    }
    name = page.printer.lexicon.name
    head = f"mark {name('mark', one.id)}{page.title(one.title)} of {name(_SORTS[one.sort], one.of)}"
    shows = f" = {page.printer.text(one.shows)}" if one.shows is not None else ""
    return page.block(head + shows, one, _rows(rows), 0)


def _written(page: Declarations, *parts: Expr | None) -> str:
    return ", ".join(page.printer.text(part) for part in parts if part is not None)


def _rows(rows: dict[str, str]) -> list[Line]:
    return [Line(1, f"{word}: {text}") for word, text in rows.items() if text]
