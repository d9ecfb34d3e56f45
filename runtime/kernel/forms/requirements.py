"""What must hold before something may be done or must be true of data: `needs n > 0 "Why."`."""

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.nodes import NO_META, At, Expr, Meta, at_field, later_field


@form()
@attrs.frozen
class Requirement:
    condition: Expr
    reason: str
    meta: Meta = NO_META
    at: At = at_field()
    # Empty for `needs`; `should`, or `should sometimes` if one number of players is enough.
    word: str = later_field("")
