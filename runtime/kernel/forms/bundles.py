"""Bundles: they begin, and they are cleared."""

from ziggurat.dsl import ir
from ziggurat.runtime.kernel.evaluator import Evaluator
from ziggurat.runtime.kernel.forms.attributes import changed, write
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps, statement


@statement(ir.Clear)
def _clear(run: Steps, state: State, node: ir.Clear, env: Locals) -> None:
    of = None if node.of is None else run.evaluate(state, node.of, env)
    if node.of is None or of is not None:
        _empty(run, state, node.bundle, of)


@statement(ir.Begin)
def _begin(run: Steps, state: State, node: ir.Begin, env: Locals) -> None:
    bundle = run.ruleset.bundles[node.bundle]
    kept = run.ruleset.attributes
    types = {field.name: kept[bundle.attribute(field.name)].type for field in bundle.fields}
    given = {
        one.name: (run.evaluate if types[one.name].maybe else run.given)(state, one.expr, env)
        for one in node.given
    }
    of = None if node.of is None else run.evaluate(state, node.of, env)
    if node.of is not None and of is None:
        return
    _empty(run, state, bundle.id, of)
    write(run, state, bundle.id, of, 1, node)
    for field in bundle.fields:
        start = None if field.default is None else run.evaluate(state, field.default, {})
        value = given.get(field.name, start)
        if value is None and not types[field.name].maybe:
            value = start
        if value is not None:
            new = changed(None, "=", value, types[field.name])
            write(run, state, bundle.attribute(field.name), of, new, node)


def _empty(run: Evaluator, state: State, bundle: str, of: int | None) -> None:
    """Nothing is in any of its attributes, as before the game."""
    start = run.table.attr_start
    for id_ in run.ruleset.bundles[bundle].attributes:
        slots = run.table.attributes[id_]
        for key in slots.keys or (None,):
            at = slots.slot(of, key)
            state.attrs[at] = state.keep(state.attrs[at], start[at], 0)
