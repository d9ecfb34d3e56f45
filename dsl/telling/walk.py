"""Going through all parts of an expression, whatever they are."""

from collections.abc import Iterator
from typing import Any

import attrs

from dsl.ir import At, Type


def expressions_in(node: Any) -> Iterator[Any]:
    """The node itself and every node below it, from the outside in."""
    yield node
    for name in _parts(type(node)):
        part = getattr(node, name)
        for one in part if isinstance(part, tuple) else (part,):
            if attrs.has(type(one)) and not isinstance(one, (Type, At)):
                yield from expressions_in(one)


def _parts(cls: type) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(cls)) if attrs.has(cls) else ()
