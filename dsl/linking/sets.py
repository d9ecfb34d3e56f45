"""Sets and maps written out, and entries of maps."""

from typing import Any

from ziggurat.dsl.ir import Expr, Op, Type
from ziggurat.dsl.linking.context import BAD, Context
from ziggurat.dsl.linking.expressions import expression, lower, want
from ziggurat.dsl.linking.types import COLLECTIONS, EMPTY_SET, WRONG, join, map_of, present, set_of


@expression("index")
def _index(cx: Context, node: Any, wanted: Type | None) -> Expr:
    whole, key = node.parts
    map_ = lower(cx, whole)
    if map_.type is WRONG:
        return BAD
    if map_.type.name != "map" or map_.type.key is None or map_.type.item is None:
        say = cx.world.describe(map_.type)
        return cx.wrong("Z306", f"Only a map can be asked for a key, and this is {say}.", whole)
    return Op("index", (map_, want(cx, key, map_.type.key)), map_.type.item, at=cx.at(node))


@expression("set")
def _set(cx: Context, node: Any, wanted: Type | None) -> Expr:
    at = cx.at(node)
    if not node.parts:
        if wanted is not None and wanted.name == "map":
            return Op("map", (), present(wanted), at=at)
        item = wanted.item if wanted is not None and wanted.name in COLLECTIONS else None
        return Op("set", (), set_of(item) if item else EMPTY_SET, at=at)
    hint = wanted.item if wanted is not None and wanted.name in COLLECTIONS else None
    members, item = _alike(cx, node.parts, hint, "members of this set")
    return Op("set", members, set_of(item), at=at)


def _alike(cx: Context, nodes: Any, hint: Type | None, what: str) -> tuple[tuple[Expr, ...], Type]:
    """Several expressions of one type."""
    found: list[Expr] = []
    type_: Type = WRONG
    for one in nodes:
        expr = lower(cx, one, hint)
        both_ = join(type_, expr.type)
        if both_ is None:
            say = cx.world.describe
            message = f"The {what} are not alike: this is {say(expr.type)}, not {say(type_)}."
            expr = cx.wrong("Z306", message, one)
        else:
            type_ = both_
        hint = hint or (type_ if type_ is not WRONG else None)
        found.append(expr)
    return tuple(found), type_


@expression("map")
def _map(cx: Context, node: Any, wanted: Type | None) -> Expr:
    is_map = wanted is not None and wanted.name == "map"
    key_hint, item_hint = (
        (wanted.key, wanted.item) if wanted is not None and is_map else (None, None)
    )
    keys, key = _alike(cx, [one.parts[0] for one in node.parts], key_hint, "keys of this map")
    items, item = _alike(cx, [one.parts[1] for one in node.parts], item_hint, "values of this map")
    args = tuple(part for pair in zip(keys, items, strict=True) for part in pair)
    return Op("map", args, map_of(key, item), at=cx.at(node))
