"""What lies on the table: card families, places, pieces, and owners without a seat."""

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.forms.kinds import Field, FieldValue
from ziggurat.runtime.kernel.nodes import NO_META, At, Meta, at_field


@form("declaration")
@attrs.frozen
class Piece:
    """`values` are the fields that the groups of the piece declare. `kind` is the kind of the thing
    that is this piece, if one is."""

    id: str
    title: str
    supply: int
    home: str
    states: tuple[str, ...]
    meta: Meta = NO_META
    values: tuple[FieldValue, ...] = ()
    kind: str = ""
    at: At = at_field()


@form("declaration")
@attrs.frozen
class PieceGroup:
    """Pieces that go by one name; each of them has the `fields` of the group. `kind` is the kind
    whose things they are, if they are things."""

    id: str
    members: tuple[str, ...]
    fields: tuple[Field, ...] = ()
    kind: str = ""
    at: At = at_field()


@form("declaration")
@attrs.frozen
class Place:
    """`of`: owner, player, a kind's id, or table. `cards` is the family held, empty for pieces.
    seen: open, secret (its owner only), hidden (nobody). Who does not see the cards sees how many
    there are if they are `counted`, else only whether there are any."""

    id: str
    title: str
    of: str
    cards: str
    seen: str
    counted: bool = True
    at: At = at_field()


@form("declaration")
@attrs.frozen
class CardFamily:
    id: str
    title: str
    faces: tuple[str, ...]
    at: At = at_field()


@form("declaration")
@attrs.frozen
class Neutral:
    """An owner without a seat; `values` are fields of the kind that players have from theirs.
    `kind` is the kind of the thing that is this owner, if one is."""

    id: str
    title: str
    supply: tuple[tuple[str, int], ...]
    values: tuple[FieldValue, ...] = ()
    kind: str = ""
    at: At = at_field()
