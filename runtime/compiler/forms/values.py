"""Values with what contributes to them, in the order of application; orders."""

import ast

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.declarations import Lowering, declaration
from ziggurat.runtime.compiler.expressions import is_unbound, or_zero, test
from ziggurat.runtime.compiler.scope import Scope


@declaration(ir.Value)
def _value(low: Lowering, value: ir.Value) -> None:
    params = [param.name for param in value.params]
    scope = low.scope(value.id, value.at, params, value.meta)
    body: list[ast.stmt] = scope.traced(value.id)
    body += low.charge(scope, ("value", value.id))
    memo = low.shared.memo
    group = None if memo is None else memo.group(value.id)
    if group is not None:
        _noted(low, value, group, params)
    key = ("value" if group is None else "fresh", value.id)
    clauses = value.applied
    if not clauses:
        body.append(ast.Return(or_zero(scope, value.base, value.type)))
    elif all(clause.op in ("allow", "forbid") for clause in clauses):
        body.extend(_permission(scope, value.base, clauses))
    else:
        out = scope.fresh()
        body.append(py.assign(out, or_zero(scope, value.base, value.type)))
        whole = scope.fresh() if any(clause.op == "halving" for clause in clauses) else ""
        for clause in clauses:
            if clause.op == "halving":
                body.extend(_halving(scope, out, whole, clause, body))
                continue
            body.extend(_contribution(scope, out, clause, value.type))
        body.append(ast.Return(py.name(out)))
    low.add(key, scope, params, value.at, body, pure=True)
    if group is None:
        low.shared.unit.values.add(low.shared.function(*key))


def _noted(low: Lowering, value: ir.Value, group: int, params: list[str]) -> None:
    """A value that is looked up until something it reads has changed."""
    scope = low.scope(value.id, value.at, params, value.meta)
    args = [py.name(scope.env[param]) for param in params]
    fresh = low.shared.function("fresh", value.id)
    body = low.shared.memo.look_up(group, value, fresh, args, scope)
    low.add(("value", value.id), scope, params, value.at, body)


@declaration(ir.Order)
def _order(low: Lowering, order: ir.Order) -> None:
    params = [param.name for param in order.params]
    scope = low.scope(order.id, order.at, params, order.meta)
    args = [py.name("S"), *[py.name(scope.env[param]) for param in params]]
    keys = [py.call(low.shared.function("value", key), *args) for key in order.keys]
    made = ast.Return(py.tuple_of(keys))
    low.add(("order", order.id), scope, params, order.at, [made], pure=True)


def _permission(scope: Scope, base: ir.Expr, clauses: list[ir.Contribution]) -> list[ast.stmt]:
    """A yes-or-no value: any forbid that holds wins, then any allow will do."""
    body: list[ast.stmt] = []
    for op, answer in (("forbid", False), ("allow", True)):
        for clause in clauses:
            if clause.op == op:
                holds = py.const(True) if clause.when is None else test(scope, clause.when)
                decided = [*scope.traced(clause.path), ast.Return(py.const(answer))]
                body.append(py.when(holds, decided))
    return [*body, ast.Return(or_zero(scope, base))]


def _halving(
    scope: Scope, out: str, whole: str, clause: ir.Contribution, before: list[ast.stmt]
) -> list[ast.stmt]:
    """What is halved several times is rounded once: the number before all halving is kept."""
    times = f"{whole}_times"
    begun = any(isinstance(one, ast.Assign) and _named(one) == times for one in before)
    made = [
        *scope.traced(clause.path),
        ast.AugAssign(ast.Name(times, ast.Store()), ast.Add(), py.const(1)),
        py.assign(out, py.call("halved", py.name(whole), py.name(times))),
    ]
    halve = made if clause.when is None else [py.when(test(scope, clause.when), made)]
    start = [] if begun else [py.assign(whole, py.name(out)), py.assign(times, py.const(0))]
    return [*start, *halve]


def _named(one: ast.Assign) -> str:
    return getattr(one.targets[0], "id", "")


def _contribution(
    scope: Scope, out: str, clause: ir.Contribution, type_: ir.Type
) -> list[ast.stmt]:
    amount = None if clause.amount is None else or_zero(scope, clause.amount, type_)
    old = py.name(out)
    is_map = type_.name == "map"
    made: list[ast.stmt]
    match clause.op, amount:
        case "allow", _:
            made = [py.assign(out, py.const(True))]
        case "forbid", _:
            made = [py.assign(out, py.const(False))]
        case _, None:
            made = []
        case "to", ast.expr() as new:
            made = [py.assign(out, new)]
        case "by", ast.expr() as new if type_.name == "int":
            made = [ast.AugAssign(ast.Name(out, ast.Store()), ast.Add(), new)]
        case "times", ast.expr() as new:
            made = [py.assign(out, py.call("times", old, new))]
        case "at_least" | "at_most" as op, ast.expr() as new:
            made = [py.assign(out, py.call("max" if op == "at_least" else "min", old, new))]
        case "removing", ast.expr() as new:
            made = [py.assign(out, py.call("without" if is_map else "minus", old, new))]
        case _, ast.expr() as new:
            helper = {"range": "extended", "map": "merged"}.get(type_.name, "union")
            made = [py.assign(out, py.call(helper, old, new))]
    if is_unbound(type_) and type_.name != "range":
        made.append(ast.Expr(py.call("charge", py.name("S"), old, scope.site(clause))))
    made = [*scope.traced(clause.path), *made]
    return made if clause.when is None else [py.when(test(scope, clause.when), made)]
