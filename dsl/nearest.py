"""Did you mean …? The nearest of the names that exist, or nothing when none is near.

A wrong guess is worse than none: an author follows it. So the distance allowed grows slowly with
the length of the word, and very short words get a guess only for a difference of case.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any

import attrs

LONGEST = 64
MOST_SEARCHES = 100  # that are made however long they take
MOST_COMPARISONS = 200_000  # of names in the searches beyond those
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


@attrs.define(eq=False)
class Effort:
    """How much was searched for names that nobody declared, while packs were linked."""

    searches: int = 0
    comparisons: int = 0

    def is_too_much(self) -> bool:
        return self.searches > MOST_SEARCHES and self.comparisons > MOST_COMPARISONS


_EFFORT: ContextVar[Effort | None] = ContextVar("effort", default=None)


@contextmanager
def limited_effort() -> Iterator[None]:
    """Search no more where far more names are unknown than anybody is shown suggestions for."""
    before = _EFFORT.set(Effort())
    try:
        yield
    finally:
        _EFFORT.reset(before)


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate most like `word`, the first in the alphabet of several, or None."""
    heard = _HEARD.get()
    if heard is not None and PROBE in word:
        heard.known.append((word, tuple(candidates)))
        return None
    effort = _EFFORT.get()
    if not word or len(word) > LONGEST or (effort is not None and effort.is_too_much()):
        return None
    plain = _plain(word)
    best: tuple[int, str] | None = None
    compared = 0
    for candidate in candidates:
        compared += 1
        if candidate == word or len(candidate) > LONGEST:
            continue
        # Of two that are as near, the first in the alphabet wins.
        limit = _allowed(plain) if best is None else best[0] - (candidate > best[1])
        score = _score(plain, _plain(candidate), limit)
        if score <= limit:
            best = (score, candidate)
    if effort is not None:
        effort.searches += 1
        effort.comparisons += compared
    return best[1] if best else None


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """Return the nearest candidate as a sentence for `Diagnostic.suggestion`; of paths, those with
    nearly the same words if none is near."""
    effort = _EFFORT.get()
    if effort is not None and effort.is_too_much():
        return None
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


@lru_cache(maxsize=20_000)
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
    if len(word) >= 4 and candidate.startswith(word + "_"):
        return 1
    if abs(len(word) - len(candidate)) > limit:
        return limit + 1
    letters, others = _letters(word), _letters(candidate)
    if letters == others and sorted(word.split("_")) == sorted(candidate.split("_")):
        return 1
    if len(letters ^ others) > 2 * limit:
        return limit + 1
    return _distance(word, candidate, limit)


@lru_cache(maxsize=20_000)
def _letters(word: str) -> frozenset[str]:
    return frozenset(word)


def _distance(a: str, b: str, limit: int) -> int:
    """Count edits from one to the other, a swap of neighbours being one; stop beyond `limit`."""
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    a, b = a[start:], b[start:]
    while a and b and a[-1] == b[-1]:
        a, b = a[:-1], b[:-1]
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
