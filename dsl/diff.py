"""The difference of two linked rulesets, by what they mean.

Two rulesets are cut into the smallest parts that can differ by themselves (a field, a clause, a
step, a stage), each under a stable path. Layout, comments, citations, tags and wording never
count, nor do the names of locals. What only changed its name is told so once, and everything that
speaks of it is compared in the new name. Scenarios and advice are no rules and are left out;
questions and clarifications are told besides.
"""

from collections.abc import Container, Iterator

from ziggurat.dsl.comparing.entries import CHANGES, Difference, Entry, Side, entry
from ziggurat.dsl.comparing.groups import Half, compare
from ziggurat.dsl.comparing.names import Reading
from ziggurat.dsl.comparing.parts import Part
from ziggurat.dsl.comparing.questions import SECTIONS, besides
from ziggurat.dsl.comparing.renames import find_renames
from ziggurat.dsl.comparing.subjects import Subject
from ziggurat.dsl.ir import Ruleset
from ziggurat.dsl.printing.layout import lay_out

__all__ = ["CHANGES", "Difference", "Entry", "Side", "diff", "section_names"]


def diff(old: Ruleset, new: Ruleset) -> Difference:
    """What has to change in one ruleset to make it the other."""
    a, b = Reading(old), Reading(new)
    find_renames(a, b)
    found = list(_subjects(a, b))
    ranks = {section: i for i, section in enumerate(_sections(b, a))}
    found.sort(key=lambda one: ranks[one.section])
    return Difference(old.stack, new.stack, tuple(found), tuple(besides(old, new)))


def section_names(*rulesets: Ruleset) -> tuple[str, ...]:
    """The sections differences can be in."""
    return (*_sections(*(Reading(ruleset) for ruleset in rulesets)), *SECTIONS)


def _sections(*sides: Reading) -> list[str]:
    """The sections of all sides; one that only a later side has comes where that side has it."""
    merged: list[str] = []
    for side in sides:
        place = 0
        for section in dict.fromkeys(subject.section for subject in side.subjects.values()):
            if section in merged:
                place = merged.index(section) + 1
            else:
                merged.insert(place, section)
                place += 1
    return merged


def _subjects(a: Reading, b: Reading) -> Iterator[Entry]:
    kept: dict[tuple[str, str], Subject] = {}
    for old in a.subjects.values():
        if a.key(old) in b.subjects:
            kept[a.key(old)] = old
        elif not _told_with_home(old, a, b.subjects):
            yield entry(old.section, "removed", _whole(a, old), None)
    for new in b.subjects.values():
        before = kept.get(new.key)
        if before is not None:
            yield from _both(a, before, b, new)
        elif not _told_with_home(new, b, kept):
            yield entry(new.section, "added", None, _whole(b, new))


def _told_with_home(subject: Subject, side: Reading, others: Container[tuple[str, str]]) -> bool:
    """What stands in a thing that only one side has is told with the thing."""
    home = side.subjects.get(subject.home) if subject.home else None
    return home is not None and side.key(home) not in others


def _whole(side: Reading, subject: Subject) -> Side:
    meta = subject.meta
    words = lay_out(side.words(subject))
    return Side(subject.path, words, subject.at, meta.cites, meta.tags)


def _both(a: Reading, old: Subject, b: Reading, new: Subject) -> Iterator[Entry]:
    if old.id != new.id and not _follows(old, new):
        sides = [
            Side(one.path, f"{one.sort} {one.id}", one.at, one.meta.cites, one.meta.tags)
            for one in (old, new)
        ]
        yield entry(new.section, "renamed", *sides)
    groups: dict[str, tuple[list[Part], list[Part]]] = {}
    for part in new.parts:
        groups.setdefault(part.group, ([], []))[1].append(part)
    for part in old.parts:
        groups.setdefault(part.common_group(a.renames), ([], []))[0].append(part)
    for before, after in groups.values():
        yield from _renamed_step(new.section, a, old, before, b, new, after)
        yield from compare(Half(a, old, tuple(before)), Half(b, new, tuple(after)))


def _follows(old: Subject, new: Subject) -> bool:
    """Whether only the thing around it has a new name."""
    inner = old.id.partition(".")[2]
    return old.home is not None and old.home != new.home and inner == new.id.partition(".")[2]


def _renamed_step(
    section: str, a: Reading, old: Subject, before: list[Part], b: Reading, new: Subject,
    after: list[Part],
) -> Iterator[Entry]:  # fmt: skip
    for x, y in zip(before, after, strict=False):
        if x.target[0] == "step" and x.group != y.group:
            sides = [
                Side(f"{one.path} / {part.group}", part.group, part.at, part.meta.cites)
                for one, part in ((old, x), (new, y))
            ]
            yield entry(section, "renamed", *sides)
