"""Sets, lists and maps: written out, asked for entries, and gone through."""

from typing import Any

from ziggurat.dsl.forms.pieces import counted, weighed
from ziggurat.dsl.linking.arguments import LOOPS, function_arguments, order_ref
from ziggurat.dsl.linking.context import BAD, Context
from ziggurat.dsl.linking.expressions import (
    as_collection,
    cards_of,
    collection,
    condition,
    expression,
    function,
    guard,
    linked,
    want,
)
from ziggurat.dsl.linking.narrowing import narrowing
from ziggurat.dsl.linking.removals import Loss
from ziggurat.dsl.linking.settled import removed_thing
from ziggurat.dsl.linking.statements import with_it
from ziggurat.dsl.linking.types import (
    COLLECTIONS,
    EMPTY_SET,
    NOTHING,
    fits,
    join,
    list_of,
    map_of,
    optional,
    present,
    set_of,
)
from ziggurat.dsl.printing.printer import POSTFIX, SPAN, SUM, Printed, Printer, operation, prints
from ziggurat.runtime.kernel.forms.core import Loop, Op
from ziggurat.runtime.kernel.forms.sets import Reach
from ziggurat.runtime.kernel.nodes import BOOL, ERROR_TYPE, INT, Expr, Type


@expression("index")
def _link_index(cx: Context, node: Any, wanted: Type | None) -> Expr:
    whole, key = node.parts
    found = linked(cx, whole)
    found = cards_of(found) if found.type.name == "pile" else found
    type_ = found.type
    if type_ is ERROR_TYPE:
        return BAD
    if type_.name == "list" and type_.item is not None:
        return Op("nth", (found, want(cx, key, INT)), type_.item, at=cx.at(node))
    if type_.name == "map" and type_.key is not None and type_.item is not None:
        return Op("index", (found, want(cx, key, type_.key)), type_.item, at=cx.at(node))
    message = (
        f"Only a map or a list can be asked for an entry, and this is {cx.world.describe(type_)}."
    )
    advice = "A set has no order; make a list of it: `list(x in S by some_order)[1]`."
    return cx.wrong("Z306", message, whole, advice if type_.name == "set" else None)


@expression("set")
def _link_set(cx: Context, node: Any, wanted: Type | None) -> Expr:
    at = cx.at(node)
    if not node.parts:
        if wanted is not None and wanted.name == "map":
            return Op("map", (), present(wanted), at=at)
        item = wanted.item if wanted is not None and wanted.name in COLLECTIONS else None
        return Op("set", (), set_of(item) if item else EMPTY_SET, at=at)
    hint = wanted.item if wanted is not None and wanted.name in COLLECTIONS else None
    kept = [one for one in node.parts if not _lost(cx, one, "set", hint)]
    members, item = _alike(cx, kept, hint, "members of this set")
    return Op("set", members, set_of(item if kept else hint or ERROR_TYPE), at=at)


def _lost(cx: Context, node: Any, what: str, hint: Type | None) -> bool:
    """Whether a member was removed from the game; then it is listed with the removal."""
    removal = removed_thing(cx, node, lambda kind: hint is not None and hint.name == kind)
    if removal is None:
        return False
    told = f"`{node.parts[0]}` is lost from a {what}."
    cx.world.notes.losses.append(Loss(removal, "member", told, cx.span(node)))
    return True


@expression("list")
def _link_list(cx: Context, node: Any, wanted: Type | None) -> Expr:
    hint = wanted.item if wanted is not None and wanted.name in COLLECTIONS else None
    kept = [one for one in node.parts if not _lost(cx, one, "list", hint)]
    members, item = _alike(cx, kept, hint, "members of this list")
    return Op("list", members, list_of(item if members else hint or NOTHING), at=cx.at(node))


def _alike(cx: Context, nodes: Any, hint: Type | None, what: str) -> tuple[tuple[Expr, ...], Type]:
    """Several expressions of one type."""
    found: list[Expr] = []
    type_: Type = ERROR_TYPE
    for one in nodes:
        expr = linked(cx, one, hint)
        both_ = join(type_, expr.type)
        if both_ is None:
            say = cx.world.describe
            message = f"The {what} are not alike: this is {say(expr.type)}, not {say(type_)}."
            expr = cx.wrong("Z306", message, one)
        else:
            type_ = both_
        hint = hint or (type_ if type_ is not ERROR_TYPE else None)
        found.append(expr)
    return tuple(found), type_


@expression("map")
def _link_map(cx: Context, node: Any, wanted: Type | None) -> Expr:
    is_map = wanted is not None and wanted.name == "map"
    key_hint, item_hint = (
        (wanted.key, wanted.item) if wanted is not None and is_map else (None, None)
    )
    kept = [one for one in node.parts if not _lost(cx, one.parts[0], "map", key_hint)]
    if not kept and wanted is not None and is_map:
        return Op("map", (), present(wanted), at=cx.at(node))
    keys, key = _alike(cx, [one.parts[0] for one in kept], key_hint, "keys of this map")
    items, item = _alike(cx, [one.parts[1] for one in kept], item_hint, "values of this map")
    args = tuple(part for pair in zip(keys, items, strict=True) for part in pair)
    return Op("map", args, map_of(key, item), at=cx.at(node))


def loop(cx: Context, node: Any, fn: str) -> Expr:
    """A comprehension, as the function around it sees it."""
    if node.rule == "every_has":
        body, (name, source_node, test) = None, node.parts
        filter_, by = None, None
    elif node.rule == "those":
        body, test = None, None
        name, source_node, filter_, by = node.parts
    else:
        test = None
        body, name, source_node, filter_, by = node.parts
    source, item = collection(cx, source_node)
    order = order_ref(cx, by, item)
    before = cx.names.get(name)
    entry = cx.bind(name, item, "loop")
    with narrowing(cx):
        found_filter = guard(cx, filter_)
        each = linked(cx, body) if body is not None else None
        if test is not None:
            each = condition(cx, test)
    cx.forget(name, before)
    if source.type is ERROR_TYPE:
        return BAD
    return _loop(
        cx, node, Loop(fn, entry.name, source, found_filter, order, each, ERROR_TYPE), item
    )


def _loop(cx: Context, node: Any, found: Loop, item: Type) -> Expr:
    body = found.body.type if found.body is not None else item
    if found.fn in ("sum", "max", "min") and not fits(body, INT):
        message = f"This must be a number for each member, but it is {cx.world.describe(body)}."
        return cx.wrong("Z301", message, node.parts[0])
    types = {
        "set": set_of(body), "list": list_of(body), "count": INT, "any": BOOL, "every": BOOL,
        "sum": INT, "max": INT, "min": INT, "first": optional(body),
    }  # fmt: skip
    return Loop(
        found.fn, found.var, found.source, found.where, found.order, found.body,
        types[found.fn], at=cx.at(node),
    )  # fmt: skip


@expression("set_of")
def _link_set_of(cx: Context, node: Any, wanted: Type | None) -> Expr:
    inner = node.parts[0]
    if inner.rule == "every_has":
        return cx.wrong("Z322", "`has` belongs to `every(x in S has …)`.", node)
    return loop(cx, inner, "set")


_FORMS = {
    "count": "`count(token of p in a)` or `count(x in S where …)`",
    "any": "`any(token of p in a)` or `any(x in S where …)`",
    "every": "`every(x in S has …)`",
    "sum": "`sum(f(x) for x in S)` or `sum(points of unit of p in a)`",
    "max": "`max(a, b)` or `max(f(x) for x in S)`",
    "min": "`min(a, b)` or `min(f(x) for x in S)`",
    "first": "`first(x in S where … by some_order)`",
    "list": "`list(x in S by some_order)`",
}


@function("count", "any", "every", "sum", "max", "min", "first", "list")
def _link_over_set(cx: Context, node: Any, wanted: Type | None) -> Expr:
    """`count`, `any`, `every`, `sum`, `max`, `min`, `first`, `list`."""
    fn = str(node.parts[0].parts[0])
    args = node.parts[1:]
    if fn in ("max", "min") and len(args) > 1:
        found = tuple(want(cx, arg, INT) for arg in args)
        return Op(fn, found, INT, at=cx.at(node))
    if len(args) == 1:
        rule = args[0].rule
        if rule == "counted" and fn in ("count", "any"):
            return counted(cx, args[0], fn == "any")
        if rule == "weighed" and fn == "sum":
            return weighed(cx, args[0])
        if _loop_form(fn, rule):
            return loop(cx, args[0], fn)
    advice = f"It is written {_FORMS[fn]}."
    if fn in ("count", "any") and len(args) == 1 and args[0].rule not in (*LOOPS, "counted"):
        advice = "How many members a set has is `size(S)`."
    return cx.wrong("Z322", f"`{fn}` is not used like this.", node, advice)


def _loop_form(fn: str, rule: str) -> bool:
    if rule == "those":
        return fn in ("count", "any", "first", "list")
    if rule == "each_of":
        return fn in ("sum", "max", "min", "list")
    return rule == "every_has" and fn == "every"


@function("reachable")
def _link_reachable(cx: Context, node: Any, wanted: Type | None) -> Expr:
    args = node.parts[1:]
    if len(args) != 1 or args[0].rule != "reaching":
        advice = "It is written `reachable(from a through it.land where …)`."
        return cx.wrong("Z322", "`reachable` is not used like this.", node, advice)
    start, through, steps, each, filter_ = args[0].parts
    source = _starts(cx, start, wanted)
    item = source.type.item or ERROR_TYPE
    limit = want(cx, steps, INT) if steps is not None else None

    def onward() -> tuple[str, Expr, Expr | None, Expr | None]:
        cost = want(cx, each, INT) if each is not None else None
        return cx.names["it"].name, want(cx, through, set_of(item)), guard(cx, filter_), cost

    var, leads, where, cost = with_it(cx, item, onward)
    if source.type is ERROR_TYPE:
        return BAD
    return Reach(source, var, leads, where, limit, set_of(item), cost, at=cx.at(node))


def _starts(cx: Context, node: Any, wanted: Type | None) -> Expr:
    """Where one begins: one thing, or each member of a set."""
    hint = wanted.item if wanted is not None and wanted.name in COLLECTIONS else None
    found = linked(cx, node, hint)
    if found.type is ERROR_TYPE:
        return BAD
    if found.type.name in COLLECTIONS:
        return as_collection(found, "set") if found.type.name == "list" else found
    return Op("set", (found,), set_of(present(found.type)), at=found.at)


@function("size")
def _link_size(cx: Context, node: Any, wanted: Type | None) -> Expr:
    args = function_arguments(cx, node, "S")
    if args is None:
        return BAD
    source, _ = collection(cx, args[0])
    return Op("size", (source,), INT, at=cx.at(node)) if source.type is not ERROR_TYPE else BAD


@function("empty")
def _link_empty(cx: Context, node: Any, wanted: Type | None) -> Expr:
    args = function_arguments(cx, node, "S")
    if args is None:
        return BAD
    source, _ = collection(cx, args[0])
    return Op("empty", (source,), BOOL, at=cx.at(node)) if source.type is not ERROR_TYPE else BAD


@function("common")
def _link_common(cx: Context, node: Any, wanted: Type | None) -> Expr:
    args = function_arguments(cx, node, "S", "T")
    if args is None:
        return BAD
    a, _ = collection(cx, args[0], wanted)
    b, _ = collection(cx, args[1], a.type)
    if a.type is ERROR_TYPE or b.type is ERROR_TYPE:
        return BAD
    type_ = join(a.type, b.type)
    if type_ is None or type_.name not in COLLECTIONS:
        say = cx.world.describe
        message = f"{say(a.type)} and {say(b.type)} have nothing in common."
        return cx.wrong("Z306", message[0].upper() + message[1:], node)
    a = as_collection(a, "set") if a.type.name == "list" else a
    b = as_collection(b, "set") if b.type.name == "list" else b
    narrower = a if fits(a.type, b.type) else b
    return Op("common", (a, b), narrower.type, at=cx.at(node))


@function("one_of")
def _link_one_of(cx: Context, node: Any, wanted: Type | None) -> Expr:
    args = function_arguments(cx, node, "S")
    if args is None:
        return BAD
    source, item = collection(cx, args[0], set_of(wanted) if wanted else None)
    return (
        Op("one_of", (source,), optional(item), at=cx.at(node)) if item is not ERROR_TYPE else BAD
    )


@operation("set")
def _print_members(printer: Printer, expr: Op) -> Printed:
    return "{" + ", ".join(printer.text(arg, SUM) for arg in expr.args) + "}", POSTFIX


@operation("list")
def _print_list(printer: Printer, expr: Op) -> Printed:
    return "[" + ", ".join(printer.text(arg, SUM) for arg in expr.args) + "]", POSTFIX


@operation("map")
def _print_map(printer: Printer, expr: Op) -> Printed:
    pairs = zip(expr.args[::2], expr.args[1::2], strict=True)
    entries = (f"{printer.text(key, SUM)}: {printer.text(item, SUM)}" for key, item in pairs)
    return "{" + ", ".join(entries) + "}", POSTFIX


@operation("index", "nth")
def _print_index(printer: Printer, expr: Op) -> Printed:
    whole, key = expr.args
    return f"{printer.text(whole, POSTFIX)}[{printer.text(key)}]", POSTFIX


@prints(Reach)
def _print_reach(printer: Printer, reach: Reach) -> Printed:
    source = reach.source
    if isinstance(source, Op) and source.op == "set" and len(source.args) == 1:
        source = source.args[0]
    steps = f" up to {printer.text(reach.steps, SUM)} steps" if reach.steps else ""
    steps += f" each {printer.text(reach.cost, SUM)}" if reach.cost else ""
    head = f"from {printer.text(source, SUM)} through {printer.text(reach.through, SUM)}"
    return f"reachable({head}{steps}{printer.where(reach.where)})", POSTFIX


@prints(Loop)
def _print_loop(printer: Printer, loop: Loop) -> Printed:
    if is_conversion(loop):
        return printer.ranked(loop.source)
    var = printer.local(loop.var)
    source = f"{var} in {printer.text(loop.source, SPAN)}"
    rest = printer.where(loop.where) + printer.order(loop.order)
    if loop.fn == "every":
        body = printer.text(loop.body) if loop.body else "yes"
        source = f"{var} in {{{source}{rest}}}" if rest else source
        return f"every({source} has {body})", POSTFIX
    if loop.body is not None:
        source = f"{printer.text(loop.body, SUM)} for {source}"
    if loop.fn == "set":
        return f"{{{source}{rest}}}", POSTFIX
    return f"{loop.fn}({source}{rest})", POSTFIX


def is_conversion(loop: Loop) -> bool:
    """A list used as a set, or the other way round: nobody writes that, the linker sees to it."""
    nothing_more = loop.where is None and loop.order is None and loop.body is None
    return nothing_more and loop.fn in ("set", "list") and loop.var == "it"
