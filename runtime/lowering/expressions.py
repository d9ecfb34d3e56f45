"""Expressions of the ruleset as Python expressions.

`lower` gives a value, `test` something that is only asked whether it is true, which may be cheaper:
a bit test need not become a yes or no first. Where an expression may be none, `have` gives what
none counts as, and `through` what reading through none gives.
"""

import ast
from collections.abc import Callable, Iterable
from typing import Any

from ziggurat.dsl import ir
from ziggurat.dsl.forms.walking import is_light, walk
from ziggurat.runtime.lowering import python as py
from ziggurat.runtime.lowering.scope import Scope
from ziggurat.runtime.table import blank, zero


def lower(fn: Scope, node: ir.Expr) -> ast.expr:
    return py.locate(LOWER[type(node)](fn, node), node.at, fn.file)


def have(fn: Scope, node: ir.Expr, type_: ir.Type | None = None) -> ast.expr:
    """The expression where something is wanted: none counts as 0, no or the empty set, unless it
    may stand there (`type_`)."""
    value = lower(fn, node)
    missing = zero(node.type)
    if missing is None or (type_ is not None and type_.maybe) or not fn.may_be_none(node):
        return value
    return py.either([value, constant_of(missing)])


def through(
    fn: Scope,
    nodes: Iterable[ir.Expr],
    make: Callable[..., ast.expr],
    missing: Callable[[], ast.expr],
    optional: Iterable[ir.Expr] = (),
) -> ast.expr:
    """What `make` makes of some expressions; `missing` if one that is not `optional` is none."""
    values: list[ast.expr] = []
    risky: list[ast.expr] = []
    once: list[tuple[str, ast.expr]] = []
    for node in nodes:
        value = lower(fn, node)
        if fn.may_be_none(node) and not any(node is other for other in optional):
            if not py.is_cheap(value):
                once.append((fn.fresh(), value))
                value = py.name(once[-1][0])
            risky.append(value)
        values.append(value)
    if not risky:
        return make(*values)
    made = py.conditional(py.known(risky), make(*values), missing())
    if not once:
        return made
    return py.call(py.function_of([var for var, _ in once], made), *[value for _, value in once])


def constant_of(value: Any) -> ast.expr:
    """A blank as an expression."""
    if value == () and not isinstance(value, range):
        return py.tuple_of([])
    if isinstance(value, range):
        return py.call("range", py.const(0))
    return ast.Dict([], []) if value == {} else py.const(value)


def empty(type_: ir.Type) -> ast.expr:
    """What stands where nothing was given."""
    return constant_of(blank(type_))


def test(fn: Scope, node: ir.Expr) -> ast.expr:
    """The expression as a condition."""
    match node:
        case ir.Op(op="holds"):
            out = _holds(fn, node)
        case ir.Op(op="not", args=(only,)):
            out = py.negated(test(fn, only))
        case ir.Op(op="and", args=args):
            out = py.both([test(fn, arg) for arg in args])
        case ir.Op(op="or", args=args):
            out = py.either([test(fn, arg) for arg in args])
        case _:
            return py.locate(TESTS.get(type(node), lower)(fn, node), node.at, fn.file)
    return py.locate(out, node.at, fn.file)


def _literal(fn: Scope, node: ir.Lit) -> ast.expr:
    if isinstance(node.value, str):
        return fn.constant("text", node.value)
    return py.const(node.value)


def _local(fn: Scope, node: ir.Local) -> ast.expr:
    return py.name(fn.env[node.name])


def _thing(fn: Scope, node: ir.ThingRef) -> ast.expr:
    return fn.constant("thing", node.kind, node.id)


def _owner(fn: Scope, node: ir.OwnerRef) -> ast.expr:
    return fn.constant("owner", node.id)


def _all(fn: Scope, node: ir.All) -> ast.expr:
    return fn.constant("all", node.of)


def _option(fn: Scope, node: ir.OptionRef) -> ast.expr:
    return fn.constant("option", node.id)


def _field(fn: Scope, node: ir.FieldOf) -> ast.expr:
    column = fn.constant("field", node.owner_kind, node.field)
    type_ = node.of.type

    def make(of: ast.expr) -> ast.expr:
        if type_.name in ("player", "owner"):
            slot = fn.constant("attr", f"player.{node.owner_kind}")
            played = py.item(fn.part("A"), py.binary(slot, "+", of))
            default = fn.constant("blank", node.owner_kind, node.field)
            return py.call("played", column, played, default)
        return py.item(column, py.item(fn.constant("faces"), of) if fn.is_card(type_) else of)

    return through(fn, (node.of,), make, lambda: empty(node.type))


def slot(fn: Scope, node: ir.AttrOf, of: ast.expr | None, key: ast.expr | None = None) -> ast.expr:
    """The index of an attribute's slot in the flat list: of an object, of a key."""
    out = fn.constant("attr", node.attr)
    if of is not None:
        wide = is_spread(node)
        at = py.binary(of, "*", fn.constant("width", node.attr)) if wide else of
        out = py.binary(out, "+", at)
    return out if key is None else py.binary(out, "+", key)


def is_spread(node: ir.AttrOf) -> bool:
    """Is the attribute a map with a slot for each key?"""
    type_ = node.type
    return type_.name == "map" and type_.key is not None and type_.key.name not in DENSE_KEYS


def objects(node: ir.AttrOf) -> tuple[ir.Expr, ...]:
    """What the attribute is of, nothing for the table's."""
    return () if node.of is None else (node.of,)


NONE = py.const(None)
COUNTLESS = ("int", "text", "range", "set", "list", "map")
DENSE_KEYS = ("int", "text", "bool")


def _attribute(fn: Scope, node: ir.AttrOf) -> ast.expr:

    def make(of: ast.expr | None = None) -> ast.expr:
        at = slot(fn, node, of)
        if is_spread(node):
            return py.call("spread", fn.part("A"), at, fn.constant("keys", node.attr))
        return py.item(fn.part("A"), at)

    return through(fn, objects(node), make, lambda: empty(node.type))


def _call(fn: Scope, node: ir.ValueCall) -> ast.expr:
    wanted = fn.shared.nullability.wanted(node.value, node.args)
    optional = [arg for arg in node.args if not any(arg is other for other in wanted)]
    function = fn.shared.function("value", node.value)

    def make(*args: ast.expr) -> ast.expr:
        return py.call(function, py.name("S"), *args)

    return through(fn, node.args, make, lambda: empty(node.type), optional)


def pile(fn: Scope, node: ir.PileRef, key: ast.expr | None = None) -> ast.expr:
    """The index of a pile."""
    base = fn.constant("pile", node.place)
    return base if key is None else py.binary(base, "+", key)


def _pile(fn: Scope, node: ir.PileRef) -> ast.expr:
    def make(key: ast.expr | None = None) -> ast.expr:
        return py.item(fn.part("C"), pile(fn, node, key))

    keys = () if node.key is None else (node.key,)
    return through(fn, keys, make, lambda: py.tuple_of([]))


def key_of(fn: Scope, order: ir.OrderRef, var: str) -> ast.expr:
    """What the thing in a variable is sorted by; all are equal by an order about none."""
    name = fn.shared.function("order", order.order)

    def make(*args: ast.expr) -> ast.expr:
        return py.call(name, py.name("S"), *args, py.name(var))

    return through(fn, order.args, make, lambda: py.tuple_of([]))


def key_function(fn: Scope, order: ir.OrderRef) -> ast.expr:
    var = fn.fresh()
    return py.function_of([var], key_of(fn, order, var))


def charged(fn: Scope, source: ir.Expr, *inside: Any) -> ast.expr:
    """A loop's source, paid for if the loop could be long or what it does could be."""
    out = have(fn, source)
    if not may_be_long(source) and all(is_light(node) for node in inside):
        return out
    return py.call("charge", py.name("S"), out, fn.site(source))


def may_be_long(node: ir.Expr) -> bool:
    """Can rules let it grow? A set has no more members than there are things, a pile no more than
    there are cards; numbers, and lists of anything, have no such bound."""
    match node:
        case ir.Lit() | ir.FieldOf() | ir.All() | ir.Having() | ir.PileRef() | ir.Op(op="cards"):
            return False
        case ir.Op(op="set" | "list" | "map" | "others"):
            return False
        case ir.Loop(fn="list" | "set", source=source):
            return may_be_long(source)
        case ir.Op(op="if", args=(_, *others)):
            return any(map(may_be_long, others))
    return is_unbound(node.type)


def is_unbound(type_: ir.Type) -> bool:
    """Is there no end to how many members a collection of this type can have?"""
    members = type_.key if type_.name == "map" else type_.item
    countless = members is not None and members.name in COUNTLESS
    return type_.name in ("range", "list") or (type_.name in ("set", "map") and countless)


def filtered(fn: Scope, source: ir.Expr, where: ir.Expr, var: str, *more: Any) -> ast.expr:
    """The members for which a condition holds; `more` is what will be done with each of them."""
    members = charged(fn, source, where, *more)
    with fn.local(var) as own:
        return py.listed(py.name(own), own, members, test(fn, where))


def _loop(fn: Scope, node: ir.Loop) -> ast.expr:
    source = charged(fn, node.source, node.where, node.body)
    form = ast.ListComp if is_light((node.where, node.body)) else ast.GeneratorExp
    itself = node.body is None or node.body == ir.Local(node.var, node.body.type)
    with fn.local(node.var) as var:
        where = None if node.where is None else test(fn, node.where)
        body = py.name(var)
        if node.body is not None and not itself:
            body = _LOOP_BODY.get(node.fn, lower)(fn, node.body)
    plain = source if where is None else py.listed(py.name(var), var, source, where)
    match node.fn:
        case "count":
            return py.call("len", plain)
        case "every":
            return py.call("all", py.listed(body, var, source, where, form=form))
        case "any":
            if where is None:
                return py.compare(py.call("len", source), ">", py.const(0))
            return py.call("any", py.listed(where, var, source, form=form))
        case "sum":
            return py.call("sum", py.listed(body, var, source, where))
        case "max" | "min" as which:
            inner = plain if itself else py.listed(body, var, source, where)
            return py.call(which, inner, default=py.const(0))
        case "first" if node.order is None:
            return py.call("next", py.listed(body, var, source, where, form=ast.GeneratorExp), NONE)
        case "first":
            assert node.order is not None
            return py.call("min", plain, key=key_function(fn, node.order), default=NONE)
        case "list":
            make = "a_list" if node.body is not None and fn.may_be_none(node.body) else "tuple"
            if node.order is None:
                return py.call(make, plain if itself else py.listed(body, var, source, where))
            plain = py.call("sorted", plain, key=key_function(fn, node.order))
            return py.call(make, plain if itself else py.listed(body, var, plain))
    if itself and node.source.type.name != "list":
        return py.call("tuple", plain)
    return py.call("a_set", py.listed(body, var, source, where, form=ast.SetComp))


_LOOP_BODY = {"sum": have, "max": have, "min": have, "every": test}


def _holds(fn: Scope, node: ir.Op) -> ast.expr:
    who, thing = node.args

    def make(player: ast.expr, other: ast.expr | None = None) -> ast.expr:
        held = py.item(fn.part("H"), player)
        if isinstance(thing, ir.ThingRef):
            return py.binary(held, "&", fn.constant("bit", thing.kind, thing.id))
        assert other is not None
        return py.binary(held, "&", py.item(fn.constant("bits"), other))

    asked = (who,) if isinstance(thing, ir.ThingRef) else (who, thing)
    return through(fn, asked, make, lambda: py.const(0))


def _equal(fn: Scope, node: ir.Op) -> ast.expr:
    left, right = node.args
    if isinstance(left, ir.Lit) and left.value is None:
        left, right = right, left
    if isinstance(right, ir.Lit) and right.value is None:
        operator = "is" if node.op == "==" else "is not"
        return py.compare(lower(fn, left), operator, py.const(None))
    one, two = (
        lower(fn, side) if not may_be_long(side) or fn.may_be_none(side) else charged(fn, side)
        for side in (left, right)
    )
    names = {left.type.name, right.type.name}
    if "range" in names and len(names) > 1:
        equal = py.call("same", one, two)
        return equal if node.op == "==" else py.negated(equal)
    return py.compare(one, node.op, two)


def _face(fn: Scope, node: ir.Op) -> ast.expr:
    """Whether a card or thing is of a kind (`c is kind`), and the face itself (`c.kind`)."""
    card, kind = node.args
    assert isinstance(kind, ir.Lit)

    def make(of: ast.expr) -> ast.expr:
        if node.op == "face":
            return py.item(fn.constant("faces_of", kind.value), of)
        if fn.is_card(card.type):
            of = py.item(fn.constant("faces"), of)
        return py.compare(of, "in", fn.constant("kind", kind.value))

    return through(fn, (card,), make, lambda: empty(node.type))


def _index(fn: Scope, node: ir.Op) -> ast.expr:
    table, key = node.args
    if isinstance(table, ir.AttrOf) and is_spread(table):

        def make(*at: ast.expr) -> ast.expr:
            *of, index = at
            return py.item(fn.part("A"), slot(fn, table, of[0] if of else None, index))

        return through(fn, (*objects(table), key), make, lambda: empty(node.type))
    return py.method(have(fn, table), "get", lower(fn, key), empty(node.type))


def _members(fn: Scope, node: ir.Op) -> ast.expr:
    if node.type.name == "map":
        return ast.Dict([], [])
    parts = [lower(fn, arg) for arg in node.args]
    sure = not any(fn.may_be_none(arg) for arg in node.args)
    if sure and (node.op == "list" or len(parts) < 2):
        return py.tuple_of(parts)
    return py.call("a_list" if node.op == "list" else "a_set", py.tuple_of(parts))


def _map(fn: Scope, node: ir.Op) -> ast.expr:
    parts = [lower(fn, arg) for arg in node.args]
    return ast.Dict(list(parts[::2]), parts[1::2])


def is_tame(node: Any) -> bool:
    """Is it a number that rules cannot let grow: data, or so many pieces or members?"""
    match node:
        case ir.Lit() | ir.Count() | ir.FieldOf() | ir.OptionRef() | ir.Op(op="size" | "mod"):
            return True
        case ir.Op(op="index", args=(ir.FieldOf(), _)) | ir.Loop(fn="count"):
            return True
        case ir.Op(op="neg" | "abs" | "min" | "max", args=args) | ir.Op(op="if", args=(_, *args)):
            return all(is_tame(arg) for arg in args)
    return False


def may_grow(node: Any) -> bool:
    """Could it double its operands, or more, whenever it is worked out?"""
    return any(
        isinstance(part, ir.Op)
        and (
            part.op == "*"
            or (part.op in ("+", "-") and sum(not is_tame(arg) for arg in part.args) > 1)
        )
        for part in walk(node)
    )


def _arithmetic(fn: Scope, node: ir.Op) -> ast.expr:
    args = [have(fn, arg) for arg in node.args]
    if node.op == "*" and sum(not is_tame(arg) for arg in node.args) > 1:
        return py.call("times", *args)
    if node.op == "/up":
        return py.minus(py.binary(py.minus(args[0]), "/", args[1]))
    out = args[0]
    for arg in args[1:]:
        out = py.binary(out, node.op, arg)
    return out


def _op(fn: Scope, node: ir.Op) -> ast.expr:
    special = _OPS.get(node.op)
    if special is not None:
        return special(fn, node)
    if node.op in _THROUGH:
        return through(
            fn, node.args, lambda of: _THROUGH[node.op](fn, of), lambda: empty(node.type)
        )
    read = charged if node.op in ("union", "minus", "common", "one_of") else have
    args = [read(fn, arg) for arg in node.args]
    is_map = node.type.name == "map"
    match node.op:
        case "neg":
            return py.minus(args[0])
        case "<" | "<=" | ">" | ">=" as operator:
            return py.compare(args[0], operator, args[1])
        case "range":
            return _span(fn, *node.args)
        case "union":
            return py.call("merged" if is_map else "union", *args)
        case "minus":
            return py.call("without" if is_map else "minus", *args)
        case "common":
            sorted_already = node.args[0].type.name != "list"
            return py.call("common" if sorted_already else "common_of_list", *args)
        case "size":
            return py.call("len", args[0])
        case "one_of" if node.args[0].type.name not in ("set", "range"):
            return py.call("lowest", args[0])
        case "one_of" | "top":
            return py.call("first_of", args[0])
        case "min" | "max" | "abs" as function:
            return py.call(function, *args)
        case "cards":
            return args[0]
    raise NotImplementedError(f"operation {node.op}")


def _span(fn: Scope, low: ir.Expr, high: ir.Expr) -> ast.expr:
    ends = whole(low), whole(high)
    if None not in ends:
        return fn.constant("range", *ends)
    return py.call("span", have(fn, low), have(fn, high))


def whole(node: ir.Expr | None) -> int | None:
    """The number that is written, None if it has to be worked out."""
    match node:
        case ir.Lit(value=int(number)):
            return number
        case ir.Op(op="neg", args=(ir.Lit(value=int(number)),)):
            return -number
    return None


def _in(fn: Scope, node: ir.Op) -> ast.expr:
    member, of = node.args
    members = have(fn, of) if of.type.name == "range" else charged(fn, of)
    return py.compare(lower(fn, member), "in", members)


def _if(fn: Scope, node: ir.Op) -> ast.expr:
    condition, then, other = node.args
    return py.conditional(test(fn, condition), lower(fn, then), lower(fn, other))


def _logic(fn: Scope, node: ir.Op) -> ast.expr:
    """Logic as a value: its parts must be real yes-or-no values then."""
    args = [have(fn, arg) for arg in node.args]
    if node.op == "not":
        return py.negated(args[0])
    return py.both(args) if node.op == "and" else py.either(args)


def _holds_value(fn: Scope, node: ir.Op) -> ast.expr:
    return py.compare(_holds(fn, node), "!=", py.const(0))


_THROUGH: dict[str, Callable[[Scope, ast.expr], ast.expr]] = {
    "others": lambda fn, of: py.item(fn.constant("others"), of),
    "left_of": lambda fn, of: py.item(fn.constant("left_of"), of),
    "is_player": lambda fn, of: py.compare(of, "<", fn.constant("players")),
}
_OPS: dict[str, Callable[[Scope, ir.Op], ast.expr]] = {
    "+": _arithmetic,
    "-": _arithmetic,
    "*": _arithmetic,
    "/": _arithmetic,
    "/up": _arithmetic,
    "mod": _arithmetic,
    "==": _equal,
    "!=": _equal,
    "in": _in,
    "if": _if,
    "and": _logic,
    "or": _logic,
    "not": _logic,
    "holds": _holds_value,
    "is_kind": _face,
    "face": _face,
    "index": _index,
    "set": _members,
    "list": _members,
    "map": _map,
}


# `counting` adds the counting of pieces to both tables.
TESTS: dict[type, Callable[[Scope, Any], ast.expr]] = {}
LOWER: dict[type, Callable[[Scope, Any], ast.expr]] = {
    ir.Lit: _literal,
    ir.Local: _local,
    ir.ThingRef: _thing,
    ir.OwnerRef: _owner,
    ir.All: _all,
    ir.OptionRef: _option,
    ir.FieldOf: _field,
    ir.AttrOf: _attribute,
    ir.ValueCall: _call,
    ir.PileRef: _pile,
    ir.Op: _op,
    ir.Loop: _loop,
}
