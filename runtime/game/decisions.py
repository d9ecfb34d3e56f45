"""Decisions as people and programs outside see them.

A decision says who decides, what about, why (path, citation, place), and finds its options only
when it is asked for them. Answers are plain data: ids of things, names of players, numbers, yes and
no, lists of those, and for an act `{"action": "march", "args": [...]}`, "done" or "pass". Inside,
an answer is the same in the table's numbers; `parse` and `name` lead from one to the other.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.log import sentence
from ziggurat.runtime.kernel.actions import Menu
from ziggurat.runtime.kernel.errors import Refused
from ziggurat.runtime.kernel.requests import (
    ChooseOneRequest,
    ChooseSomeRequest,
    DivideRequest,
    Pending,
    SelectRequest,
)
from ziggurat.runtime.kernel.scheduler import Scheduler
from ziggurat.runtime.kernel.state import State

# Gives the reason of the rule that forbids an action in a state to a player, "" if no rule has one.
Reason = Callable[[State, str, int, tuple[Any, ...]], str]
KINDS = {"choose_some": "choose"}
END = ("done", "pass")


@attrs.frozen(eq=False)
class Decision:
    """Something a seat has to decide. `kind` is choose, may, select, divide or act."""

    id: str
    path: str
    decider: str
    kind: str
    prompt: str
    least: int | None
    most: int | None
    meta: ir.Meta
    at: ir.At
    _run: Scheduler = attrs.field(repr=False)
    _state: State = attrs.field(repr=False)
    _reason: Reason = attrs.field(repr=False)
    pending: Pending = attrs.field(repr=False)

    # ---- what is asked

    @property
    def phase(self) -> str:
        """The phase the decision is made in."""
        return self.pending.phase

    @property
    def several(self) -> bool:
        """Whether several options are chosen at once, `least` to `most` of them."""
        return isinstance(self.pending.ask, ChooseSomeRequest)

    @property
    def optional(self) -> bool:
        """Whether none is an answer, too."""
        return self.pending.ask is not None and self.pending.ask.optional

    @property
    def total(self) -> int:
        """How much is to be divided."""
        ask = self.pending.ask
        return ask.solver.target if isinstance(ask, DivideRequest) else 0

    def prompt_with(self, names: Sequence[str]) -> str:
        """The prompt with the owners called by these names, in their order."""
        ask = self.pending.ask
        if ask is None:
            return self.prompt
        node = self._run.bound.program.sites[ask.site].node
        return sentence(self._run.bound.table, node.prompt, ask.holes, names) or self.prompt

    # ---- what may be answered

    def options(self) -> list[Any]:
        """The options of a choice, the candidates of a select or divide, the actions of an act."""
        ask = self.pending.ask
        if ask is None:
            return [*self.actions(), self.end]
        found = [self._name(option, self.item) for option in ask.options]
        return [*found, None] if ask.optional else found

    def actions(self) -> list[str]:
        """The actions that can be completed now (without done and pass)."""
        return [plan.id for plan in self.pending.menu.available()]

    def parameter_options(self, action: str, args: Sequence[Any] = ()) -> list[Any]:
        """The options of an action's next parameter, after those already chosen."""
        rule = self._run.actions.rules[action]
        known = (self.pending.decider, *self._arguments(rule, args))
        if len(args) >= len(rule.params):
            return []
        type_ = member_type(rule.params[len(args)])
        plan = self._run.actions.plans[action]
        return [self._name(o, type_) for o in self.pending.menu.options(plan, known)]

    def parameter_bounds(self, action: str, args: Sequence[Any] = ()) -> tuple[int, int]:
        """How many members an action's next parameter, a set, must have at least and at most."""
        rule = self._run.actions.rules[action]
        known = (self.pending.decider, *self._arguments(rule, args))
        menu: Menu = self.pending.menu
        return menu.bounds(self._run.actions.plans[action], known)

    def next_picks(self, chosen: Any = ()) -> Any:
        """What may be picked next: members of a select; for a divide the amounts of each member
        that is not in `chosen` yet."""
        ask = self.pending.ask
        assert ask is not None
        number = {member: n for n, member in enumerate(ask.options)}
        if isinstance(ask, SelectRequest):
            picked = [number[self._parse(member, self.item)] for member in chosen]
            return [self._name(ask.options[n], self.item) for n in ask.solver.next_picks(picked)]
        given = {number[self._parse(m, self.item)]: n for m, n in dict(chosen).items()}
        return {
            self._name(member, self.item): ask.solver.choices(n, given)
            for member, n in number.items()
            if n not in given
        }

    def check(self, answer: Any) -> str | None:
        """Why an answer is refused; None if it is legal."""
        try:
            self.read(answer)
        except Refused as refused:
            return refused.reason
        return None

    # ---- plain answers and the table's numbers

    def read(self, answer: Any) -> Any:
        """A plain answer in the table's numbers. Raises `Refused` if it is not legal."""
        pending = self.pending
        ask = pending.ask
        try:
            inner = self._read_act(answer) if ask is None else self._parse(answer, self._type)
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as wrong:
            if isinstance(wrong, Refused):
                raise
            raise Refused(f"{answer!r} is not an answer to this.", self.at, self.meta) from None
        self.check_inner(inner)
        return inner

    def check_inner(self, inner: Any) -> None:
        """Raise `Refused` if an answer in the table's numbers is not legal."""
        pending, ask = self.pending, self.pending.ask
        if ask is None:
            if inner is not None:
                try:
                    self._run.actions.refuse(
                        self._state, pending.phase, pending.decider, inner[0], inner[1]
                    )
                except Refused as refused:
                    raise self._explained(refused, *inner) from None
            return
        if not (self._fits(inner) and ask.allows(inner)):
            raise Refused(self._misfit(inner), self.at, self.meta)

    def _fits(self, inner: Any) -> bool:
        """Has an answer the form that answers to this have: one member, several, or amounts?"""
        ask = self.pending.ask
        assert ask is not None
        if isinstance(ask, DivideRequest):
            return isinstance(inner, dict)
        return isinstance(ask, ChooseOneRequest) or isinstance(inner, tuple)

    def _explained(self, refused: Refused, action: str, args: tuple[Any, ...]) -> Refused:
        """The refusal with the reason of the rule that forbids it, if one does."""
        rule = self._run.actions.rules.get(action)
        if rule is None or len(args) != len(rule.params):
            return refused
        reason = self._reason(self._state, action, self.pending.decider, args)
        return Refused(reason, refused.at, refused.meta) if reason else refused

    def _misfit(self, inner: Any) -> str:
        ask = self.pending.ask
        assert ask is not None
        if not self._fits(inner):
            return "That is not an answer to this."
        if isinstance(ask, ChooseSomeRequest) and all(member in ask.options for member in inner):
            wanted = str(ask.least) if ask.least == ask.most else f"{ask.least} to {ask.most}"
            return f"This takes {wanted}, not {len(inner)}."
        if isinstance(ask, SelectRequest | DivideRequest):
            return "This does not meet what the rule asks for."
        return "That is not among the options."

    def _read_act(self, answer: Any) -> tuple[str, tuple[Any, ...]] | None:
        if answer is None or answer == self.end:
            return None
        if isinstance(answer, Mapping):
            action, args = answer["action"], answer.get("args", ())
        else:
            action, *args = (answer,) if isinstance(answer, str) else answer
        if action == self.end:
            return None
        rule = self._run.actions.rules.get(action)
        if rule is None:
            raise Refused(f"There is no action '{action}' here.")
        if len(args) != len(rule.params):
            raise Refused(f"'{action}' takes {len(rule.params)} arguments, not {len(args)}.")
        return action, self._arguments(rule, args)

    def _arguments(self, rule: ir.Action, args: Sequence[Any]) -> tuple[Any, ...]:
        given = list(zip(rule.params, args, strict=False))
        if any(arg is None and not param.single for param, arg in given):
            raise TypeError("none is not a set")
        return tuple(self._parse(arg, param.type) for param, arg in given)

    @property
    def end(self) -> str:
        """The word that ends an act: done, or pass where all act freely."""
        if self.pending.ask is not None:
            return ""
        return "pass" if self._run.position(self._state).freely else "done"

    @property
    def _type(self) -> ir.Type:
        assert self.pending.ask is not None
        node = self._run.bound.program.sites[self.pending.ask.site].node
        return ir.Type("bool") if isinstance(node, ir.May) else node.type

    @property
    def item(self) -> ir.Type:
        """The type of one option."""
        type_ = self._type
        single = isinstance(self.pending.ask, ChooseOneRequest)
        part = type_.key if type_.name == "map" else type_.item
        return type_ if single or part is None else part

    def _name(self, value: Any, type_: ir.Type) -> Any:
        return self._run.bound.table.name(value, type_)

    def _parse(self, value: Any, type_: ir.Type) -> Any:
        return self._run.bound.table.parse(value, type_)

    def name(self, inner: Any) -> Any:
        """An answer in the table's numbers as plain data."""
        if self.pending.ask is not None:
            return self._name(inner, self._type)
        if inner is None:
            return self.end
        rule = self._run.actions.rules[inner[0]]
        args = zip(rule.params, inner[1], strict=True)
        return {"action": inner[0], "args": [self._name(a, p.type) for p, a in args]}


def member_type(param: ir.ActionParam) -> ir.Type:
    """The type of one option of a parameter."""
    return param.type if param.single or param.type.item is None else param.type.item


def decision(
    run: Scheduler, state: State, pending: Pending, number: int, reason: Reason
) -> Decision:
    """The public face of something pending; `number` counts the answers of the game so far."""
    table = run.bound.table
    seat = table.owner_names[pending.decider]
    ask = pending.ask
    if ask is None:
        phase = run.rules.phases[pending.phase]
        path, prompt = phase.id, phase.title or phase.id
        least = most = None
        kind, meta, at = "act", phase.meta, phase.at
    else:
        site = run.bound.program.sites[ask.site]
        path, meta, at = site.path, site.meta, site.at
        prompt = sentence(table, site.node.prompt, ask.holes) or path
        kind = KINDS.get(ask.kind, ask.kind)
        least, most = ask.least, ask.most
        if type(ask) is ChooseOneRequest:
            least, most = (0 if ask.optional else 1), 1
    thread = "" if pending.thread is None else f"/{pending.thread}"
    id_ = f"{number}/{seat}/{path}{thread}"
    return Decision(
        id_, path, seat, kind, prompt, least, most, meta, at, run, state, reason, pending
    )
