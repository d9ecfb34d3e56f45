"""What two rulesets tell besides their rules: questions they answer otherwise, and what the books
they cite say in other words.

None of it is a difference of rules; where an answer plays differently, the rules are told, too.
"""

from collections.abc import Iterable, Iterator

from ziggurat.dsl.comparing.entries import Entry, Side, entry
from ziggurat.dsl.readings import HOLDS, by_number, places, reading_played, readings
from ziggurat.runtime.kernel import Clarification, Question, Ruleset, Says

QUESTIONS, CLARIFICATIONS, CLARIFIED = "questions", "clarifications", "clarified"
SECTIONS = (QUESTIONS, CLARIFICATIONS)


def besides(old: Ruleset, new: Ruleset) -> Iterator[Entry]:
    """Questions that only one side asks or that have another answer, then clarifications."""
    for id_ in sorted({*old.questions, *new.questions}, key=by_number):
        yield from _question(old, old.questions.get(id_), new, new.questions.get(id_))
    mine, theirs = own_sources(old, new), own_sources(new, old)
    for id_ in sorted({*old.clarifications, *new.clarifications}, key=by_number):
        before, after = old.clarifications.get(id_), new.clarifications.get(id_)
        yield from _clarification(before or after, mine, after or before, theirs)


def _question(
    a: Ruleset, old: Question | None, b: Ruleset, new: Question | None
) -> Iterator[Entry]:
    if old and new:
        if _answer(a, old) != _answer(b, new):
            sides = _side(a, old), _side(b, new)
            yield entry(QUESTIONS, "changed", *sides)
    elif old:
        yield entry(QUESTIONS, "removed", _side(a, old), None)
    elif new:
        yield entry(QUESTIONS, "added", None, _side(b, new))


def _answer(ruleset: Ruleset, question: Question) -> str:
    played = reading_played(ruleset, question)
    return played.text if played else ""


def _side(ruleset: Ruleset, question: Question) -> Side:
    lines = [
        f"{'played' if one.state == HOLDS else one.state}: {one.text}"
        for one in readings(ruleset, question)
    ]
    path, words = f"question {question.id}", "\n".join(lines)
    cites, tags = places(question), question.meta.tags
    return Side(path, words, question.at, cites, tags, question.title)


def own_sources(ruleset: Ruleset, other: Ruleset) -> frozenset[str]:
    """The books of packs that only this side has."""
    shared = {pack.id for pack in other.packs}
    return frozenset(
        source for pack in ruleset.packs if pack.id not in shared for source in pack.cites
    )


def _clarification(
    old: Clarification | None, mine: frozenset[str], new: Clarification | None,
    theirs: frozenset[str],
) -> Iterator[Entry]:  # fmt: skip
    """What the book of one side says, and that of the other; nothing if one of them is silent."""
    before = [one for one in (old.says if old else ()) if one.source in mine - theirs]
    after = [one for one in (new.says if new else ()) if one.source in theirs - mine]
    if old and new and before and after:
        sides = _said(old, before), _said(new, after)
        yield entry(CLARIFICATIONS, CLARIFIED, *sides)


def _said(one: Clarification, says: Iterable[Says]) -> Side:
    listed = list(says)
    words = "\n".join(each.text for each in listed)
    cites = tuple(each.cite for each in listed)
    return Side(f"clarification {one.id}", words, listed[0].at, cites, one.meta.tags, one.title)
