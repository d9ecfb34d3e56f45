"""What a difference is made of."""

from collections import Counter
from collections.abc import Collection

import attrs

from ziggurat.dsl.ir import NOWHERE, At, Cite

CHANGES = ("changed", "added", "removed", "renamed", "moved")
_MIRRORED = {"added": "removed", "removed": "added"}
# Between changed lines of one block that do not follow each other.
GAP = "⋯"


@attrs.frozen
class Side:
    """One side of a difference: the rule in words, where it stands, and what it cites."""

    path: str
    words: str
    at: At = NOWHERE
    cites: tuple[Cite, ...] = ()
    tags: tuple[str, ...] = ()


@attrs.frozen
class Entry:
    """One difference. `old` is None for what was added, `new` for what was removed.

    `hunks` pairs the words of both sides, piece by piece: only lines that differ.
    """

    section: str
    change: str
    old: Side | None
    new: Side | None
    hunks: tuple[tuple[str, str], ...]

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
    """All differences between two stacks, section by section."""

    old: str
    new: str
    entries: tuple[Entry, ...]

    def __bool__(self) -> bool:
        return bool(self.entries)

    def only(self, sections: Collection[str]) -> "Difference":
        """The differences of some sections."""
        kept = tuple(one for one in self.entries if one.section in sections)
        return attrs.evolve(self, entries=kept)

    def mirrored(self) -> "Difference":
        """The same, seen from the other side."""
        return Difference(self.new, self.old, tuple(one.mirrored() for one in self.entries))

    def sections(self) -> dict[str, tuple[Entry, ...]]:
        """Entries by section, in order."""
        names = dict.fromkeys(one.section for one in self.entries)
        return {name: tuple(e for e in self.entries if e.section == name) for name in names}

    def counts(self) -> Counter[str]:
        """How many changes of each sort there are."""
        return Counter(one.change for one in self.entries)
