"""A difference as one HTML page that needs nothing else and follows the reader's light or dark."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib import resources

from ziggurat import Arrangement, Heading, Marked, Provision
from ziggurat.studio.diff_words import (
    MANY,
    SIGNS,
    Piece,
    cited,
    headline,
    marks,
    places,
    remarks,
    rows,
)

# What a reader can leave out, and the words for it.
SHOWN = {
    "felt": "rules", "unfelt": "rules without effect by default", "data": "data",
    "advice": "advice", "wording": "wording", "question": "questions",
    "clarification": "clarifications",
}  # fmt: skip
_SIGNS = {**SIGNS, "removed": "−", "moved": "↕", "renamed": "≡"}


def html(told: Arrangement) -> str:
    """Numbers at the top, chapters beside, and every provision with both sides in words."""
    difference = told.difference
    title = f"{difference.old} → {difference.new}"
    chapters = [
        (chapter.title, [(_class(one), _provision(chapter, one)) for one in chapter.provisions])
        for chapter in told.chapters
    ]
    return page(title, headline(told), told.sources, chapters)


Article = tuple[str, Iterable[str]]


def page(
    title: str,
    numbers: str,
    sources: Sequence[tuple[str, str]],
    chapters: Sequence[tuple[str, Sequence[Article]]],
) -> str:
    """A page with a search, a filter and chapters of articles, each with its sort."""
    found = {sort for _, articles in chapters for sort, _ in articles}
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>\n<style>\n{_beside('diff.css')}</style>\n</head>\n<body>",
        f"<header><h1>{escape(title)}</h1><p>{escape(numbers)}</p>",
        *(f"<p><b>{escape(id_)}</b> {escape(book)}</p>" for id_, book in sources),
        *_controls([sort for sort in SHOWN if sort in found]),
        "</header>",
        *_navigation(chapters),
        "<main>",
        *(part for i, one in enumerate(chapters) for part in _chapter(i, *one)),
        "</main>",
        f"<script>\n{_beside('diff.js')}</script>\n</body>\n</html>\n",
    ]
    return "\n".join(parts)


def _beside(name: str) -> str:
    return resources.files("ziggurat.studio").joinpath(name).read_text(encoding="utf-8")


def _controls(sorts: Sequence[str]) -> Iterator[str]:
    """Hidden until the script runs: without it they would do nothing."""
    yield '<form hidden><input type="search" placeholder="Search" aria-label="Search">'
    for sort in sorts:
        yield (
            f'<label><input type="checkbox" name="{sort}" checked> {SHOWN[sort]}'
            " <span></span></label>"
        )
    yield "<output></output></form>"


def _navigation(chapters: Sequence[tuple[str, Sequence[Article]]]) -> Iterator[str]:
    yield "<nav><ul>"
    for i, (title, articles) in enumerate(chapters):
        told = f"{escape(title)} <span>{len(articles)}</span>"
        yield f'<li><a href="#c{i}">{told}</a></li>'
    yield "</ul></nav>"


def _chapter(number: int, title: str, articles: Sequence[Article]) -> Iterator[str]:
    """Long chapters begin folded: whoever wants all areas of a map opens them."""
    opened = "" if len(articles) > 3 * MANY else " open"
    yield f'<details class="section" id="c{number}"{opened}>'
    yield f"<summary><h2>{escape(title)}</h2> <span>{len(articles)}</span></summary>"
    for sort, lines in articles:
        yield f'<article data-sort="{sort}">'
        yield from lines
        yield "</article>"
    yield "</details>"


def _class(provision: Provision) -> str:
    if provision.sort != "rule":
        return provision.sort
    return "felt" if provision.felt else "unfelt"


def _provision(chapter: Heading, provision: Provision) -> Iterator[str]:
    common = [
        mark
        for mark in marks(provision.told[0], chapter)
        if all(mark in marks(one, chapter) for one in provision.told)
    ]
    yield title_line(provision.change, provision.title, [provision.change, *common])
    yield from about(cited(provision), remarks(provision))
    for one in provision.told:
        noted = [mark for mark in marks(one, chapter) if mark not in common]
        yield from _told(one, noted)


def title_line(change: str, title: str, noted: Sequence[str]) -> str:
    """The title of a provision after its sign, and what became of it."""
    sign = f'<b aria-hidden="true">{escape(_SIGNS[change])}</b>'
    small = "".join(f" <small>{escape(word)}</small>" for word in noted)
    return f'<h3 class="{change}">{sign} {escape(title)}{small}</h3>'


def about(cites: str, comments: Sequence[str]) -> Iterator[str]:
    """The chapters of the rulebooks, and the comments of the packs."""
    if cites:
        yield f'<p class="cites">{escape(cites)}</p>'
    yield from (f"<p>{escape(comment)}</p>" for comment in comments)


def _told(told: Marked, noted: Sequence[str]) -> Iterator[str]:
    entry = told.entry
    small = "".join(f" <small>{escape(word)}</small>" for word in (entry.change, *noted))
    yield f"<h4><code>{escape(entry.path)}</code>{small}</h4>"
    if entry.section == "options":
        yield f"<p>{escape(entry.title)}</p>"
    yield "<table>"
    for i, (old, new) in enumerate(entry.hunks):
        if i:
            yield '<tr class="gap"><td colspan="2">⋯</td></tr>'
        yield from _hunk(old, new)
    yield "</table>"
    yield f"<footer>{escape(places(told))}</footer>"


def _hunk(old: str, new: str) -> Iterator[str]:
    for left, right in rows(old, new):
        if not old or not new:
            pieces, kind = (left, "old") if old else (right, "new")
            yield f'<tr><td class="{kind}" colspan="2">{line(pieces)}</td></tr>'
        else:
            yield (
                f'<tr><td class="{"old" if left else ""}">{line(left)}</td>'
                f'<td class="{"new" if right else ""}">{line(right)}</td></tr>'
            )


def line(pieces: Sequence[Piece]) -> str:
    """A line with what changed in it marked."""
    marked = (
        escape(words) if common else f"<mark>{escape(words)}</mark>" for words, common in pieces
    )
    return "".join(marked)
