"""What packs did to declarations of others, kept with the ruleset so that it can be told later."""

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.nodes import At, at_field


@form()
@attrs.frozen
class Amendment:
    """One line of a pack about a declaration, known by its word and id: what it does to it
    (`changes`, `replaces`, `removes`), to which field if to one, in which words, and the names that
    mean nothing since."""

    does: str
    word: str
    id: str
    field: str
    words: str
    gone: tuple[str, ...] = ()
    at: At = at_field()

    @property
    def pack(self) -> str:
        return self.at.file.partition("/")[0]

    @property
    def spoken(self) -> str:
        return f"{self.word} {self.id}"
