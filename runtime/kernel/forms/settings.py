"""Attributes, which change during a game, and options, which are set before it."""

from typing import Any

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.forms.core import Lit, Op
from ziggurat.runtime.kernel.nodes import (
    BOOL,
    ERROR_TYPE,
    INT,
    NO_META,
    RANGE,
    TEXT,
    At,
    Expr,
    Meta,
    Type,
    at_field,
    later_field,
)


@form("declaration")
@attrs.frozen
class Attribute:
    """`of`: table, player, owner, a kind's id or a card family's id. lasts: game, turn, phase.
    `sees` is the value that says who sees a secret one; without it only its owner does."""

    id: str
    title: str
    of: str
    type: Type
    default: Expr
    lasts: str
    secret: bool
    meta: Meta = NO_META
    sees: str = later_field("")
    at: At = at_field()


@form("declaration")
@attrs.frozen
class Option:
    """`set_by` is the pack that said the default."""

    id: str
    title: str
    type: Type
    default: Any
    choices: tuple[Any, ...]
    meta: Meta = NO_META
    set_by: str = attrs.field(default="", eq=False)
    at: At = at_field()


def natural_default(type_: Type) -> Expr | None:
    """What an attribute is when nobody says: 0, no, an empty set, none."""
    if type_ is ERROR_TYPE or type_.maybe:
        return Lit(None, type_)
    if type_.name in ("set", "list", "map"):
        return Op(type_.name, (), type_)
    scalars: dict[str, Expr] = {
        "int": Lit(0, INT), "bool": Lit(False, BOOL), "text": Lit("", TEXT),
        "range": Op("range", (Lit(0, INT), Lit(0, INT)), RANGE),
    }  # fmt: skip
    return scalars.get(type_.name)
