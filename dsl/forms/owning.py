"""Kinds whose things own pieces, and kinds whose things are pieces.

`kind clan owner { … }` makes every clan an owner: `token of c in a`. `kind troop piece in pool`
makes every troop a piece, so that rules can go over them: `count(t of c in a)` for each t. Such a
thing stays a thing, with its fields and attributes; nothing else is new for whoever reads or saves
a position, because the owners and pieces it is made of (`dsl/linking/owning.py`) are those of any
game.
"""

from ziggurat.dsl.linking.types import optional, set_of
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.printing.printer import Printed, Printer, operation
from ziggurat.runtime.kernel.forms.core import Op
from ziggurat.runtime.kernel.nodes import OWNER, Expr, Type


def owns(world: World, type_: Type | None) -> bool:
    """Whether things of a type are owners."""
    info = world.kinds.get(type_.name) if type_ is not None else None
    return info is not None and "owner" in info.roles


def as_owner(world: World, found: Expr) -> Expr:
    """A thing that owns pieces as the owner it is, a set of them as the set of those owners."""
    type_ = found.type
    if owns(world, type_):
        return Op("owner_of", (found,), optional(OWNER) if type_.maybe else OWNER, at=found.at)
    if type_.name in ("set", "list") and owns(world, type_.item):
        return Op("owners_of", (found,), set_of(OWNER), at=found.at)
    return found


@operation("owner_of", "owners_of")
def _print_owner(printer: Printer, expr: Op) -> Printed:
    """The thing itself: that it is meant as an owner is plain from where it stands."""
    return printer.ranked(expr.args[0])
