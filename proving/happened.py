"""Why did this happen: from a line of the log to the rules that ran, what decided, and the answers
that led to it; for a seat no more than it may know.

The rules are walked once more from the answer before the line (`past`, `tracing`). What was looked
at on the way is then looked up in the answers of the same turn: those after which it changed led to
the line.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from ziggurat.dsl import ir
from ziggurat.dsl.forms.description import IT
from ziggurat.dsl.forms.walking import free, walk
from ziggurat.proving import phrasing
from ziggurat.proving.explain import Explanation, explain_expression
from ziggurat.proving.past import (
    OneStep,
    answer_text,
    cause,
    earlier,
    is_from_the_start,
    traced,
    turn_began,
)
from ziggurat.proving.questions import BadQuestion
from ziggurat.proving.reasons import Reason, Reasoner
from ziggurat.proving.sight import HIDDEN, Sight
from ziggurat.proving.tracing import Capture, Frame, Note, Origin
from ziggurat.runtime.game import Game, Step
from ziggurat.runtime.log import describe
from ziggurat.runtime.state import State

UNSEEN = "something you may not see"
LOOKED_BACK = 300  # answers
MOST_NUMBERS = 8
FEW = 6
_OTHERWISE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
Quantity = tuple[str, ir.Expr, dict[str, Any]]


@attrs.frozen
class Ran:
    """A rule that ran on the way to a line, with what its names stood for, and what decided in it;
    `hidden` if something decided that the seat may not see."""

    rule: str
    cites: str
    where: str
    why: tuple[Reason, ...] = ()
    hidden: bool = False


@attrs.frozen
class Led:
    """An answer that led to a line: which it was, in words, and the numbers that are others since;
    none for answers of the very step."""

    number: int
    text: str
    since: tuple[str, ...] = ()


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
        self.game, self.line, self.events, self.seat = game, line, events, seat
        self.event = events[line]
        self.sight = Sight(game, seat)
        self.reasoner = Reasoner(self.sight.run)
        self.cause = cause(game, line)
        self.one_step = OneStep(game.run.bound)
        if self.cause.game is None and not is_from_the_start(_first(game)):
            raise BadQuestion("that happened before this position was set up.")

    def happening(self, number: int) -> Happening:
        game, what = self.game, self.event[0]
        program = game.run.bound.program
        told = describe(program, game.table, self.event, self.seat, game.spoken)
        assert told is not None
        head = (number, told.text, told.path, phrasing.cites(told.meta), phrasing.where(told.at))
        if what == "act":
            return Happening(*head, ran=tuple(self._acted()), answers=self._answers([]))
        if what == "phase":
            return Happening(*head, ran=tuple(self._began()))
        capture = self._captured()
        ran = tuple(self._ran(capture))
        values = tuple(self._values(capture)) if what == "say" else ()
        return Happening(*head, ran, values, self._answers([*self._quantities(capture)], capture))

    def _captured(self) -> Capture:
        """The rules that were running when the line was written."""
        site = self.event[2]
        captures, events = traced(self.game, self.cause, self.line, site)
        if self.event[0] == "say":
            for one in captures:
                if self.line < len(events) and one.event is events[self.line]:
                    return one
        else:
            alike = [n for n, one in enumerate(events) if one == self.event]
            later = len(alike) - alike.index(self.line) if self.line in alike else 1
            if len(captures) >= later:
                return captures[-later]
        raise BadQuestion("that cannot be worked out again.")

    # ---- the rules that ran

    def _ran(self, capture: Capture) -> Iterator[Ran]:
        """The rules, the innermost first, up to where something hidden decided."""
        for frame in reversed(capture.frames):
            one = self._frame(frame)
            yield one
            if one.hidden:
                return
            owner = frame.passage.owner if frame.passage is not None else None
            if isinstance(owner, ir.Action) and self.cause.game is not None:
                who = frame.env[owner.actor]
                yield from self._allowed(owner, self.cause.game.state, who, frame.env)
        yield from self._phase(capture)

    def _frame(self, frame: Frame) -> Ran:
        why: list[Reason] = []
        hidden = False
        for note in frame.notes:
            try:
                why += self._reasons(note, frame)
            except HIDDEN:
                hidden = True
        passage = frame.passage
        if passage is None:
            return Ran(self._signature("", frame), "", "", tuple(why), hidden)
        at = getattr(passage.owner, "at", ir.NOWHERE)
        return Ran(
            self._signature(passage.path, frame),
            phrasing.cites(passage.meta),
            phrasing.where(at),
            tuple(why),
            hidden,
        )

    def _signature(self, path: str, frame: Frame) -> str:
        """A rule with what its parameters stand for."""
        body = frame.passage.node if frame.passage else ()
        types = {one.name: one.type for one in walk(body) if isinstance(one, ir.Local)}
        seen = self.sight.env(frame.env, frame.origins)
        first = [name for name in frame.env if name in free(body) and name in types]
        told = [
            f"{name} = {_short(phrasing.value(self.game.table, seen[name], types[name]))}"
            for name in first
            if name in seen
        ]
        return f"{path}({', '.join(told)})" if told else path

    def _reasons(self, note: Note, frame: Frame) -> Iterator[Reason]:
        """What let a rule come so far."""
        state, env = self.sight.state(note.state), self.sight.env(note.env, note.origins)
        match note.node:
            case ir.If(condition=condition):
                holds = bool(self.sight.run.evaluate(state, condition, env))
                told = _told_as_it_was(condition, holds)
                yield from self.reasoner.reasons(state, told, env) if told is not None else ()
            case ir.Repeat(condition=ir.Expr() as condition):
                yield from self.reasoner.reasons(state, condition, env)
            case ir.Trigger(condition=ir.Expr() as condition):
                yield from self.reasoner.reasons(state, condition, env)
            case ir.For():
                yield from self._member(note, frame, note.node, note.node.where)
            case ir.Stage(var=var, source=ir.Expr()) if var:
                yield from self._member(note, frame, note.node, note.node.condition)
            case ir.Stage(condition=ir.Expr() as condition):
                yield from self.reasoner.reasons(state, condition, env)
            case ir.May(path=path, by=by):
                whose = phrasing.value(self.game.table, self.sight.run.evaluate(state, by, env),
                                       by.type)  # fmt: skip
                answer = frame.env.get(note.node.name or f"may {path}")
                yield Reason(f"{whose} decides {path}", bool(answer))

    def _member(
        self, note: Note, frame: Frame, loop: ir.For | ir.Stage, where: ir.Expr | None
    ) -> Iterator[Reason]:
        """Whose turn it is in a loop or a stage, why, and as which of how many."""
        run, state = self.sight.run, self.sight.state(note.state)
        env = self.sight.env(note.env, note.origins)
        member = self.sight.env(frame.env, frame.origins)[loop.var]
        if not isinstance(member, int) or loop.source is None:
            return
        type_ = loop.source.type.item or loop.source.type
        name = phrasing.value(self.game.table, member, type_)
        found = run.members(state, loop.source, where, loop.order, env, loop.var)
        place = f", {found.index(member) + 1} of {len(found)}" if member in found else ""
        by = f" by {loop.order.order}" if loop.order is not None else ""
        inner = {**env, loop.var: member}
        parts = () if where is None else self.reasoner.reasons(state, where, inner)
        yield Reason(f"{name} is in {self.reasoner.tell(loop.source, env)}{place}{by}", True, parts)

    def _phase(self, capture: Capture) -> Iterator[Ran]:
        found = [frame for frame in capture.state.frames if frame[0] == "phase"]
        for _, id_, *_ in reversed(found):
            phase = self.game.ruleset.phases[id_]
            place = phrasing.cites(phase.meta), phrasing.where(phase.at)
            yield Ran(f"phase {phase.title or id_}", *place)

    def _began(self) -> Iterator[Ran]:
        """Why a phase began: what it needs."""
        phase = self.game.ruleset.phases[self.event[2]]
        turn = next(iter(self.game.ruleset.turns.values()), None)
        order = [*turn.start, *turn.phases] if turn else []
        if turn is not None and phase.id in order:
            place = phrasing.cites(turn.meta), phrasing.where(turn.at)
            number = order.index(phase.id)
            after = f", after {order[number - 1]}" if number else ", the first"
            yield Ran(f"turn {turn.id}: phase {number + 1} of {len(order)}{after}", *place)
        for need in phase.needs:
            said = f"needs {self.reasoner.tell(need.condition, {})}"
            yield Ran(said, phrasing.cites(need.meta), phrasing.where(need.at))

    def _acted(self) -> Iterator[Ran]:
        """Why an action could be done: everything it asks for, as it was."""
        before = self.cause.game
        action = self.game.ruleset.actions[self.event[2]]
        who, args = self.event[3]
        if before is not None:
            given = dict(zip((param.name for param in action.params), args, strict=True))
            yield from self._allowed(action, before.state, who, given)

    def _allowed(
        self, action: ir.Action, state: State, who: int, given: Mapping[str, Any]
    ) -> Iterator[Ran]:
        told = self.sight.is_told
        env: dict[str, Any] = {action.actor: who}
        state = self.sight.state(state)
        for param in action.params:
            if param.where is not None and param.single and param.name in given:
                inner = {**env, IT: given[param.name]}
                if told(f"{action.id}.{param.name}", param.type, who):
                    yield self._asked_for(state, param.where, inner, action.meta, param.at)
            if param.name in given and told(f"{action.id}.{param.name}", param.type, who):
                env[param.name] = given[param.name]
        for need in action.needs:
            meta = need.meta if need.meta != ir.NO_META else action.meta
            yield self._asked_for(state, need.condition, env, meta, need.at)

    def _asked_for(
        self, state: State, condition: ir.Expr, env: Mapping[str, Any], meta: ir.Meta, at: ir.At
    ) -> Ran:
        place = phrasing.cites(meta), phrasing.where(at)
        try:
            why = self.reasoner.reasons(state, condition, env)
            return Ran(f"needs {self.reasoner.tell(condition, env)}", *place, why)
        except HIDDEN:
            return Ran(f"needs {UNSEEN}", *place, hidden=True)

    # ---- numbers

    def _values(self, capture: Capture) -> Iterator[Explanation]:
        """The numbers of a line, each with where it comes from."""
        frame = capture.frames[-1] if capture.frames else None
        if frame is None:
            return
        for part in capture.node.text.parts:
            if isinstance(part, str) or part.type.name not in ("int", "bool"):
                continue
            made = Origin(part, capture.state, frame.env, frame.origins)
            origin = frame.origins.get(part.name) if isinstance(part, ir.Local) else None
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

    def _quantities(self, capture: Capture) -> Iterator[Quantity]:
        """What was looked at on the way that can be looked at in other positions."""
        known: set[str] = set()
        for frame in reversed(capture.frames):
            for note in reversed(frame.notes):
                condition = getattr(note.node, "condition", None)
                for expr, env in self._spelt(condition, note) if condition is not None else ():
                    text = self.reasoner.tell(expr, env)
                    if text not in known and len(known) < MOST_NUMBERS:
                        known.add(text)
                        yield text, expr, env

    def _spelt(self, condition: ir.Expr, note: Any) -> Iterator[tuple[ir.Expr, dict[str, Any]]]:
        """The counts, values and holdings in a condition, and in what its names come from."""
        env = self.sight.env(note.env, note.origins)
        for expr in walk(condition):
            counted = isinstance(expr, ir.Count | ir.ValueCall)
            held = isinstance(expr, ir.Op) and expr.op == "holds"
            if (counted or held) and free(expr) <= env.keys():
                yield expr, env
        for name in sorted(free(condition)):
            origin = note.origins.get(name)
            if origin is not None and origin.expr is not None and name in env:
                yield from self._spelt(origin.expr, origin)

    # ---- answers

    def _answers(
        self, quantities: Sequence[Quantity], capture: Capture | None = None
    ) -> tuple[Led, ...]:
        """The answers that led to a line, the earliest first: those of the very step, and those
        whose own step changed what was looked at."""
        before, step = self.cause.game, self.cause.answer
        if before is None:
            return ()
        found = []
        own = capture is None or bool(capture.state.answers) or _is_action(capture)
        if step is not None:
            since = () if own else self._since(before, step, quantities)
            if own or since:
                told = answer_text(before, step, self.seat)
                found.append(Led(self.cause.number + 1, told, since))
        left = sum(by is not None for _, _, by in before.state.answers) if own else 0
        began = turn_began(self.game.ruleset, self.events, self.line)
        for number, then, given in earlier(before, LOOKED_BACK, began):
            since = () if left else self._since(then, given, quantities)
            if left or since:
                found.append(Led(number, answer_text(then, given, self.seat), since))
            left = max(0, left - 1)
        return tuple(reversed(found))

    def _since(self, then: Game, step: Step, quantities: Sequence[Quantity]) -> tuple[str, ...]:
        """What the step of an answer changed of what was looked at."""
        if not quantities:
            return ()
        was = self._measured(then.state, quantities)
        now = self._measured(self.one_step.after(then, step), quantities)
        return tuple(
            f"{text}: {was[text]}, then {now[text]}"
            for text, _, _ in quantities
            if text in was and text in now and was[text] != now[text]
        )

    def _measured(self, state: State, quantities: Sequence[Quantity]) -> dict[str, str]:
        """What was looked at, in another position."""
        found = {}
        state = self.sight.state(state)
        for text, expr, env in quantities:
            try:
                value = self.sight.run.evaluate(state, expr, env)
                found[text] = phrasing.value(self.game.table, value, expr.type)
            except HIDDEN:
                continue
        return found


def _short(value: str) -> str:
    """A long set by its first members."""
    members = value.split(", ")
    if len(members) <= FEW:
        return value
    return f"{', '.join(members[:FEW])}, … {len(members)} in all" + value[-1]


def _told_as_it_was(condition: ir.Expr, holds: bool) -> ir.Expr | None:
    """A condition in the way it came out: `7 or more`, where fewer than 7 would have been another
    way; None for one that only makes sure that there is something."""
    if holds or not isinstance(condition, ir.Op):
        return condition
    if any(isinstance(one, ir.Lit) and one.value is None for one in condition.args):
        return None
    if condition.op in _OTHERWISE and condition.args[0].type.name == "int":
        return attrs.evolve(condition, op=_OTHERWISE[condition.op])
    return condition


def _is_action(capture: Capture) -> bool:
    outer = capture.frames[0].passage if capture.frames else None
    return outer is not None and isinstance(outer.owner, ir.Action)


def _first(game: Game) -> Game:
    past = game.copy()
    past.undo(past.answered)
    return past
