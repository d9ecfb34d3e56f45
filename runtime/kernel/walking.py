"""Going through rules: every node, the names taken from outside, what is read, written and called.

All of it comes from the descriptions of the forms.
"""

from collections.abc import Iterator
from typing import Any

import attrs

from ziggurat.runtime.kernel.description import FORMS, IT, Call, Touch, described, fields_of
from ziggurat.runtime.kernel.nodes import At, Meta, Type

_PLAIN: set[type] = {At, Meta, Type, str, int, bool, type(None)}


def walk(node: Any) -> Iterator[Any]:
    """A form and all forms inside it, from the outside in and in the order they were written; a
    tuple or a dict is its members."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        cls = type(one)
        if cls is tuple:
            waiting += one[::-1]
        elif cls in FORMS:
            yield one
            waiting += [getattr(one, name) for name in fields_of(cls)[::-1]]
        elif cls is dict:
            waiting += reversed(one.values())
        elif cls not in _PLAIN and attrs.has(cls):
            raise TypeError(f"{cls.__name__} is no form: it needs a description (`@form`)")


def free(node: Any) -> frozenset[str]:
    """The locals that a node takes from outside."""
    if isinstance(node, tuple):
        found: set[str] = set()
        known: set[str] = set()
        for member in node:
            found |= free(member) - known
            known |= made(member)
        return frozenset(found)
    about = FORMS.get(type(node))
    if about is None:
        return frozenset()
    found = {getattr(node, about.uses)} if about.uses else set()
    for field in fields_of(type(node)):
        found |= free(getattr(node, field)) - in_sight(node, field)
    return frozenset(found)


def in_sight(node: Any, field: str) -> set[str]:
    """The names that a node itself brings into sight in one of its fields."""
    about = described(node)
    found = {getattr(node, name) for name, where in about.binds.items() if field in where}
    return found | {IT} if field in about.it else found


def made(node: Any) -> set[str]:
    """The names that are in sight after a statement."""
    about = FORMS.get(type(node))
    if about is None:
        return set()
    found = {getattr(node, name) for name in about.names}
    if not about.fence:
        for field in fields_of(type(node)):
            for member in getattr(node, field):
                found |= made(member)
    return found


def names_bound(node: Any) -> set[str]:
    """The names that a form itself brings into sight, wherever that is."""
    return {getattr(node, field) for field in described(node).binds}


def asks(node: Any) -> bool:
    """Does anything in it ask somebody for a decision (calls apart)?"""
    return any(described(one).asks for one in walk(node))


def is_light(node: Any) -> bool:
    """Does it run in bounded time by itself: no loops and no calls inside?"""
    return not any(described(one).loops or described(one).calls(one) for one in walk(node))


def reads(node: Any) -> set[Touch]:
    """The parts of a position it looks at (calls apart)."""
    return {touch for one in walk(node) for touch in described(one).reads(one)}


def writes(node: Any) -> set[Touch]:
    """The parts of a position it may change (calls apart)."""
    return {touch for one in walk(node) for touch in described(one).writes(one)}


def calls(node: Any) -> list[Call]:
    """The rules it calls itself, in the order they were written."""
    return [call for one in walk(node) for call in described(one).calls(one)]
