"""Arguments of whatever is called, and the orders that sort something."""

from collections.abc import Iterable
from typing import Any

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.forms.logic import membership
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.expressions import fitted, linked, want
from ziggurat.dsl.linking.lookup import renamed_path
from ziggurat.dsl.linking.types import fits, set_of
from ziggurat.dsl.linking.world import Signature
from ziggurat.dsl.syntax import as_name
from ziggurat.runtime.kernel.forms.core import OrderRef
from ziggurat.runtime.kernel.nodes import ERROR_TYPE, Expr, Type

LOOPS = frozenset({"those", "each_of", "every_has"})


def arguments(
    cx: Context, node: Any, params: Any, nodes: Any, name: str
) -> tuple[Expr, ...] | None:
    """The arguments of a call, checked against the parameters; None when their number is wrong."""
    if len(nodes) != len(params):
        wrong_number(cx, node, name, [param.name for param in params], len(nodes))
        look_at(cx, nodes)
        return None
    return tuple(_argument(cx, arg, param.type) for arg, param in zip(nodes, params, strict=True))


def _argument(cx: Context, node: Any, wanted: Type) -> Expr:
    if node.rule == "those" and node.parts[2] is None and node.parts[3] is None:
        # `f(x in s)`: between brackets this reads like the start of a loop.
        name, source = node.parts[0], node.parts[1]
        found = membership(cx, node, as_name(name), source)
        return fitted(cx, found, wanted, node)
    return want(cx, node, wanted)


def wrong_number(cx: Context, node: Any, name: str, params: list[str], given: int) -> None:
    needed = len(params)
    plural = "argument" if needed == 1 else "arguments"
    message = f"`{name}` takes {needed or 'no'} {plural}, and here are {given or 'none'}."
    if given == 1 and needed:
        message = f"`{name}` takes {needed} {plural}, and here is one."
    cx.error("Z302", message, node, f"Write `{name}({', '.join(params)})`.")


def function_arguments(cx: Context, node: Any, *params: str) -> Any:
    """The argument nodes of a built-in function, or None when their number is wrong."""
    args = node.parts[1:]
    if len(args) != len(params):
        wrong_number(cx, node, str(node.parts[0].parts[0]), list(params), len(args))
        return None
    return args


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
    sorted_ = signature.params[-1].type if signature.params else ERROR_TYPE
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


def look_at(cx: Context, nodes: Iterable[Any]) -> None:
    """Look at arguments for their own mistakes only; what begins a loop means nothing alone."""
    for node in nodes:
        if node.rule not in LOOPS and node.rule not in ("counted", "weighed", "reaching"):
            linked(cx, node)
