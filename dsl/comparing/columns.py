"""Several rulesets side by side: what each tells otherwise than the first, a column each."""

from collections import Counter
from collections.abc import Iterator, Sequence

import attrs

from ziggurat.dsl.comparing.arrangement import DATA, RULE, Arrangement, Heading, Marked
from ziggurat.dsl.comparing.entries import Entry, Side
from ziggurat.dsl.printing.layout import lay_out
from ziggurat.runtime.kernel import Cite

FIRST, SAME, ABSENT, IN_PART = "first", "same", "absent", "in part"
Key = tuple[str, str]


@attrs.frozen
class Cell:
    """One ruleset in a row. state: first, same (as in the first), absent, in part (rows for the
    parts follow), or what became of it: changed, added, renamed, moved, clarified. `words` are
    those of each hunk, as many in all cells of a row."""

    state: str
    words: tuple[str, ...]
    side: Side | None = None


@attrs.frozen
class Row:
    """Something that is not the same everywhere, with a cell for each ruleset."""

    path: str
    section: str
    title: str
    sort: str
    felt: bool
    cells: tuple[Cell, ...]

    @property
    def whole(self) -> bool:
        """Whether it is a declaration as a whole that some have and others lack or rename."""
        return " / " not in self.path and all(cell.state != "changed" for cell in self.cells)

    @property
    def pattern(self) -> tuple[bool, ...]:
        """Which rulesets have it."""
        return tuple(cell.state != ABSENT for cell in self.cells)


@attrs.frozen
class Group:
    """The rows that come from one sentence of a rulebook."""

    rows: tuple[Row, ...]
    comments: tuple[str, ...] = ()

    @property
    def first(self) -> Row:
        return self.rows[0]

    @property
    def title(self) -> str:
        return self.first.title[:1].upper() + self.first.title[1:]

    @property
    def felt(self) -> bool:
        return any(row.felt for row in self.rows)

    def cites(self, column: int) -> tuple[Cite, ...]:
        """What one ruleset cites."""
        sides = [row.cells[column].side for row in self.rows]
        return tuple(dict.fromkeys(cite for side in sides if side for cite in side.cites))


@attrs.frozen
class RowPage:
    """All rows about one phase, thing or part of the data."""

    title: str
    sort: str
    groups: tuple[Group, ...]


@attrs.frozen
class Columns:
    """Rulesets side by side, as they were asked for. `sources` are the books they cite."""

    names: tuple[str, ...]
    pages: tuple[RowPage, ...]
    sources: tuple[tuple[str, str], ...]

    def groups(self, sort: str = "") -> list[Group]:
        """All of them, or those of one sort."""
        found = (group for page in self.pages for group in page.groups)
        return [group for group in found if sort in ("", group.first.sort)]

    def counts(self) -> dict[str, int]:
        """As of an arrangement."""
        rules = self.groups(RULE)
        told = Counter(row.sort for group in self.groups() for row in group.rows)
        unfelt = sum(not group.felt for group in rules)
        return {**told, "rules": len(rules), "unfelt": unfelt}

    def data(self) -> Counter[str]:
        """How many things of each kind are not the same everywhere, by section."""
        rows = [row for group in self.groups() for row in group.rows if row.sort == DATA]
        return Counter(
            section for section, _ in sorted({(r.section, r.path.split(" / ")[0]) for r in rows})
        )


def side_by_side(found: Sequence[Arrangement]) -> Columns:
    """The differences of several rulesets from the same first one as one table."""
    first = found[0].difference.old
    sources = dict(source for one in found for source in one.sources)
    names = (first, *(one.difference.new for one in found))
    return Columns(names, tuple(_Merging(found).pages()), tuple(sources.items()))


class _Merging:
    """Rows are known by their path in the first ruleset, or else where they are."""

    def __init__(self, found: Sequence[Arrangement]) -> None:
        self.found = found
        self.told: list[dict[Key, Marked]] = [
            {_key(one.entry): one for each in arranged.provisions() for one in each.told}
            for arranged in found
        ]
        self.headings: dict[str, Heading] = {}
        self.members: dict[str, list[list[Key]]] = {}
        self.comments: dict[Key, tuple[str, ...]] = {}

    def pages(self) -> Iterator[RowPage]:
        for arranged in self.found:
            self._merge(arranged)
        for title, heading in sorted(self.headings.items(), key=lambda one: one[1].rank):
            groups = tuple(
                Group(tuple(self._row(key) for key in keys), self._comments(keys))
                for keys in self.members[title]
            )
            yield RowPage(title, heading.sort, groups)

    def _merge(self, arranged: Arrangement) -> None:
        """Add what one arrangement tells: to a group that has some of it, or after the others."""
        known = {key for page in self.members.values() for keys in page for key in keys}
        for chapter in arranged.chapters:
            self.headings.setdefault(chapter.title, chapter)
            page = self.members.setdefault(chapter.title, [])
            for provision in chapter.provisions:
                keys = [_key(one.entry) for one in provision.told]
                for key in keys:
                    told = self.comments.get(key, ())
                    self.comments[key] = tuple(dict.fromkeys((*told, *provision.comments)))
                self._add(page, keys, known)
                known.update(keys)

    def _add(self, page: list[list[Key]], keys: list[Key], known: set[Key]) -> None:
        fresh = [key for key in keys if key not in known]
        if len(fresh) == len(keys):
            page.append(fresh)
            return
        groups = (group for groups in self.members.values() for group in groups)
        next(group for group in groups if any(key in group for key in keys)).extend(fresh)

    def _comments(self, keys: Sequence[Key]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(told for key in keys for told in self.comments[key] if told))

    # ---- rows

    def _row(self, key: Key) -> Row:
        told = [page.get(key) for page in self.told]
        some = next(one for one in told if one is not None)
        felt = any(one is not None and one.felt for one in told)
        old = next((one.entry.old for one in told if one is not None and one.entry.old), None)
        entry = some.entry
        title = old.title if old is not None else entry.title
        cells = tuple(self._cells(key, [one.entry if one else None for one in told], old))
        return Row(key[0], entry.section, title, some.sort, felt, cells)

    def _cells(self, key: Key, entries: Sequence[Entry | None], old: Side | None) -> Iterator[Cell]:
        blocks = _merged_blocks(entries)
        entry = next(one for one in entries if one is not None)
        if blocks:
            words = tuple(lay_out(entry.lines[0][i:j]) for i, j in blocks)
        else:
            words = (old.words if old is not None else "",)
        yield Cell(FIRST if old is not None else ABSENT, words, old)
        nothing = ("",) * len(words)
        for number, one in enumerate(entries):
            if one is None:
                state = self._elsewhere(number, key[0], old is not None)
                yield Cell(state, words if state == SAME else nothing)
            elif one.new is None:
                yield Cell(ABSENT, nothing)
            elif blocks:
                yield Cell(one.change, tuple(_there(one, i, j) for i, j in blocks), one.new)
            else:
                yield Cell(one.change, (one.new.words,), one.new)

    def _elsewhere(self, number: int, path: str, there: bool) -> str:
        """What became of something that one ruleset has no row for under this path."""
        for other, _ in self.told[number]:
            if path.startswith(f"{other} / "):
                gone = self.told[number][other, _].entry.new is None
                return ABSENT if gone else SAME
            if other.startswith(f"{path} / "):
                return IN_PART
        return SAME if there else ABSENT


def _key(entry: Entry) -> Key:
    side = entry.old or entry.new
    path = side.path if side is not None else ""
    return path, entry.change if entry.change in ("moved", "renamed") else ""


def _merged_blocks(entries: Sequence[Entry | None]) -> list[tuple[int, int]]:
    """The stretches of the first ruleset's lines that any other has otherwise; none unless all
    that tell of it tell it line by line."""
    told = [one for one in entries if one is not None]
    if not all(one.blocks for one in told):
        return []
    merged: list[tuple[int, int]] = []
    for i1, i2 in sorted((i1, i2) for one in told for i1, i2, _, _ in one.blocks):
        if merged and i1 <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(i2, merged[-1][1])
        else:
            merged.append((i1, i2))
    return merged


def _there(entry: Entry, start: int, end: int) -> str:
    """What another ruleset has for some lines of the first."""
    shift = inside = 0
    for i1, i2, j1, j2 in entry.blocks:
        more = (j2 - j1) - (i2 - i1)
        if i2 < start or (i2 == start and i1 < start):
            shift += more
        elif start <= i1 and i2 <= end:
            inside += more
    return lay_out(entry.lines[1][start + shift : end + shift + inside])
