"""Members of sets and entries of maps that amendments add, take away and change."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from ziggurat.dsl.diagnostics import did_you_mean
from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.data import BROKEN, constant, lost_with, worked_out
from ziggurat.dsl.linking.model import Decl, signed
from ziggurat.dsl.syntax import Node
from ziggurat.runtime.kernel.nodes import ERROR_TYPE, INT, Type


def changed_members(
    cx: Context, decl: Decl, name: str, type_: Type, node: Node, old: tuple[Any, ...]
) -> Any:
    """`land +sidon -tyre`: a set with and without some members, or a map without some keys."""
    found = list(old)
    for sign, part in signed(node):
        wanted = type_.key if type_.name == "map" else type_.item
        member = lost_with(cx, part, partial(constant, cx, part, wanted or ERROR_TYPE))
        if member is BROKEN:
            continue
        if type_.name == "map":
            _take_key(cx, decl, name, part, sign, member, found)
        elif sign > 0:
            _add(cx, decl, name, part, member, found)
        else:
            _take(cx, decl, name, part, member, found)
    return tuple(found)


def _add(cx: Context, decl: Decl, name: str, node: Any, member: Any, found: list[Any]) -> None:
    if member in found and not _says_another_pack(cx, decl, name, node, 1):
        message = f"`{_written(node)}` is already in `{name}` of `{decl.spoken}`."
        cx.error("Z415", message, node, "Take this change away.")
    elif member not in found:
        found.append(member)


def _says_another_pack(cx: Context, decl: Decl, name: str, node: Any, wanted: int) -> bool:
    """Whether another pack adds or takes away the same member, which both may do."""
    return any(
        item.pack != cx.file.source.pack and _written(part) == _written(node) and sign == wanted
        for item in decl.items
        if getattr(item.node, "rule", "") in ("field_plus", "field_minus")
        and item.node.parts[0] == name
        for sign, part in signed(item.node)
    )


def _take(cx: Context, decl: Decl, name: str, node: Any, member: Any, found: list[Any]) -> None:
    if member in found:
        found.remove(member)
    elif not _says_another_pack(cx, decl, name, node, -1):
        _not_there(cx, decl, name, node, found)


def _take_key(
    cx: Context, decl: Decl, name: str, node: Any, sign: int, key: Any, found: list[Any]
) -> None:
    if sign > 0:
        message = f"An entry of `{name}` has a key and a value."
        cx.error("Z405", message, node, f"Write `{name} for {_written(node)}: …`.")
        return
    kept = [entry for entry in found if entry[0] != key]
    if len(kept) == len(found):
        _not_there(cx, decl, name, node, [entry[0] for entry in found])
    found[:] = kept


def _not_there(cx: Context, decl: Decl, name: str, node: Any, known: Iterable[Any]) -> None:
    message = f"`{_written(node)}` is not in `{name}` of `{decl.spoken}`."
    ids = [str(one).partition(".")[2] for one in known]
    cx.error("Z415", message, node, did_you_mean(_written(node), ids))


def changed_entry(
    cx: Context, decl: Decl, name: str, type_: Type, node: Node, old: tuple[Any, ...]
) -> Any:
    """`credits for crafts: 20` sets one entry of a map, `credits for crafts +5` changes it."""
    _, token, written = node.parts
    if type_.name != "map":
        message = f"`{name}` of `{decl.spoken}` is no map, so it has no entries."
        cx.error("Z405", message, node, f"Write its new value: `{name}: …`.")
        return BROKEN
    key_node = Node("name", (token,), token.start_pos, token.end_pos)
    key = lost_with(cx, node, lambda: constant(cx, key_node, type_.key or ERROR_TYPE))
    entries = dict(old)
    if key is BROKEN:
        return old
    if node.rule == "entry_is":
        value = constant(cx, written, type_.item or ERROR_TYPE)
    else:
        amount = constant(cx, written, INT)
        before = entries.get(key, 0)
        if amount is BROKEN or not isinstance(before, int):
            return BROKEN
        value = worked_out(cx, node, "+" if node.rule == "entry_plus" else "-", before, amount)
    return BROKEN if value is BROKEN else tuple({**entries, key: value}.items())


def _written(node: Any) -> str:
    return str(node.parts[0])
