"""What the pictures of a difference share: signs, places, and which words of a line changed."""

import re
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import zip_longest

from ziggurat import Difference, Side

SIGNS = {"added": "+", "removed": "-", "changed": "~", "renamed": "=", "moved": ">",
         "clarified": "≈"}  # fmt: skip
# The changes in the order in which they are counted.
COUNTED = ("changed", "added", "removed", "renamed", "moved")
# Above this many, declarations that one side lacks are listed by name, not written out.
MANY = 12

_WORDS = re.compile(r"\s+|[\w.]+|[^\w\s]")
# A piece of a line, and whether the other side has it too.
Piece = tuple[str, bool]


def counted(difference: Difference) -> str:
    """`3 changed, 1 added`; `no difference; 2 questions`."""
    counts = difference.counts()
    told = [f"{counts[change]} {change}" for change in COUNTED if counts[change]]
    besides = Counter(one.section for one in difference.besides)
    listed = [_number(number, section) for section, number in besides.items()]
    return "; ".join(filter(None, (", ".join(told) or "no difference", ", ".join(listed))))


def _number(number: int, section: str) -> str:
    return f"{number} {section if number > 1 else section.removesuffix('s')}"


def where(side: Side | None) -> str:
    """`west/taxes.rules:12 (W 6.1a)`."""
    if side is None or not side.at.file:
        return ""
    cites = ", ".join(f"{cite.source} {cite.place}" for cite in side.cites)
    place = f"{side.at.file}:{side.at.line}"
    return f"{place} ({cites})" if cites else place


def rows(old: str, new: str) -> Iterator[tuple[list[Piece], list[Piece]]]:
    """Lines side by side, each cut into pieces that both sides have and pieces that changed."""
    left, right = old.split("\n") if old else [], new.split("\n") if new else []
    alone = not left or not right
    for a, b in zip_longest(left, right, fillvalue=""):
        if alone or not a or not b:
            yield [(a, alone)] if a else [], [(b, alone)] if b else []
        else:
            yield pieces(a, b)


def pieces(old: str, new: str) -> tuple[list[Piece], list[Piece]]:
    """Two versions of a line, word by word."""
    a, b = _WORDS.findall(old), _WORDS.findall(new)
    left: list[Piece] = []
    right: list[Piece] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        left += [("".join(a[i1:i2]), tag == "equal")] if i2 > i1 else []
        right += [("".join(b[j1:j2]), tag == "equal")] if j2 > j1 else []
    return left, right
