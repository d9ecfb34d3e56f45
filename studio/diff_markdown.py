"""A difference as Markdown, for a pull request or a page of a rulebook."""

from collections.abc import Iterator

from ziggurat import Arrangement, Heading, Marked, Provision
from ziggurat.studio.diff_words import (
    brief_groups,
    cited,
    headline,
    marks,
    name_of,
    places,
    remarks,
)


def markdown(told: Arrangement, brief: bool = True) -> str:
    """Headings for chapters and provisions, and the words in `diff` blocks."""
    difference = told.difference
    numbers = headline(told)
    lines = [
        f"# {escaped(difference.old)} → {escaped(difference.new)}",
        "",
        f"{numbers[:1].upper()}{numbers[1:]}.",
        "",
        *(f"- {escaped(source)}: {escaped(title)}" for source, title in told.sources),
        "",
    ]
    for chapter in told.chapters:
        lines += [f"## {escaped(chapter.title)} ({len(chapter.provisions)})", ""]
        named, others = brief_groups(chapter.provisions) if brief else ({}, chapter.provisions)
        for change, provisions in named.items():
            names = ", ".join(escaped(name_of(one)) for one in provisions)
            lines += [f"{len(provisions)} {change}: {names}.", ""]
        for provision in others:
            lines += [*_provision(chapter, provision), ""]
    return "\n".join(lines)


def _provision(chapter: Heading, provision: Provision) -> Iterator[str]:
    yield f"### {escaped(provision.title)}"
    yield ""
    yield f"*{escaped('; '.join(filter(None, (provision.change, cited(provision)))))}*"
    for comment in remarks(provision):
        yield ""
        yield f"> {escaped(comment)}"
    for one in provision.told:
        yield ""
        yield from _told(one, ", ".join(marks(one, chapter)))


def _told(told: Marked, noted: str) -> Iterator[str]:
    entry = told.entry
    title = f": {escaped(entry.title)}" if entry.section == "options" else ""
    yield f"`{entry.path}` {entry.change}" + (f" ({noted})" if noted else "") + title
    yield ""
    yield "```diff"
    for i, (old, new) in enumerate(entry.hunks):
        if i:
            yield "@@"
        yield from (f"- {line}" for line in old.split("\n") if old)
        yield from (f"+ {line}" for line in new.split("\n") if new)
    yield "```"
    if found := places(told):
        yield ""
        yield f"<sub>{escaped(found)}</sub>"


def escaped(text: str) -> str:
    return "".join(f"\\{c}" if c in "\\`*_<>#[]" else c for c in text)
