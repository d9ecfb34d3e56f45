"""Phrases and chapters: what packs say for readers. None of it changes a game.

A `phrase` is how something is called in a sentence: a value, a procedure, a field, a place. A
`chapter` is what a book tells about a kind or a phase besides its rules: a heading, a paragraph,
which fields stand on a card and in a table.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.linking.context import Context, meta
from ziggurat.dsl.linking.fields import names_in, only_fields, refuse_heads
from ziggurat.dsl.linking.model import Decl, Item, unquoted
from ziggurat.dsl.linking.removals import may_not_know
from ziggurat.dsl.linking.types import with_article
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.printing.declarations import Declarations, declares
from ziggurat.dsl.printing.layout import Line, quoted
from ziggurat.dsl.syntax import Node
from ziggurat.runtime.kernel.forms.wording import Chapter, Phrase
from ziggurat.runtime.kernel.nodes import ERROR_TYPE

HOLE = re.compile(r"\{(\w*)\}")


THIS = "this"


Fields = Mapping[str, list[Item]]


_TEXTS = ("denied", "plural", "label")


_LISTS = ("card", "table", "sorted")


_TRACK = ("along", "begins")


_PEOPLE = ("player", "owner")


def phrases(world: World) -> dict[str, Phrase]:
    """All phrases but those about what a later pack took away or gave other parameters."""
    found = (_phrase(world, decl) for decl in world.book.of("phrase").values())
    return {one.id: one for one in found if one is not None}


def _phrase(world: World, decl: Decl) -> Phrase | None:
    cx = Context(world, decl, decl.spoken)
    refuse_heads(cx, decl, ())
    fields = only_fields(cx, decl, _TEXTS, "A phrase")
    texts = {name: " ".join(_texts(cx, fields.get(name, []))) for name in _TEXTS}
    cx.enter(decl.file)
    if not decl.title:
        advice = f'Write it after the name: `phrase {decl.path} "…"`.'
        world.report("Z710", f"`{decl.spoken}` has no words.", decl.name_span, advice)
    path = world.renamed_path(decl.path, decl.pack)
    holes = holes_of(world, path)
    if holes is None:
        _about_nothing(world, decl)
        return None
    _mention_subject(cx, decl, path)
    if not _fits(world, decl, (decl.title, texts["denied"]), holes):
        return None
    about = meta(world, decl.metas, decl.pack)
    return Phrase(path, decl.title, **texts, meta=about, at=cx.at(decl.node))


def _mention_subject(cx: Context, decl: Decl, path: str) -> None:
    """Note what a phrase is about, for whoever looks its name up."""
    world, words = cx.world, decl.node.path
    home, _, name = path.rpartition(".")
    if home in world.kinds and words:
        cx.mention("body" if name in world.kinds[home].bodies else "field", path, words[-1])
        cx.mention("kind", home, words[0])
        return
    pages: tuple[tuple[str, Any], ...] = (
        ("value", world.values), ("procedure", world.procedures), ("order", world.orders),
        ("attribute", world.attributes), ("bundle", world.bundles), ("place", world.places),
        ("piece", world.pieces), ("piece", world.groups), ("kind", world.kinds),
        ("cards", world.families), ("option", world.options),
    )  # fmt: skip
    for word, page in pages:
        if path in page and words:
            cx.mention(word, path, Node("path", words, decl.node.start, decl.node.end))
            return


def _about_nothing(world: World, decl: Decl) -> None:
    """What a phrase is about is not there; it goes along if somebody else took it away."""
    if world.removal_of(decl.path, decl.pack) is not None:
        return
    advice = did_you_mean(decl.path, _subjects(world)) or (
        "A phrase is about a value, an order, a procedure, a field, an attribute, a place, a"
        " piece, a kind, a block of a kind or an option."
    )
    message = f"There is nothing called `{decl.path}` that a phrase could be about."
    world.report("Z710", message, decl.name_span, advice)


def _fits(world: World, decl: Decl, texts: tuple[str, ...], holes: tuple[str, ...]) -> bool:
    """Whether all holes of a phrase are known; if not, that is reported, unless what it is about
    was written anew by somebody who need not know the phrase."""
    known = {name.strip("_") for name in holes}
    strange = [name for text in texts for name in HOLE.findall(text) if name not in known]
    if not strange:
        return True
    changed = world.book.changed.get(decl.path.rpartition(".")[2])
    if changed is None or not may_not_know(world.stack, decl.pack, changed):
        message = f"`{decl.path}` has no `{strange[0]}` that could stand here."
        listed = ", ".join(f"`{{{name.strip('_')}}}`" for name in holes)
        advice = f"It can be {listed}." if listed else "Take the curly brackets away."
        world.report("Z711", message, decl.name_span, advice)
    return False


def holes_of(world: World, path: str) -> tuple[str, ...] | None:
    """What can be named in a phrase about a path; None if there is nothing of that path."""
    for page in (world.values, world.procedures, world.orders):
        if path in page:
            return tuple(param.name for param in page[path].params)
    home, _, name = path.rpartition(".")
    kind = world.kinds.get(home)
    if kind is not None and name in kind.bodies:
        return (THIS, *(param.name for param in kind.bodies[name].params))
    if kind is not None and name in kind.fields:
        return (THIS,)
    whole, _, field = path.rpartition(".")
    bundle = world.bundles.get(whole)
    if path in (*world.attributes, *world.bundles, *world.places):
        return (THIS,)
    if bundle is not None and any(one.name == field for one in bundle.fields):
        return (THIS,)
    plain = (world.pieces, world.groups, world.kinds, world.families, world.options, _PEOPLE)
    return () if any(path in page for page in plain) or path in _locals(world) else None


def _locals(world: World) -> set[str]:
    """Names of parameters, for which a pack may have better words."""
    lists = [one.params for page in (world.values, world.procedures) for one in page.values()]
    lists += [body.params for info in world.kinds.values() for body in info.bodies.values()]
    return {param.name for params in lists for param in params}


def _subjects(world: World) -> Iterator[str]:
    for page in (
        world.values, world.procedures, world.orders, world.attributes, world.bundles,
        world.places, world.pieces, world.groups, world.kinds, world.families, world.options,
    ):  # fmt: skip
        yield from page
    for kind, info in world.kinds.items():
        yield from (f"{kind}.{name}" for name in (*info.fields, *info.bodies))


def chapters(world: World) -> dict[str, Chapter]:
    found = (_chapter(world, decl) for decl in world.book.of("chapter").values())
    return {one.id: one for one in found if one is not None}


def _chapter(world: World, decl: Decl) -> Chapter | None:
    cx = Context(world, decl, decl.spoken)
    refuse_heads(cx, decl, ())
    known = (*world.kinds, *world.phases, *world.book.of("turn"))
    path = world.renamed_path(decl.path, decl.pack)
    kind = path if path in world.kinds else None
    track = _TRACK if kind is not None else ()
    fields = only_fields(cx, decl, ("text", *_LISTS, "shows", *track), "A chapter")
    if path not in known:
        if world.removal_of(decl.path, decl.pack) is None:
            advice = did_you_mean(path, known) or "It has the name of a kind, a phase or a turn."
            message = f"There is nothing called `{path}` that a chapter could be about."
            world.report("Z710", message, decl.name_span, advice)
        return None
    text = tuple(_texts(cx, fields.get("text", [])))
    lists = {name: tuple(_of_kind(cx, decl, fields.get(name, []))) for name in _LISTS}
    shows = tuple(_values(cx, kind, fields.get("shows", []), path in world.phases))
    along, begins = _track(cx, kind, fields, decl)
    cx.enter(decl.file)
    about = meta(world, decl.metas, decl.pack)
    return Chapter(
        path, decl.title, text, **lists, shows=shows, along=along, begins=begins, meta=about,
        at=cx.at(decl.node),
    )  # fmt: skip


def _track(
    cx: Context, kind: str | None, fields: dict[str, list[Item]], decl: Decl
) -> tuple[str, str]:
    """The value along which things of a kind lie, and the one that says where each begins."""
    missing = [name for name in _TRACK if not fields.get(name)]
    if kind is not None and len(missing) == 1:
        message = f"Things that lie along a value begin somewhere on it: `{missing[0]}` is missing."
        advice = f"Write `chapter {decl.path} {{ along: step  begins: first_step }}`."
        cx.world.report("Z303", message, decl.name_span, advice)
    along = list(_values(cx, None, fields.get("along", [])))
    begins = list(_values(cx, kind, fields.get("begins", [])))
    return (along[0], begins[0]) if along and begins else ("", "")


def _values(
    cx: Context, kind: str | None, items: list[Item], others: bool = False
) -> Iterator[str]:
    """Values of a player, and of a thing if there is a kind; with `others`, perhaps of another
    player, too."""
    world = cx.world
    for token, file in names_in(cx, items):
        cx.enter(file)
        name = world.renamed("value", str(token), file.source.pack)
        if name not in world.values:
            if world.removal_of(name, file.source.pack) is None:
                advice = did_you_mean(token, world.values)
                cx.error("Z204", f"There is no value called `{token}`.", token, advice)
            continue
        types = [param.type.name for param in world.values[name].params]
        wanted = ["player", kind] if kind is not None else ["player"]
        fits = types == wanted or (others and types == ["player", "player"])
        if not fits and ERROR_TYPE.name not in types:
            told = f"a player and {with_article(kind)}" if kind is not None else "one player"
            params = f"p: player, it: {kind}" if kind is not None else "p: player"
            message = f"`{token}` must be a value of {told} to be shown here."
            cx.error("Z302", message, token, f"Declare it as `value {token}({params}): …`.")
            continue
        cx.uses(f"value {name}", token)
        yield name


def _of_kind(cx: Context, decl: Decl, items: list[Item]) -> Iterator[str]:
    """Names of fields of the kind that a chapter is about."""
    info = cx.world.kinds.get(decl.path)
    known = info.fields if info is not None else {}
    for token, file in names_in(cx, items):
        if token in known:
            yield str(token)
        elif cx.world.removal_of(f"{decl.path}.{token}", file.source.pack) is None:
            message = f"`{decl.path}` has no field `{token}`."
            cx.world.report("Z209", message, file.span(token), did_you_mean(token, known))


def _texts(cx: Context, items: list[Item]) -> Iterator[str]:
    for node, file in items:
        cx.enter(file)
        for entry in node.parts[1].parts if node.rule == "field" else (node,):
            if entry.rule == "text":
                yield unquoted(entry.parts[0])
            else:
                cx.error("Z301", "Here stands a text.", entry, 'Write it in quotes: `"…"`.')


@declares(Phrase)
def _print_phrase(page: Declarations, one: Phrase, depth: int) -> list[Line]:
    rows = {name: getattr(one, name) for name in _TEXTS}
    inner = [Line(1, f"{name}: {quoted(text)}") for name, text in rows.items() if text]
    head = f"phrase {one.id}{page.title(one.title)}"
    return page.block(head, one, inner, 0) if inner else [Line(0, head, one.at, one.meta)]


@declares(Chapter)
def _print_chapter(page: Declarations, one: Chapter, depth: int) -> list[Line]:
    rows: dict[str, Any] = {"text": map(quoted, one.text)}
    rows |= {name: getattr(one, name) for name in _LISTS}
    values = {"shows": one.shows, **{name: filter(None, [getattr(one, name)]) for name in _TRACK}}
    for name, found in values.items():
        rows[name] = [page.printer.lexicon.name("value", value) for value in found]
    told = {name: ", ".join(entries) for name, entries in rows.items()}
    inner = [Line(1, f"{name}: {text}") for name, text in told.items() if text]
    return page.block(f"chapter {one.id}{page.title(one.title)}", one, inner, 0)
