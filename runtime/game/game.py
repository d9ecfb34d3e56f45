"""A game in Python: start it, look at the decisions, answer them, read values, copy, undo.

    game = start(ruleset, players=4, seed=1)
    while not game.over:
        decision = game.decision
        game.answer(decision.options()[0])
    print(game.ranking())

States are never changed once they have been reached, so a copy of a game costs next to nothing.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Self

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game import view as views
from ziggurat.runtime.game.decisions import Decision, decision
from ziggurat.runtime.game.moment import Moment
from ziggurat.runtime.game.names import check_seats
from ziggurat.runtime.kernel.errors import Refused, RulesError
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.kernel.requests import Pending
from ziggurat.runtime.kernel.scheduler import Scheduler, Watch
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import Seat, Table
from ziggurat.runtime.programs import COMPILED, make_program

KEEP = 32  # every so many answers the state itself is kept for undoing
Step = tuple[int, Any]
# A chain from the latest answer back: (earlier, which of the pending, answer, kept state or None)
History = tuple[Any, ...] | None


class Game(Moment):
    """A running game. It is read like a moment: the one it has come to.

    `watch` is called with the state before and after each phase of the turn.
    """

    def __init__(
        self,
        run: Scheduler,
        state: State,
        history: History = None,
        watch: Watch | None = None,
    ) -> None:
        super().__init__(run, state)
        self.watch = watch
        self.state, self.pending = run.advance(state, watch=watch)
        self.answered = 0
        self._history = history
        self._redo: tuple[Any, ...] = ()
        self._faces: list[Decision] | None = None

    @classmethod
    def start(
        cls,
        rules: ir.Ruleset | Program,
        players: int | None = None,
        *,
        seats: Sequence[Seat | str] | None = None,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
        things: Iterable[ir.Thing] = (),
        begin: bool = True,
        interpreter: str = COMPILED,
    ) -> Self:
        """A new game. Seats are ids of things that can be played, or free names if the rules choose
        what is played; `players` only counts. Without either, as many play as the packs admit.
        Raises ValueError for a name that was probably meant otherwise.

        With `interpreter="kernel"` the rules are walked by the kernel, which is slow but obvious.
        With `begin=False` nothing runs yet: set up a position and `run_phases` or `call` something.
        """
        program = make_program(rules, interpreter)
        number = players or max(program.ruleset.players, default=2)
        names = seats if seats is not None else [f"player{n + 1}" for n in range(number)]
        table = Table(program.ruleset, names, options, things)
        check_seats(names, table.playable)
        return cls.begin(Scheduler(program.bind(table)), seed, begin)

    @classmethod
    def begin(
        cls, run: Scheduler, seed: int = 0, begin: bool = True, watch: Watch | None = None
    ) -> Self:
        """Return a new game at a table that is laid out already."""
        state = State(run.bound.table, seed)
        if begin:
            run.begin(state)
        return cls(run, state, watch=watch)

    # ---- decisions

    @property
    def decisions(self) -> list[Decision]:
        """All decisions that are pending; several seats may have one at the same time."""
        if self._faces is None:
            self._faces = [self._face(pending) for pending in self.pending]
        return self._faces

    def _face(self, pending: Pending) -> Decision:
        return decision(self.run, self.state, pending, self.answered, self.reason)

    def reason(self, state: State, action: str, player: int, args: tuple[Any, ...]) -> str:
        """Why a rule forbids an action, where a game can tell better than by the requirement that
        failed: the machine knows no more, `ziggurat.proving.explained` does."""
        return ""

    @property
    def decision(self) -> Decision | None:
        """The first pending decision, None when the game is over."""
        if self._faces is not None:
            return self._faces[0] if self._faces else None
        return self._face(self.pending[0]) if self.pending else None

    def answer(self, answer: Any, seat: str | None = None) -> None:
        """Answer the first pending decision (of a seat). Raises `Refused`, changing nothing."""
        for index, face in enumerate(self.decisions):
            if seat is None or face.decider == seat:
                self.decide(index, face.read(answer))
                return
        raise Refused(
            "Nobody is asked for a decision." if seat is None else f"{seat} is not asked."
        )

    def decide(self, index: int, inner: Any) -> None:
        """Answer in the table's numbers, with an answer that is known to be legal. For programs."""
        self._decide(index, inner)
        self._redo = ()

    def _decide(self, index: int, inner: Any) -> None:
        before = self.state
        self.state, self.pending = self.run.proceed(before, self.pending, index, inner, self.watch)
        snapshot = before.copy() if self.answered % KEEP == 0 else None  # without its notes
        self._history = (self._history, index, inner, snapshot)
        self.answered += 1
        self._faces = None

    # ---- copies, undo

    def copy(self) -> Self:
        """Return another game in the same position, with the same history, that nobody watches.

        It costs next to nothing.
        """
        new = type(self).__new__(type(self))
        new.run, new.table, new.watch = self.run, self.table, None
        new.state, new.pending = self.state, self.pending
        new.answered, new._history, new._redo = self.answered, self._history, self._redo
        new._faces = None
        return new

    def snapshot(self) -> State:
        """The position, to come back to with `restore`."""
        return self.state

    def restore(self, state: State) -> None:
        """Go to a position. What was answered before is forgotten."""
        self._reach(state)
        self._history, self._redo, self.answered = None, (), 0

    def _reach(self, state: State) -> None:
        self.state, self.pending = self.run.advance(state, watch=self.watch)
        self._faces = None

    def undo(self, number: int = 1) -> int:
        """Take back answers; how many were taken back."""
        number = min(number, self.answered)
        back: list[Step] = []
        link = self._history
        state = None
        while link is not None and (len(back) < number or state is None):
            link, index, inner, state = link
            back.append((index, inner))
        if state is None or number == 0:
            return 0
        taken, again = back[:number], back[number:]
        self.answered -= len(back)
        self._history = link
        self._reach(state)
        for index, inner in reversed(again):
            self._decide(index, inner)
        self._redo = (*self._redo, *taken)
        return number

    def redo(self, number: int = 1) -> int:
        """Give answers again that were taken back; how many."""
        number = min(number, len(self._redo))
        for _ in range(number):
            *rest, (index, inner) = self._redo
            self._decide(index, inner)
            self._redo = tuple(rest)
        return number

    def answers(self) -> list[Step]:
        """All answers so far: which of the pending decisions, and the answer."""
        out: list[Step] = []
        link = self._history
        while link is not None:
            link, index, inner, _ = link
            out.append((index, inner))
        return out[::-1]

    # ---- looking

    @property
    def now(self) -> State:
        """The position to look at: in the middle of a step if one waits for a decision.

        `state` is the position at the start of that step. While several decide at the same time,
        each on their own, the two are the same.
        """
        return self.shown(self.pending[0].decider) if len(self.pending) == 1 else self.state

    def shown(self, player: int) -> State:
        """The position as one player should see it."""
        for pending in self.pending:
            own = pending.decider == player or pending.thread is None
            if own and pending.ask is not None and pending.ask.moment is not None:
                return pending.ask.moment
        return self.state

    @property
    def digest(self) -> str:
        """A hash of the position: games of the same rules, seats and options that have the same one
        go on alike. How it came about does not count."""
        return self.state.digest()

    @property
    def at_beginning(self) -> bool:
        """Whether the game stands where its rules begin, nothing set up by hand."""
        state = State(self.table, self.state.seed)
        self.run.begin(state)
        return self.run.advance(state)[0].digest() == self.digest

    def moment(self, state: State) -> Moment:
        """Return a position that `watch` was called with, to look at."""
        return Moment(self.run, state)

    @property
    def settled(self) -> Moment:
        """The moment before the step that waits for a decision: what is sure to have happened."""
        return Moment(self.run, self.state)

    def seen_by(self, seat: str) -> Moment:
        """The moment a seat should look at: where its decision is asked. Nothing is hidden in it;
        what the seat may know is its `view`."""
        return Moment(self.run, self.shown(self.table.seat_number(seat)))

    def view(self, seat: str, log: bool = True, without: Collection[str] = ()) -> dict[str, Any]:
        """Return what one seat may see, or an `ONLOOKER`.

        Left out may be the log, which is most of it, and "pieces", "holds" and "attributes".
        """
        return views.view(self, self.table.seat_number(seat), log, without)

    # ---- positions and single rules

    def edit(self, change: Callable[[State], object]) -> None:
        """Change the position with a function of the state, such as a scenario's `given`."""
        state = self.state.copy()
        change(state)
        state.flush()
        self.restore(state)

    def run_phases(self, *phases: str) -> None:
        """Run phases by themselves, from this position."""
        state = self.state.copy()
        self.run.begin_phases(state, phases)
        self.restore(state)

    def call(self, key: tuple[Any, ...], *args: Any) -> None:
        """Run a procedure, ("procedure", id), or a thing's block, ("body", kind, thing, name)."""
        if self.run.bound.get(*key) is None:
            raise RulesError(f"There is no {key[0]} '{key[-1]}'.")
        state = self.state.copy()
        self.run.begin_call(state, key, args)
        self.restore(state)


start = Game.start
