"""Where a game is in its rules, for everybody who is not the scheduler.

What a phase is doing is kept in `State.frames`, whose shape is the scheduler's own business. A
`Position` says what others may want to know of it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from ziggurat.runtime.kernel.frames import (
    Acting,
    Frames,
    FreeActing,
    PhaseFrame,
    RunFrame,
    TurnFrame,
)
from ziggurat.runtime.kernel.ruleset import Ruleset
from ziggurat.runtime.kernel.state import State

if TYPE_CHECKING:
    from ziggurat.runtime.kernel.scheduler import Scheduler


@attrs.frozen
class Position:
    """Where a game is in its rules; a name is empty where there is nothing of the kind.

    `turn` is the order of phases being played (empty while phases or rules run by themselves), and
    `opening` says whether its start phases still run. `phase` is the phase that runs now, the
    innermost if it performs another; between two phases it is empty. `ended` and `coming` are the
    phases before and after it in the turn. `stage` numbers the stage of that phase, `freely` says
    whether all act freely in it, `acting` is the player whose turn to act it is, and `doing` the
    action that has begun and asks for something on its way.
    """

    turn: str = ""
    opening: bool = False
    phase: str = ""
    ended: str = ""
    coming: str = ""
    stage: int | None = None
    freely: bool = False
    acting: str = ""
    doing: str = ""


def position(run: "Scheduler", state: State) -> Position:
    """Where a state is in the rules that run on it."""
    found = _in_turn(run.rules, state.frames)
    frame = state.frames[-1] if state.frames else None
    if not isinstance(frame, PhaseFrame):
        return found
    found = attrs.evolve(found, phase=frame.phase)
    plan = run.plans[frame.phase]
    if frame.index >= len(plan) or plan[frame.index].what != "stage":
        return found
    part = plan[frame.index]
    freely = bool(part.stage.freely)
    found = attrs.evolve(found, stage=part.number, freely=freely)
    if part.stage.kind != "act" or not frame.progress:
        return found
    if freely:
        (free,) = FreeActing(*frame.progress)
        return found if free is None else attrs.evolve(found, doing=free[1])
    _, current, begun = Acting(*frame.progress)
    acting = "" if current is None else run.bound.table.owner_names[current]
    return attrs.evolve(found, acting=acting, doing="" if begun is None else begun[0])


def _in_turn(rules: Ruleset, frames: Frames) -> Position:
    """Return what can be said without looking into a phase."""
    match frames[0] if frames else None:
        case TurnFrame(turn=id_, part=part, index=index):
            turn = rules.turns[id_]
            ended, coming = _around(turn.phases if part else turn.start, index, len(frames) > 1)
            return Position(id_, not part, "", ended, coming)
        case RunFrame(phases=phases, index=index):
            return Position("", False, "", *_around(phases, index, len(frames) > 1))
    return Position()


def _around(phases: Sequence[str], index: int, running: bool) -> tuple[str, str]:
    """The phases that ended last and come next. The one that runs has been counted already."""
    before = index - 1 - running
    return phases[before] if before >= 0 else "", phases[index] if index < len(phases) else ""
