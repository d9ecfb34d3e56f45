"""What a scenario gives: the position its run begins with."""

import attrs

from ziggurat.runtime.kernel.description import form, the_pieces, the_pile
from ziggurat.runtime.kernel.forms.cards import PileRef
from ziggurat.runtime.kernel.forms.pieces import Units, Whereabouts
from ziggurat.runtime.kernel.nodes import At, Expr, Stmt, at_field


@form(writes=lambda one: (the_pile(one.pile.place), the_pile()))
@attrs.frozen
class Deal:
    """Cards by face ("kind.id", number) to a pile; how: in, top, under."""

    faces: tuple[tuple[str, int], ...]
    pile: PileRef
    how: str
    at: At = at_field()


@form(writes=lambda one: the_pieces(one.units.pieces))
@attrs.frozen
class Keep:
    """Leave so many there and put the rest in the box."""

    quantity: Expr
    units: Units
    where: Whereabouts
    at: At = at_field()


@form()
@attrs.frozen
class Given:
    body: tuple[Stmt | Deal | Keep, ...]
    at: At = at_field()
