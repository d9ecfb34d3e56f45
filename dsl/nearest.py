"""Did you mean …? The nearest of the names that exist, or nothing when none is near.

A wrong guess is worse than none: an author follows it. So the distance allowed grows slowly with
the length of the word, and very short words get a guess only for a difference of case.
"""

from collections.abc import Iterable

LONGEST = 64


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like `word`, ties broken by the alphabet, or None."""
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
    """The nearest candidate as a sentence for `Diagnostic.suggestion`."""
    found = nearest(word, candidates)
    return f"Did you mean `{found}`?" if found else None


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
