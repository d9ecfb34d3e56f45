"""Going through all parts of an expression or a body, whatever they are."""

from collections.abc import Iterator
from typing import Any

import attrs

from ziggurat.dsl.ir import At, Type


def expressions_in(node: Any) -> Iterator[Any]:
    """The node itself and every node below it, from the outside in; a tuple is its parts."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple):
            waiting += one[::-1]
            continue
        parts = _PARTS.get(type(one))
        if parts is None:
            parts = _PARTS[type(one)] = _parts(type(one))
        if parts:
            yield one
            waiting += [getattr(one, name) for name in parts]


_PARTS: dict[type, tuple[str, ...]] = {}


def _parts(cls: type) -> tuple[str, ...]:
    """The fields of a class of the ruleset, last first; none for what is no such class."""
    known = attrs.has(cls) and cls not in (Type, At)
    return tuple(field.name for field in attrs.fields(cls))[::-1] if known else ()
