"""Chance inside a step."""

from ziggurat.dsl import ir
from ziggurat.runtime.compiler import support
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Locals, Steps, statement


@statement(ir.Pick)
def _pick(run: Steps, state: State, node: ir.Pick, env: Locals) -> None:
    members = run.members(state, node.source, node.where, None, env)
    number = run.number_of(state, node.quantity, env)
    env[node.name] = support.pick(state, members, number, node.path)
