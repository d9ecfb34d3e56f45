"""A book as one HTML page that needs nothing else, on a screen of any width and on paper."""

import re
from collections.abc import Iterable, Iterator
from html import escape
from importlib import resources

import attrs

from ziggurat import Piece, Told, ir, pieces, plain
from ziggurat.studio.book.changes import CHANGED, NEW, NOTHING, Change, Changes
from ziggurat.studio.book.model import INSIDE, Book, Chapter, Item, Part, Row, Table
from ziggurat.studio.book.outline import of_phase

REFERENCE = "reference.html"
_NO_ID = re.compile(r"[^a-z0-9.]+")  # `unit.cost` is something else than `unit_cost`
_CODE = re.compile(r"`([^`]*)`")


def anchor(word: str, id_: str) -> str:
    """The place of a declaration on a page."""
    return f"{word}-{_NO_ID.sub('-', id_.lower())}"


class Page:
    """Writes one book. References lead to where something stands in it, else to the reference."""

    def __init__(self, book: Book, changes: Changes = NOTHING) -> None:
        self.book = book
        self.changes = changes
        self.items = {item.key for _, item in book.items()}
        self.here = self.items | {row.key for row in self._rows()}
        self.written: set[str] = set()

    def _rows(self) -> Iterator[Row]:
        for chapter in self.book.chapters:
            for part in chapter.parts:
                yield from part.table.rows if part.table else ()

    def html(self) -> str:
        title = escape(self.book.title)
        parts = [
            head(f"{title}: the rules"),
            '<a class="skip" href="#contents">Contents</a>',
            *self._cover(),
            *self._contents(),
            "<main>",
            *(line for n, chapter in enumerate(self.book.chapters, 1)
              for line in self._chapter(chapter, n)),
            *self._index(),
            "</main>\n</body>\n</html>\n",
        ]  # fmt: skip
        return "\n".join(parts)

    # ---- around the chapters --------------------------------------------------------------------

    def _cover(self) -> Iterator[str]:
        book = self.book
        yield f'<header class="cover"><h1>{escape(book.title)}</h1>'
        told = f" {escape(_for(book.players))}" if book.players else ""
        yield f'<p class="lead">The rules{told}, from the packs of <b>{escape(book.stack)}</b>.</p>'
        sources = {key: title for pack in book.packs for key, title in pack.sources}
        if sources:
            yield "<dl class='sources'>"
            yield from (f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in sources.items())
            yield "</dl>"
        if self.changes is not NOTHING:
            yield (
                f'<p class="legend"><span class="mark new">new</span> and <span class="mark '
                f'changed">changed</span> in the margin: compared with {escape(self.changes.base)}.'
                "</p>"
            )
        yield (
            '<p class="legend">Sentences are made from the rules themselves; <i>“Rule”</i> unfolds'
            f' the text of one. <a href="{REFERENCE}">Every declaration</a>, with what reads and'
            " changes it, is on a page of its own.</p></header>"
        )

    def _contents(self) -> Iterator[str]:
        yield '<nav id="contents"><h2>Contents</h2><ol>'
        for chapter in self.book.chapters:
            marked = self.changes.of_chapter(chapter)
            badge = (
                f' <span class="mark changed" title="marked here">{marked}</span>' if marked else ""
            )
            yield f'<li><a href="#{_place(chapter.id)}">{escape(chapter.title)}</a>{badge}</li>'
        yield '<li><a href="#index">Index</a></li></ol></nav>'

    def _index(self) -> Iterator[str]:
        entries: dict[tuple[str, str], str] = {}
        for _, item in self.book.items():
            label = plain(item.label)
            if label and not item.word.startswith(INSIDE):
                entries.setdefault((label, anchor(item.word, item.id)), label)
        for row in self._rows():
            entries.setdefault((plain(row.cells[0]), anchor(row.word, row.id)), plain(row.cells[0]))
        listed = sorted(entries, key=lambda one: (one[0].casefold(), one[1]))
        yield '<section class="chapter" id="index"><h2>Index</h2><ul class="index">'
        yield from (
            f'<li><a href="#{place}">{escape(label)}</a></li>'
            for label, place in listed
            if place in self.written
        )
        yield "</ul></section>"

    # ---- chapters -------------------------------------------------------------------------------

    def _chapter(self, chapter: Chapter, number: int) -> Iterator[str]:
        yield f'<section class="chapter" id="{_place(chapter.id)}">'
        yield f"<h2><span>{number}</span> {escape(chapter.title)}{cited(chapter.meta)}</h2>"
        yield from (f'<p class="lead">{_note(text)}</p>' for text in chapter.text)
        for part in chapter.parts:
            yield from self._part(part)
        gone = self.changes.gone.get(chapter.id, ())
        if gone:
            yield '<div class="gone"><h3>No longer in the game</h3>'
            for item in gone:
                yield f"<p><s>{escape(plain(item.label) or item.id)}</s></p>"
            yield "</div>"
        yield "</section>"

    def _part(self, part: Part) -> Iterator[str]:
        if part.title:
            yield f"<h3>{escape(part.title)}</h3>"
        if part.picture:
            picture = part.picture[part.picture.index("<svg") :]
            yield f'<figure class="map">{picture}</figure>'
        if part.table is not None:
            yield from self._table(part.table)
        if part.items:
            tag = {"cards": "div", "sequence": "ol"}.get(part.style, "div")
            yield f'<{tag} class="part {part.style}">'
            for item in part.items:
                if tag == "ol":
                    yield from self._sequence(item)
                else:
                    yield from self._item(item, part.style, 4 if part.title else 3)
            yield f"</{tag}>"

    def _sequence(self, item: Item) -> Iterator[str]:
        text = f": {_note(item.text)}" if item.text else ""
        link = f'<a href="#{_place(of_phase(item.id))}">{escape(item.label)}</a>'
        yield f"<li>{link}{text}</li>"

    def _table(self, table: Table) -> Iterator[str]:
        wide = " wide" if len(table.head) > FEW_COLUMNS else ""
        yield f'<div class="scroll{wide}"><table><thead><tr>'
        for number, label in enumerate(table.head):
            side = ' class="n"' if number in table.numbers else ""
            yield f"<th{side}>{escape(label)}</th>"
        yield "</tr></thead><tbody>"
        for row in table.rows:
            change = self.changes.rows.get(row.key)
            look = f' class="{change.sort}"' if change else ""
            place = "" if row.key in self.items else self._id(row.word, row.id)
            yield f"<tr{look}{place}>"
            for number, cell in enumerate(row.cells):
                side = ' class="n"' if number in table.numbers else ""
                yield f"<td{side}>{self.text(cell)}{_cell_was(change, number, cell)}</td>"
            yield "</tr>"
        yield "</tbody></table></div>"

    # ---- items ----------------------------------------------------------------------------------

    def _item(self, item: Item, style: str, level: int) -> Iterator[str]:
        change = self.changes.items.get(item.key)
        look = f" {change.sort}" if change else ""
        kind = "card" if style == "cards" else "item"
        yield f'<article class="{kind} {item.word}{look}"{self._id(item.word, item.id)}>'
        if change:
            yield _margin(change)
        if item.label:
            place = ir.NOWHERE if item.own else item.at
            yield _heading("h4", level, f"{self.text(item.label)}{cited(item.meta, place)}")
        yield from self._inside(_without_stale_note(item, change))
        yield from self._under(item, level)
        yield from self._before(change)
        yield from _own(item)
        yield "</article>"

    def _before(self, change: Change | None) -> Iterator[str]:
        """What an item said before somebody changed it."""
        if change is not None and isinstance(change.was, Item):
            yield '<details class="was"><summary>Before</summary>'
            yield from self._inside(change.was)
            yield "</details>"

    def _inside(self, item: Item) -> Iterator[str]:
        """What an item itself says."""
        if item.note:
            yield f'<p class="note">{_note(item.note)}</p>'
        if item.fields:
            yield '<dl class="fields">'
            for field in item.fields:
                yield f"<dt>{escape(field.label)}</dt><dd>{self.text(field.text)}</dd>"
            yield "</dl>"
        if item.text:
            yield f"<p>{self.text(item.text)}</p>"
        if item.needs:
            yield "<p class='needs'><b>Only if</b></p><ul>"
            yield from (f"<li>{self.text(need)}</li>" for need in item.needs)
            yield "</ul>"
        if item.choices:
            yield "<p class='needs'><b>Choose</b></p><ul>"
            yield from (f"<li>{self.text(choice)}</li>" for choice in item.choices)
            yield "</ul>"
        yield from self._steps(item.steps)

    def _steps(self, steps: Iterable[Told]) -> Iterator[str]:
        told = list(steps)
        if not told:
            return
        yield '<ol class="steps">'
        for one in told:
            look = f' class="{one.sort}"' if one.sort else ""
            yield f"<li{look}>{self.text(one.said)}"
            yield from self._steps(one.inner)
            yield "</li>"
        yield "</ol>"

    def _under(self, item: Item, level: int) -> Iterator[str]:
        """What others bring to a rule, or what a card says."""
        lines = [one for one in item.items if one.word in _LINES]
        lost = self.changes.lost.get(item.key, ())
        if lines or lost:
            yield '<ul class="clauses">'
            for one in lines:
                yield from self._line(one, item)
            for one in lost:
                label = f"{self.text(one.label)}: " if one.label else ""
                yield f'<li class="gone"><s>{label}{self.text(one.text)}</s></li>'
            yield "</ul>"
        for one in item.items:
            if one not in lines:
                yield from self._inner(one, level + 1 if item.label else level)

    def _line(self, one: Item, of: Item) -> Iterator[str]:
        change = self.changes.items.get(one.key)
        look = f" {change.sort}" if change and change.sort != self._look(of) else ""
        label = f"<b>{self.text(one.label)}:</b> " if one.label else ""
        was = ""
        if change is not None and isinstance(change.was, Item):
            was = f' <s class="was">{self.text(change.was.text)}</s>'
        cites = cited(one.meta) if one.meta.cites != of.meta.cites else ""
        yield f'<li class="{one.word}{look}">{label}{self.text(one.text)}{was}{cites}</li>'

    def _look(self, item: Item) -> str:
        change = self.changes.items.get(item.key)
        return change.sort if change else ""

    def _inner(self, one: Item, level: int) -> Iterator[str]:
        change = self.changes.items.get(one.key)
        look = f" {change.sort}" if change else ""
        label = _heading("h5", level, self.text(one.label)) if one.label else ""
        yield f'<div class="inner {one.word}{look}"{self._id(one.word, one.id)}>{label}'
        yield from self._inside(_without_stale_note(one, change))
        yield from self._under(one, level)
        yield from self._before(change)
        yield "</div>"

    # ---- words ----------------------------------------------------------------------------------

    def text(self, text: str) -> str:
        """A text with its references as links."""
        return "".join(map(self._piece, pieces(text)))

    def _piece(self, piece: Piece) -> str:
        sort, id_ = piece.sort, piece.id
        told = escape(piece.text, quote=False)
        if sort == "code":
            return f"<code>{told}</code>"
        if sort == "name":
            return f"<i>{told}</i>"
        if sort in ("", "role"):
            return told
        place = anchor(sort, id_)
        goal = f"#{place}" if (sort, id_) in self.here else f"{REFERENCE}#{place}"
        return f'<a href="{goal}">{told}</a>'

    def _id(self, word: str, id_: str) -> str:
        """An anchor, the first time something stands on the page."""
        place = anchor(word, id_)
        if word.startswith(INSIDE) or place in self.written:
            return ""
        self.written.add(place)
        return f' id="{place}"'


FEW_COLUMNS = 7
_LINES = ("in-clause", "in-change", "in-says", "in-reading", "in-played")


def head(title: str) -> str:
    """The beginning of a page."""
    style = resources.files("ziggurat.studio.book").joinpath("book.css").read_text("utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>"
    )


def _heading(tag: str, level: int, text: str) -> str:
    """Return a heading that looks like others of its tag, on the level that follows those above."""
    aria = "" if tag == f"h{level}" else f' role="heading" aria-level="{level}"'
    return f"<{tag}{aria}>{text}</{tag}>"


def _place(chapter: str) -> str:
    """Where a chapter begins."""
    return anchor("chapter", chapter)


def cited(meta: ir.Meta, at: ir.At = ir.NOWHERE) -> str:
    """Where a rule stands in the books, and in the files of the pack."""
    told = escape(", ".join(f"{cite.source} {cite.place}" for cite in meta.cites))
    if at.file:
        told += f' <span class="place">{escape(at.file)}:{at.line}</span>'
    return f' <small class="cite">{told.strip()}</small>' if told else ""


def _without_stale_note(item: Item, change: Change | None) -> Item:
    """Return an item without a note of before that stands beside what somebody changed."""
    was = change.was if change is not None else None
    is_stale = isinstance(was, Item) and was.note == item.note
    return attrs.evolve(item, note="") if is_stale else item


def _own(item: Item) -> Iterator[str]:
    if item.own:
        yield f"<details class='own'><summary>Rule{cited(ir.NO_META, item.at)}</summary>"
        yield f"<pre>{escape(item.own)}</pre></details>"


def _margin(change: Change) -> str:
    told = "New" if change.sort == NEW else "Changed"
    return f'<aside class="mark {change.sort}">{told} <br>{escape(change.pack)}</aside>'


def _cell_was(change: Change | None, number: int, cell: str) -> str:
    if change is None or change.sort != CHANGED or not isinstance(change.was, tuple):
        return ""
    was = change.was[number] if number < len(change.was) else ""
    return f" <s>{escape(plain(was)) or '–'}</s>" if was != cell else ""


def _note(text: str) -> str:
    return _CODE.sub(r"<code>\1</code>", escape(text, quote=False))


def _for(players: str) -> str:
    return f"for {players}"
