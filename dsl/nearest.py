"""Did you mean …? The nearest of the names that exist, or nothing when none is near.

A wrong guess is worse than none: an author follows it. So the distance allowed grows slowly with
the length of the word, and very short words get a guess only for a difference of case.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import attrs

LONGEST = 64
# A word that nobody writes. Wherever it is looked up in vain, all that could stand in its place is
# at hand for a guess; who listens there hears what may be written.
PROBE = "zz_sought"
MOST = 3


@attrs.define(eq=False)
class Heard:
    """What could have stood in the place of the probe: words as they were looked up, with all that
    is known there; and the types that were wanted."""

    known: list[tuple[str, tuple[str, ...]]] = attrs.field(factory=list)
    wanted: list[Any] = attrs.field(factory=list)


_HEARD: ContextVar[Heard | None] = ContextVar("heard", default=None)


@contextmanager
def listening() -> Iterator[Heard]:
    """Hear what is known wherever the probe is looked up."""
    heard = Heard()
    before = _HEARD.set(heard)
    try:
        yield heard
    finally:
        _HEARD.reset(before)


def sought(word: str, wanted: Any) -> None:
    """Tell who listens of which type something should be."""
    heard = _HEARD.get()
    if heard is not None and PROBE in word and wanted is not None:
        heard.wanted.append(wanted)


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like `word`, ties broken by the alphabet, or None."""
    heard = _HEARD.get()
    if heard is not None and PROBE in word:
        heard.known.append((word, tuple(candidates)))
        return None
    if not word or len(word) > LONGEST:
        return None
    plain = _plain(word)
    best: tuple[int, str] | None = None
    for candidate in candidates:
        if candidate == word or len(candidate) > LONGEST:
            continue
        limit = _allowed(plain) if best is None else best[0]
        score = _score(plain, _plain(candidate), limit)
        if score <= limit and (best is None or (score, candidate) < best):
            best = (score, candidate)
    return best[1] if best else None


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """The nearest candidate as a sentence for `Diagnostic.suggestion`; of paths, those with nearly
    the same words if none is near."""
    known = tuple(candidates)
    found = nearest(word, known)
    listed = [found] if found else _by_words(word, known)
    told = " or ".join(f"`{one}`" for one in listed)
    return f"Did you mean {told}?" if told else None


def _by_words(word: str, candidates: Iterable[str]) -> list[str]:
    """Paths that end alike and share a word before that: `tax.rate` is `tax_collection.rate`. A
    few of them are told; many would be a guess."""
    if "." not in word or len(word) > LONGEST:
        return []
    home, _, last = _plain(word).rpartition(".")
    found = []
    for candidate in candidates:
        above, _, end = _plain(candidate).rpartition(".")
        if end == last and _words(above) & _words(home):
            found.append(candidate)
    return sorted(found) if len(found) <= MOST else []


def _words(path: str) -> set[str]:
    return {word for word in path.replace(".", "_").split("_") if len(word) > 1}


def _plain(word: str) -> str:
    return word.casefold().replace("-", "_").replace(" ", "_")


def _allowed(word: str) -> int:
    length = len(word)
    if length <= 2:
        return 0
    return 1 if length <= 5 else 2 if length <= 8 else 3


def _score(word: str, candidate: str, limit: int) -> int:
    if word == candidate:
        return 0
    if sorted(word.split("_")) == sorted(candidate.split("_")):
        return 1
    if len(word) >= 4 and candidate.startswith(word + "_"):
        return 1
    return _distance(word, candidate, limit)


def _distance(a: str, b: str, limit: int) -> int:
    """Edits from one to the other, a swap of neighbours being one; gives up beyond `limit`."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        older, before, row = before, row, [i]
        for j, y in enumerate(b, 1):
            cost = min(before[j] + 1, row[-1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
    return row[-1]
