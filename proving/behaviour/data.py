"""Data that two rulesets have otherwise, and which of it a run that parts is to be blamed on."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs

from ziggurat.dsl.comparing.entries import Entry
from ziggurat.proving.behaviour.findings import Seen
from ziggurat.proving.coverage import CLAUSES
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.bodies import declarations
from ziggurat.runtime.kernel.walking import walk

# How many cards of a face there are is looked at by nobody but the box.
_COPIES = "copies"
Key = tuple[str, str]


@attrs.frozen
class Blamed:
    """A field of a thing, and where each side gives it."""

    path: str
    places: tuple[str, str]


class ChangedData:
    """The fields of things that are not the same, and which clauses look at such fields."""

    def __init__(self, old: ir.Ruleset, new: ir.Ruleset, entries: Iterable[Entry]) -> None:
        self._entries: dict[Key, list[Entry]] = {}
        self._things: dict[str, list[Entry]] = {}
        kinds = {**old.kinds, **new.kinds}
        for entry in entries:
            head, _, field = entry.path.partition(" / ")
            kind = kinds.get(head.partition(" ")[0])
            if kind is None:
                continue
            if not field:
                self._things.setdefault(kind.plural, []).append(entry)
            elif field in {one.name for one in kind.fields}:
                self._entries.setdefault((kind.id, field), []).append(entry)
        self._read = _fields_by_clause(old, new) if self._entries else {}

    def has(self, path: str) -> bool:
        """Whether something blamed is data."""
        entries = (one for page in self._entries.values() for one in page)
        names = {f"{kind} / {field}" for kind, field in self._entries} | self._things.keys()
        return path in names or any(one.path == path for one in entries)

    def blamed(self, trace: Sequence[str], seen: Sequence[Seen]) -> Blamed | None:
        """What the last clause that looks at such a field read: of the things that are seen, if
        there are some of them; of all, if it could be any."""
        words = {word for told in seen for one in told for word in re.findall(r"\w+", one)}
        for clause in reversed(trace):
            fields = [key for key in self._entries if key in self._read.get(clause, ())]
            if fields:
                return self._told(fields, words)
        copies = [key for key in self._entries if key[1] == _COPIES]
        if copies:
            return self._told(copies, words)
        spoken = next((plural for plural in self._things if plural in words), "")
        return Blamed(spoken, _places(self._things[spoken][0])) if spoken else None

    def _told(self, keys: Sequence[Key], words: set[str]) -> Blamed:
        entries = [entry for key in keys for entry in self._entries[key]]
        named = [one for one in entries if _thing(one) in words]
        chosen = named or entries
        if len(chosen) == 1 or len({_thing(one) for one in chosen}) == 1:
            return Blamed(chosen[0].path, _places(chosen[0]))
        kind, field = keys[0]
        return Blamed(f"{kind} / {field}", _places(chosen[0]))


def _thing(entry: Entry) -> str:
    return entry.path.partition(" / ")[0].partition(" ")[2]


def _places(entry: Entry) -> tuple[str, str]:
    old, new = (
        f"{side.at.file}:{side.at.line}" if side is not None and side.at.file else ""
        for side in (entry.old, entry.new)
    )
    return old, new


def _fields_by_clause(*sides: ir.Ruleset) -> dict[str, frozenset[Key]]:
    """The fields that each clause of both sides looks at."""
    found: dict[str, frozenset[Key]] = {}
    for rules in sides:
        for declared in declarations(rules):
            for path, node in _clauses(declared):
                read = {
                    (one.owner_kind, one.field) for one in walk(node) if isinstance(one, ir.FieldOf)
                }
                found[path] = found.get(path, frozenset()) | read
    return found


def _clauses(declared: Any) -> Iterator[tuple[str, Any]]:
    yield declared.id, declared
    for node in walk(declared):
        if isinstance(node, ir.ThingBody):
            yield f"{declared.id}.{node.name}", node
        elif isinstance(node, CLAUSES):
            yield node.path, node
