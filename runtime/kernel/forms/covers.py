"""Pieces that lie covered: everybody sees how many there are and what lies on top.

`cover fog "Fog of war" of unit { … }` is about the things of a kind that are pieces. Who may look
at which of them, which one of a stack is on top, and what could lie in it, values of the pack say:
they are asked of whoever looks (none: somebody who only looks on), of whose pieces they are, of the
place (none: one beside the board, such as the stock) and of the piece. What each value must look
like stands here, and so does what an attribute asks to know who sees it (`sees`).
"""

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.nodes import NO_META, At, Meta, at_field


@form("declaration")
@attrs.frozen
class Cover:
    """`of`: the kind whose things are the pieces, `owner` whose they are: player, owner or a kind.
    The others are values: who `sees` a piece, which one lies on `top` of a stack, whether one
    `fits` a place. `option` switches it on, if there is one."""

    id: str
    title: str
    of: str
    owner: str
    sees: str
    top: str
    fits: str
    option: str = ""
    meta: Meta = NO_META
    at: At = at_field()
