"""What a thing looks like: a place on its map, anything else as a card of what it says."""

from html import escape

from ziggurat import Description, NamePlace, Names, Ruleset, described, resolved
from ziggurat.studio.map.board import board, place_kind
from ziggurat.studio.map.layout import NoBoardError
from ziggurat.studio.map.svg import draw

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5em; color: #222; background: #fffdf6 }
article { border: 1px solid #cbb; border-radius: 8px; padding: 1em 1.5em; max-width: 34em;
  background: #fff }
h1 { font-size: 1.3em; margin: 0 } h1 small { color: #876; font-weight: normal }
pre { white-space: pre-wrap; font: 13px/1.5 ui-monospace, monospace } cite { color: #876 }
svg { max-width: 100%; height: auto }
"""


def preview(ruleset: Ruleset, names: Names, places: list[NamePlace]) -> dict[str, str] | None:
    """A page about the first thing at a place; without any, the map."""
    kind = place_kind(ruleset)
    for place in places:
        if kind is not None and place.word == kind.id:
            break
        told = described(names, place.word, place.path)
        if told is not None:
            return {"title": told.title or place.path, "html": _card(ruleset, place, told)}
    try:
        picture = draw(board(ruleset))
    except NoBoardError:
        return None
    title = places[0].path if places else "map"
    return {"title": title, "html": _page(title, picture)}


def _card(ruleset: Ruleset, place: NamePlace, told: Description) -> str:
    shown = resolved(ruleset, f"{place.word} {place.path}") or resolved(ruleset, place.path)
    lines = [text for part in shown[:1] for text, _ in part]
    inner = [f"<h1>{escape(told.title or place.path)} <small>{escape(place.word)}</small></h1>"]
    if told.cites:
        inner.append(f"<cite>{escape(told.cites)}</cite>")
    if told.comment:
        inner.append(f"<p>{escape(told.comment)}</p>")
    inner.append(f"<pre>{escape(chr(10).join(lines) or told.head)}</pre>")
    if told.changes:
        rows = "".join(f"<li>{escape(one.text)} ({escape(one.by)})</li>" for one in told.changes)
        inner.append(f"<p>Changed by</p><ul>{rows}</ul>")
    return _page(told.title or place.path, f"<article>{''.join(inner)}</article>")


def _page(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body>{body}</body></html>"
    )
