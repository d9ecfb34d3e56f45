"""Every difference of two readings: what only one of them declares, and parts that changed."""

from collections.abc import Container, Iterator

from ziggurat.dsl.comparing.entries import Entry, Side, entry
from ziggurat.dsl.comparing.groups import Half, compare
from ziggurat.dsl.comparing.names import Reading
from ziggurat.dsl.comparing.parts import Part
from ziggurat.dsl.comparing.subjects import Subject
from ziggurat.dsl.comparing.titles import part_title, subject_title
from ziggurat.dsl.printing.layout import lay_out


def changes(a: Reading, b: Reading) -> Iterator[Entry]:
    """What has to change, in the order of the new side; `a` speaks in the names of `b`."""
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
    title = subject_title(side, subject)
    return Side(subject.path, words, subject.at, meta.cites, meta.tags, title, subject.at)


def _name(side: Reading, one: Subject) -> Side:
    title, meta = subject_title(side, one), one.meta
    words = f"{one.sort} {one.id}"
    return Side(one.path, words, one.at, meta.cites, meta.tags, title, one.at)


def _both(a: Reading, old: Subject, b: Reading, new: Subject) -> Iterator[Entry]:
    if old.id != new.id and not _follows(old, new):
        sides = [_name(side, one) for side, one in ((a, old), (b, new))]
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
                Side(
                    f"{one.path} / {part.group}",
                    part.group,
                    part.at,
                    part.meta.cites,
                    title=part_title(side, one, part),
                    declared=one.at,
                )
                for side, one, part in ((a, old, x), (b, new, y))
            ]
            yield entry(section, "renamed", *sides)
