"""A difference as people read it: by phase and thing, and what one sentence of a rulebook says
together.

The differences themselves are those of `dsl.diff`; here they get an order, marks and comments.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import attrs

from ziggurat.dsl.comparing import questions, wording
from ziggurat.dsl.comparing.effects import without_effect
from ziggurat.dsl.comparing.entries import Difference, Entry, Side
from ziggurat.dsl.comparing.names import Reading
from ziggurat.dsl.comparing.provisions import Link, joined
from ziggurat.dsl.comparing.renames import find_renames
from ziggurat.dsl.comparing.topics import SECTION, Topic, Topics, side_of
from ziggurat.dsl.survey import amending_comment
from ziggurat.runtime.kernel import At, Cite, Ruleset

RULE, DATA = "rule", "data"
SORTS = (RULE, DATA, "question", "clarification", "wording", "advice")
LAST = 9  # the rank of what is told besides
_BESIDES = {
    questions.QUESTIONS: "question", questions.CLARIFICATIONS: "clarification",
    wording.WORDING: "wording", wording.ADVICE: "advice",
}  # fmt: skip
# What lies on the table and says nothing about who may do what.
_TABLE = ("kind", "piece", "cards", "map", "mark", "open")
Comment = Callable[[At], Sequence[str]]


@attrs.frozen
class Marked:
    """One difference, marked: its sort (rule, data, advice, wording, question, clarification), and
    whether a game notices it under the default options. `read` is no if no rule looks at it."""

    entry: Entry
    sort: str
    felt: bool = True
    read: bool = True


@attrs.frozen
class Provision:
    """Differences that come from one sentence of a rulebook. The first is what it is about."""

    told: tuple[Marked, ...]
    comments: tuple[str, str] = ("", "")

    @property
    def title(self) -> str:
        """That of what it is about; of several parts of a thing, the thing's."""
        title = self.told[0].entry.title
        whole = {one.entry.title.partition(": ")[0] for one in self.told}
        if len(self.told) > 1 and len(whole) == 1:
            title = whole.pop()
        return title[:1].upper() + title[1:]

    @property
    def sort(self) -> str:
        return self.told[0].sort

    @property
    def felt(self) -> bool:
        return any(one.felt for one in self.told)

    @property
    def change(self) -> str:
        """Return what became of all of it, or else that it changed: what is named by its title is
        not removed with a part of it."""
        changes = {one.entry.change for one in self.told}
        is_whole = ": " in self.title or any(" / " not in one.entry.path for one in self.told)
        if len(changes) > 1 or (changes <= {"added", "removed"} and not is_whole):
            return "changed"
        return changes.pop()

    def cites(self, old: bool) -> tuple[Cite, ...]:
        """What one side cites."""
        sides = [one.entry.old if old else one.entry.new for one in self.told]
        return tuple(dict.fromkeys(cite for side in sides if side for cite in side.cites))

    @property
    def tags(self) -> tuple[str, ...]:
        sides = [side for one in self.told for side in (one.entry.old, one.entry.new) if side]
        return tuple(dict.fromkeys(tag for side in sides for tag in side.tags))


@attrs.frozen
class Heading:
    """All differences about one phase, thing or part of the data. `rank` puts them in order."""

    title: str
    sort: str
    provisions: tuple[Provision, ...]
    rank: tuple[int, ...] = ()


@attrs.frozen
class Arrangement:
    """A difference in the order in which it is told. `sources` are the books it cites."""

    difference: Difference
    chapters: tuple[Heading, ...]
    sources: tuple[tuple[str, str], ...] = ()

    def provisions(self, sort: str = "") -> list[Provision]:
        """All of them, or those of one sort."""
        found = (one for chapter in self.chapters for one in chapter.provisions)
        return [one for one in found if sort in ("", one.sort)]

    def counts(self) -> dict[str, int]:
        """How many rules differ; how many of them are not felt under the default options; how many
        entries of data, advice and wording, questions and clarifications there are."""
        rules = self.provisions(RULE)
        told = Counter(one.sort for provision in self.provisions() for one in provision.told)
        return {
            "rules": len(rules),
            "unfelt": sum(not one.felt for one in rules),
            **{sort: told[sort] for sort in SORTS[1:]},
        }

    def data(self) -> Counter[str]:
        """How many things of each kind have other data, by section."""
        found = {
            (one.entry.section, one.entry.path.split(" / ")[0])
            for provision in self.provisions()
            for one in provision.told
            if one.sort == DATA
        }
        return Counter(section for section, _ in sorted(found))


def arrange(
    difference: Difference,
    old: Ruleset,
    new: Ruleset,
    comments: tuple[Comment, Comment] = (lambda _: (), lambda _: ()),
) -> Arrangement:
    """Bring a difference of two rulesets into order; `comments` read what stands above a place."""
    return _Arranging(difference, old, new, comments).arrangement()


class _Arranging:
    def __init__(
        self, difference: Difference, old: Ruleset, new: Ruleset, comments: tuple[Comment, Comment]
    ) -> None:
        self.difference = difference
        self.comments = comments
        known = set(old.amendments)
        self.amendments = [one for one in new.amendments if one not in known]
        a, b = Reading(old), Reading(new)
        renames = find_renames(a, b)
        later = Topics(b)
        self.topics = Topics(a, later), later
        self.unfelt = without_effect(old, new, renames, difference.entries)

    def arrangement(self) -> Arrangement:
        told = [self._told(one) for one in self.difference.entries]
        rules = [one for one in told if one.sort != DATA]
        chapters: dict[Topic, list[Provision]] = {}
        for group in joined([self._link(one.entry) for one in rules]):
            provision = self._provision([rules[i] for i in group])
            chapters.setdefault(self._topic(provision), []).append(provision)
        known: dict[tuple[Topic, str], int] = {}
        for one in told:
            if one.sort == DATA:
                self._add_data(one, chapters, known)
        ordered = sorted(chapters, key=lambda topic: topic.rank)
        found = [Heading(one.title, one.sort, tuple(chapters[one]), one.rank) for one in ordered]
        chapters_told = (*found, *self._besides())
        return Arrangement(self.difference, chapters_told, self._sources(chapters_told))

    def _sources(self, chapters: Iterable[Heading]) -> tuple[tuple[str, str], ...]:
        provisions = [one for chapter in chapters for one in chapter.provisions]
        cited = {
            cite.source for one in provisions for old in (True, False) for cite in one.cites(old)
        }
        packs = [pack for topics in self.topics for pack in topics.reading.ruleset.packs]
        known = {id_: title for pack in packs for id_, title in pack.sources}
        return tuple((id_, title) for id_, title in known.items() if id_ in cited)

    # ---- marks

    def _told(self, entry: Entry) -> Marked:
        found = side_of(entry, *self.topics)
        sort = self._sort(entry) if found is not None else RULE
        felt = entry not in self.unfelt
        return Marked(entry, sort, felt, felt or sort != DATA)

    def _sort(self, entry: Entry) -> str:
        sorts = {
            _sort_of(topics, side.path)
            for topics, side in zip(self.topics, (entry.old, entry.new), strict=True)
            if side is not None
        }
        return next(iter(sorts)) if len(sorts) == 1 else RULE

    # ---- what belongs together

    def _link(self, entry: Entry) -> Link:
        """What a difference shares with others: tags, citations, and who speaks of it."""
        sides = [side for side in (entry.old, entry.new) if side is not None]
        tags = {tag for side in sides for tag in side.tags}
        cites = {f"{cite.source} {cite.place}" for side in sides for cite in side.cites}
        names: set[tuple[str, str]] = set()
        users: set[tuple[str, str]] = set()
        for topics, side in zip(self.topics, (entry.old, entry.new), strict=True):
            subject = topics.subject(side.path) if side is not None else None
            if subject is not None:
                nodes = list(topics.nodes(subject))
                names.update(nodes)
                users.update(user for node in nodes for user in topics.reach.from_.get(node, ()))
        serves = entry.section == "options"
        return Link(frozenset(tags), frozenset(cites), frozenset(names), frozenset(users), serves)

    def _provision(self, told: Sequence[Marked]) -> Provision:
        """The differences of a provision, what it is about first."""
        ordered = sorted(told, key=_weight)
        comments = [
            self._comment(n, [(one.entry.old, one.entry.new)[n] for one in ordered]) for n in (0, 1)
        ]
        roots = {one.entry.path.split(" / ")[0] for one in ordered}
        if any(one.spoken in roots for one in self.amendments):  # that of before may be untrue now
            comments[1] = amending_comment(self.amendments, roots, self.comments[1])
        elif comments[0] == comments[1]:
            comments[0] = ""
        return Provision(tuple(ordered), (comments[0], comments[1]))

    def _comment(self, side: int, told: Iterable[Side | None]) -> str:
        for one in told:
            for at in (one.at, one.declared) if one is not None else ():
                if found := self.comments[side](at):
                    return " ".join(found)
        return ""

    def _topic(self, provision: Provision) -> Topic:
        found = []
        for one in provision.told:
            place = side_of(one.entry, *self.topics)
            topics = self.topics[1]
            found.append(place[0].of(place[1]) if place else topics.section(one.entry.section))
        proper = [topic for topic in found if topic.sort != SECTION]
        return min(proper or found, key=lambda topic: topic.rank)

    def _add_data(
        self,
        one: Marked,
        chapters: dict[Topic, list[Provision]],
        known: dict[tuple[Topic, str], int],
    ) -> None:
        """Data stands with the rules of its thing if these differ, else with others of its kind.

        `known` numbers the provisions with the data of things, topic by topic.
        """
        place = side_of(one.entry, *self.topics)
        own = place[0].of(place[1]) if place else None
        topic = own if own in chapters else self.topics[1].section(one.entry.section)
        page = chapters.setdefault(topic, [])
        key = topic, one.entry.path.split(" / ")[0]
        number = known.setdefault(key, len(page))
        if number == len(page):
            page.append(self._provision([one]))
        else:
            page[number] = attrs.evolve(page[number], told=(*page[number].told, one))

    def _besides(self) -> Iterable[Heading]:
        names = dict.fromkeys(one.section for one in self.difference.besides)
        for name in names:
            told = [one for one in self.difference.besides if one.section == name]
            sort = _BESIDES[name]
            provisions = tuple(Provision((Marked(one, sort, False),)) for one in told)
            yield Heading(name.capitalize(), sort, provisions, (LAST, SORTS.index(sort)))


def _sort_of(topics: Topics, path: str) -> str:
    """Whether what a path leads to is a rule, data, or only serves advice."""
    subject = topics.subject(path)
    if subject is None:
        return RULE
    if subject.sort in _TABLE:
        return DATA
    rules = topics.reading.ruleset
    if subject.sort in rules.kinds:
        parts = subject.parts
        label = path.removeprefix(subject.path).removeprefix(" / ")
        fields = {field.name for field in rules.kinds[subject.sort].fields}
        if label:
            return DATA if label in fields else RULE
        nested = subject.key in topics.homes
        return RULE if nested or any(part.group not in fields for part in parts) else DATA
    if subject.sort in ("value", "order", "rule") and rules.turns:
        reached = any(node in topics.reached for node in topics.nodes(subject))
        return RULE if reached else wording.ADVICE
    return RULE


def _weight(one: Marked) -> tuple[bool, bool, bool, bool]:
    """What a provision is about comes first: what is felt, has a title of its own and is cited."""
    side = one.entry.new or one.entry.old
    option = one.entry.section == "options"
    cited = side is not None and bool(side.cites or side.tags)
    titled = side is not None and side.title[:1].isupper()
    return not one.felt, option, not titled, not cited
