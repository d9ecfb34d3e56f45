"""A difference for programs; `docs/diff-json.md` describes every field."""

import json
from typing import Any

from ziggurat import CHANGES, Arrangement, Entry, Heading, Marked, Provision, Side

VERSION = 1


def to_json(told: Arrangement) -> str:
    """The whole difference as one JSON object."""
    difference = told.difference
    counts = difference.counts()
    marked = {
        id(one.entry): (chapter, number, provision, one)
        for chapter in told.chapters
        for number, provision in enumerate(chapter.provisions, 1)
        for one in provision.told
    }
    shape = {
        "version": VERSION,
        "old": difference.old,
        "new": difference.new,
        "counts": {change: counts[change] for change in CHANGES},
        "rules": rules_counted(told),
        "entries": [_entry(entry, *marked[id(entry)]) for entry in difference.entries],
        "besides": [_entry(entry, *marked[id(entry)]) for entry in difference.besides],
    }
    return json.dumps(shape, ensure_ascii=False, indent=2)


def rules_counted(told: Arrangement) -> dict[str, Any]:
    """How many rules differ, and what else."""
    counts = told.counts()
    return {"differ": counts["rules"], "unfelt": counts["unfelt"], "data": dict(told.data())}


def _entry(
    entry: Entry, chapter: Heading, number: int, provision: Provision, told: Marked
) -> dict[str, Any]:
    before, after = provision.comments
    return {
        "path": entry.path,
        "section": entry.section,
        "change": entry.change,
        "title": entry.title,
        "chapter": chapter.title,
        "sentence": f"{chapter.title} {number}",
        "comments": {"old": before, "new": after},
        "sort": told.sort,
        "felt": told.felt,
        "old": side_shape(entry.old),
        "new": side_shape(entry.new),
        "hunks": [{"old": old, "new": new} for old, new in entry.hunks],
    }


def side_shape(side: Side | None) -> dict[str, Any] | None:
    """One side of an entry, or of a row of several columns."""
    if side is None:
        return None
    at = side.at
    return {
        "path": side.path,
        "title": side.title,
        "words": side.words,
        "location": {"file": at.file, "line": at.line, "column": at.column} if at.file else None,
        "cites": [{"source": cite.source, "place": cite.place} for cite in side.cites],
        "tags": list(side.tags),
    }
