"""Several rulesets side by side as Markdown, as an HTML page, and for programs."""

import json
from collections.abc import Iterator
from html import escape
from typing import Any

from ziggurat import Columns, Group, Row
from ziggurat.studio.diff_columns import (
    brief_parts,
    cell_lines,
    cited,
    having,
    heading,
    headline,
    mark,
)
from ziggurat.studio.diff_html import about, page, title_line
from ziggurat.studio.diff_json import VERSION, side_shape
from ziggurat.studio.diff_markdown import escaped

# ---- Markdown -----------------------------------------------------------------------------------


def markdown(columns: Columns, brief: bool) -> str:
    """A table for each sentence, with a column for each ruleset."""
    told = headline(columns)
    lines = [
        f"# {escaped(heading(columns))}", "", f"{told[:1].upper()}{told[1:]}.", "",
        *(f"- {escaped(source)}: {escaped(title)}" for source, title in columns.sources), "",
    ]  # fmt: skip
    for one in columns.pages:
        lines += [f"## {escaped(one.title)} ({len(one.groups)})", ""]
        named, others = brief_parts(one) if brief else ([], list(one.groups))
        for pattern, groups in named:
            names = ", ".join(escaped(group.title) for group in groups)
            lines += [f"{len(groups)} {escaped(having(columns, pattern))}: {names}.", ""]
        for group in others:
            lines += [*_markdown_group(columns, group), ""]
    return "\n".join(lines)


def _markdown_group(columns: Columns, group: Group) -> Iterator[str]:
    yield f"### {escaped(group.title)}"
    if noted := ", ".join(filter(None, (mark(group), cited(columns, group)))):
        yield f"\n*{escaped(noted)}*"
    yield from (f"\n> {escaped(comment)}" for comment in group.comments)
    yield ""
    yield f"| | {' | '.join(escaped(name) for name in columns.names)} |"
    yield f"|---|{'---|' * len(columns.names)}"
    for row in group.rows:
        cells = (_markdown_cell(columns, row, i) for i in range(len(columns.names)))
        yield f"| `{row.path}` | {' | '.join(cells)} |"


def _markdown_cell(columns: Columns, row: Row, column: int) -> str:
    """Lines of a table cannot be broken, and neither can its cells have blocks."""
    lines = cell_lines(columns, row, column)
    if row.cells[column].state in ("absent", "in part") or lines[0].startswith("as "):
        return escaped(lines[0])
    shown = (escape(line).replace("|", "\\|").replace("  ", "&nbsp; ") for line in lines)
    return "<br>".join(f"<code>{line}</code>" for line in shown)


# ---- HTML ---------------------------------------------------------------------------------------


def html(columns: Columns) -> str:
    """The page of differences, with a column for each ruleset."""
    chapters = [
        (one.title, [(_class(group), _article(columns, group)) for group in one.groups])
        for one in columns.pages
    ]
    return page(heading(columns), headline(columns), columns.sources, chapters)


def _class(group: Group) -> str:
    if group.first.sort != "rule":
        return group.first.sort
    return "felt" if group.felt else "unfelt"


def _article(columns: Columns, group: Group) -> Iterator[str]:
    noted = mark(group)
    yield title_line("changed", group.title, [noted] if noted else [])
    yield from about(cited(columns, group), group.comments)
    for row in group.rows:
        yield f"<h4><code>{escape(row.path)}</code></h4>"
        yield '<table class="columns"><tr>'
        yield from (f"<th>{escape(name)}</th>" for name in columns.names)
        yield "</tr><tr>"
        for i, name in enumerate(columns.names):
            yield _cell(columns, row, i, name)
        yield "</tr></table>"


def _cell(columns: Columns, row: Row, column: int, name: str) -> str:
    cell = row.cells[column]
    lines = cell_lines(columns, row, column)
    plain = cell.state in ("absent", "in part") or lines[0].startswith("as ")
    kind = "like" if plain else "old" if column == 0 else "new"
    told = escape("\n".join(lines))
    return f'<td class="{kind}" data-name="{escape(name, quote=True)}">{told}</td>'


# ---- JSON ---------------------------------------------------------------------------------------


def to_json(columns: Columns) -> str:
    """One object; `docs/diff-json.md` describes every field."""
    counts = columns.counts()
    shape = {
        "version": VERSION,
        "editions": list(columns.names),
        "rules": {
            "differ": counts["rules"],
            "unfelt": counts["unfelt"],
            "data": dict(columns.data()),
        },
        "rows": [
            _row(one.title, number, group, row)
            for one in columns.pages
            for number, group in enumerate(one.groups, 1)
            for row in group.rows
        ],
    }
    return json.dumps(shape, ensure_ascii=False, indent=2)


def _row(chapter: str, number: int, group: Group, row: Row) -> dict[str, Any]:
    return {
        "path": row.path,
        "section": row.section,
        "title": row.title,
        "chapter": chapter,
        "sentence": f"{chapter} {number}",
        "comments": list(group.comments),
        "sort": row.sort,
        "felt": row.felt,
        "cells": [
            {"state": cell.state, "hunks": list(cell.words), "side": side_shape(cell.side)}
            for cell in row.cells
        ],
    }
