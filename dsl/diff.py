"""The difference of two linked rulesets, by what they mean.

Two rulesets are cut into the smallest parts that can differ by themselves (a field, a clause, a
step, a stage), each under a stable path. Layout, comments, citations, tags and wording never
count, nor do the names of locals. What only changed its name is told so once, and everything that
speaks of it is compared in the new name. Scenarios are left out; questions, clarifications, wording
and advice are no rules and are told besides.
"""

from ziggurat.dsl.comparing import questions, wording
from ziggurat.dsl.comparing.changes import changes
from ziggurat.dsl.comparing.entries import CHANGES, Difference, Entry, Side
from ziggurat.dsl.comparing.names import Reading
from ziggurat.dsl.comparing.renames import find_renames
from ziggurat.runtime.kernel import Ruleset

__all__ = ["CHANGES", "Difference", "Entry", "Side", "diff", "section_names"]


def diff(old: Ruleset, new: Ruleset) -> Difference:
    """What has to change in one ruleset to make it the other."""
    a, b = Reading(old), Reading(new)
    find_renames(a, b)
    found = list(changes(a, b))
    ranks = {section: i for i, section in enumerate(_sections(b, a))}
    found.sort(key=lambda one: ranks[one.section])
    told_besides = (*questions.besides(old, new), *wording.in_other_words(a, b))
    return Difference(old.stack, new.stack, tuple(found), told_besides)


def section_names(*rulesets: Ruleset) -> tuple[str, ...]:
    """The sections differences can be in."""
    return (
        *_sections(*(Reading(ruleset) for ruleset in rulesets)),
        *questions.SECTIONS,
        *wording.SECTIONS,
    )


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
