"""The kinds of stages: once, while, each, act, all at once, and a phase inside a phase.

Each function looks at the stage's data in the frame, does the next thing, and returns the state
with what is pending now (nothing: go on).
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import attrs

from ziggurat.runtime.kernel.errors import RUNTIME_FAILURES
from ziggurat.runtime.kernel.forms.stages import Stage
from ziggurat.runtime.kernel.frames import (
    AGAIN,
    COLLECT,
    Acting,
    Frames,
    FreeActing,
    Members,
    PhaseFrame,
    Progress,
    Rounds,
    Together,
)
from ziggurat.runtime.kernel.requests import DecisionRequest, Open, Pending
from ziggurat.runtime.kernel.signatures import Function
from ziggurat.runtime.kernel.state import State

if TYPE_CHECKING:
    from ziggurat.runtime.kernel.scheduler import Scheduler

Key = tuple[Any, ...]
Kept = Sequence[Pending] | None
Outcome = tuple[State, Sequence[Pending]]

ROUNDS = 10_000
_NO_STAGE = Stage("", "")


@attrs.frozen(eq=False)
class Part:
    """One part of a phase: its needs, a trigger or a stage, with the functions of the stage. `body`
    is the key of what it runs."""

    what: str
    number: int
    body: tuple[Any, ...]
    stage: Stage = _NO_STAGE
    items: Function | None = None
    order: Function | None = None
    test: Function | None = None
    limit: Function | None = None
    times: Function | None = None


def _frames(state: State, frame: PhaseFrame, index: int, progress: Progress = ()) -> Frames:
    """Return the state's frames with another place in the innermost phase."""
    return (*state.frames[:-1], frame.at(index, progress))


def _run(run: "Scheduler", state: State, key: Key, args: tuple[Any, ...], after: Frames) -> Outcome:
    phase = state.frames[-1].name
    state, ask = run.step(state, key, args, after)
    return state, [Pending(ask.decider, phase, ask)] if ask is not None else ()


def once(run: "Scheduler", state: State, frame: PhaseFrame, part: Part, kept: Kept) -> Outcome:
    return _run(run, state, part.body, (), _frames(state, frame, frame.index + 1))


def repeat(run: "Scheduler", state: State, frame: PhaseFrame, part: Part, kept: Kept) -> Outcome:
    """Every round is a step. While a round is being answered its condition is not asked again."""
    index, (rounds,) = frame.index, Rounds(*frame.progress)
    assert part.test is not None
    going = state.answers or (rounds < ROUNDS and part.test(state))
    if not going:
        state.frames = _frames(state, frame, index + 1)
        return state, ()
    after = _frames(state, frame, index, Rounds(rounds + 1))
    return _run(run, state, part.body, (), after)


def perform(run: "Scheduler", state: State, frame: PhaseFrame, part: Part, kept: Kept) -> Outcome:
    guard = part.test is None or part.test(state)
    state.frames = _frames(state, frame, frame.index + 1)
    if guard:
        state.frames = (*state.frames, PhaseFrame(part.stage.phase))
    return state, ()


def perform_again(
    run: "Scheduler", state: State, frame: PhaseFrame, part: Part, kept: Kept
) -> Outcome:
    """A phase inside a phase, and again while its condition holds, but not too often."""
    index, (rounds,) = frame.index, Rounds(*frame.progress)
    assert part.times is not None
    wanted = not rounds or part.test is None or part.test(state)
    if wanted and rounds < (part.times(state) or 0):
        outer = _frames(state, frame, index, Rounds(rounds + 1))
        state.frames = (*outer, PhaseFrame(part.stage.phase))
    else:
        state.frames = _frames(state, frame, index + 1)
    return state, ()


def each(run: "Scheduler", state: State, frame: PhaseFrame, part: Part, kept: Kept) -> Outcome:
    """The first by the order that has not had its turn, looked at anew before each."""
    index, (done, current) = frame.index, Members(*frame.progress)
    if current is None:
        current = _next(state, part, done)
        if current is None:
            state.frames = _frames(state, frame, index + 1)
            return state, ()
        state.frames = _frames(state, frame, index, Members(done, current))
    after = _frames(state, frame, index, Members((*done, current)))
    return _run(run, state, part.body, (current,), after)


def members(state: State, part: Part) -> list[int]:
    """The members of a stage's set, in its order."""
    assert part.items is not None
    found = list(part.items(state))
    if part.order is not None:
        found.sort(key=partial(part.order, state))
    return found


def _next(state: State, part: Part, done: tuple[int, ...]) -> int | None:
    assert part.items is not None
    left: list[int] = [member for member in part.items(state) if member not in done]
    if part.order is None or len(left) < 2:
        return left[0] if left else None
    return min(left, key=partial(part.order, state))


def act(run: "Scheduler", state: State, frame: PhaseFrame, part: Part, kept: Kept) -> Outcome:
    if part.stage.freely:
        return _act_freely(run, state, frame, part)
    index, (done, current, begun) = frame.index, Acting(*frame.progress)
    if current is None:
        current = _next(state, part, done)
        if current is None:
            state.frames = _frames(state, frame, index + 1)
            return state, ()
        state.frames = _frames(state, frame, index, Acting(done, current))
    if begun is None:
        pending = _can_act(run, state, frame.phase, current)
        if pending is not None:
            return state, [pending]
        begun = ("", ())
        state.frames = _frames(state, frame, index, Acting(done, current, begun))
    action, args = begun
    if not action:
        after = _frames(state, frame, index, Acting((*done, current)))
        return _run(run, state, part.body, (current,), after)
    after = _frames(state, frame, index, Acting(done, current))
    return _run(run, state, ("action", action, "body"), (current, *args), after)


def _can_act(run: "Scheduler", state: State, phase: str, player: int) -> Pending | None:
    """What to do next, if there is anything but ending it."""
    menu = run.actions.offer(state, phase, player)
    return None if menu is None else Pending(player, phase, menu=menu)


def _act_freely(run: "Scheduler", state: State, frame: PhaseFrame, part: Part) -> Outcome:
    """All who have not passed and can do something are pending; the first to answer acts first."""
    phase, index = frame.phase, frame.index
    if not frame.progress:
        state.passed = 0
        state.frames = _frames(state, frame, index, FreeActing())
    (begun,) = FreeActing(*frame.progress)
    if begun is not None:
        player, action, args = begun
        after = _frames(state, frame, index, FreeActing())
        return _run(run, state, ("action", action, "body"), (player, *args), after)
    if part.limit is None or not part.limit(state):
        able = _able(run, state, phase, part)
        first = next(able, None)
        if first is not None:
            return state, Open(first, able)
    state.passed = 0
    state.frames = _frames(state, frame, index + 1)
    return state, ()


def _able(run: "Scheduler", state: State, phase: str, part: Part) -> Iterator[Pending]:
    try:
        for player in members(state, part):
            if not state.passed >> player & 1:
                pending = _can_act(run, state, phase, player)
                if pending is not None:
                    yield pending
    except RUNTIME_FAILURES as wrong:
        raise run.bound.as_rules_error(wrong, phase) from wrong


def at_once(run: "Scheduler", state: State, frame: PhaseFrame, part: Part, kept: Kept) -> Outcome:
    """Everybody decides on the position at the start; then all bodies run in order."""
    key, index = part.body, frame.index
    after = _frames(state, frame, index + 1)
    if frame.progress:
        together = Together(*frame.progress)
    else:
        players = tuple(members(state, part))
        together = Together(players, ((),) * len(players), COLLECT)
        finished, _, _ = _carry_out(run, state, key, together, after)
        if finished is not None:
            return finished, ()
        state.frames = _frames(state, frame, index, together)
    if together.mode == COLLECT:
        pending = []
        open_threads = {p.thread: p for p in kept or ()}
        for thread, player in enumerate(together.players):
            if thread in open_threads:
                pending.append(open_threads[thread])
                continue
            work = state.fork()
            work.answers = together.given[thread]
            try:
                run.call(work, key, (player,))
            except DecisionRequest as ask:
                ask.capture_state(work)
                pending.append(Pending(ask.decider, frame.phase, ask, thread))
            together = _with_answers(together, thread, work)
        state.frames = _frames(state, frame, index, together)
        if pending:
            return state, pending
    again = together._replace(mode=AGAIN)
    finished, asked, again = _carry_out(run, state, key, again, after)
    if finished is not None or asked is None:
        return finished or state, ()
    state.frames = _frames(state, frame, index, again)
    thread, open_ask = asked
    return state, [Pending(open_ask.decider, frame.phase, open_ask, thread)]


def _with_answers(together: Together, thread: int, work: State) -> Together:
    given = together.given
    return together._replace(given=(*given[:thread], work.answers, *given[thread + 1 :]))


def _carry_out(
    run: "Scheduler", state: State, key: Key, together: Together, after: Frames
) -> tuple[State | None, tuple[int, DecisionRequest] | None, Together]:
    """Run all bodies with their answers; only the first player's need no second look."""
    before, work = together, state.fork()
    for thread, player in enumerate(together.players):
        work.answers = together.given[thread]
        work.cursor = 0
        work.checking = thread > 0
        try:
            run.call(work, key, (player,))
        except DecisionRequest as ask:
            ask.capture_state(work)
            return None, (thread, ask), _with_answers(together, thread, work)
        together = _with_answers(together, thread, work)
    work.answers = tuple(answer for answers in together.given for answer in answers)
    run.settle(work, after)
    return work, None, before


STAGES: dict[str, Callable[..., Outcome]] = {
    "once": once,
    "while": repeat,
    "perform": perform,
    "repeat": perform_again,
    "each": each,
    "act": act,
    "at_once": at_once,
}
