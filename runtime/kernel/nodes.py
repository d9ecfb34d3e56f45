"""What every form is made of: places in the text, types, citations, and the two great sorts."""

from typing import Any

import attrs


@attrs.frozen(order=True)
class At:
    """Where something was written: portable file name (`west/setups.rules`), 1-based positions."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


NOWHERE = At("", 0, 0, 0, 0)


def at_field() -> Any:
    """Where a form was written, which never counts for equality."""
    return attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


LATER = "later"


def later_field(default: Any) -> Any:
    """A field that forms got after games had been saved: where it says nothing, it does not count
    for the hashes of rules, so these games can still be played on."""
    return attrs.field(default=default, metadata={LATER: True})


@attrs.frozen
class Type:
    """`name` is int, bool, text, range, player, owner, set, list, map, pile, nothing, a kind's id
    or a card family's id. `item` is the member of a set/list and the value of a map, `key` a map's
    key. `maybe` marks `T or none`."""

    name: str
    item: "Type | None" = None
    key: "Type | None" = None
    maybe: bool = False


INT = Type("int")
BOOL = Type("bool")
TEXT = Type("text")
RANGE = Type("range")
PLAYER = Type("player")
OWNER = Type("owner")
# The type of an expression that is known to be mistaken; it fits everything, so that one mistake
# leads to one finding.
ERROR_TYPE = Type("wrong")


def blank(type_: Type) -> Any:
    """What stands where nothing was given: 0, no, "", none, or an empty collection."""
    if type_.maybe:
        return None
    if type_.name in ("int", "bool"):
        return 0
    if type_.name in ("set", "list"):
        return ()
    return {"text": "", "map": {}, "range": range(0)}.get(type_.name)


def zero(type_: Type) -> Any:
    """What none counts as where something of the type is wanted; None if nothing can stand in."""
    return () if type_.name == "pile" else blank(Type(type_.name))


@attrs.frozen
class Cite:
    source: str
    place: str


@attrs.frozen
class Meta:
    """Citations and rule ids of a declaration or clause. `origin` names the pack that wrote it."""

    cites: tuple[Cite, ...] = ()
    tags: tuple[str, ...] = ()
    origin: str = ""


NO_META = Meta()


class _Typed:
    """Something with a type.

    The class is not one of attrs, so `type` stands where each of its heirs declares it: type
    checkers and attrs disagree on the order of fields that a class inherits and declares again.
    """

    __slots__ = ()
    type: Type


@attrs.frozen
class Expr(_Typed):
    """Anything that has a value. Classes declare `type` where it stands among their fields."""

    at: At = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen
class Stmt:
    """Anything that happens."""

    at: At = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


Body = tuple[Stmt, ...]
