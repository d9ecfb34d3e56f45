"""Pieces of the report's page: sections, cards, tables with numbers, legends."""

import math
from collections.abc import Iterable, Sequence
from html import escape

from ziggurat.studio.simulation.plots import number
from ziggurat.studio.simulation.statistics import Estimate


def section(id_: str, title: str, note: str, *parts: str) -> tuple[str, str, str]:
    """A section: its id and title for the navigation, and its text."""
    body = "\n".join(part for part in parts if part)
    text = (
        f'<section id="{id_}"><h2>{escape(title)}</h2>'
        f'<p class="note">{escape(note)}</p>\n{body}</section>'
    )
    return id_, title, text


def card(*parts: str, title: str = "") -> str:
    body = "\n".join(part for part in parts if part)
    if not body:
        return ""
    head = f"<h3>{escape(title)}</h3>" if title else ""
    return f'<div class="card">{head}{body}</div>'


def legend(entries: Iterable[tuple[str, str]]) -> str:
    """(look, name) pairs."""
    items = "".join(f'<span class="{look}"><i></i>{escape(name)}</span>' for look, name in entries)
    return f'<div class="legend">{items}</div>'


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], folded: int = 0) -> str:
    """A table; headings that begin with `#` stand over numbers. Rows beyond `folded` are folded."""
    head = "".join(
        ('<th class="n">' if h.startswith("#") else "<th>")
        + escape(h.removeprefix("#")).replace("+", "+<wbr>")
        + "</th>"
        for h in headings
    )
    body = [f"<tr>{''.join(row)}</tr>" for row in rows]
    if not body:
        return ""

    def whole(some: Sequence[str]) -> str:
        inner = "\n".join(some)
        return f"<table><thead><tr>{head}</tr></thead><tbody>\n{inner}</tbody></table>"

    if folded and len(body) > folded + 5:
        rest = len(body) - folded
        more = f"<details><summary>{rest} more</summary>{whole(body[folded:])}</details>"
        return whole(body[:folded]) + more
    return whole(body)


def text(words: str, small: str = "") -> str:
    """A cell with words; `small` stands under them in a quiet voice."""
    below = f"<br><small>{escape(small)}</small>" if small else ""
    return f"<td>{escape(words)}{below}</td>"


def count(value: float, percent: bool = False) -> str:
    key = -1e9 if math.isnan(value) else value
    return f'<td class="n" data-key="{key:.6g}">{number(value, percent)}</td>'


def between(one: Estimate, percent: bool = False) -> str:
    """A cell with a mean and its interval."""
    if not one.number:
        return count(math.nan)
    if one.flat:
        told = f"{number(one.mean, percent)} <small>in all {one.number}</small>"
        return f'<td class="n" data-key="{one.mean:.6g}">{told}</td>'
    low, high = (max(one.low, 0), min(one.high, 1)) if percent else (one.low, one.high)
    span = f"{number(low, percent)} – {number(high, percent)}"
    return (
        f'<td class="n" data-key="{one.mean:.6g}">{number(one.mean, percent)}'
        f" <small>{span}</small></td>"
    )


def changed(one: Estimate, percent: bool = False, marked: bool = False) -> str:
    """A cell with a difference, in colour if it is marked."""
    if not one.number:
        return count(math.nan)
    look = ("more" if one.mean > 0 else "less") if marked else ""
    plus = "+" if one.mean > 0 else ""
    if percent:
        mean, low, high = (number(round(100 * v)) for v in (one.mean, one.low, one.high))
        mean, span = f"{plus}{mean}", f"{low} – {high} points"
    else:
        mean, span = f"{plus}{number(one.mean)}", f"{number(one.low)} – {number(one.high)}"
    if one.flat:
        span = f"in all {one.number}"
    return (
        f'<td class="n {look}" data-key="{one.mean:.6g}">{mean}'
        f" <small>{span.replace(' – ', ' to ')}</small></td>"
    )


def bars(values: Sequence[float], most: float) -> str:
    """A cell with a bar for each ruleset."""
    inner = "".join(
        f'<div class="side{n}" style="width:{100 * max(v, 0) / (most or 1):.1f}%"></div>'
        for n, v in enumerate(values)
        if not math.isnan(v)
    )
    key = values[-1] if values and not math.isnan(values[-1]) else 0
    return f'<td class="bar" data-key="{key:.6g}">{inner}</td>'
