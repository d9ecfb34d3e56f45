"""What a variant changes: two books of the same chapters, compared item by item."""

from collections.abc import Iterator

import attrs

from ziggurat.studio.book.model import Book, Chapter, Item, Table

NEW, CHANGED, GONE = "new", "changed", "gone"
BROUGHT = ("in-clause", "in-change", "in-trigger", "in-reaction")  # what one brings to another
Key = tuple[str, str]


@attrs.frozen
class Change:
    """What became of an item or a row: new, changed or gone; `pack` did it, `was` it before."""

    sort: str
    pack: str
    was: Item | tuple[str, ...] | None = None


@attrs.frozen
class Changes:
    """All changes by what they are about; `gone` by the chapter in which it stood, `lost` what
    stood under something that is still there."""

    items: dict[Key, Change]
    rows: dict[Key, Change]
    gone: dict[str, tuple[Item, ...]]
    lost: dict[Key, tuple[Item, ...]]
    base: str

    def of_chapter(self, chapter: Chapter) -> int:
        """How many items and rows of a chapter are marked."""
        inner = [one for part in chapter.parts for item in part.items for one in _all(item)]
        rows = [row for part in chapter.parts if part.table for row in part.table.rows]
        marked = sum(one.key in self.items for one in inner)
        marked += sum(row.key in self.rows for row in rows)
        marked += sum(len(self.lost.get(one.key, ())) for one in inner)
        return marked + len(self.gone.get(chapter.id, ()))


NOTHING = Changes({}, {}, {}, {}, "")


def compare(base: Book, book: Book) -> Changes:
    """What the packs of a book change in a base."""
    known = {pack.id for pack in base.packs}
    titles = {pack.id: pack.title for pack in book.packs if pack.id not in known}
    above = " and ".join(titles.values())
    old = {item.key: item.alone for _, item in base.items()}
    items: dict[Key, Change] = {}
    for _, item in book.items():
        by = titles.get(item.at.file.partition("/")[0], above)
        before = old.get(item.key)
        if before is None:
            items[item.key] = Change(NEW, by)
        elif _said(before) != _said(item.alone):
            items[item.key] = Change(CHANGED, by, before)
    rows = dict(_rows(base, book, above))
    return Changes(items, rows, _gone(base, book), _lost(base, book), base.title)


def _said(item: Item) -> Item:
    return attrs.evolve(item, note="")


def _rows(base: Book, book: Book, pack: str) -> Iterator[tuple[Key, Change]]:
    tables = {(chapter, title): table for chapter, title, table in _tables(base)}
    for chapter, title, table in _tables(book):
        before = tables.get((chapter, title))
        if before is None:
            continue
        old = {row.key: dict(zip(before.head, row.cells, strict=True)) for row in before.rows}
        for row in table.rows:
            was = old.get(row.key)
            now = dict(zip(table.head, row.cells, strict=True))
            if was is None:
                yield row.key, Change(NEW, pack)
            elif any(was.get(name, "") != cell for name, cell in now.items()):
                yield row.key, Change(CHANGED, pack, tuple(was.get(name, "") for name in now))


def _tables(book: Book) -> Iterator[tuple[str, str, Table]]:
    for chapter in book.chapters:
        for part in chapter.parts:
            if part.table is not None:
                yield chapter.id, part.title, part.table


def _gone(base: Book, book: Book) -> dict[str, tuple[Item, ...]]:
    """What stood in the base and is not here, without what only stood under it."""
    here = {item.key for _, item in book.items()}
    found: dict[str, tuple[Item, ...]] = {}
    for chapter in base.chapters:
        lost = [item for part in chapter.parts for item in part.items if item.key not in here]
        if lost:
            found[chapter.id] = tuple(lost)
    return found


def _lost(base: Book, book: Book) -> dict[Key, tuple[Item, ...]]:
    """Clauses and reactions that stood under what is still there."""
    here = {item.key for _, item in book.items()}
    found: dict[Key, tuple[Item, ...]] = {}
    for _, item in base.items():
        lost = [one for one in item.items if one.word in BROUGHT and one.key not in here]
        if lost and item.key in here:
            found[item.key] = tuple(lost)
    return found


def _all(item: Item) -> Iterator[Item]:
    yield item
    for one in item.items:
        yield from _all(one)
