"""A player that looks ahead: `search`.

It begins with what advice would do until its turn to act is over, and tries to do better: another
answer in one place, and advice from there on. What comes of it is played out in copies of the game
in which all it cannot see is drawn at random (`determinise`), everybody following advice, to the
end of a phase. There positions are judged by the `outlook` that the turn names, or by the score:
one's own against the average of the others. All courses are tried in the same copies and to the
same point, so that they differ by what was decided and not by luck. One that is better in the first
copy must be better in others, too, and by more than they differ among one another, before it is
preferred to what advice says: luck that looks like skill is what makes looking ahead play badly.

How far it looks depends on how much happens: through whole turns while these are short, only
to the end of a few phases when everybody has much to decide, because luck hides by then what came
of one decision. How much it looks at is counted in decisions, never in time, so a game can be
repeated.

Where all act freely, as in trade, each answer is looked at by itself, to the end of the phase, if
the rules say what may be supposed of others who talk there (`supposing`). What is done there is
small and done often, so it needs less proof.
"""

from statistics import mean, pstdev, stdev
from typing import Any

import attrs

from ziggurat.runtime.bots.determinise import imagine, supposing
from ziggurat.runtime.bots.policies import Advised
from ziggurat.runtime.bots.proposals import Proposing
from ziggurat.runtime.bots.seat_values import best_to_play
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.errors import InternalError, Refused, RulesError
from ziggurat.runtime.kernel.randomness import Stream
from ziggurat.runtime.kernel.requests import Pending
from ziggurat.runtime.kernel.scheduler import Scheduler
from ziggurat.runtime.kernel.state import FUEL, State

EFFORT = 1_500  # decisions looked at for one of one's own
LEAST = 4  # where looking ahead never changed anything, this part of it
TURNS = 4  # looked ahead at most
# Options of one place: first the likely ones everywhere, then as many as there is effort for.
WIDTHS = (4, 40)
CHAIN = 80  # own decisions in one course
LONGEST = 1_500  # decisions of everybody in one course


@attrs.frozen
class Care:
    """How far to look, and what a course must prove."""

    phases: int  # to the end of, the one that runs included, or to the same in later turns
    near: int  # decisions after which no further turn is looked at
    worlds: int  # copies in which a better course must prove itself
    doubt: float  # standard errors by which it must be better
    margin: float  # and by this part of what players differ by: an outlook is no more than a guess


IN_TURN = Care(phases=3, near=200, worlds=5, doubt=1.5, margin=0.08)
FREELY = Care(phases=1, near=0, worlds=8, doubt=0.7, margin=0.02)


@attrs.define
class Course:
    """Answers of one's own, one after the other, and what came of them."""

    answers: list[Any]
    trail: list[tuple[Game, int]]  # the game before each answer, and the number of the decision
    values: list[float]  # by world


@attrs.frozen
class World:
    """A copy of the game with all that is hidden drawn at random."""

    game: Game
    number: int  # of the own decision among the pending
    luck: int


class Searching(Proposing):
    """Advice, unless looking ahead shows something better."""

    def __init__(self, seed: int = 0, effort: int = EFFORT) -> None:
        super().__init__(seed)
        self._chance = Stream(seed, 0x5EA6C4)
        self._effort = effort
        # By seat: in which phase it has looked ahead for all it will do, and what is left of it.
        self._settled: dict[int, tuple[str, list[Any]]] = {}
        # By what is decided: how often it has looked ahead, and how often that changed something.
        self._worth: dict[str, tuple[int, int]] = {}

    def decide(self, game: Game, pending: Pending) -> Any:
        seat = pending.decider
        advised = super().decide(game, pending)
        phase, planned = self._settled.pop(seat, ("", []))
        if game.position.freely:
            return self._freely(game, pending, advised)
        if phase == pending.phase:
            answer = advised
            if planned and legal(game, pending, planned[0]):
                answer, *planned = planned
            else:
                planned = []
            if pending.ask is not None or answer is not None:
                self._settled[seat] = phase, planned
            return answer
        played = best_to_play(game.run, pending)
        if played is not None:
            return played
        found = self._look(game, pending)
        if not found:
            return advised
        if pending.ask is None and found[0] is not None:
            self._settled[seat] = pending.phase, found[1:]
        return found[0]

    def _freely(self, game: Game, pending: Pending, advised: Any) -> Any:
        """Others act before one's next turn, so only one answer is settled. Whoever would wait by
        advice waits."""
        if advised is None or not supposing(game.run):
            return advised
        found = Lookahead(self, game, pending, self._chance, self._effort, FREELY).best()
        return found[0] if found else advised

    def _look(self, game: Game, pending: Pending) -> list[Any]:
        """Look ahead, the less the less often that has changed anything in this game."""
        ask = pending.ask
        about = pending.phase if ask is None else game.run.bound.program.sites[ask.site].path
        times, changes = self._worth.get(about, (0, 0))
        effort = max(self._effort * (1 + changes) // (1 + times), self._effort // LEAST)
        search = Lookahead(self, game, pending, self._chance, effort, IN_TURN)
        found = search.best()
        self._worth[about] = times + 1, changes + search.changed
        return found


class Lookahead:
    """The search for one answer, or for all until acting is over."""

    def __init__(
        self,
        policy: Proposing,
        game: Game,
        pending: Pending,
        chance: Stream,
        effort: int,
        care: Care,
    ) -> None:
        self._policy = policy
        self._care = care
        self._game = game
        self._pending = pending
        self._chance = chance
        self._left = effort
        self._seat = pending.decider
        self._worlds: list[World] = []
        self._ends = 0  # how many phases have ended where positions are judged
        self._spread = self._margin = 0.0
        self.changed = False  # whether something better than advice was found

    def best(self) -> list[Any]:
        """The best answers that were found; none to follow advice."""
        try:
            best = self._first()
            if best is None:
                return []
            tried = [best.answers]
            for width in WIDTHS:
                at = 0
                while at < len(best.trail) and self._left > 0:
                    better = self._better(best, at, width, tried)
                    if better is None:
                        at += 1
                    else:
                        best, self.changed = better, True
            return best.answers
        except Misjudged as wrong:
            raise wrong.error from wrong
        except (RulesError, InternalError):
            return []  # something went wrong in a world that is not the real one

    def _first(self) -> Course | None:
        """What advice would do, which also tells how far to look."""
        world = self._world(0)
        if world is None:
            return None
        pending = world.game.pending[world.number]
        if len(self._policy.proposals(world.game, pending, 2)) < 2:
            return None
        found = self._run(world, [])
        self._margin = self._care.margin * self._spread
        return found

    def _world(self, number: int) -> World | None:
        while len(self._worlds) <= number:
            try:
                found = imagine(self._game, self._pending, self._chance)
            except RulesError as wrong:
                raise Misjudged(wrong) from wrong
            if found is None:
                return None
            self._worlds.append(World(*found, self._chance.below(1 << 62)))
        return self._worlds[number]

    def _better(self, best: Course, at: int, width: int, tried: list[list[Any]]) -> Course | None:
        """A course that parts from the best in one place and is better, if there is one."""
        game, number = best.trail[at]
        for answer in self._policy.proposals(game, game.pending[number], width):
            if self._left <= 0:
                return None
            begun = [*best.answers[:at], answer]
            if any(begun == one[: at + 1] for one in tried):
                continue
            course = self._run(self._worlds[0], begun)
            if course is not None:
                tried.append(course.answers)
                if self._proves(course, best):
                    return course
        return None

    def _proves(self, course: Course, best: Course) -> bool:
        """Whether a course is better, in more worlds than the one it was found in."""
        for number in range(1, self._care.worlds):
            if _gain(course, best)[0] <= self._margin:
                return False
            for one in (course, best):
                if len(one.values) <= number:
                    world = self._world(number)
                    again = self._run(world, one.answers) if world is not None else None
                    if again is None:
                        return False
                    one.values += again.values
        gain, error = _gain(course, best)
        return gain > self._margin + self._care.doubt * error

    def _run(self, world: World, begun: list[Any]) -> Course | None:
        """Play a course out in a world: what was begun, then advice. None if it does not end."""
        game, at = world.game.copy(), world.number
        judge = Judge(game.run, self._seat, self._ends, self._care)
        bot = Advised(world.luck)
        course = Course([], [], [])
        own = True
        game.watch = judge
        while game.pending and not judge.done:
            pending = game.pending[at]
            own = own and pending.phase == self._pending.phase
            if own and pending.decider == self._seat:
                number = len(course.answers)
                if number == CHAIN:
                    self._left -= judge.looked
                    return None
                answer = begun[number] if number < len(begun) else None
                if number >= len(begun) or not legal(game, pending, answer):
                    answer = bot.decide(game, pending)
                course.trail.append((game.copy(), at))
                course.answers.append(answer)
                own = self._pending.ask is None and (pending.ask is not None or answer is not None)
            else:
                answer = bot.decide(game, pending)
            game.decide(at, answer)
            at = 0
            judge.looked += 1
            if judge.looked == LONGEST:
                break
        self._left -= judge.looked
        if not self._ends:
            self._ends, self._spread = judge.ends, judge.spread
        course.values.append(judge.value if judge.done else judge.of(game.state))
        return course


def _gain(course: Course, best: Course) -> tuple[float, float]:
    """By how much a course is better in the worlds both were tried in, and how sure that is."""
    gains = [a - b for a, b in zip(course.values, best.values, strict=False)]
    return mean(gains), stdev(gains) / len(gains) ** 0.5 if len(gains) > 1 else 0.0


class Misjudged(Exception):  # noqa: N818 - what happened
    """The outlook, or what is supposed, cannot be worked out, which is for its author to know."""

    def __init__(self, error: RulesError | InternalError) -> None:
        super().__init__(str(error))
        self.error = error


class Judge:
    """Watches a copy of the game, and judges the position at the end of a phase: after so many
    phases have ended, or as far as it is worth looking."""

    def __init__(self, run: Scheduler, seat: int, ends: int, care: Care) -> None:
        self.looked = 0
        self.ends = 0
        self.value = 0.0
        self.spread = 0.0  # how much players differ
        self.done = False
        self._run = run
        self._seat = seat
        self._wanted = ends
        self._care = care
        self._passed = 0
        turn = next(iter(run.rules.turns.values()), None)
        self._phases = max(1, len(turn.phases)) if turn is not None else 1
        self._name = (turn.outlook or turn.score) if turn is not None else ""

    def __call__(self, state: State) -> None:
        """A phase has ended (or the game is between two turns, which is no end of its own)."""
        if self.done or self._run.position(state).coming == "":
            return
        self._passed += 1
        if self._wanted:
            if self._passed == self._wanted:
                self.done, self.value = True, self.of(state)
        elif self._passed % self._phases == self._care.phases % self._phases or (
            self._phases <= self._care.phases
        ):
            far = self.looked > self._care.near
            if not self.ends or not far:
                self.ends, self.value = self._passed, self.of(state)
            self.done = far or self._passed >= TURNS * self._phases

    def of(self, state: State) -> float:
        """One's own outlook against the others' average."""
        if not self._name:
            return 0.0
        state.fuel = FUEL
        key = ("value", self._name)
        try:
            each = [self._run.call(state, key, (player,)) for player in state.table.players]
        except (RulesError, InternalError) as wrong:
            raise Misjudged(wrong) from wrong
        own = each[self._seat]
        self.spread = pstdev(each)
        return float(own - (sum(each) - own) / max(1, len(each) - 1))


def legal(game: Game, pending: Pending, answer: Any) -> bool:
    """Whether an answer that was given elsewhere may be given here."""
    if pending.ask is not None:
        try:
            return pending.ask.allows(answer)
        except (TypeError, AttributeError):
            return False  # it answered something else
    if answer is None:
        return True
    if not (isinstance(answer, tuple) and len(answer) == 2 and isinstance(answer[0], str)):
        return False
    try:
        game.run.actions.refuse(game.state, pending.phase, pending.decider, *answer)
    except Refused:
        return False
    return True
