"""A program for the reference evaluator, with the face of a compiled one.

A game runs on `ReferenceProgram(ruleset)` as it does on `compile_ruleset(ruleset)`, only slower and
without being compiled first: that is what differential tests and content mutation want.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from ziggurat.dsl import ir
from ziggurat.dsl.forms.bodies import bodies
from ziggurat.dsl.forms.description import described
from ziggurat.dsl.forms.walking import walk
from ziggurat.proving.reference_steps import Steps
from ziggurat.runtime.program import Bound, Function, Program
from ziggurat.runtime.signatures import Site, Spec, advice_params, need_level
from ziggurat.runtime.state import State
from ziggurat.runtime.table import Table

Keyed = tuple[Spec, Function]


@attrs.frozen(eq=False)
class ReferenceProgram(Program):
    """A ruleset to be walked: no code, no step known to be silent, no clauses counted."""

    def bind(self, table: Table) -> Bound:
        return ReferenceBound(self, table)


def reference_program(
    ruleset: ir.Ruleset, sites: tuple[Site, ...] | None = None
) -> ReferenceProgram:
    """The rules as they stand, ready for `bind`. With the `sites` of a compiled program, games on
    both number their decisions alike."""
    levels = {
        action.id: tuple(need_level(action, need) for need in action.needs)
        for action in ruleset.actions.values()
    }
    told = tuple(_sites(ruleset)) if sites is None else sites
    return ReferenceProgram(ruleset, (), {}, {}, told, (), frozenset(), levels)


def _sites(ruleset: ir.Ruleset) -> Iterator[Site]:
    """The decisions, sentences and loops of all rules."""
    for one in bodies(ruleset):
        for node in walk(one.node):
            about = described(node)
            if isinstance(node, ir.Stmt) and (about.asks or about.loops or about.shown):
                own = getattr(node, "meta", ir.NO_META)
                path = getattr(node, "path", one.path)
                yield Site(node, one.path, path, node.at, own if own != ir.NO_META else one.meta)


class Walker:
    """Functions that walk declarations, by the keys that compiled functions have."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps

    def everything(self) -> Iterator[Keyed]:
        ruleset = self.steps.ruleset
        for value in ruleset.values.values():
            yield from self.value(value)
        for order in ruleset.orders.values():
            yield from self.order(order)
        for procedure in ruleset.procedures.values():
            yield from self.procedure(procedure)
        for thing in self.steps.table.things:
            yield from self.thing(thing)
        for phase in ruleset.phases.values():
            yield from self.phase(phase)
        for action in ruleset.actions.values():
            yield from self.action(action)
        for number, advice in enumerate(ruleset.advice):
            yield from self.advice(number, advice)

    def _expression(self, names: Iterable[str], expr: ir.Expr) -> Function:
        known = tuple(names)

        def function(state: State, *args: Any) -> Any:
            return self.steps.evaluate(state, expr, dict(zip(known, args, strict=True)))

        return function

    def _block(self, names: Iterable[str], body: ir.Body) -> Function:
        known = tuple(names)

        def function(state: State, *args: Any) -> None:
            self.steps.procedure(state, body, dict(zip(known, args, strict=True)))

        return function

    def value(self, value: ir.Value) -> Iterator[Keyed]:
        yield ("value", value.id), lambda state, *args: self.steps.value(state, value.id, args)

    def order(self, order: ir.Order) -> Iterator[Keyed]:
        def function(state: State, *args: Any) -> Any:
            return tuple(self.steps.value(state, key, args) for key in order.keys)

        yield ("order", order.id), function

    def procedure(self, procedure: ir.Procedure) -> Iterator[Keyed]:
        key = ("procedure", procedure.id)
        yield key, lambda state, *args: self.steps.call(state, procedure, args)

    def thing(self, thing: ir.Thing) -> Iterator[Keyed]:
        kind = self.steps.ruleset.kinds[thing.kind]
        declared = {body.name: [param.name for param in body.params] for body in kind.bodies}
        for body in thing.bodies:
            key = ("body", thing.kind, thing.id, body.name)
            yield key, self._block(declared.get(body.name, []), body.body)

    def phase(self, phase: ir.Phase) -> Iterator[Keyed]:
        for number, need in enumerate(phase.needs):
            yield ("phase", phase.id, "needs", number), self._expression((), need.condition)
        for number, trigger in enumerate(phase.triggers):
            yield ("phase", phase.id, "trigger", number), self._block((), trigger.body)
            if trigger.condition is not None:
                yield ("phase", phase.id, "when", number), self._expression((), trigger.condition)
        for number, stage in enumerate(phase.stages):
            yield from self._stage(("stage", phase.id, number), stage)

    def _stage(self, key: Spec, stage: ir.Stage) -> Iterator[Keyed]:
        names = [stage.var] if stage.var else []
        if stage.source is not None:
            yield (*key, "items"), self._items(stage.source, stage.condition, stage.var)
        elif stage.condition is not None:
            yield (*key, "test"), self._expression((), stage.condition)
        if stage.limit is not None:
            yield (*key, "limit"), self._expression((), stage.limit)
        if stage.order is not None:
            yield (*key, "order"), self._sort_key(stage.order)
        yield (*key, "body"), self._block(names, stage.body)

    def _sort_key(self, order: ir.OrderRef) -> Function:
        return lambda state, thing: self.steps.sort_key(state, order, {})(thing)

    def _items(
        self, source: ir.Expr, where: ir.Expr | None, var: str, names: Iterable[str] = ()
    ) -> Function:
        known = tuple(names)

        def function(state: State, *args: Any) -> Any:
            env = dict(zip(known, args, strict=True))
            return tuple(self.steps.members(state, source, where, None, env, var))

        return function

    def action(self, action: ir.Action) -> Iterator[Keyed]:
        names = [action.actor, *(param.name for param in action.params)]
        for number, param in enumerate(action.params):
            known = names[: number + 1]
            options = self._items(param.source, param.where, "it", known)
            yield ("action", action.id, "options", number), options
            for part, bound in (("least", param.least), ("most", param.most)):
                if bound is not None:
                    yield ("action", action.id, part, number), self._expression(known, bound)
        for number, need in enumerate(action.needs):
            known = names[: need_level(action, need) + 1]
            key = ("action", action.id, "needs", number)
            yield key, self._expression(known, need.condition)
        yield ("action", action.id, "body"), self._block(names, action.body)

    def advice(self, number: int, advice: ir.Advice) -> Iterator[Keyed]:
        names = advice_params(self.steps.ruleset, advice.target)

        def function(state: State, *args: Any) -> int:
            env = {"it": args[-1], **dict(zip(names, args, strict=True))}
            return sum(
                self.steps.given(state, preference.score, env)
                for preference in advice.preferences
                if preference.when is None or self.steps.evaluate(state, preference.when, env)
            )

        yield ("advice", number), function


class ReferenceBound(Bound):
    """The functions of a program at one table, all of them walked."""

    def __init__(self, program: Program, table: Table) -> None:
        self.program = program
        self.table = table
        self.counts: list[int] = []
        self._functions = dict(Walker(Steps(table, program.sites)).everything())
