"""How a form describes itself, and the registry of all that do.

`@form(…)` stands above a class of the ruleset. Which of its fields hold other forms is derived from
their types; the rest is said in the arguments: names it binds, what of a position it reads and
writes, whether it asks somebody, loops, or calls other rules.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar, get_args, get_type_hints

import attrs

from ziggurat.runtime.kernel.nodes import Body, Expr, Stmt

IT = "it"
# A name bound so is in sight in all that follows in the same block.
AFTER = ("after",)


class Touch(NamedTuple):
    """A part of a position: pieces, piles or attributes, known by id ("" is any of them);
    holdings; chance; the log; the course of the game."""

    part: str
    id: str = ""


PIECES, PILES, ATTRIBUTES, HELD = "pieces", "piles", "attributes", "held"
HOLDINGS = Touch(HELD)
CHANCE = Touch("chance")
LOG = Touch("log")
COURSE = Touch("course")
# After it nothing is reached: always, or when nothing is after any of its blocks.
ENDS, BLOCKS = "always", "blocks"
# What is called: ("value", id), ("order", id), ("procedure", id), ("body", kind, name),
# ("phase", id).
Call = tuple[str, ...]
Touches = Callable[[Any], Iterable[Touch]]
Calls = Callable[[Any], Iterable[Call]]


def the_attribute(id_: str) -> Touch:
    return Touch(ATTRIBUTES, id_)


def the_pile(id_: str = "") -> Touch:
    return Touch(PILES, id_)


def the_pieces(ids: Iterable[str]) -> list[Touch]:
    return [Touch(PIECES, id_) for id_ in ids]


def _nothing(node: Any) -> tuple[()]:
    return ()


@attrs.frozen
class Description:
    """What a class says about itself.

    `binds`: the field with the name, and the fields in which it is in sight, or AFTER. `uses`: the
    field with the name it speaks of. `it`: the fields that speak of a candidate as `it`. `fence`:
    names made in its blocks are not seen after it. `shown`: only people look at it. `variants`: for
    a field, what a small mistake would make of each of its values.
    """

    sort: str
    binds: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)
    uses: str = ""
    it: tuple[str, ...] = ()
    fence: bool = True
    reads: Touches = _nothing
    writes: Touches = _nothing
    calls: Calls = _nothing
    asks: bool = False
    loops: bool = False
    ends: str = ""
    shown: bool = False
    variants: Mapping[str, Mapping[str, str]] = attrs.field(factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The fields with names that are in sight in what follows."""
        return tuple(field for field, where in self.binds.items() if where == AFTER)

    @property
    def dispensable(self) -> bool:
        """Whether the rest makes sense without it and somebody would notice."""
        return not self.names and not self.shown


FORMS: dict[type, Description] = {}
# What operations read of a position besides what their operands do, and what a small mistake makes
# of them; their families say so.
OPERATIONS_READ: dict[str, tuple[Touch, ...]] = {}
MISTAKEN_OPERATIONS: dict[str, str] = {}
T = TypeVar("T", bound=type)


def form(sort: str = "", **said: Any) -> Callable[[T], T]:
    """Register a class; expressions and statements are known by their base, others are parts
    unless they say what they are."""

    def register(cls: T) -> T:
        FORMS[cls] = Description(sort or _sort(cls), **said)
        return cls

    return register


def _sort(cls: type) -> str:
    if issubclass(cls, Expr):
        return "expression"
    return "statement" if issubclass(cls, Stmt) else "part"


def described(node: Any) -> Description:
    return FORMS[type(node)]


def fields_of(cls: type) -> tuple[str, ...]:
    """The fields of a form that hold other forms, in the order they were written."""
    return _parts(cls)[0]


def blocks_of(cls: type) -> tuple[str, ...]:
    """The fields of a form that hold statements."""
    return _parts(cls)[1]


_PARTS: dict[type, tuple[tuple[str, ...], tuple[str, ...]]] = {}


def _parts(cls: type) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if cls not in _PARTS:
        hints = get_type_hints(cls)
        names = [field.name for field in attrs.fields(cls)]
        forms = tuple(name for name in names if _holds_forms(hints[name]))
        _PARTS[cls] = forms, tuple(name for name in forms if hints[name] == Body)
    return _PARTS[cls]


def _holds_forms(hint: Any) -> bool:
    if hint in FORMS or hint in (Expr, Stmt):
        return True
    return any(_holds_forms(part) for part in get_args(hint))
