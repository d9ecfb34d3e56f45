"""Aligning two sequences so that swapping them gives the same alignment, swapped."""

from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher

Block = tuple[int, int, int, int]


def differing_blocks(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[Block]:
    """Where two sequences differ: (old from, old to, new from, new to).

    `difflib` prefers its first argument when there is a choice; always giving it the same one of
    the two keeps the difference of A and B the mirror of that of B and A.
    """
    swapped = [repr(one) for one in old] > [repr(one) for one in new]
    first, second = (new, old) if swapped else (old, new)
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            yield (j1, j2, i1, i2) if swapped else (i1, i2, j1, j2)
