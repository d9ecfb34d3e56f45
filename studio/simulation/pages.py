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
    # What is scrolled sideways must be in reach of the keyboard.
    reach = ' tabindex="0"' if "<table" in body else ""
    return f'<div class="card"{reach}>{head}{body}</div>'


def legend(entries: Iterable[tuple[str, str]]) -> str:
    """(look, name) pairs."""
    items = "".join(f'<span class="{look}"><i></i>{escape(name)}</span>' for look, name in entries)
    return f'<div class="legend">{items}</div>'


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], folded: int = 0) -> str:
    """A table; headings that begin with `#` stand over numbers. Rows beyond `folded` are folded."""
    head = "".join(map(_column_head, headings))
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


def _column_head(heading: str) -> str:
    """Return the head of a column; one without words is no heading."""
    if not heading:
        return "<td></td>"
    side = ' class="n"' if heading.startswith("#") else ""
    return f"<th{side}>{escape(heading.removeprefix('#')).replace('+', '+<wbr>')}</th>"


def text(words: str, small: str = "") -> str:
    """A cell with words; `small` stands under them in a quiet voice."""
    below = f"<br><small>{escape(small)}</small>" if small else ""
    return f"<td>{escape(words)}{below}</td>"


def count(value: float, percent: bool = False) -> str:
    key = -1e9 if math.isnan(value) else value
    return f'<td class="n" data-key="{key:.6g}">{number(value, percent)}</td>'


def span(estimate: Estimate, percent: bool = False) -> str:
    """Return an interval in words."""
    if estimate.flat:
        return all_alike(estimate)
    low, high = (
        (max(estimate.low, 0), min(estimate.high, 1)) if percent else (estimate.low, estimate.high)
    )
    return f"{number(low, percent)} – {number(high, percent)}"


def all_alike(estimate: Estimate) -> str:
    """Say that all games say the same, and in how many others it may be otherwise."""
    if estimate.number == 1:
        return "in the one game"
    what = "happens" if not estimate.mean else "otherwise"
    return f"in all {estimate.number} games; {what} in at most {number(estimate.otherwise, True)}"


def between(estimate: Estimate, percent: bool = False) -> str:
    """A cell with a mean and its interval."""
    if not estimate.number:
        return count(math.nan)
    return (
        f'<td class="n" data-key="{estimate.mean:.6g}">{number(estimate.mean, percent)}'
        f" <small>{span(estimate, percent)}</small></td>"
    )


def changed(estimate: Estimate, percent: bool = False, marked: bool = False) -> str:
    """Return a cell with a difference, in colour if it is marked."""
    if not estimate.number:
        return count(math.nan)
    look = ("more" if estimate.mean > 0 else "less") if marked else ""
    mean, span = change_words(estimate, percent)
    span += " points" if percent and not estimate.flat else ""
    return f'<td class="n {look}" data-key="{estimate.mean:.6g}">{mean} <small>{span}</small></td>'


def change_words(estimate: Estimate, percent: bool) -> tuple[str, str]:
    """Return a difference in words, and its interval; of shares in percentage points."""
    plus = "+" if estimate.mean > 0 else ""
    numbers = (estimate.mean, estimate.low, estimate.high)
    mean, low, high = (number(round(100 * v) if percent else v) for v in numbers)
    if not estimate.flat:
        return f"{plus}{mean}", f"{low} to {high}"
    pairs = "in the one pair" if estimate.number == 1 else f"in all {estimate.number} pairs"
    return f"{plus}{mean}", pairs


def bars(values: Sequence[float], most: float) -> str:
    """A cell with a bar for each ruleset."""
    inner = "".join(
        f'<div class="side{n}" style="width:{100 * max(v, 0) / (most or 1):.1f}%"></div>'
        for n, v in enumerate(values)
        if not math.isnan(v)
    )
    key = values[-1] if values and not math.isnan(values[-1]) else 0
    return f'<td class="bar" data-key="{key:.6g}">{inner}</td>'
