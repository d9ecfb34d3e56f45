"""What is said about the word under the pointer, and about the finding there."""

from collections.abc import Iterable

from lsprotocol import types as lsp

from ziggurat import Description, Diagnostic, NamePlace, Names, described, page
from ziggurat.studio.editor.places import span_range

MOST_CHANGES = 8


def hover(
    names: Names | None, places: Iterable[NamePlace], findings: Iterable[Diagnostic]
) -> lsp.Hover | None:
    """The names at a place, then the pages of the findings that touch it."""
    parts: list[str] = []
    where: lsp.Range | None = None
    for place in places:
        told = described(names, place.word, place.path) if names is not None else None
        where = where or span_range(place.span)
        if told is not None:
            parts.append(_told(told))
        elif place.word == "local":
            parts.append(f"```rules\n{place.span.text}\n```\na name that is made here")
    for finding in findings:
        where = where or (span_range(finding.span) if finding.span else None)
        parts.append(_page(finding))
    if not parts:
        return None
    text = "\n\n---\n\n".join(dict.fromkeys(parts))
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), where)


def _told(told: Description) -> str:
    begins = f" = {told.value}" if told.value and ":" in told.head else ""
    lines = [f"```rules\n{told.head}{begins}\n```"]
    if told.title:
        lines.append(f"**{told.title}**")
    if told.value and not begins:
        lines.append(told.value)
    if told.comment:
        lines.append(told.comment)
    if told.cites:
        lines.append(f"*{told.cites}*")
    lines += changes(told)
    return "\n\n".join(lines)


def changes(told: Description) -> list[str]:
    """Who changes it, in their own words."""
    if not told.changes:
        return []
    shown = [
        f"- `{one.text}` ({one.by}, {one.at.file}:{one.at.line})"
        for one in told.changes[:MOST_CHANGES]
    ]
    more = len(told.changes) - MOST_CHANGES
    shown += [f"- and {more} more"] if more > 0 else []
    return ["Changed by\n" + "\n".join(shown)]


def _page(finding: Diagnostic) -> str:
    found = page(finding.code)
    if found is None:
        return f"**{finding.code}** {finding.message}"
    meaning = next(iter(found.sections.values()), "")
    return f"**{finding.code}: {found.title}**\n\n{meaning}"
