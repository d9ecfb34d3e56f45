"""The parts of one group on both sides: which are the same, and what became of the others."""

from collections.abc import Iterator, Sequence

import attrs

from ziggurat.dsl.comparing.align import Block, differing_blocks
from ziggurat.dsl.comparing.entries import GAP, Entry, Side, entry
from ziggurat.dsl.comparing.names import Reading, texts
from ziggurat.dsl.comparing.parts import Part
from ziggurat.dsl.comparing.subjects import Subject
from ziggurat.dsl.comparing.titles import part_title
from ziggurat.dsl.printing.layout import OPEN, Line, lay_out
from ziggurat.runtime.kernel import NOWHERE

Pair = tuple[Part, Part]


@attrs.frozen(eq=False)
class Half:
    """One side of a group."""

    reading: Reading
    subject: Subject
    parts: tuple[Part, ...]

    def path(self, part: Part) -> str:
        """The stable path of a part; the second of several alike has a number."""
        label = part.label or part.group
        if not part.label and len(self.parts) > 1:
            label += f" {self.parts.index(part) + 1}"
        return f"{self.subject.path} / {label}"

    def side(self, part: Part, words: str | None = None, at: Line | None = None) -> Side:
        lines = self.reading.words(part)
        meta = part.meta if part.meta.cites or part.meta.tags else self.subject.meta
        place = at.at if at is not None and at.at is not NOWHERE else part.at
        told = lay_out(lines) if words is None else words
        title = part_title(self.reading, self.subject, part)
        return Side(
            self.path(part), told, place, meta.cites, meta.tags, title, self.subject.at
        )  # fmt: skip

    def position(self, part: Part) -> str:
        """A part of a sequence, and what comes before it."""
        i = self.parts.index(part)
        told = lay_out(self.reading.words(part))
        if i == 0:
            return f"{told}, first"
        return f"{told}, after {self.reading.words(self.parts[i - 1])[0].text.removesuffix(OPEN)}"


def compare(old: Half, new: Half) -> Iterator[Entry]:
    """Everything that is not the same in one group of parts."""
    section = new.subject.section
    pairs, gone, come = _matched(old, new)
    moved = _moved(old, new, gone, come)
    for part in gone:
        if not part.usual:
            yield entry(section, "removed", old.side(part), None)
    for before, after in moved:
        sides = old.side(before, old.position(before)), new.side(after, new.position(after))
        yield entry(section, "moved", *sides)
    for before, after in (*pairs, *moved):
        yield from _changed(section, old, before, new, after)
    for part in come:
        if not part.usual:
            yield entry(section, "added", None, new.side(part))


def _matched(old: Half, new: Half) -> tuple[list[Pair], list[Part], list[Part]]:
    """Versions of the same part, parts gone and parts come."""
    pairs: list[Pair] = []
    gone: list[Part] = []
    come: list[Part] = []
    if _named(old) and _named(new):
        return _matched_by_name(old, new)
    for left, right in _unequal(old, new):
        for part in tuple(left):
            twin = next((one for one in right if _versions(part, one)), None)
            if twin is not None:
                pairs.append((part, twin))
                left.remove(part)
                right.remove(twin)
        gone += left
        come += right
    return pairs, gone, come


def _named(half: Half) -> bool:
    """Whether the parts of a sequence have names of their own, as the keys of an order do."""
    return all(part.ordered and part.label and part.like for part in half.parts)


def _matched_by_name(old: Half, new: Half) -> tuple[list[Pair], list[Part], list[Part]]:
    names_a, names_b = [p.like for p in old.parts], [p.like for p in new.parts]
    blocks = list(differing_blocks(names_a, names_b))
    gone = [part for i1, i2, _, _ in blocks for part in old.parts[i1:i2]]
    come = [part for _, _, j1, j2 in blocks for part in new.parts[j1:j2]]
    stayed = [part for part in old.parts if part not in gone]
    return list(zip(stayed, (p for p in new.parts if p not in come), strict=True)), gone, come


def _unequal(old: Half, new: Half) -> Iterator[tuple[list[Part], list[Part]]]:
    """Parts without an equal on the other side; in sequences, stretch by stretch."""
    keys_a = [texts(old.reading.nameless(part)) for part in old.parts]
    keys_b = [texts(new.reading.nameless(part)) for part in new.parts]
    if any(part.ordered for part in (*old.parts, *new.parts)):
        for i1, i2, j1, j2 in differing_blocks(keys_a, keys_b):
            yield list(old.parts[i1:i2]), list(new.parts[j1:j2])
        return
    right = list(zip(keys_b, new.parts, strict=True))
    left: list[Part] = []
    for key, part in zip(keys_a, old.parts, strict=True):
        equal = next((one for one in right if one[0] == key), None)
        if equal is None:
            left.append(part)
        else:
            right.remove(equal)
    yield left, [part for _, part in right]


def _versions(a: Part, b: Part) -> bool:
    """Whether two unequal parts are one that changed; some, as phases of a turn, never are."""
    return a.like is not None and a.like == b.like


def _moved(old: Half, new: Half, gone: list[Part], come: list[Part]) -> list[Pair]:
    """Parts of a sequence that are elsewhere now; they are taken out of those gone and come."""
    moved: list[Pair] = []
    for part in tuple(gone):
        if not part.ordered:
            continue
        key = texts(old.reading.nameless(part))
        twin = next(
            (
                one
                for one in come
                if texts(new.reading.nameless(one)) == key
                or (part.label and part.label == one.label)
            ),
            None,
        )
        if twin is not None:
            moved.append((part, twin))
            gone.remove(part)
            come.remove(twin)
    return moved


# ---- inside a part ------------------------------------------------------------------------------


def _changed(section: str, old: Half, before: Part, new: Half, after: Part) -> Iterator[Entry]:
    if _same(old.reading, before, new.reading, after):
        return
    mine, theirs = old.reading.meaning(before), new.reading.meaning(after)
    own_a, own_b = old.reading.words(before), new.reading.words(after)
    blocks = list(differing_blocks(texts(mine), texts(theirs)))
    markers = _moved_steps(mine, theirs, blocks)
    for marker in sorted(markers):
        sides = _beside(old, mine, before, marker), _beside(new, theirs, after, marker)
        yield entry(section, "moved", *sides)
    hunks: list[tuple[str, str]] = []
    first_a: Line | None = None
    first_b: Line | None = None
    for i1, i2, j1, j2 in blocks:
        left = [own_a[i] for i in range(i1, i2) if mine[i].text not in markers]
        right = [own_b[j] for j in range(j1, j2) if theirs[j].text not in markers]
        if left or right:
            first_a = first_a or (left[0] if left else None)
            first_b = first_b or (right[0] if right else None)
            hunks.append((lay_out(left), lay_out(right)))
    if hunks:
        a, b = (_joined(words) for words in zip(*hunks, strict=True))
        sides = old.side(before, a, first_a), new.side(after, b, first_b)
        lines = tuple(own_a), tuple(own_b)
        yield Entry(section, "changed", *sides, tuple(hunks), lines, tuple(blocks))


def _same(a: Reading, before: Part, b: Reading, after: Part) -> bool:
    if texts(a.nameless(before)) == texts(b.nameless(after)):
        return True
    if before.whole is None or after.whole is None:
        return False
    return texts(a.nameless_whole(before)) == texts(b.nameless_whole(after))


def _joined(words: Sequence[str]) -> str:
    return f"\n{GAP}\n".join(one for one in words if one)


def _moved_steps(a: list[Line], b: list[Line], blocks: list[Block]) -> set[str]:
    """First lines of labelled steps that stand elsewhere in the same block."""
    gone = {a[i].text for i1, i2, _, _ in blocks for i in range(i1, i2)}
    come = {b[j].text for _, _, j1, j2 in blocks for j in range(j1, j2)}
    return {text for text in gone & come if text.startswith("step ") and text.endswith(OPEN)}


def _beside(half: Half, lines: list[Line], part: Part, marker: str) -> Side:
    i = next(i for i, line in enumerate(lines) if line.text == marker)
    label = marker.removesuffix(OPEN)
    where = f"after {lines[i - 1].text.removesuffix(OPEN)}" if i else "first"
    side = half.side(part, f"{label}, {where}", lines[i])
    return attrs.evolve(side, path=f"{half.subject.path} / {label}")
