"""Bundles: values that belong together, are there or not, begin together and are cleared together.

`bundle offer of player { cards: set of card secret  size: int }` is kept in attributes: one of its
own id says whether it is there, one for each field what is in it. A bundle that is not there has
nothing in its fields, so whoever reads or views attributes need not know of bundles.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.forms.attributes import assign, target
from ziggurat.dsl.forms.settings import clash, keeper, settled_default
from ziggurat.dsl.linking.bundled import Named, named
from ziggurat.dsl.linking.context import Context, meta
from ziggurat.dsl.linking.expressions import expression, linked, want
from ziggurat.dsl.linking.fields import (
    field_type,
    head_words,
    no_more,
    refuse_heads,
    split_fields,
)
from ziggurat.dsl.linking.lookup import value_path
from ziggurat.dsl.linking.model import Decl, Item
from ziggurat.dsl.linking.statements import statement
from ziggurat.dsl.linking.types import optional
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.printing.declarations import Declarations, declares
from ziggurat.dsl.printing.layout import Line
from ziggurat.dsl.printing.printer import POSTFIX, Printer, prints_line
from ziggurat.runtime.kernel.forms.bundles import Begin, Bundle, BundleField, Clear, GivenField
from ziggurat.runtime.kernel.forms.core import Lit
from ziggurat.runtime.kernel.forms.settings import Attribute, natural_default
from ziggurat.runtime.kernel.nodes import (
    BOOL,
    ERROR_TYPE,
    At,
    Expr,
    Stmt,
    Type,
)


def bundles(world: World) -> None:
    for decl in world.book.of("bundle").values():
        cx = Context(world, decl, f"bundle {decl.path}")
        refuse_heads(cx, decl, ("head_of",), ("secret",))
        of = keeper(cx, decl)
        name = decl.path.partition(".")[2]
        clash(world, decl, of, name)
        _refuse_shape(world, decl, name)
        fields, rest = split_fields(cx, decl)
        no_more(cx, decl, rest)
        if not fields:
            message = f"`{decl.spoken}` has no fields."
            world.report("Z303", message, decl.name_span, "Write what is in it: `size: int`.")
        secret = "secret" in head_words(decl)
        one = Bundle(
            decl.path, decl.title, of,
            tuple(_field(cx, field, items[-1], secret) for field, items in fields.items()), secret,
            meta(world, decl.metas, decl.pack), at=_at(cx, decl),
        )  # fmt: skip
        world.bundles[one.id] = one
        world.bundle_names[name] = (*world.bundle_names.get(name, ()), of)
        world.attributes.update((kept.id, kept) for kept in _attributes(one))


def _at(cx: Context, decl: Decl) -> At:
    cx.enter(decl.file)
    return cx.at(decl.node)


def _refuse_shape(world: World, decl: Decl, name: str) -> None:
    """A bundle is no attribute: it has neither a type nor anything to begin with."""
    if decl.path in world.book.of("attribute"):
        message = f"There is already an attribute called `{name}`."
        world.report("Z305", message, decl.name_span, "Choose another name.")
    if decl.node.type is not None or decl.base is not None:
        message = f"`{decl.spoken}` has a block of fields, no type or value."
        advice = f"Write `bundle {name} of … {{ size: int }}`."
        world.report("Z310", message, decl.name_span, advice)


def _field(cx: Context, name: str, item: Item, secret: bool) -> BundleField:
    node, file = item
    type_ = field_type(cx, name, item, "a bundle")
    default = natural_default(type_)
    if type_ is not ERROR_TYPE and node.parts[2] is not None:
        default = settled_default(cx, type_, Item(node.parts[2], file))
    own = node.rule in ("field", "field_shape") and node.parts[3] is not None
    return BundleField(name, type_, default, secret or own, at=cx.at(node))


def _attributes(one: Bundle) -> Iterator[Attribute]:
    """What keeps a bundle. A field that must be given is none while the bundle is not there."""
    kept = partial(Attribute, of=one.of, lasts="game", meta=one.meta)
    there = Lit(False, BOOL)
    yield kept(one.id, one.title, type=BOOL, default=there, secret=one.secret, at=one.at)
    for field in one.fields:
        type_, blank = field.type, natural_default(field.type)
        if blank is None:
            type_ = optional(type_)
            blank = Lit(None, type_)
        id_ = one.attribute(field.name)
        yield kept(id_, "", type=type_, default=blank, secret=field.secret, at=field.at)


@statement("assign")
def _link_assign(cx: Context, node: Any) -> Stmt | None:
    found = named(cx, node.parts[0])
    if found is not None:
        return _begin(cx, node, found)
    return None if _begins_elsewhere(cx, *node.parts) else assign(cx, node)


def _begins_elsewhere(cx: Context, goal: Any, value: Any) -> bool:
    """Whether a bundle is to begin where there is none of its name; one finding is enough."""
    name = str(value.parts[0].parts[0]) if value.rule == "call" and value.parts[0].parts else ""
    if not cx.world.bundle_names.get(name) or value_path(cx, name) is not None:
        return False
    if target(cx, goal) is not None:
        message = f"`{name}` is a bundle, which begins under its own name."
        cx.error("Z350", message, value, f"Write `set ….{name} = {name}(…)`.")
    return True


def _begin(cx: Context, node: Any, found: Named) -> Stmt | None:
    """`set p.offer = offer(size: 3)`."""
    value, name = node.parts[1], found.name
    is_call = value.rule == "call" and value.parts[0].rule == "name"
    if not is_call or value.parts[0].parts[0] != name:
        message = f"A bundle begins with its name and its fields: `{name}(…)`."
        advice = "To end it, write `clear …`." if value.rule == "none" else None
        cx.error("Z350", message, value, advice)
        return None
    cx.mention("bundle", found.bundle.id, value)
    fields = {field.name: field for field in found.bundle.fields}
    given: dict[str, GivenField] = {}
    for arg in value.parts[1:]:
        one = _given(cx, arg, name, fields, given)
        if one is not None:
            cx.mention("attribute", found.bundle.attribute(one.name), arg.parts[0])
            given[one.name] = one
    lacking = [name for name, one in fields.items() if one.default is None and name not in given]
    if lacking:
        listed = ", ".join(f"`{one}: …`" for one in lacking)
        cx.error("Z303", f"`{name}` does not begin without {listed}.", value)
    return Begin(
        found.of, found.bundle.id, tuple(given.values()), found.bundle.attributes, at=cx.at(node)
    )


def _given(
    cx: Context, arg: Any, name: str, fields: Mapping[str, BundleField], before: Mapping[str, Any]
) -> GivenField | None:
    if arg.rule != "given_field":
        first = next(iter(fields), "size")
        message = "What is in a bundle is given by name."
        cx.error("Z302", message, arg, f"Write `{name}({first}: …)`.")
        return None
    field, value = arg.parts
    if field not in fields:
        advice = did_you_mean(field, fields)
        cx.error("Z304", f"The bundle `{name}` has no field `{field}`.", field, advice)
        linked(cx, value)
        return None
    if field in before:
        cx.error("Z305", f"`{field}` is given twice.", field, "Take one of them away.")
    return GivenField(str(field), want(cx, value, fields[field].type))


@expression("given_field")
def _link_given(cx: Context, node: Any, wanted: Type | None) -> Expr:
    """Whoever begins a bundle has looked at these."""
    name, value = node.parts
    linked(cx, value)
    message = "Only the fields of a bundle are given by name."
    return cx.wrong("Z302", message, name, f"Take `{name}:` away.")


@statement("clear")
def _link_clear(cx: Context, node: Any) -> Stmt | None:
    found = named(cx, node.parts[0])
    if found is None:
        if linked(cx, node.parts[0]).type is not ERROR_TYPE:
            message = "Only a bundle is cleared, and this is none."
            cx.error("Z314", message, node.parts[0], "Give it a value: `set … = …`.")
        return None
    return Clear(found.of, found.bundle.id, found.bundle.attributes, at=cx.at(node))


def _whole(printer: Printer, stmt: Begin | Clear) -> str:
    of = printer.text(stmt.of, POSTFIX) if stmt.of is not None else "table"
    return f"{of}.{printer.lexicon.bundle(stmt.bundle)}"


@prints_line(Begin)
def _print_begin(printer: Printer, stmt: Begin) -> str:
    given = ", ".join(f"{one.name}: {printer.text(one.expr)}" for one in stmt.given)
    return f"set {_whole(printer, stmt)} = {printer.lexicon.bundle(stmt.bundle)}({given})"


@prints_line(Clear)
def _print_clear(printer: Printer, stmt: Clear) -> str:
    return f"clear {_whole(printer, stmt)}"


@declares(Bundle)
def _print_bundle(page: Declarations, one: Bundle, depth: int) -> list[Line]:
    lexicon = page.printer.lexicon
    secret = " secret" if one.secret else ""
    name = lexicon.bundle(one.id)
    head = f"bundle {name}{page.title(one.title)} of {lexicon.name('kind', one.of)}{secret}"
    lines = []
    for field in one.fields:
        text = f"{field.name}: {lexicon.type(field.type)}"
        if field.default is not None and field.default != natural_default(field.type):
            text += f" = {page.default(field.default)}"
        text += " secret" if field.secret and not one.secret else ""
        lines.append(Line(1, text, field.at))
    return page.block(head, one, lines, depth)
