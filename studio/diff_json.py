"""A difference for programs; `docs/diff-json.md` describes every field."""

import json
from typing import Any

from ziggurat import CHANGES, Difference, Entry, Side

VERSION = 1


def to_json(difference: Difference) -> str:
    """The whole difference as one JSON object."""
    counts = difference.counts()
    shape = {
        "version": VERSION,
        "old": difference.old,
        "new": difference.new,
        "counts": {change: counts[change] for change in CHANGES},
        "entries": [_entry(entry) for entry in difference.entries],
        "besides": [{**_entry(entry), "title": entry.title} for entry in difference.besides],
    }
    return json.dumps(shape, ensure_ascii=False, indent=2)


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "path": entry.path,
        "section": entry.section,
        "change": entry.change,
        "old": _side(entry.old),
        "new": _side(entry.new),
        "hunks": [{"old": old, "new": new} for old, new in entry.hunks],
    }


def _side(side: Side | None) -> dict[str, Any] | None:
    if side is None:
        return None
    at = side.at
    return {
        "path": side.path,
        "words": side.words,
        "location": {"file": at.file, "line": at.line, "column": at.column} if at.file else None,
        "cites": [{"source": cite.source, "place": cite.place} for cite in side.cites],
        "tags": list(side.tags),
    }
