"""Statements of the ruleset as Python statements."""

import ast
from collections.abc import Callable
from typing import Any

from dsl import ir
from runtime.lowering import expressions as ex
from runtime.lowering import python as py
from runtime.lowering.scope import Scope, is_light

REPEAT_BOUND = 10_000
NEST = 14  # Python allows 20 loops inside each other; deeper ones move into a function of their own


def block(fn: Scope, body: ir.Body) -> list[ast.stmt]:
    out: list[ast.stmt] = []
    for node in body:
        for made in STATEMENTS[type(node)](fn, node):
            out.append(py.locate(made, node.at, fn.file))
    return out


def state_call(name: str, *args: ast.expr) -> ast.stmt:
    return ast.Expr(py.method(py.name("S"), name, *args))


def _let(fn: Scope, node: ir.Let) -> list[ast.stmt]:
    value = ex.lower(fn, node.expr)
    return [py.assign(fn.bind(node.name), value)]


def _assign(fn: Scope, node: ir.Assign) -> list[ast.stmt]:
    target = node.target
    type_ = target.type
    spread = type_.name == "map" and type_.key is not None and type_.key.name not in ex.DENSE_KEYS
    value = ex.lower(fn, node.expr)
    if node.index is not None and type_.item is not None:
        if not spread:
            return _in_map(fn, node, value)
        at = ex.slot(fn, target, node.index)
        type_ = type_.item
    elif spread:
        keys = fn.constant("keys", target.attr)
        at = ex.slot(fn, target)
        empty = ex.empty(type_.item or type_)
        return [ast.Expr(py.call("gather", fn.part("A"), at, keys, value, empty))]
    else:
        at = ex.slot(fn, target)
    cells = fn.part("A")
    if node.op in ("+", "-") and type_.name == "int":
        return [py.augment(py.item(cells, at), node.op, value)]
    if node.op == "=":
        return [py.store(py.item(cells, at), _stored(value, type_))]
    helper = {"+": "union", "-": "minus"}.get(node.op, f"{node.op}_{type_.name}")
    where = fn.fresh()
    old = py.item(cells, py.name(where))
    return [
        py.assign(where, at),
        py.store(py.item(cells, py.name(where)), py.call(helper, old, value)),
    ]


def _stored(value: ast.expr, type_: ir.Type) -> ast.expr:
    """Only plain numbers, never True and False, and only tuples are kept in the state."""
    if isinstance(value, ast.Constant):
        return py.const(int(value.value) if isinstance(value.value, bool) else value.value)
    if type_.name == "bool":
        return ast.UnaryOp(ast.UAdd(), value)
    if type_.name in ("set", "list") and not type_.maybe:
        return py.call("a_set" if type_.name == "set" else "tuple", value)
    return value


def _in_map(fn: Scope, node: ir.Assign, value: ast.expr) -> list[ast.stmt]:
    assert node.index is not None
    where = fn.fresh()
    old = py.item(fn.part("A"), py.name(where))
    changed = py.call("entry", old, ex.lower(fn, node.index), fn.constant("text", node.op), value)
    return [
        py.assign(where, ex.slot(fn, node.target)),
        py.store(py.item(fn.part("A"), py.name(where)), changed),
    ]


def place(fn: Scope, where: ir.Whereabouts) -> ast.expr:
    """One place, or several in a tuple."""
    if where.kind == "own":
        return fn.constant("place", where.id)
    if where.kind == "board":
        return fn.constant("board")
    if where.kind == "everywhere":
        return fn.constant("everywhere")
    assert where.expr is not None
    return ex.lower(fn, where.expr)


def _text(fn: Scope, value: str | None) -> ast.expr:
    return py.const(None) if value is None else fn.constant("text", value)


def _move(fn: Scope, node: ir.Move) -> list[ast.stmt]:
    units = node.units
    number = py.const(None) if node.quantity is None else ex.lower(fn, node.quantity)
    owner, source = ex.lower(fn, units.owner), place(fn, node.source)
    states = (_text(fn, units.state), _text(fn, node.state))
    target = place(fn, node.target)
    if len(units.pieces) == 1 and not units.many and node.source.kind in ("area", "own"):
        rows = fn.constant("pieces", units.pieces[0])
        return [state_call("move", rows, owner, source, target, number, *states)]
    return [
        ast.Expr(
            py.call(
                "move_many",
                py.name("S"),
                py.tuple_of([fn.constant("pieces", piece) for piece in units.pieces]),
                owner if units.many else py.tuple_of([owner]),
                py.tuple_of([source]) if node.source.kind in ("area", "own") else source,
                target,
                number,
                *states,
            )
        )
    ]


def _turn(fn: Scope, node: ir.Turn) -> list[ast.stmt]:
    units = node.units
    owner, where = ex.lower(fn, units.owner), place(fn, node.where)
    number = py.const(None) if node.quantity is None else ex.lower(fn, node.quantity)
    return [
        ast.Expr(
            py.call(
                "turn_many",
                py.name("S"),
                py.tuple_of([fn.constant("pieces", piece) for piece in units.pieces]),
                owner if units.many else py.tuple_of([owner]),
                py.tuple_of([where]) if node.where.kind in ("area", "own") else where,
                number,
                _text(fn, units.state),
                _text(fn, node.state),
            )
        )
    ]


def _put(fn: Scope, node: ir.Put) -> list[ast.stmt]:
    cards = ex.lower(fn, node.cards)
    many = cards if node.many else py.tuple_of([cards])
    return [state_call("put", many, ex.pile(fn, node.pile), fn.constant("text", node.how))]


def _shuffle(fn: Scope, node: ir.Shuffle) -> list[ast.stmt]:
    return [state_call("shuffle", ex.pile(fn, node.pile))]


def _filtered(fn: Scope, source: ir.Expr, where: ir.Expr | None, var: str, *more: Any) -> ast.expr:
    """The members of a set for which a condition holds, as they are at this moment."""
    if where is None:
        return ex.charged(fn, source, *more)
    return ex.filtered(fn, source, where, var, *more)


def _pick(fn: Scope, node: ir.Pick) -> list[ast.stmt]:
    source = _filtered(fn, node.source, node.where, "it")
    number = py.const(None) if node.quantity is None else ex.lower(fn, node.quantity)
    return [py.assign(fn.bind(node.name), py.call("pick", py.name("S"), source, number))]


def _give(fn: Scope, node: ir.Give) -> list[ast.stmt]:
    args = ex.lower(fn, node.thing), ex.lower(fn, node.player)
    return [state_call("give" if node.gain else "take", *args)]


def _for(fn: Scope, node: ir.For) -> list[ast.stmt]:
    source = _filtered(fn, node.source, node.where, node.var, node.body)
    if node.order is not None:
        key = ex.key_function(fn, node.order)
        source = py.call("grouped" if node.grouped else "sorted", source, key=key)
    var = fn.bind(node.var)

    def make() -> list[ast.stmt]:
        return [
            ast.For(ast.Name(var, ast.Store()), source, block(fn, node.body) or [ast.Pass()], [])
        ]

    return _nested(fn, make)


def _repeat(fn: Scope, node: ir.Repeat) -> list[ast.stmt]:
    times = py.const(REPEAT_BOUND) if node.times is None else ex.lower(fn, node.times)

    def make() -> list[ast.stmt]:
        var = fn.fresh()
        inside: list[ast.stmt] = []
        if not is_light(node.body) or not is_light(node.condition) or node.times is not None:
            inside.append(state_call("spend", py.const(1), fn.site(node)))
        if node.condition is not None:
            inside.append(py.when(py.negated(ex.test(fn, node.condition)), [ast.Break()]))
        inside.extend(block(fn, node.body))
        rounds = py.call("range", times)
        return [ast.For(ast.Name(var, ast.Store()), rounds, inside or [ast.Pass()], [])]

    return _nested(fn, make)


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
    for node in ast.walk(ast.Module(made, [])):
        if isinstance(node, ast.Return):
            node.value = py.const(True)
    shared = sorted(stored & outer)
    fn.early.update(shared)
    head: list[ast.stmt] = [ast.Nonlocal(shared)] if shared else []
    return [
        py.define(helper, [], [*head, *made]),
        py.when(py.call(helper), [ast.Return(py.const(None))]),
    ]


def _if(fn: Scope, node: ir.If) -> list[ast.stmt]:
    condition = ex.test(fn, node.condition)
    return [py.when(condition, block(fn, node.then), block(fn, node.other))]


def _jump(fn: Scope, node: ir.Jump) -> list[ast.stmt]:
    if node.how == "stop":
        return [ast.Return(py.const(None))]
    return [ast.Continue() if node.how == "skip" else ast.Break()]


def _step(fn: Scope, node: ir.Step) -> list[ast.stmt]:
    return [*fn.traced(node.path), *block(fn, node.body)]


def _say(fn: Scope, node: ir.Say) -> list[ast.stmt]:
    to = py.const(None) if node.to is None else ex.lower(fn, node.to)
    event = py.tuple_of([fn.constant("text", "say"), to, fn.site(node), holes(fn, node.text)])
    return [ast.Expr(py.method(py.attribute("S", "news"), "append", event))]


def holes(fn: Scope, text: ir.Text) -> ast.expr:
    """What a sentence says about the moment: the values of its holes."""
    parts = [ex.lower(fn, part) for part in text.parts if not isinstance(part, str)]
    return py.tuple_of(parts)


def _recall(fn: Scope, node: ir.Recall) -> list[ast.stmt]:
    return [state_call("recall", ex.lower(fn, node.player))]


def _end(fn: Scope, node: ir.EndGame) -> list[ast.stmt]:
    return [py.store(py.attribute("S", "over"), py.const(True))]


def _do(fn: Scope, node: ir.Do) -> list[ast.stmt]:
    function = fn.shared.function("procedure", node.procedure)
    args = [ex.lower(fn, arg) for arg in node.args]
    return [ast.Expr(py.call(function, py.name("S"), *args))]


def _do_body(fn: Scope, node: ir.DoBody) -> list[ast.stmt]:
    thing = ex.lower(fn, node.thing)
    if fn.is_card(node.thing.type):
        thing = py.item(fn.constant("faces"), thing)
    bodies = fn.constant("bodies", node.kind, node.body)
    function = py.method(bodies, "get", thing, py.name("nothing"))
    return [ast.Expr(py.call(function, py.name("S"), *[ex.lower(fn, arg) for arg in node.args]))]


# `asking` adds the decisions.
STATEMENTS: dict[type, Callable[[Scope, Any], list[ast.stmt]]] = {
    ir.Let: _let,
    ir.Assign: _assign,
    ir.Move: _move,
    ir.Turn: _turn,
    ir.Put: _put,
    ir.Shuffle: _shuffle,
    ir.Pick: _pick,
    ir.Give: _give,
    ir.For: _for,
    ir.Repeat: _repeat,
    ir.If: _if,
    ir.Jump: _jump,
    ir.Step: _step,
    ir.Say: _say,
    ir.Recall: _recall,
    ir.EndGame: _end,
    ir.Do: _do,
    ir.DoBody: _do_body,
}
