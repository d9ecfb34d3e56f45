"""Rules that are walked once more, with a note of what led to one line of the log.

While a step runs, every rule that has begun and has not ended is a frame: the names in it, where
each of them comes from, and the conditions and loops that let it come so far. When the line in
question is said, or the decision in question is asked, the frames of that moment are kept.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from ziggurat.dsl import ir
from ziggurat.dsl.forms.bodies import Passage, bodies
from ziggurat.dsl.forms.description import described
from ziggurat.proving.reference_program import ReferenceBound
from ziggurat.proving.steps import Locals, Steps
from ziggurat.proving.walker import Walker
from ziggurat.runtime.signatures import Site
from ziggurat.runtime.state import State
from ziggurat.runtime.table import Table

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
class Frame:
    """A rule that runs: where it stands, its names, and what it came through."""

    passage: Passage | None
    env: Locals
    origins: dict[str, Origin]
    notes: list[Note] = attrs.field(factory=list)

    def kept(self) -> "Frame":
        return Frame(self.passage, dict(self.env), dict(self.origins), list(self.notes))


@attrs.frozen(eq=False)
class Capture:
    """The rules that were running when something happened, the outermost first."""

    event: Event | None
    frames: tuple[Frame, ...]
    state: State
    node: Any


class Tracer(Steps):
    """Walks rules and keeps what led to a sentence, or to a decision, of a site."""

    def __init__(self, table: Table, sites: Iterable[Site], site: int) -> None:
        super().__init__(table, sites)
        self.wanted = site
        self.captures: list[Capture] = []
        self._frames: list[Frame] = []
        self._passages = {id(one.node): one for one in bodies(table.ruleset) if one.node}
        self._args: tuple[Origin, ...] = ()
        self._called: list[dict[str, Origin]] = []
        self._given: Origin | None = None

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
        origins = self._args if self._frames else (Origin(open=True),) * len(named)
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
        frame = Frame(passage, env, {name: called.get(name, Origin(open=True)) for name in env})
        if passage is not None and isinstance(passage.owner, ir.Trigger | ir.Stage):
            frame.notes.append(_note(state, passage.owner, frame))
        self._frames.append(frame)
        try:
            return super().procedure(state, body, env)
        finally:
            self._frames.pop()

    def block(self, state: State, body: ir.Body, env: Locals) -> None:
        if not self._frames:
            super().block(state, body, env)
            return
        notes = self._frames[-1].notes
        mark = len(notes)
        try:
            for node in body:
                self._statement(state, node, env, self._frames[-1])
        finally:
            del notes[mark:]

    def _statement(self, state: State, node: ir.Stmt, env: Locals, frame: Frame) -> None:
        known, said, about = dict(env), len(state.news), described(node)
        before = _note(state, node, frame) if about.asks or isinstance(node, _NOTED) else None
        if isinstance(node, _THROUGH) and before is not None:
            frame.notes.append(before)
        if before is not None:
            self._binds(node, before, frame)
        if about.asks and self.site(node) == self.wanted:
            self._capture(None, state, node)
        super().block(state, (node,), env)
        if isinstance(node, _THROUGH) and not _is_guard(node):
            frame.notes.pop()
        for name in [one for one in env if one not in known or env[one] is not known[one]]:
            frame.origins[name] = self._made(node, before)
        if isinstance(node, ir.Say) and len(state.news) > said and self.site(node) == self.wanted:
            self._capture(state.news[-1], state, node)

    def _binds(self, node: Any, before: Note, frame: Frame) -> None:
        """What a statement hands on while it runs."""
        if isinstance(node, ir.For):
            frame.origins[node.var] = attrs.evolve(_origin(before, None), node=node)
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
        return attrs.evolve(_origin(before, None), node=node)

    def _capture(self, event: Event | None, state: State, node: Any) -> None:
        frames = tuple(frame.kept() for frame in self._frames)
        self.captures.append(Capture(event, frames, state.copy(), node))


def _done_with(action: ir.Action, env: Locals) -> dict[str, Origin]:
    """What somebody does an action with: their answer."""
    actor = {"by": env[action.actor]}
    return {
        param.name: Origin(node=param, env=actor, path=f"{action.id}.{param.name}")
        for param in action.params
    }


def _note(state: State, node: Any, frame: Frame) -> Note:
    return Note(node, state.copy(), dict(frame.env), dict(frame.origins))


def _origin(before: Note, expr: ir.Expr | None) -> Origin:
    return Origin(expr, before.state, before.env, before.origins)


def _is_guard(node: Any) -> bool:
    """Whether what follows would not have run, had it come out otherwise."""
    if not isinstance(node, ir.If | ir.May):
        return False
    ways = [*node.then, *node.other]
    return any(isinstance(one, ir.Jump | ir.GiveBack) for one in ways)


class TracedBound(ReferenceBound):
    """The functions of a program at one table, all of them walked by a tracer."""

    def __init__(self, program: Any, table: Table, site: int) -> None:
        super().__init__(program, table)
        self.steps: Tracer = Tracer(table, program.sites, site)
        self._functions = dict(Walker(self.steps).everything())
