"""What the pictures of a difference share: signs, numbers, places, marks, and which words of a line
changed."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from ziggurat import Arrangement, Difference, Heading, Marked, Provision, Side, ir

SIGNS = {"added": "+", "removed": "-", "changed": "~", "renamed": "=", "moved": ">",
         "clarified": "≈"}  # fmt: skip
# The changes in the order in which they are counted.
COUNTED = ("changed", "added", "removed", "renamed", "moved")
# Above this many, declarations that one side lacks are listed by name, not written out.
MANY = 12
# How much of two lines must be the same for the rest to be marked.
ALIKE = 0.4
UNFELT = "no effect under the default options"
UNREAD = "no rule looks at it"
_PLURALS = {"question": "questions", "clarification": "clarifications",
            "wording": "texts in other words", "advice": "pieces of advice"}  # fmt: skip
_SINGULARS = {"wording": "text in other words", "advice": "piece of advice"}

_WORDS = re.compile(r"\s+|[\w.]+|[^\w\s]")
# A piece of a line, and whether the other side has it too.
Piece = tuple[str, bool]


def headline(told: Arrangement) -> str:
    """`26 rules differ, 10 of them not under the default options; data of 338 areas; 2 questions`;
    `no difference`."""
    if not told.difference:
        return "no difference" + besides_counted(told.counts())
    return numbers(told.counts(), told.data())


def numbers(counts: Mapping[str, int], data: "Counter[str]") -> str:
    """How many rules differ, how many things have other data, and what is told besides."""
    parts = [rules_counted(counts["rules"], counts["unfelt"])] if counts["rules"] else []
    if data:
        named = (f"{n} {_named(name, n)}" for name, n in data.most_common())
        parts.append(f"data of {listed(named)}")
    return ("; ".join(parts) + besides_counted(counts)).removeprefix("; ")


def besides_counted(counts: Mapping[str, int]) -> str:
    """`; 10 questions, 2 pieces of advice`, or nothing."""
    found = [
        f"{n} {_PLURALS[sort] if n > 1 else _SINGULARS.get(sort, sort)}"
        for sort in _PLURALS
        if (n := counts.get(sort, 0))
    ]
    return f"; {', '.join(found)}" if found else ""


def rules_counted(rules: int, unfelt: int) -> str:
    """How many rules differ, and how many of them nobody notices unless an option is set."""
    told = f"{rules} rules differ" if rules > 1 else "1 rule differs"
    if not unfelt:
        return told
    if unfelt == rules:
        return f"{told}, {'none of them' if rules > 1 else 'but not'} under the default options"
    return f"{told}, {unfelt} of them not under the default options"


def listed(words: Iterable[str]) -> str:
    """`a, b and c`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _named(section: str, number: int) -> str:
    words = section.replace("_", " ")
    return words if number > 1 else _singular(words)


def _singular(plural: str) -> str:
    for ending, one in (("ies", "y"), ("oes", "o"), ("s", "")):
        if plural.endswith(ending):
            return plural.removesuffix(ending) + one
    return plural


def counted(difference: Difference) -> str:
    """`3 changed, 1 added`: entries, not rules."""
    counts = difference.counts()
    return ", ".join(f"{counts[change]} {change}" for change in COUNTED if counts[change])


def marks(told: Marked, chapter: Heading) -> list[str]:
    """What a reader may want to skip: nothing happens by it, or it is no rule."""
    found = []
    if told.sort in ("data", "advice") and chapter.sort in ("phase", "thing"):
        found.append(told.sort if told.sort == "data" else "only for advice")
    if not told.felt and told.sort in ("rule", "data"):
        found.append(UNFELT if told.sort == "rule" else UNREAD)
    return found


def cited(provision: Provision) -> str:
    """`W 6.1b → E 6.1b`: the chapters of the rulebooks."""
    old, new = (_cites(provision.cites(side)) for side in (True, False))
    return old if old == new or not new else new if not old else f"{old} → {new}"


def _cites(cites: Sequence[ir.Cite]) -> str:
    return ", ".join(f"{cite.source} {cite.place}" for cite in cites)


def remarks(provision: Provision) -> list[str]:
    """The comments above the rules; where both sides have one, which is whose."""
    before, after = provision.comments
    told = [f"was: {before}", f"now: {after}"] if before and after else [before, after]
    return [one for one in told if one]


def place(side: Side | None) -> str:
    """`west/taxes.rules:12`."""
    return f"{side.at.file}:{side.at.line}" if side is not None and side.at.file else ""


def places(told: Marked) -> str:
    """Where both sides say it."""
    found = dict.fromkeys(filter(None, (place(told.entry.old), place(told.entry.new))))
    return " → ".join(found)


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
    """Two versions of a line, word by word; two lines that have little in common are not marked."""
    a, b = _WORDS.findall(old), _WORDS.findall(new)
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    if matcher.ratio() < ALIKE:
        return [(old, True)], [(new, True)]
    left: list[Piece] = []
    right: list[Piece] = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        left += [("".join(a[i1:i2]), tag == "equal")] if i2 > i1 else []
        right += [("".join(b[j1:j2]), tag == "equal")] if j2 > j1 else []
    return left, right


def brief_groups(
    provisions: Sequence[Provision],
) -> tuple[dict[str, list[Provision]], list[Provision]]:
    """Of one chapter, what is told by name only (whole declarations of data that one side lacks, or
    that are called otherwise, if there are many), by change; and all the others."""
    named: dict[str, list[Provision]] = {}
    for one in provisions:
        if one.sort in ("data", "advice", "wording") and len(one.told) == 1:
            entry = one.told[0].entry
            whole = " / " not in entry.path and entry.change in ("added", "removed", "renamed")
            if whole:
                named.setdefault(entry.change, []).append(one)
    if sum(map(len, named.values())) <= MANY:
        named = {}
    known = {id(one) for page in named.values() for one in page}
    return named, [one for one in provisions if id(one) not in known]


def name_of(provision: Provision) -> str:
    """`Minoa`; `Ochre → Flax`."""
    entry = provision.told[0].entry
    if entry.change == "renamed" and entry.old and entry.new:
        return f"{entry.old.title} → {entry.new.title}"
    return provision.title or entry.path
