"""A difference as Markdown, for a pull request or a page of a rulebook."""

from collections.abc import Iterator

from ziggurat import Difference, Entry
from ziggurat.studio.diff_words import counted, where


def markdown(difference: Difference) -> str:
    """Headings for sections and entries, and the words in `diff` blocks."""
    lines = [
        f"# {_escaped(difference.old)} → {_escaped(difference.new)}",
        "",
        f"{counted(difference).capitalize()}.",
        "",
    ]
    for section, entries in difference.sections().items():
        lines += [f"## {_escaped(section).capitalize()} ({len(entries)})", ""]
        for entry in entries:
            lines += [*_entry(entry), ""]
    return "\n".join(lines)


def _entry(entry: Entry) -> Iterator[str]:
    yield f"### `{entry.path}` {entry.change}"
    yield ""
    if entry.title:
        yield _escaped(entry.title)
        yield ""
    yield "```diff"
    for i, (old, new) in enumerate(entry.hunks):
        if i:
            yield "@@"
        yield from (f"- {line}" for line in old.split("\n") if old)
        yield from (f"+ {line}" for line in new.split("\n") if new)
    yield "```"
    for word, side in (("was", entry.old), ("now", entry.new)):
        if where(side):
            yield ""
            yield f"<sub>{word} {_escaped(where(side))}</sub>"


def _escaped(text: str) -> str:
    return "".join(f"\\{c}" if c in "\\`*_<>#[]" else c for c in text)
