"""Where in a game differences belong: to a phase, a thing, the whole course, or its data."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property

import attrs

from ziggurat.dsl.comparing.effects import wholes
from ziggurat.dsl.comparing.entries import Entry
from ziggurat.dsl.comparing.names import Reading
from ziggurat.dsl.comparing.reach import Node, Reach
from ziggurat.dsl.comparing.subjects import Subject
from ziggurat.dsl.comparing.titles import in_words

PHASE, THING, SECTION = "phase", "thing", "section"
COURSE, GENERAL = "Course of the game", "Throughout the game"
# The order in which topics are told: the turn, its phases, what concerns several, things, the rest.
_RANKS = {COURSE: 0, PHASE: 1, GENERAL: 2, THING: 3, SECTION: 4}


@attrs.frozen
class Topic:
    """What some differences are about, known by its `id`. `rank` puts topics in order."""

    sort: str
    id: str
    title: str = attrs.field(eq=False)
    rank: tuple[int, ...] = attrs.field(eq=False)


class Topics:
    """The topics of one ruleset; what a later one has, too, is told as there."""

    def __init__(self, reading: Reading, later: "Topics | None" = None) -> None:
        self.reading = reading
        self.later = later
        self.reach = Reach(reading.ruleset)
        self.reached = self.reach.reached()
        self.by_path = {one.path: one for one in reading.subjects.values()}
        self.homes = {one.home for one in reading.subjects.values()}
        self._phases = list(dict.fromkeys(_in_order(self.reach)))
        self._sections = list(dict.fromkeys(one.section for one in reading.subjects.values()))

    def subject(self, path: str) -> Subject | None:
        """What a path leads to: the innermost declaration."""
        return next((self.by_path[one] for one in wholes(path) if one in self.by_path), None)

    def of(self, subject: Subject) -> Topic:
        """Where something belongs."""
        kinds = self.reading.ruleset.kinds
        if subject.sort == "turn":
            return _topic(COURSE, COURSE, COURSE)
        if subject.home and subject.home[0] in kinds:
            return self._thing(*subject.home)
        if subject.sort in kinds:
            return self._thing(subject.sort, subject.id)
        nodes = list(self.nodes(subject))
        brought = {home for node in nodes for home in self.reach.brought_by(node)}
        if len(brought) == 1:
            return self._home(*brought.pop())
        phases = {id_ for node in nodes for id_ in self.reach.phases_before(node)}
        if len(phases) == 1:
            return self._home("phase", phases.pop())
        return _topic(GENERAL, GENERAL, GENERAL) if phases else self.section(subject.section)

    def nodes(self, subject: Subject) -> Iterator[Node]:
        """The rules that a declaration stands for; of a rule, its clauses."""
        if subject.sort == "rule":
            yield from self._clauses.get(subject.id, ())
        elif subject.sort == "bundle":
            ids = self.reading.ruleset.attributes
            yield from (("attribute", id_) for id_ in ids if _is_in(id_, subject.id))
        else:
            yield subject.sort, subject.id

    def section(self, name: str) -> Topic:
        """A topic for what belongs to nothing else."""
        return _topic(SECTION, name, in_words(name).capitalize(), self._number(name))

    def _number(self, section: str) -> int:
        known = self._sections
        return known.index(section) if section in known else len(known)

    def _home(self, sort: str, id_: str) -> Topic:
        if sort != "phase":
            return self._thing(sort, id_)
        if self.later and (told := self._there("phase", id_)) in self.later.reading.ruleset.phases:
            return self.later._home("phase", told)
        title = self.reading.ruleset.phases[id_].title or in_words(id_).capitalize()
        number = self._phases.index(id_) if id_ in self._phases else len(self._phases)
        return _topic(PHASE, id_, title, number)

    def _thing(self, kind: str, id_: str) -> Topic:
        if self.later and (kind, self._there(kind, id_)) in self.later.reading.subjects:
            return self.later._thing(kind, self._there(kind, id_))
        page = self.reading.ruleset.things[kind]
        title = page[id_].title or in_words(id_).capitalize()
        rank = self._number(self.reading.subjects[kind, id_].section), self._ranks[kind, id_]
        return _topic(THING, f"{kind} {id_}", f"{title} ({in_words(kind)})", *rank)

    @cached_property
    def _ranks(self) -> dict[tuple[str, str], int]:
        """The place of each thing among those of its kind."""
        pages = self.reading.ruleset.things.items()
        return {(kind, id_): rank for kind, page in pages for rank, id_ in enumerate(page)}

    @cached_property
    def _clauses(self) -> dict[str, list[Node]]:
        """The clauses of each rule, by the path of the rule."""
        clauses: dict[str, list[Node]] = defaultdict(list)
        for node in self.reach.to:
            if node[0] == "clause":
                for whole in wholes(node[1])[1:]:
                    clauses[whole].append(node)
        return clauses

    def _there(self, sort: str, id_: str) -> str:
        """What something is called in the later ruleset."""
        return self.reading.renames.get((sort, id_), id_)


def _topic(sort: str, id_: str, title: str, *rank: int) -> Topic:
    return Topic(sort, id_, title, (_RANKS[sort], *rank))


def _is_in(attribute: str, bundle: str) -> bool:
    return attribute == bundle or attribute.startswith(f"{bundle}.")


def _in_order(reach: Reach) -> Iterator[str]:
    """The phases as a turn has them, each with those it performs after it."""
    for turn in reach.ruleset.turns.values():
        for id_ in (*turn.start, *turn.phases):
            yield from _performed(reach, id_, ())


def _performed(reach: Reach, id_: str, above: tuple[str, ...]) -> Iterator[str]:
    yield id_
    inner: Iterable[str] = sorted(
        i for sort, i in reach.to.get(("phase", id_), ()) if sort == PHASE
    )
    for one in inner:
        if one not in above:
            yield from _performed(reach, one, (*above, id_))


def side_of(entry: Entry, old: Topics, new: Topics) -> tuple[Topics, Subject] | None:
    """The ruleset and the declaration that a difference is told of: the new one if it has it."""
    for topics, side in ((new, entry.new), (old, entry.old)):
        subject = topics.subject(side.path) if side is not None else None
        if subject is not None:
            return topics, subject
    return None
