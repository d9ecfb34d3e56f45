"""Whether a game notices a difference when nobody sets an option."""

import re
from collections.abc import Iterable

from ziggurat.dsl.comparing.changes import changes
from ziggurat.dsl.comparing.defaults import as_played
from ziggurat.dsl.comparing.entries import Entry
from ziggurat.dsl.comparing.names import Reading, Renames
from ziggurat.runtime import kernel as ir

# Of several parts alike each has a number, which others may have when some are left out.
_NUMBER = re.compile(r" \d+$")
_WORD = re.compile(r"\w+")


def without_effect(
    old: ir.Ruleset, new: ir.Ruleset, renames: Renames, entries: Iterable[Entry]
) -> frozenset[Entry]:
    """Return the differences that are none between the rulesets as they are played by default."""
    before, after = (Reading(one) for one in as_played(old, new))
    before.rename(renames)
    felt = {path for one in changes(before, after) for path in _paths(one)}
    above = {whole for path in felt for whole in wholes(path)}
    known = list(entries)
    unfelt = frozenset(
        one
        for one in known
        if not any(path in above or not felt.isdisjoint(wholes(path)) for path in _paths(one))
    )
    return unfelt - _options_in_use(unfelt, [one for one in known if one not in unfelt])


def _options_in_use(unfelt: Iterable[Entry], felt: Iterable[Entry]) -> set[Entry]:
    """Return new options, and options that are gone, whose rule came or went with them."""
    told = ((one.change, " ".join(hunk)) for one in felt for hunk in one.hunks)
    spoken = {(change, word) for change, words in told for word in _WORD.findall(words)}
    return {
        one
        for one in unfelt
        if one.change in ("added", "removed")
        and one.path.startswith("option ")
        and (one.change, one.path.removeprefix("option ")) in spoken
    }


def wholes(path: str) -> list[str]:
    """Return a path and those of all that it is a part of, the innermost first."""
    parts = path.split(" / ")
    return [" / ".join(parts[:n]) for n in range(len(parts), 0, -1)]


def _paths(entry: Entry) -> set[str]:
    return {_NUMBER.sub("", side.path) for side in (entry.old, entry.new) if side is not None}
