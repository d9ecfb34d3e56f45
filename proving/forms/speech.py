"""Sentences."""

from ziggurat.dsl import ir
from ziggurat.proving.steps import Locals, Steps, statement
from ziggurat.runtime.state import State


@statement(ir.Say)
def _say(run: Steps, state: State, node: ir.Say, env: Locals) -> None:
    to = None if node.to is None else run.evaluate(state, node.to, env)
    if node.to is not None and to is None:
        return
    state.say(to, run.site(node), run.holes(state, node.text, env))
