"""What happens in which order: names, loops, conditions, jumps, labelled steps."""

import ast
from collections.abc import Callable, Iterable, Iterator

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.expressions import empty, key_function, lower, members, or_zero, test
from ziggurat.runtime.compiler.forms.arithmetic import may_grow
from ziggurat.runtime.compiler.scope import Scope
from ziggurat.runtime.compiler.statements import block, state_call, statement
from ziggurat.runtime.kernel.forms.flow import REPEAT_BOUND
from ziggurat.runtime.kernel.walking import is_light

NEST = 14  # Python allows 20 loops inside each other; deeper ones move into a function of their own


@statement(ir.Let)
def _let(fn: Scope, node: ir.Let) -> list[ast.stmt]:
    value = lower(fn, node.expr)
    if node.expr.type.name == "int" and may_grow(node.expr):
        value = py.call("bounded", value)
    return [py.assign(fn.bind(node.name), value)]


@statement(ir.For)
def _for(fn: Scope, node: ir.For) -> list[ast.stmt]:
    source = members(fn, node.source, node.where, node.var, node.body)
    if node.order is not None:
        key = key_function(fn, node.order)
        source = py.call("grouped" if node.grouped else "sorted", source, key=key)
    var = fn.bind(node.var)

    def make() -> list[ast.stmt]:
        return [
            ast.For(ast.Name(var, ast.Store()), source, block(fn, node.body) or [ast.Pass()], [])
        ]

    return _nested(fn, make)


@statement(ir.Repeat)
def _repeat(fn: Scope, node: ir.Repeat) -> list[ast.stmt]:
    times = py.const(REPEAT_BOUND) if node.times is None else or_zero(fn, node.times)

    def make() -> list[ast.stmt]:
        var = fn.fresh()
        inside: list[ast.stmt] = []
        if not is_light(node.body) or not is_light(node.condition) or node.times is not None:
            inside.append(state_call("spend", py.const(1), fn.site(node)))
        if node.condition is not None:
            inside.append(py.when(py.negated(test(fn, node.condition)), [ast.Break()]))
        inside.extend(block(fn, node.body))
        rounds = py.call("range", times)
        return [ast.For(ast.Name(var, ast.Store()), rounds, inside or [ast.Pass()], [])]

    return _nested(fn, make)


@statement(ir.If)
def _if(fn: Scope, node: ir.If) -> list[ast.stmt]:
    condition = test(fn, node.condition)
    return [py.when(condition, block(fn, node.then), block(fn, node.other))]


@statement(ir.Jump)
def _jump(fn: Scope, node: ir.Jump) -> list[ast.stmt]:
    if node.how == "stop":
        return [ast.Return(py.const(None) if fn.gives is None else empty(fn.gives))]
    return [ast.Continue() if node.how == "skip" else ast.Break()]


@statement(ir.GiveBack)
def _give(fn: Scope, node: ir.GiveBack) -> list[ast.stmt]:
    value = or_zero(fn, node.expr, fn.gives)
    if node.expr.type.name == "int" and may_grow(node.expr):
        value = py.call("bounded", value)
    return [ast.Return(value)]


@statement(ir.Step)
def _step(fn: Scope, node: ir.Step) -> list[ast.stmt]:
    return [*fn.traced(node.path), *block(fn, node.body)]


def _nested(fn: Scope, make: Callable[[], list[ast.stmt]]) -> list[ast.stmt]:
    """A loop; if it is nested too deep for Python, inside a function that shares our variables."""
    fn.depth += 1
    if fn.depth % NEST:
        made = make()
        fn.depth -= 1
        return made
    outer = set(fn.env.values())
    made = make()
    fn.depth -= 1
    helper = f"h{fn.fresh()}"
    stored = {
        n.id
        for m in made
        for n in ast.walk(m)
        if isinstance(n, ast.Name) and type(n.ctx) is ast.Store
    }
    for node in _returns(made):
        node.value = py.tuple_of([node.value or py.const(None)])
    shared = sorted(stored & outer)
    fn.early.update(shared)
    head: list[ast.stmt] = [ast.Nonlocal(shared)] if shared else []
    left = fn.fresh()
    return [
        py.define(helper, [], [*head, *made]),
        py.assign(left, py.call(helper)),
        py.when(py.name(left), [ast.Return(py.item(py.name(left), py.const(0)))]),
    ]


def _returns(made: Iterable[ast.AST]) -> Iterator[ast.Return]:
    """The ways out of some statements, but not those of functions inside them."""
    for node in made:
        if isinstance(node, ast.Return):
            yield node
        elif not isinstance(node, ast.FunctionDef):
            yield from _returns(ast.iter_child_nodes(node))
