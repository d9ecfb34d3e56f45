"""Open places: values, orders, procedures and phases that a pack leaves to others to answer."""

import attrs

from ziggurat.dsl.diagnostics import Note, nearest
from ziggurat.dsl.forms.procedures import gives
from ziggurat.dsl.linking.context import Context, meta
from ziggurat.dsl.linking.fields import declared_type, params
from ziggurat.dsl.linking.model import Decl, Opening
from ziggurat.dsl.linking.open_places import CAN_BE_OPEN
from ziggurat.dsl.linking.types import NOTHING
from ziggurat.dsl.linking.world import Signature, World
from ziggurat.dsl.printing.declarations import Declarations, declares
from ziggurat.dsl.printing.layout import Line
from ziggurat.dsl.printing.lexicon import Lexicon
from ziggurat.runtime.kernel.forms.core import Param
from ziggurat.runtime.kernel.forms.open_places import OpenPlace
from ziggurat.runtime.kernel.nodes import ERROR_TYPE, Type


def opening_signature(place: OpenPlace) -> str:
    """Return what an answer must look like, without its name: `value (p: player): int`."""
    return place.word + _signed("" if place.word == "phase" else " ", place.params, place.type)


def _signed(name: str, params: tuple[Param, ...], type_: Type | None) -> str:
    """A name with its parameters and its type, as they are written."""
    if not name:
        return ""
    write = Lexicon({}, {}, {}).type
    listed = ", ".join(f"{one.name}: {write(one.type)}" for one in params)
    return f"{name}({listed})" + (f": {write(type_)}" if type_ else "")


def open_places(world: World) -> dict[str, OpenPlace]:
    """All open places, by word and name, once it is known what calls look like. Answers that do not
    fit are set aside, so that nothing else is said about them."""
    found = {}
    for place in world.book.open_places.values():
        decl = world.book.of(place.word).get(place.path)
        if decl is None:
            continue
        asked = _signature(world, place.decl) if decl is not place.decl else _known(world, decl)
        if decl is not place.decl and asked and not _fits(world, asked, decl):
            place.refused = True
            decl = _set_aside(world, place, asked)
        if place.refused or _other_word(world, place, decl):
            continue
        if not place.holds(decl):
            _unanswered(world, place, asked)
        found[decl.spoken] = _told(world, place, decl, asked)
    return found


def _known(world: World, decl: Decl) -> Signature | None:
    pages = {"value": world.values, "order": world.orders, "procedure": world.procedures}
    return pages.get(decl.word, {}).get(decl.path)


def _signature(world: World, decl: Decl) -> Signature | None:
    """How an answer must look; a phase looks like any other."""
    if decl.word == "phase":
        return None
    cx = Context(world, decl, decl.spoken)
    types = {"value": declared_type, "procedure": gives}
    type_ = types[decl.word](cx, decl) if decl.word in types else ERROR_TYPE
    return Signature(decl.path, params(cx, decl), type_, decl)


def _fits(world: World, asked: Signature, decl: Decl) -> bool:
    given = _known(world, decl)
    if given is None or _types(given) == _types(asked):
        return True
    message = f"`{decl.spoken}` does not fit the place that is open for it."
    note = Note("It is left open here.", asked.decl.name_span)
    advice = f"Write `{_head(asked)}`."
    world.report("Z411", message, decl.name_span, advice, (note,))
    return False


def _types(signature: Signature) -> list[Type]:
    return [*(param.type for param in signature.params), signature.type]


def _head(asked: Signature) -> str:
    """An answer as it would begin."""
    if asked.decl.word == "value":
        return f"{_signed(asked.decl.spoken, asked.params, asked.type)} = …"
    return f"{_signed(asked.decl.spoken, asked.params, _result(asked))} {{ … }}"


def _result(asked: Signature | None) -> Type | None:
    """What a value is or a procedure gives; nothing of other places."""
    known = asked is not None and asked.type not in (ERROR_TYPE, NOTHING)
    return asked.type if asked is not None and known else None


def _set_aside(world: World, place: Opening, asked: Signature) -> Decl:
    """Whoever calls it goes on with what was asked for."""
    pages = {"value": world.values, "order": world.orders, "procedure": world.procedures}
    pages[place.word][place.path] = attrs.evolve(asked, path=place.path)
    place.decl.path = place.path
    world.book.put(place.decl)
    return place.decl


def _other_word(world: World, place: Opening, decl: Decl) -> bool:
    """An answer of the right name that is something else."""
    if decl is not place.decl:
        return False
    for word in CAN_BE_OPEN:
        other = world.book.of(word).get(place.path) if word != place.word else None
        if other is not None and other.pack != decl.pack:
            given, wanted = _article(word), _article(place.word)
            message = f"`{place.path}` is left open as {wanted}; this is {given}."
            note = Note("It is left open here.", decl.name_span)
            advice = f"Declare it as `{decl.spoken}`, or choose another name."
            world.report("Z411", message, other.name_span, advice, (note,))
            return True
    return False


def _article(word: str) -> str:
    return f"{'an' if word == 'order' else 'a'} {word}"


def _unanswered(world: World, place: Opening, asked: Signature | None) -> None:
    meaning = f' ("{place.decl.title}")' if place.decl.title else ""
    message = f"Nobody answers the open `{place.decl.spoken}`{meaning}."
    head = _head(asked) if asked else f"{place.decl.spoken} {{ … }}"
    page = world.book.of(place.word)
    near = nearest(place.path, [one.path for one in page.values() if one.pack != place.decl.pack])
    notes = (Note("Was this meant to answer it?", page[near].name_span),) if near else ()
    advice = f"Declare `{head}` in a pack of the stack."
    world.report("Z410", message, place.decl.name_span, advice, notes)


def _told(world: World, place: Opening, decl: Decl, asked: Signature | None) -> OpenPlace:
    cx = Context(world, place.decl, place.decl.spoken)
    return OpenPlace(
        place.path, place.word, place.decl.title, asked.params if asked else (),
        _result(asked), place.default,
        place.answered_by(decl), meta(world, place.decl.metas, place.decl.pack),
        at=cx.at(place.decl.node),
    )  # fmt: skip


@declares(OpenPlace)
def _print_open_place(page: Declarations, one: OpenPlace, depth: int) -> list[Line]:
    listed = f"({page.params(one.params)})" if one.word != "phase" else ""
    head = f"open {page.named(one.word, one, depth, listed)}"
    head += f": {page.printer.lexicon.type(one.type)}" if one.type else ""
    return [Line(depth, head + page.meta_inline(one.meta), one.at, one.meta)]
