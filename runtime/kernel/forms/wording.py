"""Phrases and chapters: what packs say for readers. None of it changes a game.

A `phrase` is how something is called in a sentence: a value, a procedure, a field, a place. A
`chapter` is what a book tells about a kind or a phase besides its rules: a heading, a paragraph,
which fields stand on a card and in a table.
"""

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.nodes import NO_META, At, Meta, at_field


@form("declaration")
@attrs.frozen
class Phrase:
    """How something is called in a sentence. `id` is its path, `title` the words, in which names of
    parameters in curly brackets stand for what is given, and `this` for whose field or place it
    is. `denied` is the same when it is not so, `plural` several of it, `label` its short name."""

    id: str
    title: str
    denied: str = ""
    plural: str = ""
    label: str = ""
    meta: Meta = NO_META
    at: At = at_field()


@form("declaration")
@attrs.frozen
class Chapter:
    """What a book tells about a kind, a phase or a turn. `text` has paragraphs; `card` and `table`
    are the fields that stand on a card of a thing and in the table of all, `sorted` so. `shows` are
    values that front ends display to a player: of them and a thing; in a phase of them, or of them
    and another player. Things that lie `along` a value of players, like stretches of a track, each
    `begins` somewhere."""

    id: str
    title: str
    text: tuple[str, ...] = ()
    card: tuple[str, ...] = ()
    table: tuple[str, ...] = ()
    sorted: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    along: str = ""
    begins: str = ""
    meta: Meta = NO_META
    at: At = at_field()
