"""Why did this happen: from a line of the log to the rules that ran, what decided, and the answers
that led to it; for a seat no more than it may know.

The rules are walked once more from the answer before the line (`past`, `tracing`). What was looked
at on the way is then looked up in the answers of the same turn: those after which it changed led to
the line.
"""

from collections.abc import Iterator
from typing import Any

import attrs

from ziggurat.proving import phrasing
from ziggurat.proving.explain import Explanation, explain_expression
from ziggurat.proving.led import AnswersThatLed, Led
from ziggurat.proving.past import cause, first, traced, turn_began
from ziggurat.proving.questions import BadQuestion
from ziggurat.proving.ran import Ran, RulesThatRan
from ziggurat.proving.reasons import Reasoner
from ziggurat.proving.sight import HIDDEN, Sight
from ziggurat.proving.tracing import Capture, Origin, Running
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.game.log import describe


@attrs.frozen
class Happening:
    """A line of the log and why it is there. `ran` are the rules, the innermost first, `values` the
    numbers in the line and where they come from."""

    number: int
    text: str
    rule: str
    cites: str
    where: str
    ran: tuple[Ran, ...] = ()
    values: tuple[Explanation, ...] = ()
    answers: tuple[Led, ...] = ()


def happening(game: Game, number: int | None = None, seat: str | None = None) -> Happening:
    """A line of the log and why it is there: the `number`th of those that the seat may read (or of
    all), the last one unless told. Raises `BadQuestion`."""
    who = None if seat is None else game.table.owner_ids[seat]
    moment = game if seat is None else game.seen_by(seat)
    events = [*moment.now.events(), *moment.now.news]
    line, told = _line(game, events, number, who)
    found = _Telling(game, line, events, who)
    return found.happening(told)


def _line(game: Game, events: list[Any], number: int | None, seat: int | None) -> tuple[int, int]:
    """The line among all there are, and its number for the seat."""
    program = game.run.bound.program
    readable = [
        line
        for line, event in enumerate(events)
        if describe(program, game.table, event, seat) is not None
    ]
    if not readable:
        raise BadQuestion("nothing has happened yet.")
    if number is None:
        number = len(readable)
    if not 1 <= number <= len(readable):
        raise BadQuestion(f"there is no line {number}; the log has {len(readable)}.")
    return readable[number - 1], number


class _Telling:
    """Tells about one line."""

    def __init__(self, game: Game, line: int, events: list[Any], seat: int | None) -> None:
        self.game, self.line, self.seat = game, line, seat
        self.event = events[line]
        self.sight = Sight(game, seat)
        self.reasoner = Reasoner(self.sight.run)
        self.rules = RulesThatRan(game.table, self.sight, self.reasoner)
        began = turn_began(game.ruleset, events, line)
        self.answers = AnswersThatLed(game, self.sight, self.reasoner, began)
        self.cause = cause(game, line)
        if self.cause.game is None and not first(game).at_beginning:
            raise BadQuestion("that happened before this position was set up.")

    def happening(self, number: int) -> Happening:
        game, (what, _, about, _) = self.game, self.event
        program = game.run.bound.program
        told = describe(program, game.table, self.event, self.seat, game.spoken)
        assert told is not None
        head = (number, told.text, told.path, phrasing.cites(told.meta), phrasing.where(told.at))
        if what == "act":
            leading = self.answers.leading(self.line, self.cause, None, ())
            return Happening(*head, ran=tuple(self._acted()), answers=leading)
        if what == "phase":
            return Happening(*head, ran=tuple(self.rules.began(game.ruleset.phases[about])))
        capture = self._captured()
        self.sight.hear(capture.told)
        before = self.cause.game.state if self.cause.game is not None else None
        ran = tuple(self.rules.running(capture, before))
        values = tuple(self._values(capture)) if what == "say" else ()
        leading = self.answers.leading(self.line, self.cause, capture, self._told(capture))
        return Happening(*head, ran, values, leading)

    def _told(self, capture: Capture) -> list[Running]:
        """The rules that are told of, the innermost first."""
        found = []
        for rule in reversed(capture.rules):
            found.append(rule)
            if self.rules.rule(rule).hidden:
                break
        return found

    def _captured(self) -> Capture:
        """The rules that were running when the line was written."""
        site = self.event[2]
        captures, events = traced(self.game, self.cause, self.line, site)
        if self.event[0] == "say":
            for one in captures:
                if self.line < len(events) and one.event is events[self.line]:
                    return one
        else:
            who, answer = self.event[3]
            for one in reversed(captures):
                if one.answered == (site, answer, who):
                    return one
        raise BadQuestion("that cannot be worked out again.")

    def _acted(self) -> Iterator[Ran]:
        action = self.game.ruleset.actions[self.event[2]]
        who, args = self.event[3]
        if self.cause.game is not None:
            given = dict(zip((param.name for param in action.params), args, strict=True))
            yield from self.rules.allowed(action, self.cause.game.state, who, given)

    def _values(self, capture: Capture) -> Iterator[Explanation]:
        """The numbers of a line, each with where it comes from."""
        rule = capture.rules[-1] if capture.rules else None
        if rule is None:
            return
        for part in capture.node.text.parts:
            if isinstance(part, str) or part.type.name not in ("int", "bool"):
                continue
            made = Origin(part, capture.state, rule.env, rule.origins)
            origin = rule.origins.get(part.name) if isinstance(part, ir.Local) else None
            if origin is not None and origin.expr is not None:
                made = origin
            if not isinstance(made.expr, ir.Lit | ir.Local):
                yield from self._explained(made)

    def _explained(self, made: Origin) -> Iterator[Explanation]:
        if made.expr is None or made.state is None:
            return
        try:
            seen = self.sight.env(made.env, made.origins)
            state = self.sight.state(made.state)
            found = explain_expression(self.game.table, state, made.expr, seen)
            yield attrs.evolve(found, text=self.reasoner.tell(made.expr, seen))
        except HIDDEN:
            return
