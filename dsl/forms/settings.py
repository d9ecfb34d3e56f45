"""Attributes, which change during a game, and options, which are set before it."""

from typing import Any

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.linking.constants import NUMERIC
from ziggurat.dsl.linking.context import Context, meta
from ziggurat.dsl.linking.data import BROKEN, constant, entries
from ziggurat.dsl.linking.expressions import want
from ziggurat.dsl.linking.fields import (
    FIELD_RULES,
    declared_type,
    head_words,
    names_in,
    only_fields,
    refuse_heads,
)
from ziggurat.dsl.linking.model import Decl, Item
from ziggurat.dsl.linking.types import with_article
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.printing.declarations import Declarations, declares
from ziggurat.dsl.printing.layout import Line
from ziggurat.runtime.kernel.arithmetic import span
from ziggurat.runtime.kernel.forms.core import Lit, Loop, Op, OwnerRef, ThingRef
from ziggurat.runtime.kernel.forms.names import All, OptionRef
from ziggurat.runtime.kernel.forms.settings import Attribute, Option, natural_default
from ziggurat.runtime.kernel.nodes import (
    ERROR_TYPE,
    INT,
    RANGE,
    Expr,
    Type,
)

MOST_CHOICES = 10_000


_SETTLED = frozenset({"range", "set", "list", "map", *NUMERIC})


def options(world: World) -> None:
    for decl in world.book.of("option").values():
        cx = Context(world, decl, f"option {decl.path}")
        refuse_heads(cx, decl, ())
        type_ = declared_type(cx, decl)
        fields = only_fields(cx, decl, ("choices", "default"), "An option")
        base = _default_item(decl, fields)
        default: Any = BROKEN
        if base is None:
            message = f"`{decl.spoken}` does not say what it is when nobody sets it."
            world.report("Z309", message, decl.name_span, "Add `= …` after its type.")
        else:
            cx.enter(base.file)
            default = constant(cx, base.node, type_)
        choices: list[Any] = []
        for node, file in fields.get("choices", []):
            cx.enter(file)
            choices += _choices(cx, node, type_)
        if choices and default is not BROKEN and default not in choices and base:
            message = "This is not one of the choices."
            world.report("Z301", message, base.span, "Add it to `choices`, or take another one.")
        cx.enter(decl.file)
        world.options[decl.path] = Option(
            decl.path, decl.title, type_, None if default is BROKEN else default, tuple(choices),
            meta(world, decl.metas, decl.pack), base.pack if base else "", at=cx.at(decl.node),
        )  # fmt: skip


def _default_item(decl: Decl, fields: dict[str, list[Item]]) -> Item | None:
    """The default; a pack amends it as `default: …`."""
    for node, file in fields.get("default", []):
        return Item(node.parts[1].parts[0], file)
    return decl.base


def _choices(cx: Context, node: Any, type_: Type) -> list[Any]:
    found: list[Any] = []
    for entry in node.parts[1].parts if node.rule == "field" else ():
        if entry.rule == "range" and type_ == INT:
            value = constant(cx, entry, RANGE)
            numbers = span(*value) if value is not BROKEN else ()
            if len(numbers) > MOST_CHOICES:
                message = f"These are {len(numbers)} choices; at most {MOST_CHOICES} are possible."
                cx.error("Z328", message, entry, "Offer fewer.")
                return []
            found += numbers
        else:
            value = constant(cx, entry, type_)
            found += [value] if value is not BROKEN else []
    return found


def set_options(cx: Context, block: Any) -> list[tuple[str, Any]]:
    """What a block such as `options { rounds: 3 }` sets."""
    found: list[tuple[str, Any]] = []
    for node in block.parts:
        if getattr(node, "rule", "") not in FIELD_RULES:
            cx.error("Z310", "Here options are set.", node, "Write `name: value`.")
            continue
        name = node.parts[0]
        option = cx.world.options.get(str(name))
        if option is None:
            advice = did_you_mean(name, cx.world.options)
            cx.error("Z223", f"There is no option called `{name}`.", name, advice)
            continue
        cx.mention("option", str(name), name)
        if node.rule != "field":
            cx.error("Z310", "An option is set to a value.", node, f"Write `{name}: …`.")
            continue
        value = entries(cx, node.parts[1].parts, option.type, node.parts[1])
        if value is BROKEN:
            continue
        if option.choices and value not in option.choices:
            listed = ", ".join(str(one) for one in option.choices)
            cx.error(
                "Z301", "This is not one of the choices.", node.parts[1], f"They are {listed}."
            )
        found.append((str(name), value))
    return found


def attributes(world: World) -> None:
    for decl in world.book.of("attribute").values():
        cx = Context(world, decl, f"attribute {decl.path}")
        refuse_heads(cx, decl, ("head_of",), ("secret",))
        of = keeper(cx, decl)
        fields = only_fields(cx, decl, ("lasts", "default", "sees"), "An attribute")
        type_ = declared_type(cx, decl)
        clash(world, decl, of, decl.path.partition(".")[2])
        base = _default_item(decl, fields)
        world.attributes[decl.path] = Attribute(
            decl.path, decl.title, of, type_, _attribute_default(cx, decl, type_, base),
            _lasts(cx, fields.get("lasts", [])), "secret" in head_words(decl),
            meta(world, decl.metas, decl.pack), _sees(cx, fields.get("sees", [])),
            at=cx.at(decl.node),
        )  # fmt: skip


def _sees(cx: Context, items: list[Item]) -> str:
    """The name of a value; whether there is such a one is known when all values are."""
    found = [cx.world.renamed("value", str(one), file.source.pack)
             for one, file in names_in(cx, items)]  # fmt: skip
    return found[-1] if found else ""


def keeper(cx: Context, decl: Decl) -> str:
    """Whose attribute or bundle it is."""
    world, of = cx.world, decl.path.partition(".")[0]
    owners = ("table", "player", "owner", *world.kinds, *world.families)
    if of not in owners:
        head = next(head for head in decl.node.heads if head.rule == "head_of")
        message = f"There is nothing called `{of}` that could have {decl.word}s."
        cx.error("Z203", message, head.parts[0], did_you_mean(of, owners))
    return of


def clash(world: World, decl: Decl, of: str, name: str) -> None:
    """A thing cannot have a field and an attribute or a bundle of one name."""
    kind = world.seat_kind if of in ("player", "owner") else of
    info = world.kinds.get(kind)
    if info is not None and (name in info.fields or (of == "player" and name == kind)):
        message = f"{with_article(of).capitalize()} already has a field `{name}`."
        world.report("Z305", message, decl.name_span, "Choose another name.")


def _attribute_default(cx: Context, decl: Decl, type_: Type, base: Item | None) -> Expr:
    if base is not None:
        found = settled_default(cx, type_, base)
        cx.enter(decl.file)
        return found
    natural = natural_default(type_)
    if natural is None:
        message = f"`{decl.spoken}` does not say what it is to begin with."
        advice = "Add `= …`, or let it be none at first: `or none`."
        cx.world.report("Z309", message, decl.name_span, advice)
        return Lit(None, ERROR_TYPE)
    return natural


def settled_default(cx: Context, type_: Type, base: Item) -> Expr:
    """What something is to begin with, as its author says."""
    cx.enter(base.file)
    found = _listed(want(cx, base.node, type_))
    if found.type is not ERROR_TYPE and not _settled(found):
        message = "What an attribute is to begin with must be settled before the game."
        advice = "Give it a fixed value here, and let a phase of the set-up work it out."
        cx.error("Z326", message, base.node, advice)
    return found


def _listed(found: Expr) -> Expr:
    """A set that is written out where a list is wanted is that list."""
    match found:
        case Loop(fn="list", source=Op(op="set", args=args), where=None, order=None, body=None):
            return Op("list", args, found.type)
    return found


def _settled(found: Expr) -> bool:
    """Whether it needs no position to be worked out."""
    match found:
        case Lit() | ThingRef() | OwnerRef() | OptionRef() | All():
            return True
        case Op(op=op, args=args) if op in _SETTLED:
            return all(map(_settled, args))
    return False


def _lasts(cx: Context, items: list[Item]) -> str:
    for token, file in names_in(cx, items):
        if token in ("game", "turn", "phase"):
            return str(token)
        message = "An attribute lasts for the `game`, a `turn` or a `phase`."
        cx.world.report("Z301", message, file.span(token))
    return "game"


@declares(Attribute)
def _print_attribute(page: Declarations, one: Attribute, depth: int) -> list[Line]:
    lexicon = page.printer.lexicon
    secret = " secret" if one.secret else ""
    of = lexicon.name("kind", one.of)
    head = f"attribute {lexicon.attribute(one.id)}{page.title(one.title)} of {of}{secret}"
    head += f": {lexicon.type(one.type)} = {page.default(one.default)}"
    rows = [] if one.lasts == "game" else [f"lasts: {one.lasts}"]
    rows += [f"sees: {lexicon.name('value', one.sees)}"] if one.sees else []
    return _maybe_block(page, head, one, *rows)


@declares(Option)
def _print_option(page: Declarations, one: Option, depth: int) -> list[Line]:
    head = f"{page.head('option', one)}: {page.printer.lexicon.type(one.type)}"
    head += f" = {page.data(one.default, one.type)}"
    choices = ", ".join(page.data(choice, one.type) for choice in one.choices)
    return _maybe_block(page, head, one, f"choices: {choices}" if choices else "")


def _maybe_block(page: Declarations, head: str, one: Any, *rows: str) -> list[Line]:
    """A declaration in one line, or with a block of what else it says."""
    inner = [Line(1, row) for row in rows if row]
    if inner:
        return page.block(head, one, inner, 0)
    return [Line(0, head + page.meta_inline(one.meta), one.at, one.meta)]
