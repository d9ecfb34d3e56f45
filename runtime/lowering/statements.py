"""Statements of the ruleset as Python statements."""

import ast
from collections.abc import Callable, Iterable
from typing import Any

from ziggurat.dsl import ir
from ziggurat.dsl.forms.walking import is_light
from ziggurat.runtime.lowering import expressions as ex
from ziggurat.runtime.lowering import python as py
from ziggurat.runtime.lowering.scope import Scope
from ziggurat.runtime.table import zero

REPEAT_BOUND = 10_000
COLLECTIONS = ("set", "list", "map")
NEST = 14  # Python allows 20 loops inside each other; deeper ones move into a function of their own


def block(fn: Scope, body: ir.Body) -> list[ast.stmt]:
    """Statements one after the other; after each, what was noted about what it changes is void."""
    out: list[ast.stmt] = []
    for node in body:
        for made in (*STATEMENTS[type(node)](fn, node), *fn.forget(node)):
            out.append(py.locate(made, node.at, fn.file))
    return out


def state_call(name: str, *args: ast.expr) -> ast.stmt:
    return ast.Expr(py.method(py.name("S"), name, *args))


class Sure:
    """A statement that does nothing if one of some expressions is none."""

    def __init__(self, fn: Scope) -> None:
        self.fn = fn
        self.before: list[ast.stmt] = []
        self.risky: list[ast.expr] = []

    def __call__(self, node: ir.Expr) -> ast.expr:
        """The expression, which is not none when the statement runs."""
        value = ex.lower(self.fn, node)
        if not self.fn.may_be_none(node):
            return value
        if not py.is_plain(value):
            var = self.fn.fresh()
            self.before.append(py.assign(var, value))
            value = py.name(var)
        self.risky.append(value)
        return value

    def pile(self, node: ir.PileRef) -> ast.expr:
        return ex.pile(self.fn, node, None if node.key is None else self(node.key))

    def place(self, where: ir.Whereabouts) -> ast.expr:
        """One place, or several in a tuple."""
        if where.expr is not None:
            return self(where.expr) if where.kind == "area" else ex.have(self.fn, where.expr)
        if where.kind == "own":
            return self.fn.constant("place", where.id)
        return self.fn.constant(where.kind)

    def owner(self, units: ir.Units) -> ast.expr:
        return ex.have(self.fn, units.owner) if units.many else self(units.owner)

    def run(self, *made: ast.stmt) -> list[ast.stmt]:
        body = [py.when(py.known(self.risky), list(made))] if self.risky else made
        return [*self.before, *body]


def _let(fn: Scope, node: ir.Let) -> list[ast.stmt]:
    value = ex.lower(fn, node.expr)
    if node.expr.type.name == "int" and ex.may_grow(node.expr):
        value = py.call("bounded", value)
    return [py.assign(fn.bind(node.name), value)]


def _assign(fn: Scope, node: ir.Assign) -> list[ast.stmt]:
    target = node.target
    type_ = target.type
    sure = Sure(fn)
    of = None if target.of is None else sure(target.of)
    index = None if node.index is None else sure(node.index)
    cells = fn.part("A")
    spread = ex.is_spread(target)
    if index is not None and type_.item is not None:
        type_ = type_.item
    value = _assigned(fn, node, type_, sure)
    at = ex.slot(fn, target, of, index if spread else None)
    if index is None and spread:
        keys, empty = fn.constant("keys", target.attr), ex.empty(type_.item or type_)
        gather = py.call("gather", py.name("S"), at, keys, value, empty, fn.site(node))
        return sure.run(ast.Expr(gather))
    if index is None or spread:
        if node.op in ("+", "-") and not type_.maybe:
            return sure.run(py.augment(py.item(cells, at), node.op, value))
        if node.op == "=" and type_.name not in COLLECTIONS:
            return sure.run(py.store(py.item(cells, at), _stored(value, type_)))
    where, key = fn.fresh(), fn.fresh()
    old, new = py.item(cells, py.name(where)), py.item(cells, py.name(where))
    made = [py.assign(where, at)]
    if index is None or spread:
        changed = _changed(node.op, type_, old, value)
    else:
        before = py.method(old, "get", py.name(key), ex.empty(type_))
        changed = py.call("entry", old, py.name(key), _changed(node.op, type_, before, value))
        made.append(py.assign(key, index))
    if target.type.name in COLLECTIONS:
        changed = py.method(py.name("S"), "keep", old, changed, fn.site(node))
    return sure.run(*made, py.store(new, changed))


def _changed(op: str, type_: ir.Type, old: ast.expr, value: ast.expr) -> ast.expr:
    """What an attribute, or an entry of one, becomes."""
    if op == "=":
        return _stored(value, type_)
    if op == "exclude":
        return py.call("exclude", old, value)
    if op == "include":
        return py.call(f"include_{type_.name}", old, value)
    return py.binary(py.either([old, py.const(0)]) if type_.maybe else old, op, value)


def _assigned(fn: Scope, node: ir.Assign, type_: ir.Type, sure: Sure) -> ast.expr:
    """What is assigned. None is kept only where it may be; a list takes in only what there is."""
    wanted = node.op == "=" or (node.op == "include" and type_.name == "list")
    if wanted and not type_.maybe and zero(node.expr.type) is None:
        return sure(node.expr)
    value = ex.have(fn, node.expr, type_)
    growing = ex.may_grow(node.expr) or (node.op != "=" and not ex.is_tame(node.expr))
    return py.call("bounded", value) if type_.name == "int" and growing else value


def _stored(value: ast.expr, type_: ir.Type) -> ast.expr:
    """Only plain numbers, never True and False, and only tuples are kept in the state."""
    if isinstance(value, ast.Constant):
        return py.const(int(value.value) if isinstance(value.value, bool) else value.value)
    if type_.name == "bool":
        return ast.UnaryOp(ast.UAdd(), value)
    if type_.name in ("set", "list") and not type_.maybe:
        return py.call("a_set" if type_.name == "set" else "tuple", value)
    return value


def _text(fn: Scope, value: str | None) -> ast.expr:
    return py.const(None) if value is None else fn.constant("text", value)


def _move(fn: Scope, node: ir.Move) -> list[ast.stmt]:
    units, sure = node.units, Sure(fn)
    number = _quantity(fn, node.quantity)
    owner, source, target = sure.owner(units), sure.place(node.source), sure.place(node.target)
    states = (_text(fn, units.state), _text(fn, node.state))
    if len(units.pieces) == 1 and not units.many and node.source.kind in ("area", "own"):
        rows = fn.constant("pieces", units.pieces[0])
        made = state_call("move", rows, owner, source, target, number, *states)
        return sure.run(made)
    some = _of_many(fn, units, owner, node.source, source)
    return sure.run(ast.Expr(py.call("move_many", *some, target, number, *states)))


def _of_many(
    fn: Scope, units: ir.Units, owner: ast.expr, where: ir.Whereabouts, place: ast.expr
) -> list[ast.expr]:
    """The state, the kinds of pieces, their owners and the places."""
    return [
        py.name("S"),
        py.tuple_of([fn.constant("pieces", piece) for piece in units.pieces]),
        owner if units.many else py.tuple_of([owner]),
        py.tuple_of([place]) if where.kind in ("area", "own") else place,
    ]


def _quantity(fn: Scope, node: ir.Expr | None) -> ast.expr:
    return py.const(None) if node is None else ex.have(fn, node)


def _turn(fn: Scope, node: ir.Turn) -> list[ast.stmt]:
    units, sure = node.units, Sure(fn)
    owner, where = sure.owner(units), sure.place(node.where)
    some = _of_many(fn, units, owner, node.where, where)
    states = (_text(fn, units.state), _text(fn, node.state))
    made = py.call("turn_many", *some, _quantity(fn, node.quantity), *states)
    return sure.run(ast.Expr(made))


def _put(fn: Scope, node: ir.Put) -> list[ast.stmt]:
    sure = Sure(fn)
    cards = ex.have(fn, node.cards) if node.many else py.tuple_of([ex.lower(fn, node.cards)])
    made = state_call("put", cards, sure.pile(node.pile), fn.constant("text", node.how))
    return sure.run(made)


def _shuffle(fn: Scope, node: ir.Shuffle) -> list[ast.stmt]:
    sure = Sure(fn)
    return sure.run(state_call("shuffle", sure.pile(node.pile)))


def _filtered(fn: Scope, source: ir.Expr, where: ir.Expr | None, var: str, *more: Any) -> ast.expr:
    """The members of a set for which a condition holds, as they are at this moment."""
    if where is None:
        return ex.charged(fn, source, *more)
    return ex.filtered(fn, source, where, var, *more)


def _pick(fn: Scope, node: ir.Pick) -> list[ast.stmt]:
    source = _filtered(fn, node.source, node.where, "it")
    number = _quantity(fn, node.quantity)
    return [py.assign(fn.bind(node.name), py.call("pick", py.name("S"), source, number))]


def _give(fn: Scope, node: ir.Give) -> list[ast.stmt]:
    sure = Sure(fn)
    args = sure(node.thing), sure(node.player)
    return sure.run(state_call("give" if node.gain else "take", *args))


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
    times = py.const(REPEAT_BOUND) if node.times is None else ex.have(fn, node.times)

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
    sure = Sure(fn)
    to = py.const(None) if node.to is None else sure(node.to)
    return sure.run(state_call("say", to, fn.site(node), holes(fn, node.text)))


def holes(fn: Scope, text: ir.Text) -> ast.expr:
    """What a sentence says about the moment: the values of its holes."""
    parts = [ex.lower(fn, part) for part in text.parts if not isinstance(part, str)]
    return py.tuple_of(parts)


def _recall(fn: Scope, node: ir.Recall) -> list[ast.stmt]:
    sure = Sure(fn)
    return sure.run(state_call("recall", sure(node.player)))


def _end(fn: Scope, node: ir.EndGame) -> list[ast.stmt]:
    return [py.store(py.attribute("S", "over"), py.const(True))]


def _do(fn: Scope, node: ir.Do) -> list[ast.stmt]:
    sure = Sure(fn)
    function = fn.shared.function("procedure", node.procedure)
    args = _arguments(fn, fn.shared.ruleset.procedures[node.procedure].params, node.args, sure)
    return sure.run(ast.Expr(py.call(function, py.name("S"), *args)))


def _arguments(
    fn: Scope, params: Iterable[ir.Param], args: Iterable[ir.Expr], sure: Sure
) -> list[ast.expr]:
    """What is handed to a procedure, which is not called with none where it wants something."""
    return [
        ex.lower(fn, arg) if param.type.maybe else sure(arg)
        for param, arg in zip(params, args, strict=True)
    ]


def _do_body(fn: Scope, node: ir.DoBody) -> list[ast.stmt]:
    sure = Sure(fn)
    thing = sure(node.thing)
    if fn.is_card(node.thing.type):
        thing = py.item(fn.constant("faces"), thing)
    bodies = fn.constant("bodies", node.kind, node.body)
    function = py.method(bodies, "get", thing, py.name("nothing"))
    declared = fn.shared.ruleset.kinds[node.kind].bodies
    params = next((body.params for body in declared if body.name == node.body), ())
    args = _arguments(fn, params, node.args, sure)
    return sure.run(ast.Expr(py.call(function, py.name("S"), *args)))


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
