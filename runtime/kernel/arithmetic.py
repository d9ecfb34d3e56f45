"""The arithmetic of the language: what its operations make of values, said once.

Whoever works values out does it here: the data of things and what kinds demand of them when packs
are linked, the defaults of a table, the normal form, the reference evaluator, and the helpers that
compiled rules call. (Compiled rules write the simplest operations as Python's own; a test compares
them with these.)

Values are plain data: whole numbers, yes and no as truth values, ranges as `range`, sets as sorted
tuples, lists as tuples, both without none, maps as dicts. Numbers may grow while they are added
up, but what is multiplied, or kept, stays below `LARGEST`.
"""

import operator
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

LARGEST = 1 << 62
MANY = 16
BY_ZERO = "A number is divided by 0."
TOO_LARGE = "A number becomes too large."
ADVICE = {BY_ZERO: "Divide by another number.", TOO_LARGE: "Let the numbers be smaller."}


class CannotCompute(ArithmeticError):  # noqa: N818 - what happened, not a mistake of the program
    """There is no such value. The message is a sentence for the author."""

    @property
    def advice(self) -> str:
        return ADVICE[str(self)]


# ---- numbers ----------------------------------------------------------------------------


def bounded(number: int | None) -> int | None:
    """A number that is kept, which must not grow without end."""
    if number is not None and not -LARGEST < number < LARGEST:
        raise CannotCompute(TOO_LARGE)
    return number


def halved(number: int, times: int) -> int:
    """A number halved so often, and only then rounded: to the nearest, a half up."""
    return (number + (1 << times >> 1)) >> times


def times(one: int, two: int) -> int:
    out = one * two
    if not -LARGEST < out < LARGEST:
        raise CannotCompute(TOO_LARGE)
    return out


def divided(one: int, two: int) -> int:
    """Rounded down, also below 0."""
    return one // _divisor(two)


def divided_up(one: int, two: int) -> int:
    return -(-one // _divisor(two))


def modulo(one: int, two: int) -> int:
    """What `divided` leaves over: `one == two * divided(one, two) + modulo(one, two)`."""
    return one % _divisor(two)


def _divisor(number: int) -> int:
    if number == 0:
        raise CannotCompute(BY_ZERO)
    return number


# ---- ranges, sets, lists and maps -------------------------------------------------------


def span(low: int, high: int) -> range:
    return range(low, high + 1)


def extended(old: range, by: range | int) -> range:
    """Both ends moved."""
    if isinstance(by, int):
        return range(old.start + by, old.stop + by)
    return range(old.start + by.start, old.stop + by.stop - 1)


def a_set(members: Iterable[Any]) -> tuple[Any, ...]:
    found = set(members)
    found.discard(None)
    return tuple(sorted(found))


def a_list(members: Iterable[Any]) -> tuple[Any, ...]:
    """None is no member of a list, as it is none of a set."""
    return tuple([member for member in members if member is not None])


def several(of: Any) -> Collection[Any]:
    """The members of a collection, or a single one as if it were a collection of one."""
    return of if isinstance(of, tuple | list | range | dict) else (of,)


def _quick(members: Collection[Any]) -> Container[Any]:
    """The members where many will be looked for among many of them."""
    if len(members) < MANY or isinstance(members, range | dict):
        return members
    try:
        return frozenset(members)
    except TypeError:  # maps can be members of a list
        return members


def union(one: Iterable[Any], two: Any) -> tuple[Any, ...]:
    return a_set((*one, *several(two)))


def minus(one: Iterable[Any], two: Any) -> tuple[Any, ...]:
    gone = _quick(several(two))
    return tuple([member for member in one if member not in gone])


def common(one: Iterable[Any], two: Sequence[Any]) -> tuple[Any, ...]:
    """What two sets have in common."""
    both = _quick(two)
    return tuple([member for member in one if member in both])


def common_of_list(one: Iterable[Any], two: Sequence[Any]) -> tuple[Any, ...]:
    return a_set(common(one, two))


def merged(one: Mapping[Any, Any], two: Mapping[Any, Any]) -> dict[Any, Any]:
    """Both maps as one; the entries of the second win."""
    return {**one, **two}


def without(one: Mapping[Any, Any], two: Iterable[Any]) -> dict[Any, Any]:
    gone = _quick(tuple(two))
    return {key: value for key, value in one.items() if key not in gone}


def a_map(*flat: Any) -> dict[Any, Any]:
    """A map, given a key, its value, the next key …"""
    return dict(zip(flat[::2], flat[1::2], strict=True))


def first_of(items: Sequence[Any]) -> Any:
    return items[0] if items else None


def nth(items: Sequence[Any], number: int, otherwise: Any = None) -> Any:
    """A member of a list by its place, of which the first is 1; none there is as if there were
    none."""
    found = items[number - 1] if 0 < number <= len(items) else None
    return otherwise if found is None else found


def lowest(members: Iterable[Any]) -> Any:
    return min(members, default=None)


def same(one: Any, two: Any) -> bool:
    """A range is the set of its members."""
    if isinstance(one, range) is isinstance(two, range) or one is None or two is None:
        return bool(one == two)
    return len(one) == len(two) and all(map(operator.eq, one, two))


# ---- what the words of the language stand for -------------------------------------------


def added(old: Any, amount: Any) -> Any:
    """More: numbers add up, ranges move both ends, sets and maps grow."""
    if isinstance(old, range):
        return extended(old, amount)
    if isinstance(old, dict):
        return merged(old, amount)
    return union(old, amount) if isinstance(old, tuple) else old + amount


def removed(old: Any, amount: Any) -> Any:
    return without(old, several(amount)) if isinstance(old, dict) else minus(old, amount)


OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": lambda *numbers: sum(numbers),
    "-": lambda number, *others: number - sum(others),
    "*": lambda *numbers: reduce(times, numbers),
    "/": divided,
    "/up": divided_up,
    "mod": modulo,
    "neg": operator.neg,
    "abs": abs,
    "min": min,
    "max": max,
    "==": same,
    "!=": lambda one, two: not same(one, two),
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "not": operator.not_,
    "range": span,
    "set": lambda *members: a_set(members),
    "list": lambda *members: a_list(members),
    "map": a_map,
    "union": added,
    "minus": removed,
    "common": common_of_list,
    "in": lambda member, of: member in of,
    "size": len,
    "empty": operator.not_,
    "one_of": lowest,
}

# Operands of which none is a value like any other; as any other operand it counts as 0, no or
# the empty set.
ABOUT_NONE: dict[str, Container[int]] = {"==": (0, 1), "!=": (0, 1), "in": (0,), "index": (1,)}
ABOUT_NONE |= dict.fromkeys(("set", "list", "map"), range(1 << 30))

LOOPS: dict[str, Callable[[Sequence[Any]], Any]] = {
    "set": a_set,
    "list": a_list,
    "count": len,
    "any": lambda results: len(results) > 0,
    "every": all,
    "sum": sum,
    "max": lambda results: max(results, default=0),
    "min": lambda results: min(results, default=0),
    "first": first_of,
}

CHANGES: dict[str, Callable[[Any, Any], Any]] = {
    "to": lambda old, amount: amount,
    "by": added,
    "adding": added,
    "removing": removed,
    "extending": added,
    "times": times,
    "at_least": max,
    "at_most": min,
    "allow": lambda old, amount: 1,
    "forbid": lambda old, amount: 0,
}
