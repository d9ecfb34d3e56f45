"""The scheduler: which step comes next, and what is pending.

Where it is, is data in the state (`State.frames`), which nobody else reads: others ask for a
`Position`.

A step runs on a copy of the state. If somebody must decide, the copy is thrown away and only the
answers so far are kept; if not, the copy becomes the state. Steps that can never ask run in place.
"""

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any

from ziggurat.runtime.kernel.actions import Actions
from ziggurat.runtime.kernel.errors import RUNTIME_FAILURES, TOO_MUCH, RulesError
from ziggurat.runtime.kernel.forms.phases import Phase
from ziggurat.runtime.kernel.forms.stages import Stage
from ziggurat.runtime.kernel.frames import (
    COLLECT,
    Acting,
    CallFrame,
    Frame,
    Frames,
    FreeActing,
    PhaseFrame,
    RunFrame,
    Together,
    TurnFrame,
)
from ziggurat.runtime.kernel.nodes import NOWHERE, At
from ziggurat.runtime.kernel.position import Position, position
from ziggurat.runtime.kernel.program import Bound
from ziggurat.runtime.kernel.requests import DecisionRequest, Pending, canonical
from ziggurat.runtime.kernel.stages import STAGES, Part, members
from ziggurat.runtime.kernel.state import FUEL, State

STEPS = 50_000  # between two decisions; a step counts more the more it did
PATIENCE = 1_000
_FUNCTIONS = ("items", "order", "test", "limit", "times")  # of a stage

Plan = list[Part]
Watch = Callable[[State], object]


class Scheduler:
    """Runs the rules of one program at one table.

    Many games may run on one scheduler at the same time, in several threads, so what belongs to one
    of them is in its `Game` or its `State`.
    """

    def __init__(self, bound: Bound) -> None:
        self.bound = bound
        self.rules = bound.program.ruleset
        self.silent = bound.program.silent
        self.actions = Actions(bound)
        self.plans = {phase.id: _plan(bound, phase) for phase in self.rules.phases.values()}

    # ---- where a game is, and where it begins

    def position(self, state: State) -> Position:
        """Where a state is in the rules, in their words."""
        return position(self, state)

    def not_passed(self, state: State) -> list[int]:
        """Who may still act in a stage where all act freely."""
        frame = state.frames[-1]
        assert isinstance(frame, PhaseFrame)
        found = members(state, self.plans[frame.phase][frame.index])
        return [player for player in found if not state.passed >> player & 1]

    def begin(self, state: State) -> None:
        """Put a state at the start of the game, if the rules have a turn."""
        for turn in list(self.rules.turns)[:1]:
            state.frames = (TurnFrame(turn, 0, 0),)

    def begin_phases(self, state: State, phases: Sequence[str]) -> None:
        """Put a state before some phases that run by themselves."""
        state.frames, state.answers = (RunFrame(tuple(phases), 0),), ()

    def begin_call(self, state: State, key: tuple[Any, ...], args: tuple[Any, ...]) -> None:
        """Put a state before a procedure or block that runs by itself."""
        state.frames, state.answers = (CallFrame(key, args),), ()

    def begin_turn_after(self, state: State, phase: str) -> bool:
        """Let what runs by itself go on into the turn: after the phase that runs, or else after
        `phase`; a new turn begins where there is none. Whether there is a turn to go on with."""
        inner = state.frames
        if inner and isinstance(inner[0], RunFrame):
            inner = inner[1:]
        now = next((frame.phase for frame in inner if isinstance(frame, PhaseFrame)), phase)
        for turn in list(self.rules.turns.values())[:1]:
            after = {one: (0, number + 1) for number, one in enumerate(turn.start)}
            after |= {one: (1, number + 1) for number, one in enumerate(turn.phases)}
            for outer in self.rules.phases.values():
                for stage in outer.stages:
                    after.setdefault(stage.phase, after.get(outer.id, (1, 0)))
            state.frames = (TurnFrame(turn.id, *after.get(now, (1, 0))), *inner)
            return True
        return False

    # ---- from one decision to the next

    def advance(
        self, state: State, kept: Sequence[Pending] | None = None, watch: Watch | None = None
    ) -> tuple[State, Sequence[Pending]]:
        """Run until somebody must decide, the game is over or nothing is left to do.

        The given state is not changed. `kept` are decisions of the same stage that are still open.
        `watch` is called before and after each phase of the turn.
        """
        return self._until_asked(state.share(), kept, watch)

    def proceed(
        self,
        state: State,
        pending: Sequence[Pending],
        index: int,
        answer: Any,
        watch: Watch | None = None,
    ) -> tuple[State, Sequence[Pending]]:
        """Answer one of the pending decisions, then run until the next one."""
        answered = pending[index]
        kept = None
        if answered.thread is not None:
            kept = [other for other in pending if other is not answered]
        return self._until_asked(self.answer(state, answered, answer), kept, watch)

    def _until_asked(
        self, state: State, kept: Sequence[Pending] | None, watch: Watch | None
    ) -> tuple[State, Sequence[Pending]]:
        try:
            return self._go_on(state, kept, watch)
        except RUNTIME_FAILURES as wrong:
            rule = state.frames[-1].name if state.frames else ""
            raise self.bound.as_rules_error(wrong, rule) from wrong

    def _go_on(
        self, state: State, kept: Sequence[Pending] | None, watch: Watch | None
    ) -> tuple[State, Sequence[Pending]]:
        burnt = 0
        while state.frames and not state.over:
            frame = state.frames[-1]
            burnt += 1 + (FUEL - state.fuel) // PATIENCE
            if burnt > STEPS:
                raise RulesError("The game goes on without a decision and without an end.",
                                 self._phase_at(frame), frame.name)  # fmt: skip
            if state.room < 0:
                raise RulesError(TOO_MUCH, self._phase_at(frame), frame.name)
            match frame:
                case PhaseFrame():
                    state, pending = self._phase(state, frame, kept)
                    if pending:
                        return state, pending
                    kept = None
                case CallFrame(key=key, args=args):
                    state, ask = self.step(state, key, args, state.frames[:-1])
                    if ask is not None:
                        return state, [Pending(ask.decider, ask=ask)]
                case RunFrame():
                    self._next_run(state, frame)
                case TurnFrame():
                    self._next_phase(state, frame, watch)
        return state, []

    def _phase_at(self, frame: Frame) -> At:
        found = self.rules.phases.get(frame.name) or self.rules.turns.get(frame.name)
        return found.at if found is not None else NOWHERE

    def _next_run(self, state: State, frame: RunFrame) -> None:
        rest, phases, index = state.frames[:-1], frame.phases, frame.index
        if index == len(phases):
            state.frames = rest
            return
        if index and self._begins_turn(phases[index - 1], phases[index]):
            state.reset("turn", self.bound.program.voids)
        state.frames = (*rest, RunFrame(phases, index + 1), PhaseFrame(phases[index]))

    def _next_phase(self, state: State, frame: TurnFrame, watch: Watch | None) -> None:
        if watch is not None:
            watch(state)
        rest, index = state.frames[:-1], frame.index
        turn = self.rules.turns[frame.turn]
        phases = turn.phases if frame.part else turn.start
        if index < len(phases):
            here = TurnFrame(frame.turn, frame.part, index + 1)
            state.frames = (*rest, here, PhaseFrame(phases[index]))
        elif frame.part and not phases:
            state.frames = rest
        else:
            if frame.part:
                state.reset("turn", self.bound.program.voids)
            state.frames = (*rest, TurnFrame(frame.turn, 1, 0))

    def _begins_turn(self, last: str, phase: str) -> bool:
        """Return whether `phase` after `last` belongs to the next turn: it comes no later."""
        for turn in list(self.rules.turns.values())[:1]:
            order = (*turn.start, *turn.phases)
            if last in order and phase in turn.phases:
                return order.index(phase) <= order.index(last)
        return False

    def answer(self, state: State, pending: Pending, answer: Any) -> State:
        """The state with an answer recorded, ready to go on with."""
        answer = canonical(answer, pending.ask)
        new = state.share()
        if pending.ask is None:
            self._act(new, pending.decider, answer)
            new.flush()
        elif pending.thread is None:
            new.answers = (*new.answers, (pending.ask.site, answer, pending.decider))
        else:
            *rest, frame = new.frames
            assert isinstance(frame, PhaseFrame)
            together, thread = Together(*frame.progress), pending.thread
            mine = (*together.given[thread], (pending.ask.site, answer, pending.decider))
            given = (*together.given[:thread], mine, *together.given[thread + 1 :])
            new.frames = (*rest, frame.at(frame.index, together._replace(given=given)))
        return new

    def _act(self, state: State, player: int, answer: Any) -> None:
        """Begin an action: `answer` is (action, args), or None for done and pass."""
        *rest, frame = state.frames
        assert isinstance(frame, PhaseFrame)
        if answer is not None:
            state.news.append(("act", None, answer[0], (player, answer[1])))
        progress: Acting | FreeActing
        if self.plans[frame.phase][frame.index].stage.freely:
            if answer is None:
                state.passed |= 1 << player
            progress = FreeActing(None if answer is None else (player, *answer))
        else:
            progress = Acting(*frame.progress)._replace(begun=answer or ("", ()))
        state.frames = (*rest, frame.at(frame.index, progress))

    def ask_others_again(self, state: State, seat: int) -> None:
        """Where all decide at once, forget what all but one seat have answered so far."""
        *rest, frame = state.frames or (None,)
        if not isinstance(frame, PhaseFrame) or frame.progress[2:] != (COLLECT,):
            return
        together = Together(*frame.progress)
        own = [tuple(takewhile(lambda a: a[2] in (seat, None), some)) for some in together.given]
        pairs = zip(together.players, own, strict=True)
        given = tuple(some if player == seat else () for player, some in pairs)
        state.frames = (*rest, frame.at(frame.index, together._replace(given=given)))

    # ---- steps

    def step(
        self, state: State, key: tuple[Any, ...], args: tuple[Any, ...], after: Frames
    ) -> tuple[State, DecisionRequest | None]:
        """Run a step. Its frames afterwards are `after`; if it asks, the state is as before."""
        if key in self.silent:
            work = state.fork() if state.shared else state
            work.fuel = FUEL
            self.call(work, key, args)
        else:
            work = state.fork()
            try:
                self.call(work, key, args)
            except DecisionRequest as ask:
                ask.capture_state(work)
                state.answers = work.answers
                return state, ask
        self.settle(work, after)
        return work, None

    def settle(self, work: State, after: Frames) -> None:
        """A step has happened: what was decided goes to the log, and its answers are done with."""
        work.news[:0] = [
            ("chose", None, site, (decider, answer))
            for site, answer, decider in work.answers
            if decider is not None
        ]
        work.answers = ()
        work.cursor = 0
        work.checking = False
        work.frames = after
        work.flush()

    def call(self, state: State, key: tuple[Any, ...], args: tuple[Any, ...]) -> Any:
        """Call a generated function; what goes wrong in it names the rule."""
        try:
            return self.bound[key](state, *args)
        except RUNTIME_FAILURES as wrong:
            raise self.bound.as_rules_error(wrong, str(key[1])) from wrong

    # ---- phases and stages

    def _phase(
        self, state: State, frame: PhaseFrame, kept: Sequence[Pending] | None
    ) -> tuple[State, Sequence[Pending]]:
        phase, index = frame.phase, frame.index
        plan = self.plans[phase]
        if index == len(plan):
            state.frames = state.frames[:-1]
            state.reset("phase", self.bound.program.voids)
            return state, ()
        part = plan[index]
        if part.what == "stage":
            return STAGES[part.stage.kind](self, state, frame, part, kept)
        if part.what == "needs":
            tests = len(self.rules.phases[phase].needs)
            keys = [("phase", phase, "needs", n) for n in range(tests)]
            if all(self.call(state, key, ()) for key in keys):
                state.news.append(("phase", None, phase, ()))
                state.flush()
                self._go(state, index + 1)
            else:
                state.frames = state.frames[:-1]
            return state, ()
        return self._trigger(state, phase, index, part)

    def _trigger(
        self, state: State, phase: str, index: int, part: Part
    ) -> tuple[State, Sequence[Pending]]:
        """What happens before or after a phase, or instead of its stages."""
        target, number = index + 1, part.number
        if part.what == "instead":
            triggers = self.rules.phases[phase].triggers
            found = [n for n, t in enumerate(triggers) if t.when == "instead"]
            found = [n for n in found if self._applies(state, phase, n)]
            if not found:
                self._go(state, target)
                return state, ()
            number = found[-1]
            while target < len(self.plans[phase]) and self.plans[phase][target].what == "stage":
                target += 1
        elif not self._applies(state, phase, number) and not state.answers:
            self._go(state, target)
            return state, ()
        after = (*state.frames[:-1], PhaseFrame(phase, target))
        state, ask = self.step(state, ("phase", phase, "trigger", number), (), after)
        return state, [Pending(ask.decider, phase, ask)] if ask else ()

    def _applies(self, state: State, phase: str, number: int) -> bool:
        key = ("phase", phase, "when", number)
        return self.bound.get(*key) is None or bool(self.call(state, key, ()))

    def _go(self, state: State, index: int) -> None:
        *rest, frame = state.frames
        assert isinstance(frame, PhaseFrame)
        state.frames = (*rest, frame.at(index))


def _plan(bound: Bound, phase: Phase) -> Plan:
    """The parts of a phase in the order they run."""

    def triggers(when: str) -> list[Part]:
        found = [n for n, trigger in enumerate(phase.triggers) if trigger.when == when]
        return [Part(when, n, ("phase", phase.id, "trigger", n)) for n in found]

    def stage(number: int, rule: Stage) -> Part:
        key = ("stage", phase.id, number)
        parts = {name: bound.get(*key, name) for name in _FUNCTIONS}
        return Part("stage", number, (*key, "body"), rule, **parts)

    return [
        Part("needs", 0, ()),
        *triggers("before"),
        *triggers("instead")[:1],
        *(stage(number, rule) for number, rule in enumerate(phase.stages)),
        *triggers("after"),
    ]
