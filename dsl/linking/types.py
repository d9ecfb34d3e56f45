"""Types: the common ones, how they fit together, and how they are called in messages."""

from collections.abc import Mapping
from functools import cache

from ziggurat.runtime.kernel.nodes import BOOL, ERROR_TYPE, INT, OWNER, PLAYER, RANGE, TEXT, Type

NOTHING = Type("nothing")
# What `none` is: it fits every `T or none`.
NONE = Type("nothing", maybe=True)

SCALARS = {"int": INT, "bool": BOOL, "text": TEXT, "range": RANGE, "player": PLAYER, "owner": OWNER}
COLLECTIONS = frozenset({"set", "list"})
_PEOPLE = frozenset({"player", "owner"})
_WORDS = {
    "int": ("a number", "numbers"),
    "bool": ("yes or no", "answers yes or no"),
    "text": ("a text", "texts"),
    "range": ("a range", "ranges"),
    "player": ("a player", "players"),
    "owner": ("an owner", "owners"),
    "pile": ("a pile of cards", "piles of cards"),
    "nothing": ("none", "nothing"),
}


@cache
def of_kind(name: str) -> Type:
    """The type of one thing or card."""
    return SCALARS.get(name) or Type(name)


@cache
def set_of(item: Type) -> Type:
    return Type("set", item)


@cache
def list_of(item: Type) -> Type:
    return Type("list", item)


@cache
def map_of(key: Type, item: Type) -> Type:
    return Type("map", item, key)


@cache
def optional(type_: Type) -> Type:
    """`T or none`."""
    return type_ if type_.maybe else Type(type_.name, type_.item, type_.key, True)


@cache
def present(type_: Type) -> Type:
    """T, given `T or none`."""
    return Type(type_.name, type_.item, type_.key) if type_.maybe else type_


EMPTY_SET = set_of(NOTHING)


def fits(actual: Type, expected: Type) -> bool:
    """Whether something of one type may stand where another is wanted.

    `T or none` may stand where T is wanted: a rule that meets `none` does nothing. Only the word
    `none` itself is refused. A player is an owner; whether an owner is a player must be asked.
    """
    if actual is expected or actual is ERROR_TYPE or expected is ERROR_TYPE:
        return True
    if actual.name == "nothing":
        return expected.maybe or expected.name == "nothing" or not actual.maybe
    if actual.name == expected.name:
        if actual.item is None or expected.item is None:
            return actual.item is expected.item
        if actual.key is not None and expected.key is not None:
            return fits(actual.key, expected.key) and fits(actual.item, expected.item)
        return fits(actual.item, expected.item)
    if actual.name == "player":
        return expected.name == "owner"
    if actual.name in COLLECTIONS and expected.name in COLLECTIONS:
        return fits(actual.item or ERROR_TYPE, expected.item or ERROR_TYPE)
    return actual == EMPTY_SET and expected.name == "map"


def join(a: Type, b: Type) -> Type | None:
    """The type that covers both, for the branches of an `if` and the members of a set."""
    if a is b or b is ERROR_TYPE or a == b:
        return a
    if a is ERROR_TYPE:
        return b
    if a.name == "nothing":
        return optional(b) if a.maybe else b
    if b.name == "nothing":
        return optional(a) if b.maybe else a
    maybe = a.maybe or b.maybe
    if a.name in _PEOPLE and b.name in _PEOPLE:
        found: Type | None = PLAYER if a.name == b.name == "player" else OWNER
    elif a.name in COLLECTIONS and b.name in COLLECTIONS:
        item = join(a.item or ERROR_TYPE, b.item or ERROR_TYPE)
        found = item and (list_of(item) if a.name == b.name == "list" else set_of(item))
    elif a.name == b.name and a.item is None:
        found = present(a)
    elif fits(present(a), present(b)):
        found = present(b)
    else:
        found = present(a) if fits(present(b), present(a)) else None
    return optional(found) if found and maybe else found


def says_nothing(type_: Type) -> bool:
    """Whether it is the type of `none` or of an empty set, which become whatever comes later."""
    return type_.name == "nothing" or (type_.item is not None and says_nothing(type_.item))


def speaks_of(type_: Type, name: str) -> bool:
    """Whether a type, or what it holds, is called so."""
    parts = (part for part in (type_.item, type_.key) if part is not None)
    return type_.name == name or any(speaks_of(part, name) for part in parts)


def member(type_: Type) -> Type | None:
    """What a loop over it meets one at a time; None when it is no collection."""
    if type_.name in COLLECTIONS:
        return type_.item
    if type_.name == "range":
        return INT
    if type_.name == "map":
        return type_.key
    return ERROR_TYPE if type_ is ERROR_TYPE else None


def describe(type_: Type, plurals: Mapping[str, str]) -> str:
    """A type in English: `a set of areas`."""
    if type_.name in COLLECTIONS and type_.item:
        empty = type_.item.name == "nothing"
        text = (
            f"an empty {type_.name}" if empty else f"a {type_.name} of {_many(type_.item, plurals)}"
        )
    elif type_.name == "map" and type_.item and type_.key:
        text = f"a map from {_many(type_.key, plurals)} to {_many(type_.item, plurals)}"
    else:
        text = _WORDS[type_.name][0] if type_.name in _WORDS else with_article(type_.name)
    return f"{text} or none" if type_.maybe and type_.name != "nothing" else text


def with_article(noun: str) -> str:
    spoken = noun.replace("_", " ")
    return f"an {spoken}" if spoken[:1] in "aeiou" else f"a {spoken}"


def _many(type_: Type, plurals: Mapping[str, str]) -> str:
    if type_.name in _WORDS:
        return _WORDS[type_.name][1]
    if type_.item:
        return describe(type_, plurals).removeprefix("a ").replace("set of", "sets of", 1)
    return plurals.get(type_.name, f"{type_.name}s").replace("_", " ")
