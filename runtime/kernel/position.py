"""Where a game is in its rules, for everybody who is not the scheduler.

What a phase is doing is kept in `State.frames`, whose shape is the scheduler's own business. A
`Position` says what others may want to know of it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

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
    frames = state.frames
    found = _in_turn(run.rules, frames)
    if not frames or frames[-1][0] != "phase":
        return found
    _, phase, index, data = frames[-1]
    plan = run.plans[phase]
    if index >= len(plan) or plan[index].what != "stage":
        return attrs.evolve(found, phase=phase)
    part = plan[index]
    freely = bool(part.stage.freely)
    found = attrs.evolve(found, phase=phase, stage=part.number, freely=freely)
    if part.stage.kind != "act" or not data:
        return found
    if freely:
        return attrs.evolve(found, doing=data[0][1]) if data[0] is not None else found
    _, current, doing = data
    acting = "" if current is None else run.bound.table.owner_names[current]
    return attrs.evolve(found, acting=acting, doing="" if doing is None else doing[0])


def _in_turn(rules: Ruleset, frames: tuple[Any, ...]) -> Position:
    """What can be said without looking into a phase."""
    outer: tuple[Any, ...] = frames[0] if frames else ("",)
    if outer[0] == "turn":
        _, id_, part, index = outer
        turn = rules.turns[id_]
        ended, coming = _around(turn.phases if part else turn.start, index, len(frames) > 1)
        return Position(id_, not part, "", ended, coming)
    if outer[0] == "run":
        return Position("", False, "", *_around(outer[1], outer[2], len(frames) > 1))
    return Position()


def _around(phases: Sequence[str], index: int, running: bool) -> tuple[str, str]:
    """The phases that ended last and come next. The one that runs has been counted already."""
    before = index - 1 - running
    return phases[before] if before >= 0 else "", phases[index] if index < len(phases) else ""
