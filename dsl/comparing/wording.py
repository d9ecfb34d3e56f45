"""What two rulesets only say in other words, and what they advise otherwise.

Neither changes what anybody may do: titles, prompts, reasons and sentences that are said are for
people, advice is for bots.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import attrs

from ziggurat.dsl.comparing.align import Block, differing_blocks
from ziggurat.dsl.comparing.entries import Entry, Side, entry
from ziggurat.dsl.comparing.groups import Half
from ziggurat.dsl.comparing.names import Numbering, Reading, texts
from ziggurat.dsl.comparing.parts import Part
from ziggurat.dsl.comparing.subjects import Subject
from ziggurat.dsl.comparing.titles import in_words
from ziggurat.dsl.printing.declarations import Declarations
from ziggurat.dsl.printing.layout import Line, lay_out
from ziggurat.dsl.printing.printer import Printer
from ziggurat.runtime.kernel import Advice, Meta, Ruleset

WORDING, ADVICE = "wording", "advice"
SECTIONS = (WORDING, ADVICE)
# The part of a small declaration that has its title, which is told by itself.
_HEAD = "declaration"


def in_other_words(a: Reading, b: Reading) -> Iterator[Entry]:
    """Wording, where the rule is the same; then advice. `a` speaks in the names of `b`."""
    earlier = {(sort, to): id_ for (sort, id_), to in a.renames.items()}
    for new in b.subjects.values():
        old = a.subjects.get((new.sort, earlier.get(new.key, new.id)))
        if old is not None:
            yield from _titles(old, new)
            yield from _parts(a, old, b, new)
    yield from _advice(a, b)


def _titles(old: Subject, new: Subject) -> Iterator[Entry]:
    if old.id == new.id and old.title != new.title:
        sides = [
            Side(f"{one.path} / title", one.title, one.at, one.meta.cites, one.meta.tags, one.title)
            for one in (old, new)
        ]
        yield entry(WORDING, "changed", *sides)


def _parts(a: Reading, old: Subject, b: Reading, new: Subject) -> Iterator[Entry]:
    pages = _worded(a), _worded(b)
    for before, after in _same_rules(a, old, b, new):
        mine, theirs = (
            _numbered(page, part) for page, part in zip(pages, (before, after), strict=True)
        )
        if texts(mine) != texts(theirs):
            halves = Half(a, old, _group(old, before)), Half(b, new, _group(new, after))
            yield _reworded(halves, (before, after), (mine, theirs))


def _group(subject: Subject, part: Part) -> tuple[Part, ...]:
    return tuple(one for one in subject.parts if one.group == part.group)


def _same_rules(a: Reading, old: Subject, b: Reading, new: Subject) -> Iterator[tuple[Part, Part]]:
    """The parts that mean the same on both sides."""
    left = [(part.common_group(a.renames), texts(a.nameless(part)), part) for part in old.parts]
    for part in new.parts:
        key = part.group, texts(b.nameless(part))
        twin = next((one for one in left if one[:2] == key), None)
        if twin is not None and part.group != _HEAD:
            left.remove(twin)
            yield twin[2], part


def _reworded(
    halves: tuple[Half, Half], parts: tuple[Part, Part], lines: tuple[list[Line], list[Line]]
) -> Entry:
    """Only the lines that differ, in the words of each side."""
    own = [
        part.tell(_worded(half.reading, common=False))
        for half, part in zip(halves, parts, strict=True)
    ]
    hunks = _hunks(own, differing_blocks(texts(lines[0]), texts(lines[1])))
    a, b = (
        half.side(part, "\n".join(filter(None, words)))
        for half, part, words in zip(halves, parts, zip(*hunks, strict=True), strict=True)
    )
    return Entry(WORDING, "changed", a, b, hunks)


class _Worded(Declarations):
    """Prints wording, but no citations and tags."""

    def meta(self, meta: Meta, depth: int) -> list[Line]:
        return []


def _worded(side: Reading, common: bool = True) -> _Worded:
    lexicon = (side.common if common else side.own).printer.lexicon
    bare = attrs.evolve(side.ruleset, open_places={})
    return _Worded(bare, Printer(lexicon, wording=True), side.index, sorting=common)


def _numbered(page: _Worded, part: Part) -> list[Line]:
    printer = Numbering(page.printer.lexicon, wording=True)
    for name in part.params:
        printer.local(name)
    return part.tell(_Worded(page.ruleset, printer, page.index, sorting=True))


# ---- advice -------------------------------------------------------------------------------------


def _advice(a: Reading, b: Reading) -> Iterator[Entry]:
    old, new = _advised(a.ruleset), _advised(b.ruleset)
    for target in sorted({*old, *new}):
        advised = old.get(target, ()), new.get(target, ())
        mine, theirs = (
            [line for one in page for line in side.common.lines(one)]
            for side, page in zip((a, b), advised, strict=True)
        )
        blocks = list(differing_blocks(texts(mine), texts(theirs)))
        if blocks:
            own = [
                [line for one in page for line in side.own.lines(one)]
                for side, page in zip((a, b), advised, strict=True)
            ]
            hunks, told = _hunks(own, blocks), in_words(target)
            a_side, b_side = (
                Side(f"advice {target}", "\n".join(filter(None, words)), page[0].at, title=told)
                if page
                else None
                for page, words in zip(advised, zip(*hunks, strict=True), strict=True)
            )
            change = "removed" if not theirs else "added" if not mine else "changed"
            yield Entry(ADVICE, change, a_side, b_side, hunks)


def _hunks(own: Sequence[list[Line]], blocks: Iterable[Block]) -> tuple[tuple[str, str], ...]:
    """The lines of both sides that differ, stretch by stretch."""
    return tuple((lay_out(own[0][i1:i2]), lay_out(own[1][j1:j2])) for i1, i2, j1, j2 in blocks)


def _advised(ruleset: Ruleset) -> dict[str, tuple[Advice, ...]]:
    told = sorted(ruleset.advice, key=lambda one: one.target)
    return {target: tuple(found) for target, found in groupby(told, lambda one: one.target)}
