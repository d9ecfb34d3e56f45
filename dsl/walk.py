"""Going through all parts of an expression or a body, whatever they are."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import attrs

from dsl.ir import At, Type


def expressions_in(node: Any) -> Iterator[Any]:
    """The node itself and every node below it, from the outside in; a tuple is its parts."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple):
            waiting += one[::-1]
        elif _parts(type(one)):
            yield one
            waiting += [getattr(one, name) for name in _parts(type(one))[::-1]]


@cache
def _parts(cls: type) -> tuple[str, ...]:
    known = attrs.has(cls) and cls not in (Type, At)
    return tuple(field.name for field in attrs.fields(cls)) if known else ()
