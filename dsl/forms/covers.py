"""Pieces that lie covered: everybody sees how many there are and what lies on top.

`cover fog "Fog of war" of unit { … }` is about the things of a kind that are pieces. Who may look
at which of them, which one of a stack is on top, and what could lie in it, values of the pack say:
they are asked of whoever looks (none: somebody who only looks on), of whose pieces they are, of the
place (none: one beside the board, such as the stock) and of the piece. What each value must look
like stands here, and so does what an attribute asks to know who sees it (`sees`).
"""

from collections.abc import Sequence

import attrs

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.linking.context import Context, meta
from ziggurat.dsl.linking.fields import missing, names_in, only_fields, refuse_heads
from ziggurat.dsl.linking.model import Decl, Item, written_of
from ziggurat.dsl.linking.types import of_kind, optional
from ziggurat.dsl.linking.world import Signature, World
from ziggurat.dsl.printing.declarations import Declarations, declares
from ziggurat.dsl.printing.layout import Line
from ziggurat.runtime.kernel.forms.covers import Cover
from ziggurat.runtime.kernel.nodes import (
    BOOL,
    ERROR_TYPE,
    PLAYER,
    Type,
)

FIELDS = ("sees", "top", "fits")


def covers(world: World) -> dict[str, Cover]:
    """All covers; those with a hole in them are left out, and their findings said."""
    found = (_cover(world, decl) for decl in world.book.of("cover").values())
    return {one.id: one for one in found if one is not None}


def _cover(world: World, decl: Decl) -> Cover | None:
    cx = Context(world, decl, f"cover {decl.path}")
    refuse_heads(cx, decl, ("head_of",))
    fields = only_fields(cx, decl, (*FIELDS, "option"), "A cover")
    missing(cx, decl, [name for name in FIELDS if name not in fields])
    of = _kind(cx, decl)
    asked = {name: _named(cx, fields.get(name, [])) for name in FIELDS}
    option = _option(cx, fields.get("option", []))
    cx.enter(decl.file)
    if not of or None in asked.values():
        return None
    owner = _owner(world, asked["sees"])
    area, piece, whose = of_kind(world.place_kind), of_kind(of), Type(owner)
    looks, place = optional(PLAYER), optional(area)
    shapes = {
        "sees": ((looks, whose, place, piece), BOOL),
        "top": ((whose, area), optional(piece)),
        "fits": ((whose, place, piece), BOOL),
    }
    for name in FIELDS:  # `sees` first, which tells whose the pieces are
        if not _has_shape(cx, asked[name], fields[name], *shapes[name]):
            return None
    said = {name: one.path for name, one in asked.items() if one is not None}
    about = meta(world, decl.metas, decl.pack)
    return Cover(
        decl.path, decl.title, of, owner, **said, option=option, meta=about, at=cx.at(decl.node)
    )


def _kind(cx: Context, decl: Decl) -> str:
    """The kind whose things are the pieces that are covered."""
    of = written_of(decl.node)
    known = [one.id for one in cx.world.kinds.values() if "piece" in one.roles]
    if of in known and cx.world.place_kind:
        cx.mention("kind", of, next(h for h in decl.node.heads if h.rule == "head_of").parts[0])
        return of
    advice = did_you_mean(of, known) if of else "Write `cover fog of unit { … }`."
    message = "What lies covered is a kind of pieces, on a board: `kind unit piece { … }`."
    cx.world.report("Z331", message, decl.name_span, advice)
    return ""


def _owner(world: World, sees: Signature | None) -> str:
    """Whose pieces are covered, as the value says who sees them."""
    params = sees.params if sees is not None else ()
    name = params[1].type.name if len(params) == 4 else ""
    info = world.kinds.get(name)
    is_owner = name in ("player", "owner") or (info is not None and "owner" in info.roles)
    return name if is_owner else "owner"


def _named(cx: Context, items: list[Item]) -> Signature | None:
    """The value that a field names."""
    for token, file in names_in(cx, items):
        cx.enter(file)
        name = cx.world.renamed("value", str(token), file.source.pack)
        if name in cx.world.values:
            cx.uses(f"value {name}", token)
            return cx.world.values[name]
        advice = did_you_mean(token, cx.world.values)
        cx.error("Z204", f"There is no value called `{token}`.", token, advice)
    return None


def _option(cx: Context, items: list[Item]) -> str:
    for token, file in names_in(cx, items):
        cx.enter(file)
        name = cx.world.renamed("option", str(token), file.source.pack)
        if name in cx.world.options:
            cx.uses(f"option {name}", token)
            if cx.world.options[name].type != BOOL:
                message = f"`{token}` must be yes or no to switch something on."
                cx.error("Z331", message, token, f"Declare it as `option {token} …: bool`.")
            return name
        advice = did_you_mean(token, cx.world.options)
        cx.error("Z223", f"There is no option called `{token}`.", token, advice)
    return ""


def _has_shape(
    cx: Context,
    asked: Signature | None,
    items: list[Item],
    params: Sequence[Type],
    gives: Type,
) -> bool:
    """Whether a value takes and gives what it will be asked; if not, that is said."""
    if asked is None:
        return False
    found = [param.type for param in asked.params]
    if ERROR_TYPE in (*found, asked.type):
        return False
    if found == list(params) and asked.type == gives:
        return True
    token, file = names_in(cx, items)[-1]
    cx.enter(file)
    wanted = f"{', '.join(map(cx.world.describe, params))}"
    message = f"`{token}` must be asked of {wanted} and give {cx.world.describe(gives)}."
    cx.error("Z331", message, token, "Declare it so: a value with these parameters in this order.")
    return False


def attribute_seers(world: World) -> None:
    """What secret attributes ask to know who sees them."""
    for decl in world.book.of("attribute").values():
        rule = world.attributes[decl.path]
        if not rule.sees:
            continue
        cx = Context(world, decl, f"attribute {decl.path}")
        items = only_fields(cx, decl, ("lasts", "default", "sees"), "An attribute")["sees"]
        of = () if rule.of == "table" else (Type(rule.of),)
        asked = _named(cx, items)
        fine = _has_shape(cx, asked, items, (optional(PLAYER), *of), BOOL)
        if not rule.secret:
            message = f"Everybody sees `{decl.spoken}`, because it is not secret."
            world.report("Z331", message, decl.name_span, "Write `secret`, or leave `sees` out.")
        if not fine:
            world.attributes[decl.path] = attrs.evolve(rule, sees="")


@declares(Cover)
def _print_cover(page: Declarations, one: Cover, depth: int) -> list[Line]:
    name = page.printer.lexicon.name
    inner = [Line(1, f"{field}: {name('value', getattr(one, field))}") for field in FIELDS]
    if one.option:
        inner.append(Line(1, f"option: {name('option', one.option)}"))
    head = f"{page.head('cover', one)} of {name('kind', one.of)}"
    return page.block(head, one, inner, 0)
