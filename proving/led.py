"""The answers that led to something: those of its own step, and those that changed what was looked
at on the way to it."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import attrs

from ziggurat.proving import phrasing
from ziggurat.proving.past import Cause, OneStep, answer_text, earlier
from ziggurat.proving.reasons import Reasoner
from ziggurat.proving.sight import HIDDEN, Sight
from ziggurat.proving.tracing import Capture, Running
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.game import Game, Step
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.walking import free, walk

LOOKED_BACK = 300  # answers
MOST_NUMBERS = 8
Quantity = tuple[str, ir.Expr, dict[str, Any]]


@attrs.frozen
class Led:
    """An answer that led to a line: which it was, in words, and the numbers that are others since;
    none for answers of the very step."""

    number: int
    text: str
    since: tuple[str, ...] = ()


class AnswersThatLed:
    """Tells of answers as somebody may know of them; `began` is the line the turn began with."""

    def __init__(self, game: Game, sight: Sight, reasoner: Reasoner, began: int) -> None:
        self.table, self.sight, self.reasoner, self.began = game.table, sight, reasoner, began
        self.one_step = OneStep(game.run.bound)

    def leading(
        self, line: int, cause: Cause, capture: Capture | None, rules: Sequence[Running]
    ) -> tuple[Led, ...]:
        """The answers, the earliest first: those of the very step that came before the line, and
        those whose own step changed what was looked at in the rules told of (`rules`)."""
        before, step = cause.game, cause.answer
        if before is None:
            return ()
        quantities = [*self._quantities(rules)]
        own = _own(capture) if capture is not None else []
        past = earlier(before, LOOKED_BACK, self.began)
        last = [(cause.number + 1, before, step)] if step is not None else []
        found = []
        for number, then, given in chain(last, past):
            mine = _meant(then, given)
            is_own = mine in own or (capture is None and number > cause.number)
            if is_own and capture is not None:
                own.remove(mine)
            since = () if is_own else self._since(then, given, quantities, line)
            if is_own or since:
                found.append(Led(number, answer_text(then, given, self.sight.seat), since))
            if not own and not quantities:
                break
        return tuple(reversed(found))

    def _since(
        self, then: Game, step: Step, quantities: Sequence[Quantity], line: int
    ) -> tuple[str, ...]:
        """What the step of an answer changed of what was looked at; nothing if the line is of that
        step, because then it was looked at before."""
        after = self.one_step.after(then, step) if quantities else then.state
        if after is then.state or after.log_size > line:
            return ()
        was = self._measured(then.state, quantities)
        now = self._measured(after, quantities)
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
                found[text] = phrasing.value(self.table, value, expr.type)
            except HIDDEN:
                continue
        return found

    def _quantities(self, rules: Sequence[Running]) -> Iterator[Quantity]:
        """What was looked at on the way that can be looked at in other positions."""
        known: set[str] = set()
        for rule in rules:
            for note in reversed(rule.notes):
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


def _own(capture: Capture) -> list[Any]:
    """The answers of the step itself, as `_meant` tells them."""
    found = [one for one in (*capture.answers, capture.answered) if one and one[2] is not None]
    rule = capture.rules[0] if capture.rules else None
    owner = rule.passage.owner if rule is not None and rule.passage is not None else None
    if rule is not None and isinstance(owner, ir.Action):
        args = tuple(rule.env[param.name] for param in owner.params)
        found.append((owner.id, args, rule.env[owner.actor]))
    return found


def _meant(before: Game, step: Step) -> Any:
    """An answer as a step keeps it, or an action: what, with which answer, by whom."""
    index, inner = step
    pending = before.pending[index]
    if pending.ask is not None:
        return pending.ask.site, inner, pending.decider
    return (*(inner or ("", ())), pending.decider)
