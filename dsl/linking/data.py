"""Constant data: the fields of things, folded to plain values without a detour over expressions.

A full pack has thousands of such fields, so this is a short walk over syntax guided by the
field's type.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.linking.constants import ARITHMETIC
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.lookup import mention_thing, removed_name, things_of
from ziggurat.dsl.linking.model import ELSEWHERE
from ziggurat.dsl.linking.removals import Loss, quoted_from, unless_removed
from ziggurat.dsl.nearest import sought
from ziggurat.dsl.syntax import Node, as_name
from ziggurat.runtime.kernel.arithmetic import OPERATIONS, CannotCompute, bounded
from ziggurat.runtime.kernel.nodes import ERROR_TYPE, INT, Type

BROKEN: Any = object()
MOST_LISTED = 12


def entries(cx: Context, nodes: Any, wanted: Type, whole: Any) -> Any:
    """The value of a field written as a list of entries: `crafts 10, science 5`."""
    name = wanted.name
    if name == "map":
        return _map(cx, nodes, wanted)
    if name in ("set", "list"):
        return _members(cx, nodes, wanted)
    if len(nodes) != 1:
        say = cx.world.describe(wanted)
        cx.error("Z301", f"This must be {say}, but it is a list.", whole)
        return BROKEN
    return constant(cx, nodes[0], wanted)


def constant(cx: Context, node: Any, wanted: Type) -> Any:
    """One value as plain data, or BROKEN after saying what is wrong."""
    rule = node.rule
    if wanted is ERROR_TYPE:
        return BROKEN
    if wanted.name == "map":
        return _map(cx, (node,), wanted)
    if wanted.name in ("set", "list"):
        return _members(cx, (node,), wanted)
    if rule == "none" and wanted.maybe:
        return None
    if rule == ELSEWHERE:
        here = cx.file
        cx.enter(node.parts[1])
        found = constant(cx, node.parts[0], wanted)
        cx.enter(here)
        return found
    column = cx.names.get(str(node.parts[0])) if rule == "name" else None
    if column is not None and column.cell is not None:
        column.used = True
        cx.mention_local(column, node)
        return constant(cx, column.cell, wanted)
    reader = _READERS.get(wanted.name, _thing)
    return reader(cx, node, wanted)


def _number(cx: Context, node: Any, wanted: Type) -> Any:
    rule = node.rule
    if rule == "int":
        return cx.number(node.parts[0])
    if rule in ("negate", "positive"):
        found = _number(cx, node.parts[0], wanted)
        return -found if rule == "negate" and found is not BROKEN else found
    if rule in ARITHMETIC:
        a, b = (_number(cx, part, wanted) for part in node.parts)
        return BROKEN if BROKEN in (a, b) else worked_out(cx, node, ARITHMETIC[rule], a, b)
    return _misfit(cx, node, wanted)


def worked_out(cx: Context, node: Any, op: str, *numbers: int) -> Any:
    """What an operation comes to, or BROKEN after saying why there is no such number."""
    try:
        return bounded(OPERATIONS[op](*numbers))
    except CannotCompute as wrong:
        cx.error("Z327", str(wrong), node, wrong.advice)
        return BROKEN


def _yes_no(cx: Context, node: Any, wanted: Type) -> Any:
    if node.rule in ("yes", "no"):
        return node.rule == "yes"
    return _misfit(cx, node, wanted)


def _text(cx: Context, node: Any, wanted: Type) -> Any:
    return str(node.parts[0][1:-1]) if node.rule == "text" else _misfit(cx, node, wanted)


def _range(cx: Context, node: Any, wanted: Type) -> Any:
    if node.rule != "range":
        return _misfit(cx, node, wanted)
    low, high = (_number(cx, part, INT) for part in node.parts)
    return BROKEN if BROKEN in (low, high) else (low, high)


def _thing(cx: Context, node: Any, wanted: Type) -> Any:
    kind = wanted.name
    if node.rule != "name":
        return _misfit(cx, node, wanted)
    name = str(node.parts[0])
    page = things_of(cx, kind)
    if name not in page:
        new = cx.world.renamed(kind, name, cx.file.source.pack)
        if new not in page:
            return _unknown(cx, node, name, wanted, page)
        name = new
    mention_thing(cx, kind, name, node)
    return f"{kind}.{name}"


def _listed(page: Iterable[str]) -> str:
    return f"Those there are: {', '.join(f'`{one}`' for one in page)}."


def _unknown(cx: Context, node: Any, name: str, wanted: Type, page: Any) -> Any:
    kind = wanted.name
    sought(name, wanted)
    if kind not in cx.world.kinds:
        return _misfit(cx, node, Type(kind))
    if (kind, name) in cx.world.book.gone:
        return _removed(cx, node, name, wanted)
    declare = f'Declare it: `{kind} {name} "…" {{ … }}`.'
    listed = _listed(page) if 0 < len(page) <= MOST_LISTED else declare
    advice = did_you_mean(name, page) or listed
    cx.error("Z201", f"There is no {kind.replace('_', ' ')} called `{name}`.", node, advice)
    return BROKEN


def _removed(cx: Context, node: Any, name: str, wanted: Type) -> Any:
    """What names something removed is none now, where it may be."""
    removal = cx.world.removal_of(name, cx.file.source.pack)
    if removal is None or not wanted.maybe:
        removed_name(cx, node, wanted.name, name)
        return BROKEN
    told = f"`{name}` is none here now."
    cx.world.notes.losses.append(Loss(removal, "reference", told, cx.span(node)))
    return None


_READERS: dict[str, Callable[[Context, Any, Type], Any]] = {
    "int": _number,
    "bool": _yes_no,
    "text": _text,
    "range": _range,
}
_CONSTANT = frozenset(
    {"int", "yes", "no", "text", "range", "none", "name", "set", "map", "pair", "negate",
     "positive", *ARITHMETIC}
)  # fmt: skip


_WRITTEN = {
    "int": "a number", "yes": "yes or no", "no": "yes or no", "text": "a text", "range": "a range",
    "none": "none",
}  # fmt: skip


def _misfit(cx: Context, node: Any, wanted: Type) -> Any:
    say = cx.world.describe(wanted)
    if node.rule in _CONSTANT:
        but = f", but it is {_WRITTEN[node.rule]}" if node.rule in _WRITTEN else ""
        cx.error("Z301", f"This must be {say}{but}.", node)
    else:
        message = f"This must be {say} that is known before the game begins."
        cx.error("Z311", message, node, "What changes during the game is a value or an attribute.")
    return BROKEN


def _members(cx: Context, nodes: Any, wanted: Type) -> Any:
    item = wanted.item or ERROR_TYPE
    found: list[Any] = []
    seen: set[Any] = set()
    for node in nodes:
        inner = node.parts if node.rule in ("set", wanted.name) else (node,)
        for one in inner:
            value = lost_with(cx, one, partial(constant, cx, one, item))
            if value is BROKEN:
                continue
            if wanted.name == "set" and value in seen:
                cx.error("Z321", "This is in the list twice.", one, "Take one of them away.")
                continue
            seen.add(value)
            found.append(value)
    return tuple(found)


def lost_with(cx: Context, node: Any, make: Callable[[], Any]) -> Any:
    """A member or an entry, or BROKEN; one that names something removed is lost with it."""
    span = cx.span(node)
    told = f"`{quoted_from(span)}` is lost from a list."
    found = unless_removed(cx.world, "member", told, span, lambda: (make(),))
    return found[0] if found is not None else BROKEN


def _map(cx: Context, nodes: Any, wanted: Type) -> Any:
    key_type, item_type = wanted.key or ERROR_TYPE, wanted.item or ERROR_TYPE
    found: dict[Any, Any] = {}
    for node in nodes:
        pairs = [node] if node.rule == "pair" else node.parts if node.rule == "map" else None
        if node.rule == "set" and not node.parts:
            continue
        if pairs is None:
            say = cx.world.describe(wanted)
            form = "key 5, other 10" if item_type.name == "int" else "{key: name, other: name}"
            cx.error("Z301", f"This must be {say}.", node, f"Write the entries as `{form}`.")
            continue
        for pair in pairs:
            _entry(cx, pair, key_type, item_type, found)
    return tuple(found.items())


def _entry(cx: Context, pair: Any, key_type: Type, item_type: Type, found: dict[Any, Any]) -> None:
    key_node, item_node = pair.parts
    if pair.rule == "pair" and item_type.name not in ("int", ERROR_TYPE.name):
        message = f"An entry leads to {cx.world.describe(item_type)} here, not to a number."
        cx.error("Z301", message, item_node, "Write the entries as `{key: name, other: name}`.")
        return
    if pair.rule == "pair":
        key_node = as_name(key_node)
        item_node = Node("int", (item_node,), item_node.start_pos, item_node.end_pos)
    key = lost_with(cx, pair, lambda: constant(cx, key_node, key_type))
    item = constant(cx, item_node, item_type)
    if key is BROKEN or item is BROKEN:
        return
    if key in found:
        cx.error("Z321", "This key is given twice.", key_node, "Take one of them away.")
    found[key] = item
