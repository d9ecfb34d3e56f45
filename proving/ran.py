"""The rules that ran on the way to something, and what decided in each of them."""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from ziggurat.proving import phrasing
from ziggurat.proving.reasons import Reason, Reasoner, members
from ziggurat.proving.sight import HIDDEN, Sight
from ziggurat.proving.tracing import Capture, Note, Running
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.description import IT
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import Table
from ziggurat.runtime.kernel.walking import free, walk

UNSEEN = "something you may not see"
FEW = 6
_OTHERWISE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


@attrs.frozen
class Ran:
    """A rule that ran on the way to a line, with what its names stood for, and what decided in it;
    `hidden` if something decided that the seat may not see."""

    rule: str
    cites: str
    where: str
    why: tuple[Reason, ...] = ()
    hidden: bool = False


class RulesThatRan:
    """Tells of rules as somebody may know of them."""

    def __init__(self, table: Table, sight: Sight, reasoner: Reasoner) -> None:
        self.table, self.sight, self.reasoner = table, sight, reasoner
        self.ruleset = table.ruleset

    def running(self, capture: Capture, before: State | None) -> Iterator[Ran]:
        """The rules, the innermost first, up to where something hidden decided; `before` is where
        the step began."""
        for rule in reversed(capture.rules):
            one = self.rule(rule)
            yield one
            if one.hidden:
                break
            owner = rule.passage.owner if rule.passage is not None else None
            if isinstance(owner, ir.Action) and before is not None:
                yield from self.allowed(owner, before, rule.env[owner.actor], rule.env)
        yield from self._phase(capture)

    def rule(self, rule: Running) -> Ran:
        """One rule, with what let it come so far."""
        why: list[Reason] = []
        hidden = False
        for note in rule.notes:
            try:
                why += self._reasons(note, rule)
            except HIDDEN:
                hidden = True
        passage = rule.passage
        if passage is None:
            return Ran(self._signature("", rule), "", "", tuple(why), hidden)
        at = getattr(passage.owner, "at", ir.NOWHERE)
        return Ran(
            self._signature(passage.path, rule),
            phrasing.cites(passage.meta),
            phrasing.where(at),
            tuple(why),
            hidden,
        )

    def _signature(self, path: str, rule: Running) -> str:
        """A rule with what its parameters stand for."""
        body = rule.passage.node if rule.passage else ()
        types = {one.name: one.type for one in walk(body) if isinstance(one, ir.Local)}
        seen = self.sight.env(rule.env, rule.origins)
        first = [name for name in rule.env if name in free(body) and name in types]
        told = [
            f"{name} = {_short(phrasing.value(self.table, seen[name], types[name]))}"
            for name in first
            if name in seen
        ]
        return f"{path}({', '.join(told)})" if told else path

    def _reasons(self, note: Note, rule: Running) -> Iterator[Reason]:
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
                yield from self._member(note, rule, note.node, note.node.where)
            case ir.Stage(var=var, source=ir.Expr()) if var:
                yield from self._member(note, rule, note.node, note.node.condition)
            case ir.Stage(condition=ir.Expr() as condition):
                yield from self.reasoner.reasons(state, condition, env)
            case ir.May(path=path, by=by):
                whose = phrasing.value(self.table, self.sight.run.evaluate(state, by, env),
                                       by.type)  # fmt: skip
                answer = rule.env.get(note.node.name or f"may {path}")
                yield Reason(f"{whose} decides {path}", bool(answer))

    def _member(
        self, note: Note, rule: Running, loop: ir.For | ir.Stage, where: ir.Expr | None
    ) -> Iterator[Reason]:
        """Whose turn it is in a loop or a stage, why, and as which of how many."""
        run, state = self.sight.run, self.sight.state(note.state)
        env = self.sight.env(note.env, note.origins)
        member = self.sight.env(rule.env, rule.origins)[loop.var]
        if not isinstance(member, int) or loop.source is None:
            return
        type_ = loop.source.type.item or loop.source.type
        name = phrasing.value(self.table, member, type_)
        parts: tuple[Reason, ...] = ()
        if where is not None:
            parts = self.reasoner.reasons(state, where, {**env, loop.var: member})
        try:
            found = run.members(state, loop.source, where, loop.order, env, loop.var)
            place = f", {found.index(member) + 1} of {len(found)}" if member in found else ""
        except HIDDEN:  # others are in it for reasons of their own
            place = ""
        by = f" by {loop.order.order}" if loop.order is not None else ""
        yield Reason(f"{name} is in {self.reasoner.tell(loop.source, env)}{place}{by}", True, parts)

    def _phase(self, capture: Capture) -> Iterator[Ran]:
        passage = capture.rules[0].passage if capture.rules else None
        home = passage.home if passage is not None else None
        phase = self.ruleset.phases[home.phase] if isinstance(home, ir.Action) else home
        if isinstance(phase, ir.Phase):
            place = phrasing.cites(phase.meta), phrasing.where(phase.at)
            yield Ran(f"phase {phase.title or phase.id}", *place)

    def began(self, phase: ir.Phase) -> Iterator[Ran]:
        """Why a phase began: what it needs."""
        turn = next(iter(self.ruleset.turns.values()), None)
        order = [*turn.start, *turn.phases] if turn else []
        for other in self.ruleset.phases.values():
            if any(stage.phase == phase.id for stage in other.stages):
                place = phrasing.cites(other.meta), phrasing.where(other.at)
                yield Ran(f"phase {other.title or other.id} performs it", *place)
        if turn is not None and phase.id in order:
            place = phrasing.cites(turn.meta), phrasing.where(turn.at)
            number = order.index(phase.id)
            after = f", after {order[number - 1]}" if number else ", the first"
            yield Ran(f"turn {turn.id}: phase {number + 1} of {len(order)}{after}", *place)
        for need in phase.needs:
            said = f"needs {self.reasoner.tell(need.condition, {})}"
            yield Ran(said, phrasing.cites(need.meta), phrasing.where(need.at))

    def allowed(
        self, action: ir.Action, state: State, who: int, given: Mapping[str, Any]
    ) -> Iterator[Ran]:
        """Why an action could be done: everything it asks for, as it was."""
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
    if all(_asks_for_something(one) for one in (members("or", condition))):
        return None
    if condition.op in _OTHERWISE and condition.args[0].type.name == "int":
        return attrs.evolve(condition, op=_OTHERWISE[condition.op])
    return condition


def _asks_for_something(condition: ir.Expr) -> bool:
    """Is it `x is none`?"""
    if not isinstance(condition, ir.Op):
        return False
    return any(isinstance(one, ir.Lit) and one.value is None for one in condition.args)
