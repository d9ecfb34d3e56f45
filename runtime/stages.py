"""The kinds of stages: once, while, each, act, all at once, and a phase inside a phase.

Each function looks at the stage's data in the frame, does the next thing, and returns the state
with what is pending now (nothing: go on).
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dsl import ir
from runtime.asking import Ask, Pending
from runtime.state import State

if TYPE_CHECKING:
    from runtime.scheduler import Scheduler

Frame = tuple[Any, ...]
Kept = list[Pending] | None
Outcome = tuple[State, list[Pending]]

ROUNDS = 10_000


def _frames(state: State, index: int, data: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    """The state's frames with another place in the innermost phase."""
    *rest, (kind, phase, _, _) = state.frames
    return (*rest, (kind, phase, index, data))


def _run(
    run: "Scheduler", state: State, key: Frame, args: tuple[Any, ...], after: tuple[Any, ...]
) -> Outcome:
    phase = state.frames[-1][1]
    state, ask = run.step(state, key, args, after)
    return state, [Pending(ask.decider, phase, ask)] if ask is not None else []


def once(run: "Scheduler", state: State, frame: Frame, stage: ir.Stage, kept: Kept) -> Outcome:
    return _run(run, state, run.key(frame, "body"), (), _frames(state, frame[2] + 1))


def repeat(run: "Scheduler", state: State, frame: Frame, stage: ir.Stage, kept: Kept) -> Outcome:
    """Every round is a step. While a round is being answered its condition is not asked again."""
    _, _, index, data = frame
    rounds = data[0] if data else 0
    test = run.key(frame, "test")
    going = state.answers or (rounds < ROUNDS and run.call(state, test, ()))
    if not going:
        state.frames = _frames(state, index + 1)
        return state, []
    return _run(run, state, run.key(frame, "body"), (), _frames(state, index, (rounds + 1,)))


def perform(run: "Scheduler", state: State, frame: Frame, stage: ir.Stage, kept: Kept) -> Outcome:
    index = frame[2]
    guard = stage.condition is None or run.call(state, run.key(frame, "test"), ())
    state.frames = _frames(state, index + 1)
    if guard:
        state.frames = (*state.frames, ("phase", stage.phase, 0, ()))
    return state, []


def each(run: "Scheduler", state: State, frame: Frame, stage: ir.Stage, kept: Kept) -> Outcome:
    """The first by the order that has not had his turn, looked at anew before each."""
    _, _, index, data = frame
    done, current = data or ((), None)
    if current is None:
        current = _next(run, state, frame, done)
        if current is None:
            state.frames = _frames(state, index + 1)
            return state, []
        state.frames = _frames(state, index, (done, current))
    after = _frames(state, index, ((*done, current), None))
    return _run(run, state, run.key(frame, "body"), (current,), after)


def _next(run: "Scheduler", state: State, frame: Frame, done: tuple[int, ...]) -> int | None:
    left: list[int]
    left = [member for member in run.call(state, run.key(frame, "items"), ()) if member not in done]
    if len(left) < 2:
        return left[0] if left else None
    key = run.key(frame, "order")
    if run.bound.get(*key) is None:
        return left[0]
    return min(left, key=lambda member: run.call(state, key, (member,)))


def act(run: "Scheduler", state: State, frame: Frame, stage: ir.Stage, kept: Kept) -> Outcome:
    if stage.freely:
        return _act_freely(run, state, frame, stage, kept)
    _, phase, index, data = frame
    doing: tuple[str, tuple[Any, ...]] | None
    done, current, doing = data or ((), None, None)
    if current is None:
        current = _next(run, state, frame, done)
        if current is None:
            state.frames = _frames(state, index + 1)
            return state, []
        state.frames = _frames(state, index, (done, current, None))
    if doing is None:
        pending = _can_act(run, state, phase, current)
        if pending is not None:
            return state, [pending]
        doing = ("", ())
        state.frames = _frames(state, index, (done, current, doing))
    if not doing[0]:
        after = _frames(state, index, ((*done, current), None, None))
        return _run(run, state, run.key(frame, "body"), (current,), after)
    after = _frames(state, index, (done, current, None))
    return _run(run, state, ("action", doing[0], "body"), (current, *doing[1]), after)


def _can_act(run: "Scheduler", state: State, phase: str, player: int) -> Pending | None:
    """What to do next, if there is anything but ending it."""
    menu = run.actions.offer(state, phase, player)
    return None if menu is None else Pending(player, phase, menu=menu)


def _act_freely(
    run: "Scheduler", state: State, frame: Frame, stage: ir.Stage, kept: Kept
) -> Outcome:
    """All who have not passed and can do something are pending; the first to answer acts first."""
    _, phase, index, data = frame
    if not data:
        state.passed = 0
        state.frames = _frames(state, index, (None,))
    doing = data[0] if data else None
    if doing is not None:
        player, action, args = doing
        after = _frames(state, index, (None,))
        return _run(run, state, ("action", action, "body"), (player, *args), after)
    if stage.limit is None or not run.call(state, run.key(frame, "limit"), ()):
        able = (
            _can_act(run, state, phase, player)
            for player in run.members(state, frame)
            if not state.passed >> player & 1
        )
        pending = [one for one in able if one is not None]
        if pending:
            return state, pending
    state.passed = 0
    state.frames = _frames(state, index + 1)
    return state, []


def at_once(run: "Scheduler", state: State, frame: Frame, stage: ir.Stage, kept: Kept) -> Outcome:
    """Everybody decides on the position at the start; then all bodies run in order.

    The data are the players, the answers of each, and whether they are still being collected or
    the bodies are being run and an answer turned out to be no longer possible ("again").
    """
    _, phase, index, data = frame
    key = run.key(frame, "body")
    after = _frames(state, index + 1)
    if not data:
        players = tuple(run.members(state, frame))
        data = (players, ((),) * len(players), "collect")
        finished, _, _ = _carry_out(run, state, key, data, after)
        if finished is not None:
            return finished, []
        state.frames = _frames(state, index, data)
    players, given, mode = data
    if mode == "collect":
        pending = []
        open_threads = {p.thread: p for p in kept or ()}
        for thread, player in enumerate(players):
            if thread in open_threads:
                pending.append(open_threads[thread])
                continue
            work = state.copy()
            work.answers = given[thread]
            try:
                run.call(work, key, (player,))
            except Ask as ask:
                ask.moment = work
                pending.append(Pending(ask.decider, phase, ask, thread))
            given = (*given[:thread], work.answers, *given[thread + 1 :])
        state.frames = _frames(state, index, (players, given, mode))
        if pending:
            return state, pending
    data = (players, given, "again")
    finished, asked, data = _carry_out(run, state, key, data, after)
    if finished is not None or asked is None:
        return finished or state, []
    state.frames = _frames(state, index, data)
    thread, open_ask = asked
    return state, [Pending(open_ask.decider, phase, open_ask, thread)]


def _carry_out(
    run: "Scheduler", state: State, key: Frame, data: tuple[Any, ...], after: tuple[Any, ...]
) -> tuple[State | None, tuple[int, Ask] | None, tuple[Any, ...]]:
    """Run all bodies with their answers; only the first player's need no second look."""
    players, given, mode = data
    work = state.copy()
    for thread, player in enumerate(players):
        work.answers = given[thread]
        work.cursor = 0
        work.checking = thread > 0
        try:
            run.call(work, key, (player,))
        except Ask as ask:
            ask.moment = work
            given = (*given[:thread], work.answers, *given[thread + 1 :])
            return None, (thread, ask), (players, given, mode)
        given = (*given[:thread], work.answers, *given[thread + 1 :])
    everything = tuple(answer for answers in given for answer in answers)
    work.answers = everything
    run.settle(work, after)
    return work, None, data


STAGES: dict[str, Callable[..., Outcome]] = {
    "once": once,
    "while": repeat,
    "perform": perform,
    "each": each,
    "act": act,
    "at_once": at_once,
}
