"""Open places: values, orders, procedures and phases that a pack leaves to others to answer."""

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.forms.core import Param
from ziggurat.runtime.kernel.nodes import NO_META, At, Meta, Type, at_field


@form("declaration")
@attrs.frozen
class OpenPlace:
    """What a pack leaves open, and what became of it in this stack.

    The title is its meaning. `default` is the text that holds unless somebody answers, `answer` the
    pack that does; without either the stack is no game yet.
    """

    id: str
    word: str
    title: str
    params: tuple[Param, ...]
    type: Type | None
    default: str = attrs.field(eq=False)
    answer: str = attrs.field(eq=False)
    meta: Meta = NO_META
    at: At = at_field()
