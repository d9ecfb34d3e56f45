"""Fields of pieces and owners, which are known when packs are linked: rules that read them get what
they say written out."""

from collections.abc import Iterable, Mapping
from typing import Any

from ziggurat.dsl.linking.types import present
from ziggurat.runtime.kernel.forms.core import Lit, Op, ThingRef
from ziggurat.runtime.kernel.nodes import ERROR_TYPE, INT, Expr, Type


def written_out(value: Any, type_: Type) -> Expr:
    """Plain data of a field as an expression."""
    item, key = type_.item or ERROR_TYPE, type_.key or ERROR_TYPE
    if type_.name == "map":
        pairs = [(written_out(one, key), written_out(two, item)) for one, two in value]
        return Op("map", tuple(part for pair in pairs for part in pair), type_)
    if type_.name in ("set", "list"):
        return Op(type_.name, tuple(written_out(one, item) for one in value), type_)
    if type_.name == "range":
        return Op("range", tuple(Lit(one, INT) for one in value), type_)
    if isinstance(value, str) and type_.name != "text":
        return ThingRef(type_.name, value.removeprefix(f"{type_.name}."), present(type_))
    return Lit(value, type_)


def own_value(fields: Mapping[str, Any], values: Iterable[Any], name: str) -> Expr | None:
    """What a piece or an owner says of one of these fields, or what it is unless they do."""
    field = fields.get(name)
    if field is None:
        return None
    for one in values:
        if one.field == name:
            return written_out(one.value, field.type)
    default: Expr | None = field.default
    return default
