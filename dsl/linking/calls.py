"""Calls: values, the functions of the language, piles of cards, and everything over a set."""

from collections.abc import Callable
from typing import Any

from ziggurat.dsl.diagnostics import did_you_mean, nearest
from ziggurat.dsl.ir import Expr, Loop, Op, OrderRef, PileRef, Type, ValueCall
from ziggurat.dsl.linking.context import BAD, Context
from ziggurat.dsl.linking.expressions import (
    as_collection,
    cards_of,
    collection,
    condition,
    expression,
    fitted,
    guard,
    lower,
    membership,
    want,
)
from ziggurat.dsl.linking.names import dotted_path, renamed_path, value_path
from ziggurat.dsl.linking.pieces import counted
from ziggurat.dsl.linking.types import (
    BOOL,
    COLLECTIONS,
    INT,
    PLAYER,
    WRONG,
    fits,
    join,
    list_of,
    of_kind,
    optional,
    set_of,
)
from ziggurat.dsl.linking.world import FUNCTIONS, Signature
from ziggurat.dsl.syntax import Node

Function = Callable[[Context, Any, Type | None], Expr]
_LOOPS = frozenset({"those", "each_of", "every_has"})


@expression("call")
def _call(cx: Context, node: Any, wanted: Type | None) -> Expr:
    callee = node.parts[0]
    if callee.rule == "name":
        name = str(callee.parts[0])
        if name in cx.names and cx.names[name].what != "field":
            return cx.wrong("Z204", f"`{name}` is not a value that can be asked.", callee)
        function = _FUNCTIONS.get(name)
        if function is not None:
            return function(cx, node, wanted)
        path = value_path(cx, name)
        if path is None and name in cx.world.places:
            return _pile(cx, node, name)
    elif callee.rule == "attribute":
        dotted = dotted_path(cx, callee)
        path = dotted and value_path(cx, dotted)
        name = dotted or str(callee.parts[1])
    else:
        return cx.wrong("Z204", "Only values can be asked with brackets.", callee)
    if not path:
        return _unknown_value(cx, callee, name, node)
    signature = cx.world.values[path]
    cx.uses(f"value {path}", callee)
    args = arguments(cx, node, signature.params, node.parts[1:], name)
    return ValueCall(path, args, signature.type, at=cx.at(node)) if args is not None else BAD


def _unknown_value(cx: Context, callee: Any, name: str, node: Any) -> Expr:
    world = cx.world
    for arg in node.parts[1:]:
        if arg.rule not in _LOOPS and arg.rule != "counted":
            lower(cx, arg)
    if name in world.procedures or (cx.thing and f"{cx.thing.id}.{name}" in world.procedures):
        advice = "Call it as a step of its own, and ask a value here."
        return cx.wrong("Z204", f"`{name}` is a procedure, which gives no value.", callee, advice)
    near = nearest(name, (*world.values, *FUNCTIONS, *world.places))
    if near:
        advice = f"Did you mean `{near}`?"
    else:
        advice = f"Declare it: `value {name.rpartition('.')[2]}(…): int = …`."
    return cx.wrong("Z204", f"There is no value called `{name}`.", callee, advice)


def arguments(
    cx: Context, node: Any, params: Any, nodes: Any, name: str
) -> tuple[Expr, ...] | None:
    """The arguments of a call, checked against the parameters; None when their number is wrong."""
    if len(nodes) != len(params):
        wrong_number(cx, node, name, [param.name for param in params], len(nodes))
        for arg in nodes:
            if arg.rule not in _LOOPS and arg.rule != "counted":
                lower(cx, arg)
        return None
    return tuple(_argument(cx, arg, param.type) for arg, param in zip(nodes, params, strict=True))


def _argument(cx: Context, node: Any, wanted: Type) -> Expr:
    if node.rule == "those" and node.parts[2] is None and node.parts[3] is None:
        # `f(x in s)`: between brackets this reads like the start of a loop.
        name, source = node.parts[0], node.parts[1]
        found = membership(cx, node, _as_name(name), source)
        return fitted(cx, found, wanted, node)
    return want(cx, node, wanted)


def _as_name(token: Any) -> Any:
    return Node("name", (token,), token.start_pos, token.end_pos)


def wrong_number(cx: Context, node: Any, name: str, params: list[str], given: int) -> None:
    needed = len(params)
    plural = "argument" if needed == 1 else "arguments"
    message = f"`{name}` takes {needed or 'no'} {plural}, and here are {given or 'none'}."
    if given == 1 and needed:
        message = f"`{name}` takes {needed} {plural}, and here is one."
    cx.error("Z302", message, node, f"Write `{name}({', '.join(params)})`.")


def order_ref(cx: Context, node: Any, item: Type) -> OrderRef | None:
    """`by removal(a)`: an order, for members of a type."""
    if node is None:
        return None
    path, args = node.parts[0].parts
    signature = order_signature(cx, path)
    if signature is None:
        return None
    given = args.parts if args is not None else ()
    leading = signature.params[:-1]
    sorted_ = signature.params[-1].type if signature.params else WRONG
    if not fits(item, sorted_):
        say = cx.world.describe
        message = f"This orders {_plural(cx, sorted_)}, but here is {say(item)} to be ordered."
        advice = "An order sorts by its last parameter; those before it are given in brackets."
        cx.error("Z301", message, path, advice)
        return None
    found = arguments(cx, node.parts[0], leading, given, str(path.parts[-1]))
    return OrderRef(signature.path, found) if found is not None else None


def _plural(cx: Context, type_: Type) -> str:
    return cx.world.describe(set_of(type_)).removeprefix("a set of ")


def order_signature(cx: Context, path: Any) -> Signature | None:
    name = ".".join(path.parts)
    orders = cx.world.orders
    inner = f"{cx.thing.id}.{name}" if cx.thing else ""
    found = orders.get(inner) or orders.get(name)
    if found is None:
        found = orders.get(renamed_path(cx, "order", name, orders) or "")
    if found is None:
        advice = did_you_mean(name, orders) or f"Declare it: `order {name}(p: player) {{ … }}`."
        cx.error("Z207", f"There is no order called `{name}`.", path, advice)
        return None
    cx.uses(f"order {found.path}", path)
    return found


def _pile(cx: Context, node: Any, name: str) -> Expr:
    place = cx.world.places[name]
    if not place.cards:
        message = f"`{name}` is a place for pieces; it is counted, not asked."
        return cx.wrong("Z224", message, node, f"Write for example `count(… in {name})`.")
    type_ = Type("pile", of_kind(place.cards))
    args = node.parts[1:]
    if place.of == "table":
        if args:
            wrong_number(cx, node, name, [], len(args))
            return BAD
        return PileRef(name, None, type_, at=cx.at(node))
    if len(args) != 1:
        wrong_number(cx, node, name, [place.of], len(args))
        return BAD
    return PileRef(name, want(cx, args[0], of_kind(place.of)), type_, at=cx.at(node))


# ---- over sets ----------------------------------------------------------------------------------


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
    before = cx.names.get(name)
    entry = cx.bind(name, item, "loop")
    found_filter = guard(cx, filter_)
    order = order_ref(cx, by, item)
    lowered = lower(cx, body) if body is not None else None
    if test is not None:
        lowered = condition(cx, test)
    cx.forget(name, before)
    if source.type is WRONG:
        return BAD
    return _loop(cx, node, Loop(fn, entry.name, source, found_filter, order, lowered, WRONG), item)


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
def _set_of(cx: Context, node: Any, wanted: Type | None) -> Expr:
    inner = node.parts[0]
    if inner.rule == "every_has":
        return cx.wrong("Z322", "`has` belongs to `every(x in S has …)`.", node)
    return loop(cx, inner, "set")


_FORMS = {
    "count": "`count(token of p in a)` or `count(x in S where …)`",
    "any": "`any(token of p in a)` or `any(x in S where …)`",
    "every": "`every(x in S has …)`",
    "sum": "`sum(f(x) for x in S)`",
    "max": "`max(a, b)` or `max(f(x) for x in S)`",
    "min": "`min(a, b)` or `min(f(x) for x in S)`",
    "first": "`first(x in S where … by some_order)`",
    "list": "`list(x in S by some_order)`",
}


def _over_set(cx: Context, node: Any, wanted: Type | None) -> Expr:
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
        if _loop_form(fn, rule):
            return loop(cx, args[0], fn)
    advice = f"It is written {_FORMS[fn]}."
    if fn in ("count", "any") and len(args) == 1 and args[0].rule not in (*_LOOPS, "counted"):
        advice = "How many members a set has is `size(S)`."
    return cx.wrong("Z322", f"`{fn}` is not used like this.", node, advice)


def _loop_form(fn: str, rule: str) -> bool:
    if rule == "those":
        return fn in ("count", "any", "first", "list")
    if rule == "each_of":
        return fn in ("sum", "max", "min", "list")
    return rule == "every_has" and fn == "every"


# ---- the other functions ------------------------------------------------------------------------


def _args(cx: Context, node: Any, *params: str) -> Any:
    """The argument nodes of a built-in function, or None when their number is wrong."""
    args = node.parts[1:]
    if len(args) != len(params):
        wrong_number(cx, node, str(node.parts[0].parts[0]), list(params), len(args))
        return None
    return args


def _size(cx: Context, node: Any, wanted: Type | None) -> Expr:
    args = _args(cx, node, "S")
    if args is None:
        return BAD
    source, _ = collection(cx, args[0])
    return Op("size", (source,), INT, at=cx.at(node)) if source.type is not WRONG else BAD


def _abs(cx: Context, node: Any, wanted: Type | None) -> Expr:
    args = _args(cx, node, "n")
    return Op("abs", (want(cx, args[0], INT),), INT, at=cx.at(node)) if args else BAD


def _common(cx: Context, node: Any, wanted: Type | None) -> Expr:
    args = _args(cx, node, "S", "T")
    if args is None:
        return BAD
    a, _ = collection(cx, args[0], wanted)
    b, _ = collection(cx, args[1], a.type)
    if a.type is WRONG or b.type is WRONG:
        return BAD
    type_ = join(a.type, b.type)
    if type_ is None or type_.name not in COLLECTIONS:
        say = cx.world.describe
        message = f"{say(a.type)} and {say(b.type)} have nothing in common."
        return cx.wrong("Z306", message[0].upper() + message[1:], node)
    a = as_collection(a, "set") if a.type.name == "list" else a
    b = as_collection(b, "set") if b.type.name == "list" else b
    return Op("common", (a, b), a.type, at=cx.at(node))


def _one_of(cx: Context, node: Any, wanted: Type | None) -> Expr:
    args = _args(cx, node, "S")
    if args is None:
        return BAD
    source, item = collection(cx, args[0], set_of(wanted) if wanted else None)
    return Op("one_of", (source,), optional(item), at=cx.at(node)) if item is not WRONG else BAD


def _others(cx: Context, node: Any, wanted: Type | None) -> Expr:
    args = _args(cx, node, "p")
    if args is None:
        return BAD
    return Op("others", (want(cx, args[0], PLAYER),), set_of(PLAYER), at=cx.at(node))


def _left_of(cx: Context, node: Any, wanted: Type | None) -> Expr:
    args = _args(cx, node, "p")
    return Op("left_of", (want(cx, args[0], PLAYER),), PLAYER, at=cx.at(node)) if args else BAD


def _cards(cx: Context, node: Any, wanted: Type | None) -> Expr:
    args = _args(cx, node, "pile")
    if args is None:
        return BAD
    found = lower(cx, args[0])
    if found.type is WRONG:
        return BAD
    if found.type.name != "pile":
        message = f"This must be a place for cards, but it is {cx.world.describe(found.type)}."
        return cx.wrong("Z301", message, args[0])
    if node.parts[0].parts[0] == "cards":
        return cards_of(found)
    return Op("top", (found,), optional(found.type.item or WRONG), at=cx.at(node))


_FUNCTIONS: dict[str, Function] = {
    **dict.fromkeys(("count", "any", "every", "sum", "max", "min", "first", "list"), _over_set),
    "size": _size,
    "abs": _abs,
    "common": _common,
    "one_of": _one_of,
    "others": _others,
    "left_of": _left_of,
    "cards": _cards,
    "top": _cards,
}


@expression("holds")
def _holds(cx: Context, node: Any, wanted: Type | None) -> Expr:
    who, what = node.parts
    player = want(cx, who, PLAYER)
    thing = lower(cx, what)
    info = cx.world.kinds.get(thing.type.name)
    if thing.type is not WRONG and (info is None or "holdable" not in info.roles):
        say = cx.world.describe(thing.type)
        message = f"Only holdable things can be held, and this is {say}."
        advice = f"To change that, write `holdable` after `kind {info.id}`." if info else None
        return cx.wrong("Z324", message, what, advice)
    return Op("holds", (player, thing), BOOL, at=cx.at(node))
