"""Rules that are walked once more, with a note of what led to one line of the log.

While a step runs, every rule that has begun and has not ended is noted: the names in it, where
each of them comes from, and the conditions and loops that let it come so far. When the line in
question is said, or the decision in question is asked, the rules of that moment are kept.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.bodies import Passage, bodies
from ziggurat.runtime.kernel.description import described
from ziggurat.runtime.kernel.program import WalkedBound
from ziggurat.runtime.kernel.signatures import Site
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps
from ziggurat.runtime.kernel.table import Table
from ziggurat.runtime.kernel.walker import Walker

Origins = Mapping[str, "Origin"]
Event = tuple[Any, ...]
_CALLS = (ir.Do, ir.Result, ir.DoBody, ir.BodyResult)
_THROUGH = (ir.If, ir.For, ir.Repeat, ir.May, ir.Step)
_NOTED = (*_CALLS, *_THROUGH, ir.Let, ir.GiveBack)


@attrs.frozen(eq=False)
class Origin:
    """Where a name comes from: an expression or the statement that made it (a decision, a loop),
    and what that was evaluated in. Without any of these nobody can tell."""

    expr: ir.Expr | None = None
    state: State | None = None
    env: Mapping[str, Any] = attrs.field(factory=dict)
    origins: Origins = attrs.field(factory=dict)
    node: Any = None
    path: str = ""  # of the parameter of an action
    open: bool = False  # known to everybody


@attrs.frozen(eq=False)
class Note:
    """A condition, a loop or a label that a rule came through, and the position there."""

    node: Any
    state: State
    env: Mapping[str, Any]
    origins: Origins


@attrs.define(eq=False)
class Running:
    """A rule that runs: where it stands, its names, and what it came through."""

    passage: Passage | None
    env: Locals
    origins: dict[str, Origin]
    notes: list[Note] = attrs.field(factory=list)

    def kept(self) -> "Running":
        return Running(self.passage, dict(self.env), dict(self.origins), list(self.notes))


@attrs.define(eq=False)
class Capture:
    """The rules that were running when something happened, the outermost first; of a decision also
    what was `answered`: the site, the answer and who gave it."""

    event: Event | None
    rules: tuple[Running, ...]
    state: State
    node: Any
    told: tuple[tuple[int | None, Origin], ...]
    answers: tuple[Any, ...]  # that were given in the step before it
    answered: Any = None


class Tracer(Steps):
    """Walks rules and keeps what led to a sentence, or to a decision, of a site."""

    def __init__(self, table: Table, sites: Iterable[Site], site: int) -> None:
        super().__init__(table, sites)
        self.wanted = site
        self.captures: list[Capture] = []
        self._running: list[Running] = []
        self._passages = {id(one.node): one for one in bodies(table.ruleset) if one.node}
        self._args: tuple[Origin, ...] = ()
        self._called: list[dict[str, Origin]] = []
        self._given: Origin | None = None
        # Names that were told, each with the only player who heard it (None for everybody).
        self.told: list[tuple[int | None, Origin]] = []

    # ---- rules begin and end

    def triggered(
        self,
        state: State,
        path: str,
        steps: ir.Procedure | ir.ThingBody,
        params: Iterable[ir.Param],
        args: Iterable[Any],
    ) -> Any:
        named, given = [param.name for param in params], tuple(args)
        origins = self._args if self._running else (Origin(open=True),) * len(named)
        self._called.append(dict(zip(named, origins, strict=True)))
        try:
            return super().triggered(state, path, steps, params, given)
        finally:
            self._called.pop()

    def procedure(self, state: State, body: ir.Body, env: Locals) -> Any:
        passage = self._passages.get(id(body))
        called = self._called[-1] if self._called else {}
        if passage is not None and isinstance(passage.owner, ir.Action):
            called = _done_with(passage.owner, env)
        rule = Running(passage, env, {name: called.get(name, Origin(open=True)) for name in env})
        if passage is not None and isinstance(passage.owner, ir.Trigger | ir.Stage):
            note = _note(state, passage.owner, rule)
            rule.notes.append(note)
            if isinstance(passage.owner, ir.Stage) and passage.owner.var in env:
                rule.origins[passage.owner.var] = _origin(note, None, passage.owner)
        self._running.append(rule)
        try:
            return super().procedure(state, body, env)
        finally:
            self._running.pop()

    def block(self, state: State, body: ir.Body, env: Locals) -> None:
        if not self._running:
            super().block(state, body, env)
            return
        notes = self._running[-1].notes
        mark = len(notes)
        try:
            for node in body:
                self._statement(state, node, env, self._running[-1])
        finally:
            del notes[mark:]

    def _statement(self, state: State, node: ir.Stmt, env: Locals, rule: Running) -> None:
        known, said, about = dict(env), len(state.news), described(node)
        asked: Capture | None = None
        before = _note(state, node, rule) if about.asks or isinstance(node, _NOTED) else None
        if isinstance(node, _THROUGH) and before is not None:
            rule.notes.append(before)
        if before is not None:
            self._binds(node, before, rule)
        if about.asks and self.site(node) == self.wanted:
            self._tell(None, [getattr(node, "by", None)], rule)
            asked = self._capture(None, state, node)
        super().block(state, (node,), env)
        if isinstance(node, _THROUGH) and not _is_guard(node):
            rule.notes.pop()
        for name in [one for one in env if one not in known or env[one] is not known[one]]:
            if not isinstance(node, _THROUGH) or name == getattr(node, "name", None):
                rule.origins[name] = self._made(node, before)
        if asked is not None and len(asked.answers) < len(state.answers):
            asked.answered = state.answers[len(asked.answers)]
        if about.asks and state.cursor and state.answers[state.cursor - 1][2] is not None:
            self._tell(None, [getattr(node, "by", None)], rule)
        if isinstance(node, ir.Say) and len(state.news) > said:
            self._tell(state.news[-1][1], node.text.parts, rule)
            self._tell(None, node.others.parts if node.others is not None else (), rule)
            if self.site(node) == self.wanted:
                self._capture(state.news[-1], state, node)

    def _tell(self, to: int | None, parts: Iterable[Any], rule: Running) -> None:
        """A name that stands in a sentence is known to whoever hears it."""
        named = [one.name for one in parts if isinstance(one, ir.Local)]
        self.told += [(to, rule.origins[one]) for one in named if one in rule.origins]

    def _binds(self, node: Any, before: Note, rule: Running) -> None:
        """What a statement hands on while it runs."""
        if isinstance(node, ir.For):
            rule.origins[node.var] = _origin(before, None, node)
        elif isinstance(node, _CALLS):
            self._args = tuple(_origin(before, arg) for arg in node.args)
        elif isinstance(node, ir.GiveBack):
            self._given = _origin(before, node.expr)

    def _made(self, node: Any, before: Note | None) -> Origin:
        """Where a name that a statement made comes from."""
        if before is None:
            return Origin()
        if isinstance(node, ir.Let):
            return _origin(before, node.expr)
        if isinstance(node, ir.Result | ir.BodyResult):
            return self._given or Origin()
        return _origin(before, None, node)

    def _capture(self, event: Event | None, state: State, node: Any) -> Capture:
        rules = tuple(rule.kept() for rule in self._running)
        given = state.answers[: state.cursor]
        found = Capture(event, rules, state.copy(), node, tuple(self.told), given)
        self.captures.append(found)
        return found


def _done_with(action: ir.Action, env: Locals) -> dict[str, Origin]:
    """What somebody does an action with: their answer."""
    actor = {"by": env[action.actor]}
    return {
        param.name: Origin(node=param, env=actor, path=f"{action.id}.{param.name}")
        for param in action.params
    }


def _note(state: State, node: Any, rule: Running) -> Note:
    return Note(node, state.copy(), dict(rule.env), dict(rule.origins))


def _origin(before: Note, expr: ir.Expr | None, node: Any = None) -> Origin:
    """Where something comes from; another name for a name comes from where that does."""
    if isinstance(expr, ir.Local) and expr.name in before.origins:
        return before.origins[expr.name]
    return Origin(expr, before.state, before.env, before.origins, node)


def _is_guard(node: Any) -> bool:
    """Whether what follows would not have run, had it come out otherwise."""
    if not isinstance(node, ir.If | ir.May):
        return False
    ways = [*node.then, *node.other]
    return any(isinstance(one, ir.Jump | ir.GiveBack) for one in ways)


class TracedBound(WalkedBound):
    """The functions of a program at one table, all of them walked by a tracer."""

    def __init__(self, program: Any, table: Table, site: int) -> None:
        super().__init__(program, table)
        self.steps: Tracer = Tracer(table, program.sites, site)
        self._functions = dict(Walker(self.steps).everything())
