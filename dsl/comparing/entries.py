"""What a difference is made of."""

from collections import Counter
from collections.abc import Collection

import attrs

from ziggurat.dsl.comparing.align import Block
from ziggurat.dsl.printing.layout import Line
from ziggurat.runtime.kernel import NOWHERE, At, Cite

CHANGES = ("changed", "added", "removed", "renamed", "moved")
_MIRRORED = {"added": "removed", "removed": "added"}
# Between changed lines of one block that do not follow each other.
GAP = "⋯"


@attrs.frozen
class Side:
    """One side of a difference: the rule in words, where it stands, what it cites, and what people
    call it. `declared` is where the declaration begins that it is a part of."""

    path: str
    words: str
    at: At = NOWHERE
    cites: tuple[Cite, ...] = ()
    tags: tuple[str, ...] = ()
    title: str = ""
    declared: At = NOWHERE


@attrs.frozen
class Entry:
    """One difference. `old` is None for what was added, `new` for what was removed.

    `hunks` pairs the words of both sides, piece by piece: only lines that differ. Of a part that
    changed, `lines` has all lines of both sides, and `blocks` where these differ.
    """

    section: str
    change: str
    old: Side | None
    new: Side | None
    hunks: tuple[tuple[str, str], ...]
    lines: tuple[tuple[Line, ...], ...] = attrs.field(default=(), eq=False, repr=False)
    blocks: tuple[Block, ...] = attrs.field(default=(), eq=False, repr=False)

    @property
    def title(self) -> str:
        """What people call it."""
        side = self.new or self.old
        return side.title if side else ""

    @property
    def path(self) -> str:
        """Where to look: the new path, or the old one of what is gone."""
        side = self.new or self.old
        return side.path if side else ""

    def mirrored(self) -> "Entry":
        change = _MIRRORED.get(self.change, self.change)
        hunks = tuple((new, old) for old, new in self.hunks)
        return Entry(self.section, change, self.new, self.old, hunks)


def entry(section: str, change: str, old: Side | None, new: Side | None) -> Entry:
    """A difference that is told in one piece."""
    hunk = (old.words if old else "", new.words if new else "")
    return Entry(section, change, old, new, (hunk,))


@attrs.frozen
class Difference:
    """All differences between two stacks, section by section.

    What is told `besides` is no difference of rules and never counts: questions that are answered
    otherwise, and clarifications.
    """

    old: str
    new: str
    entries: tuple[Entry, ...]
    besides: tuple[Entry, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.entries)

    def only(self, sections: Collection[str]) -> "Difference":
        """The differences of some sections."""
        kept, besides = (
            tuple(one for one in told if one.section in sections)
            for told in (self.entries, self.besides)
        )
        return attrs.evolve(self, entries=kept, besides=besides)

    def mirrored(self) -> "Difference":
        """The same, seen from the other side."""
        entries, besides = (
            tuple(one.mirrored() for one in told) for told in (self.entries, self.besides)
        )
        return Difference(self.new, self.old, entries, besides)

    def counts(self) -> Counter[str]:
        """How many changes of each sort there are."""
        return Counter(one.change for one in self.entries)
