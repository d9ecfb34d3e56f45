"""The past of a game: after which answer a line of its log came, and the rules once more up to it.

A game keeps its answers, and every so many of them its position, so any earlier position can be
come back to on a copy. From the answer before a line the rules are walked again by a tracer.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from ziggurat.proving.tracing import Capture, TracedBound
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.game import Game, Step
from ziggurat.runtime.game.log import describe
from ziggurat.runtime.kernel.frames import Frames, PhaseFrame
from ziggurat.runtime.kernel.program import walked_program
from ziggurat.runtime.kernel.requests import Pending
from ziggurat.runtime.kernel.scheduler import Scheduler
from ziggurat.runtime.kernel.state import State

CHUNK = 32


class _Come(Exception):  # noqa: N818 - what happened
    """The line was written, in this position."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self.state = state


@attrs.frozen(eq=False)
class Cause:
    """Before a line: the game there, which answer came next (None at the start of a game), and how
    many answers had been given."""

    game: Game | None
    answer: Step | None
    number: int


def cause(game: Game, line: int) -> Cause:
    """Where a line of the log (counted from 0, of all there are) comes from."""
    past = game.copy()
    while past.state.log_size > line and past.undo(CHUNK):
        pass
    if past.state.log_size > line:
        return Cause(None, None, 0)
    while True:
        before = past.copy()
        if not past.redo():
            return Cause(before, None, before.answered)
        if past.state.log_size > line:
            return Cause(before, past.answers()[-1], before.answered)


def earlier(game: Game, answers: int, since: int) -> Iterator[tuple[int, Game, Step]]:
    """The last so many answers before a moment, the latest first: its number, the game before it
    and the answer; only while the log had more than `since` lines."""
    now = game.copy()
    for _ in range(answers):
        step = now.answers()[-1:] if now.answered else []
        before = now.copy()
        if not step or not before.undo() or before.state.log_size <= since:
            return
        yield before.answered + 1, before, step[0]
        now = before


class OneStep(Scheduler):
    """Runs the step that an answer is for, and no other."""

    def settle(self, work: State, after: Frames) -> None:
        super().settle(work, after)
        raise _Come(work)

    def after(self, before: Game, step: Step) -> State:
        """The position when the step of an answer has ended; as it was if more is asked in it."""
        state, kept = _answered(before, step)
        try:
            self.advance(state, kept)
        except _Come as come:
            return come.state
        return before.state


class _Watching(Scheduler):
    """Stops when a line has been written."""

    def __init__(self, bound: TracedBound, line: int) -> None:
        super().__init__(bound)
        self.line = line

    def settle(self, work: State, after: Frames) -> None:
        super().settle(work, after)
        if work.log_size > self.line:
            raise _Come(work)

    def _phase(
        self, state: State, frame: PhaseFrame, kept: Sequence[Pending] | None
    ) -> tuple[State, Sequence[Pending]]:
        state, pending = super()._phase(state, frame, kept)
        if state.log_size > self.line and not pending:
            raise _Come(state)
        return state, pending


def traced(game: Game, why: Cause, line: int, site: int) -> tuple[list[Capture], list[Any]]:
    """What led to a site on the way to a line, and the events up to it."""
    program = game.run.bound.program
    bound = TracedBound(walked_program(program.ruleset, program.sites), game.table, site)
    run = _Watching(bound, line)
    state, kept = _beginning(game, run, why)
    try:
        state, pending = run.advance(state, kept)
    except _Come as come:
        return bound.steps.captures, come.state.events()
    moments = [one.ask.moment for one in pending if one.ask is not None and one.ask.moment]
    events = [*state.events(), *(event for moment in moments for event in moment.news)]
    return bound.steps.captures, events


def _beginning(game: Game, run: Scheduler, why: Cause) -> tuple[State, list[Pending] | None]:
    if why.game is None:
        state = State(game.table, game.state.seed)
        run.begin(state)
        return state, None
    if why.answer is None:
        return why.game.state.copy(), None
    return _answered(why.game, why.answer)


def _answered(before: Game, step: Step) -> tuple[State, list[Pending] | None]:
    """A position with an answer given, and what else is still to be decided in it."""
    index, inner = step
    pending = before.pending[index]
    kept = None
    if pending.thread is not None:
        kept = [other for other in before.pending if other is not pending]
    return before.run.answer(before.state, pending, inner).copy(), kept


def answer_text(before: Game, step: Step, seat: int | None) -> str:
    """An answer in words, as a seat may know it."""
    index, inner = step
    pending = before.pending[index]
    names = before.spoken
    if pending.ask is None and inner is None:
        return f"{names[pending.decider]}: {before.decisions[index].end}"
    event: tuple[Any, ...]
    if pending.ask is None:
        event = ("act", None, inner[0], (pending.decider, inner[1]))
    else:
        event = ("chose", None, pending.ask.site, (pending.decider, inner))
    told = describe(before.run.bound.program, before.table, event, seat, names)
    return told.text if told is not None else ""


def first(game: Game) -> Game:
    """A game before its first answer."""
    past = game.copy()
    past.undo(past.answered)
    return past


def turn_began(ruleset: ir.Ruleset, events: Sequence[Any], line: int) -> int:
    """The line with which the turn of a line began; 0 for the first."""
    turn = next(iter(ruleset.turns.values()), None)
    places = {phase: place for place, phase in enumerate(turn.phases if turn else ())}
    began, last = 0, len(places)
    for number, (what, _, about, _) in enumerate(events[: line + 1]):
        if what == "phase" and about in places:
            if places[about] <= last:
                began = number
            last = places[about]
    return began
