"""Two rulesets side by side, as a document for the workshop: chapters of what differs, in words."""

from typing import Any

from ziggurat import Arrangement, Heading, Marked, Provision
from ziggurat.studio.diff_words import cited, headline, marks, places, remarks, rows

Document = dict[str, Any]


def difference(told: Arrangement) -> Document:
    """Everything that differs, by chapter."""
    return {
        "old": told.difference.old,
        "new": told.difference.new,
        "headline": headline(told),
        "sources": [{"id": id_, "title": book} for id_, book in told.sources],
        "chapters": [
            {
                "title": chapter.title,
                "provisions": [_provision(chapter, one) for one in chapter.provisions],
            }
            for chapter in told.chapters
        ],
    }


def _provision(chapter: Heading, one: Provision) -> Document:
    return {
        "change": one.change,
        "title": one.title,
        "sort": one.sort,
        "felt": one.felt,
        "cites": cited(one),
        "remarks": remarks(one),
        "entries": [_entry(chapter, found) for found in one.told],
    }


def _entry(chapter: Heading, told: Marked) -> Document:
    entry = told.entry
    return {
        "path": entry.path,
        "change": entry.change,
        "marks": marks(told, chapter),
        "where": places(told),
        "hunks": [[[left, right] for left, right in rows(old, new)] for old, new in entry.hunks],
    }
