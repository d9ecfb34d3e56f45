"""Whether a game notices a difference when nobody sets an option."""

import re
from collections.abc import Iterable, Iterator

from ziggurat.dsl import ir
from ziggurat.dsl.comparing.changes import changes
from ziggurat.dsl.comparing.defaults import as_played
from ziggurat.dsl.comparing.entries import Entry
from ziggurat.dsl.comparing.names import Reading, Renames

# Of several parts alike each has a number, which others may have when some are left out.
_NUMBER = re.compile(r" \d+$")


def without_effect(
    old: ir.Ruleset, new: ir.Ruleset, renames: Renames, entries: Iterable[Entry]
) -> frozenset[Entry]:
    """The differences that are none between the rulesets as they are played by default."""
    before, after = (Reading(one) for one in as_played(old, new))
    before.rename(renames)
    felt = {path for one in changes(before, after) for path in _paths(one)}
    return frozenset(one for one in entries if not any(_touch(_paths(one), felt)))


def _touch(paths: set[str], felt: set[str]) -> Iterator[bool]:
    """Whether a difference is felt: at its path, inside of it, or with all that it is a part of."""
    for path in paths:
        parts = path.split(" / ")
        yield any(" / ".join(parts[:n]) in felt for n in range(1, len(parts) + 1))
        yield any(one.startswith(f"{path} / ") for one in felt)


def _paths(entry: Entry) -> set[str]:
    return {_NUMBER.sub("", side.path) for side in (entry.old, entry.new) if side is not None}
