"""What must hold before something may be done or must be true of data: `needs n > 0 "Why."`."""

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.nodes import NO_META, At, Expr, Meta, at_field


@form()
@attrs.frozen
class Requirement:
    condition: Expr
    reason: str
    meta: Meta = NO_META
    at: At = at_field()
    # Or `should`, and `should sometimes` what need not be so for every number of players.
    word: str = attrs.field(default="needs", kw_only=True)
