"""What happens in which order: names, loops, conditions, jumps, labelled steps."""

from ziggurat.dsl import ir
from ziggurat.runtime.compiler import support
from ziggurat.runtime.kernel.evaluator import COST
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Jump, Locals, Steps, statement


@statement(ir.Let)
def _let(run: Steps, state: State, node: ir.Let, env: Locals) -> None:
    env[node.name] = run.evaluate(state, node.expr, env)


@statement(ir.For)
def _for(run: Steps, state: State, node: ir.For, env: Locals) -> None:
    members = run.members(state, node.source, node.where, node.order, env, node.var)
    if node.grouped and node.order is not None:
        key = run.sort_key(state, node.order, env)
        members = support.grouped(members, key)
    for member in members:
        env[node.var] = member
        if not _round(run, state, node.body, env):
            return


@statement(ir.Repeat)
def _repeat(run: Steps, state: State, node: ir.Repeat, env: Locals) -> None:
    times = run.number_of(state, node.times, env)
    for _ in range(support.REPEAT_BOUND if times is None else times):
        run.pay(state, COST, node.at)
        if node.condition is not None and not run.evaluate(state, node.condition, env):
            return
        if not _round(run, state, node.body, env):
            return


def _round(run: Steps, state: State, body: ir.Body, env: Locals) -> bool:
    """One round of a loop; whether there may be another."""
    try:
        run.block(state, body, env)
    except Jump as jump:
        if jump.how in ("stop", "give"):
            raise
        return jump.how == "skip"
    return True


@statement(ir.If)
def _if(run: Steps, state: State, node: ir.If, env: Locals) -> None:
    run.block(state, node.then if run.evaluate(state, node.condition, env) else node.other, env)


@statement(ir.Jump)
def _jump(run: Steps, state: State, node: ir.Jump, env: Locals) -> None:
    raise Jump(node.how)


@statement(ir.GiveBack)
def _give(run: Steps, state: State, node: ir.GiveBack, env: Locals) -> None:
    raise Jump("give", run.evaluate(state, node.expr, env))


@statement(ir.Step)
def _step(run: Steps, state: State, node: ir.Step, env: Locals) -> None:
    run.begins(state, node.path)
    run.block(state, node.body, env)
