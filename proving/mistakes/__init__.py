"""The small mistakes that authors make, each as a change of one form of a ruleset.

A mistake is a function of a form and of what is in sight where it stands; it gives the changes it
makes of that form itself. Going into the parts of forms is `proving.mutants`' business.
"""

from collections.abc import Callable, Iterator
from typing import Any

from ziggurat.proving.mistakes import choices, members, slips, texts
from ziggurat.proving.mistakes.sight import Change, Sight

Mistake = Callable[[Any, Sight], Iterator[Change]]
MISTAKES: tuple[Mistake, ...] = (
    slips.sign,
    slips.number,
    slips.condition,
    choices.decider,
    choices.bound,
    members.another_set,
    members.another_filter,
    members.another_order,
    texts.another_text,
)
