"""A difference as one HTML page that needs nothing else and follows the reader's light or dark."""

from collections.abc import Iterator, Sequence
from html import escape
from importlib import resources

from ziggurat import Difference, Entry, Side
from ziggurat.studio.diff_words import MANY, SIGNS, Piece, counted, rows, where


def html(difference: Difference) -> str:
    """The page: numbers at the top, a list of sections beside, entries with both sides in words."""
    style = resources.files("ziggurat.studio").joinpath("diff.css").read_text(encoding="utf-8")
    title = f"{escape(difference.old)} → {escape(difference.new)}"
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>",
        f"<header><h1>{title}</h1><p>{escape(counted(difference))}</p></header>",
        *_navigation(difference),
        "<main>",
        *(
            part
            for name, entries in difference.sections().items()
            for part in _section(name, entries)
        ),
        "</main>\n</body>\n</html>\n",
    ]
    return "\n".join(parts)


def _navigation(difference: Difference) -> Iterator[str]:
    yield "<nav><ul>"
    for name, entries in difference.sections().items():
        link = escape(name, quote=True)
        told = escape(name.replace("_", " "))
        yield f'<li><a href="#{link}">{told} <span>{len(entries)}</span></a></li>'
    yield "</ul></nav>"


def _section(name: str, entries: Sequence[Entry]) -> Iterator[str]:
    """Long sections begin folded: whoever wants all areas of a map opens them."""
    opened = "" if len(entries) > 4 * MANY else " open"
    yield f'<details class="section" id="{escape(name, quote=True)}"{opened}>'
    told = escape(name.replace("_", " "))
    yield f"<summary><h2>{told}</h2> <span>{len(entries)}</span></summary>"
    for entry in entries:
        yield from _entry(entry)
    yield "</details>"


def _entry(entry: Entry) -> Iterator[str]:
    sign = SIGNS[entry.change].replace("-", "−").replace(">", "↕").replace("=", "≡")
    yield f'<article class="{entry.change}">'
    yield (
        f'<h3><b aria-hidden="true">{escape(sign)}</b> {escape(entry.path)}'
        f" <small>{entry.change}</small></h3>"
    )
    if entry.title:
        yield f"<p>{escape(entry.title)}</p>"
    yield "<table>"
    for i, (old, new) in enumerate(entry.hunks):
        if i:
            yield '<tr class="gap"><td colspan="2">⋯</td></tr>'
        yield from _hunk(old, new)
    yield "</table>"
    yield f"<footer>{_place('was', entry.old)}{_place('now', entry.new)}</footer>"
    yield "</article>"


def _hunk(old: str, new: str) -> Iterator[str]:
    for left, right in rows(old, new):
        if not old or not new:
            pieces, kind = (left, "old") if old else (right, "new")
            yield f'<tr><td class="{kind}" colspan="2">{_line(pieces)}</td></tr>'
        else:
            yield (
                f'<tr><td class="{"old" if left else ""}">{_line(left)}</td>'
                f'<td class="{"new" if right else ""}">{_line(right)}</td></tr>'
            )


def _line(pieces: Sequence[Piece]) -> str:
    marked = (
        escape(words) if common else f"<mark>{escape(words)}</mark>" for words, common in pieces
    )
    return "".join(marked)


def _place(word: str, side: Side | None) -> str:
    place = where(side)
    return f"<span>{word} {escape(place)}</span>" if place else ""
