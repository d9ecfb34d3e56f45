"""Phases, and the turn they make up."""

from collections.abc import Iterator

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.forms.clauses import Trigger
from ziggurat.runtime.kernel.forms.requirements import Requirement
from ziggurat.runtime.kernel.forms.stages import Stage, walked_stage
from ziggurat.runtime.kernel.nodes import NO_META, At, Meta, at_field
from ziggurat.runtime.kernel.walker import Keyed, Walker, declaration


@form("declaration")
@attrs.frozen
class Phase:
    id: str
    title: str
    needs: tuple[Requirement, ...]
    stages: tuple[Stage, ...]
    triggers: tuple[Trigger, ...] = ()
    meta: Meta = NO_META
    at: At = at_field()


@form("declaration")
@attrs.frozen
class TurnOrder:
    """The sequence of phases. `start` phases run once; then `phases` again and again until the game
    ends. `shows` are values of a player that front ends display, `parts` those the score is made
    of, `outlook` is the number by which players who look ahead judge how somebody stands,
    `supposing` a procedure that makes positions they imagine agree with what was said. `needs`
    must be true for every number of players that the packs admit; it is checked when packs are
    linked. None of these changes a game."""

    id: str
    start: tuple[str, ...]
    phases: tuple[str, ...]
    ranking: str
    score: str
    shows: tuple[str, ...] = attrs.field(default=(), eq=False)
    parts: tuple[str, ...] = attrs.field(default=(), eq=False)
    needs: tuple[Requirement, ...] = ()
    meta: Meta = NO_META
    outlook: str = attrs.field(default="", eq=False)
    supposing: str = attrs.field(default="", eq=False)
    at: At = at_field()


@declaration(Phase)
def _phase(walker: Walker, phase: Phase) -> Iterator[Keyed]:
    for number, need in enumerate(phase.needs):
        yield ("phase", phase.id, "needs", number), walker.expression((), need.condition)
    for number, trigger in enumerate(phase.triggers):
        yield ("phase", phase.id, "trigger", number), walker.block((), trigger.body)
        if trigger.condition is not None:
            yield ("phase", phase.id, "when", number), walker.expression((), trigger.condition)
    for number, stage in enumerate(phase.stages):
        yield from walked_stage(walker, ("stage", phase.id, number), stage)
