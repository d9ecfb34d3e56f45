"""What rulebooks leave open, and what they only say in other words. None of it changes a game.

A `question` has the readings it can be given: each with its words and what brings it about, options
set to values or a pack, or why nobody has built it. A `clarification` tells what each book says
about something that is played alike.
"""

from typing import Any

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.nodes import NO_META, At, Cite, Meta, at_field


@form()
@attrs.frozen
class Says:
    """What a book says at a place, in words of our own."""

    source: str
    place: str
    text: str
    at: At = at_field()

    @property
    def cite(self) -> Cite:
        return Cite(self.source, self.place)


@form()
@attrs.frozen
class Reading:
    """One way to read a question. It is played where all `options` have these values and the `pack`
    is there; one that asks for neither, where no other is. `not_built` is why nobody can play it.
    """

    text: str
    pack: str = ""
    options: tuple[tuple[str, Any], ...] = ()
    not_built: str = ""
    at: At = at_field()


@form("declaration")
@attrs.frozen
class Question:
    """`shown` are the titles of scenarios that show it besides those with its id for a tag."""

    id: str
    title: str
    says: tuple[Says, ...]
    readings: tuple[Reading, ...]
    shown: tuple[str, ...]
    meta: Meta = NO_META
    at: At = at_field()


@form("declaration")
@attrs.frozen
class Clarification:
    """The title is what is played."""

    id: str
    title: str
    says: tuple[Says, ...]
    shown: tuple[str, ...]
    meta: Meta = NO_META
    at: At = at_field()
