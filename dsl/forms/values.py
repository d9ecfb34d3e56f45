"""Values that rules work out and packs modify, and orders, whose keys are values."""

from ziggurat.dsl.linking.context import BAD, Context, meta
from ziggurat.dsl.linking.expressions import FUNCTIONS, want
from ziggurat.dsl.linking.fields import (
    FIELD_RULES,
    declared_type,
    no_more,
    only_fields,
    params,
    refuse_heads,
    split_fields,
)
from ziggurat.dsl.linking.model import Decl, Item
from ziggurat.dsl.linking.sight import in_sight
from ziggurat.dsl.linking.world import Signature, World
from ziggurat.dsl.printing.declarations import Declarations, declares
from ziggurat.dsl.printing.layout import Line
from ziggurat.dsl.syntax import Node
from ziggurat.runtime.kernel.forms.values import Order, Value
from ziggurat.runtime.kernel.nodes import ERROR_TYPE, INT, Expr


def value(world: World, signature: Signature) -> Value:
    decl = signature.decl
    cx = Context(world, decl, f"value {signature.path}")
    in_sight(cx, signature.params, decl)
    fields = only_fields(cx, decl, ("base",), "A value")
    base = decl.base
    for node, file in fields.get("base", []):
        base = Item(node.parts[1].parts[0], file)
    found: Expr = BAD
    if base is None and (decl.word, decl.path) in world.book.open_places:
        pass
    elif base is None:
        message = f"`{decl.spoken}` does not say what it is to begin with."
        world.report("Z309", message, decl.name_span, "Add `= …` after its type.")
    else:
        cx.enter(base.file)
        found = want(cx, base.node, signature.type)
    cx.enter(decl.file)
    return Value(
        signature.path, decl.title, signature.params, signature.type, found, (),
        meta(world, decl.metas, decl.pack), at=cx.at(decl.node),
    )  # fmt: skip


def order_keys(world: World, decl: Decl) -> list[Value]:
    """The keys of an order, each a value of all its parameters."""
    found = []
    signature = world.orders[decl.path]
    for node, file in decl.items:
        if not isinstance(node, Node) or node.rule not in FIELD_RULES:
            continue
        path = f"{decl.path}.{node.parts[0]}"
        cx = Context(world, decl, f"value {path}")
        cx.enter(file)
        in_sight(cx, signature.params)
        written = node.parts[1]
        if node.rule == "field" and len(written.parts) == 1 and written.parts[0].rule != "pair":
            base = want(cx, written.parts[0], INT)
        else:
            base = cx.wrong("Z301", "A key of an order is one number.", node)
        found.append(Value(path, "", signature.params, INT, base, (), cx.meta(()), at=cx.at(node)))
    return found


def order(world: World, signature: Signature) -> Order:
    decl = signature.decl
    cx = Context(world, decl, f"order {decl.path}")
    keys = world.order_keys[decl.path]
    info = meta(world, decl.metas, decl.pack)
    return Order(decl.path, decl.title, signature.params, keys, info, at=cx.at(decl.node))


def value_signatures(world: World) -> None:
    """What calls of values and uses of orders must look like."""
    for decl in world.book.of("value").values():
        cx = Context(world, decl, f"value {decl.path}")
        refuse_heads(cx, decl, ())
        if decl.path in FUNCTIONS or decl.path in world.places:
            message = f"`{decl.path}` already has a meaning and cannot be the name of a value."
            world.report("Z216", message, decl.name_span, "Choose another name.")
        type_ = declared_type(cx, decl)
        world.values[decl.path] = Signature(decl.path, params(cx, decl), type_, decl)
    for decl in world.book.of("order").values():
        _order_signature(world, decl)


def _order_signature(world: World, decl: Decl) -> None:
    cx = Context(world, decl, f"order {decl.path}")
    refuse_heads(cx, decl, ())
    found = params(cx, decl)
    if not found:
        message = f"`{decl.spoken}` does not say what it orders."
        world.report("Z308", message, decl.name_span, "Write for example `(p: player)`.")
    world.orders[decl.path] = Signature(decl.path, found, ERROR_TYPE, decl)
    fields, rest = split_fields(cx, decl)
    no_more(cx, decl, rest)
    keys = []
    for key in fields:
        path = f"{decl.path}.{key}"
        keys.append(path)
        world.values[path] = Signature(path, found, INT, decl)
        world.use(f"order {decl.path}", f"value {path}", decl.name_span)
    world.order_keys[decl.path] = tuple(keys)


@declares(Value)
def _print_value(page: Declarations, value: Value, depth: int) -> list[Line]:
    head = page.head("value", value, depth, f"({page.params(value.params)})")
    head += f": {page.printer.lexicon.type(value.type)} = {page.printer.text(value.base)}"
    return [Line(depth, head + page.meta_inline(value.meta), value.at, value.meta)]


@declares(Order)
def _print_order(page: Declarations, order: Order, depth: int) -> list[Line]:
    head = page.head("order", order, depth, f"({page.params(order.params)})")
    inner = [Line(depth + 1, key_text(page, key)) for key in order.keys]
    return page.block(head, order, inner, depth)


def key_text(page: Declarations, key: str) -> str:
    value = page.ruleset.values[key]
    return f"{key.rpartition('.')[2]}: {page.printer.text(value.base)}"
