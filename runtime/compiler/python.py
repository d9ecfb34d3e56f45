"""Short words for building Python syntax trees, and the place of each node in the rules files."""

import ast
from collections.abc import Iterable
from typing import Any, TypeVar

from ziggurat.runtime import kernel as ir

Node = TypeVar("Node", bound=ast.AST)

OPERATORS: dict[str, ast.operator] = {
    "+": ast.Add(),
    "-": ast.Sub(),
    "*": ast.Mult(),
    "/": ast.FloorDiv(),
    "mod": ast.Mod(),
    "&": ast.BitAnd(),
}
COMPARISONS: dict[str, ast.cmpop] = {
    "==": ast.Eq(),
    "!=": ast.NotEq(),
    "<": ast.Lt(),
    "<=": ast.LtE(),
    ">": ast.Gt(),
    ">=": ast.GtE(),
    "in": ast.In(),
    "is": ast.Is(),
    "is not": ast.IsNot(),
    "not in": ast.NotIn(),
}


def name(id_: str) -> ast.expr:
    return ast.Name(id_, ast.Load())


def const(value: Any) -> ast.expr:
    return ast.Constant(value)


def call(function: str | ast.expr, *args: ast.expr, **keywords: ast.expr) -> ast.expr:
    target = name(function) if isinstance(function, str) else function
    return ast.Call(target, list(args), [ast.keyword(k, v) for k, v in keywords.items()])


def attribute(value: str, field: str) -> ast.expr:
    return ast.Attribute(name(value), field, ast.Load())


def method(value: ast.expr, field: str, *args: ast.expr) -> ast.expr:
    return ast.Call(ast.Attribute(value, field, ast.Load()), list(args), [])


def item(value: ast.expr, index: ast.expr) -> ast.expr:
    return ast.Subscript(value, index, ast.Load())


def binary(left: ast.expr, operator: str, right: ast.expr) -> ast.expr:
    return ast.BinOp(left, OPERATORS[operator], right)


def compare(left: ast.expr, operator: str, right: ast.expr) -> ast.expr:
    if operator in ("is", "is not") and isinstance(left, ast.Constant):
        return const((left.value is None) == (operator == "is"))
    return ast.Compare(left, [COMPARISONS[operator]], [right])


def both(parts: list[ast.expr]) -> ast.expr:
    return parts[0] if len(parts) == 1 else ast.BoolOp(ast.And(), parts)


def either(parts: list[ast.expr]) -> ast.expr:
    return parts[0] if len(parts) == 1 else ast.BoolOp(ast.Or(), parts)


def negated(value: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), value)


def minus(value: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.USub(), value)


def conditional(test: ast.expr, then: ast.expr, other: ast.expr) -> ast.expr:
    return ast.IfExp(test, then, other)


def tuple_of(parts: list[ast.expr]) -> ast.expr:
    return ast.Tuple(parts, ast.Load())


def sums(parts: list[ast.expr]) -> ast.expr:
    out = parts[0]
    for part in parts[1:]:
        out = binary(out, "+", part)
    return out


def _clauses(var: str, source: ast.expr, test: ast.expr | None) -> list[ast.comprehension]:
    tests = [test] if test is not None else []
    return [ast.comprehension(ast.Name(var, ast.Store()), source, tests, 0)]


def listed(
    body: ast.expr,
    var: str,
    source: ast.expr,
    test: ast.expr | None = None,
    before: Iterable[tuple[str, ast.expr]] = (),
    form: Any = ast.ListComp,
) -> ast.expr:
    """A comprehension; `before` names what is worked out once, ahead of the rounds."""
    first = [
        clause for name_, value in before for clause in _clauses(name_, tuple_of([value]), None)
    ]
    made: ast.expr = form(body, [*first, *_clauses(var, source, test)])
    return made


def arguments(names: list[str]) -> ast.arguments:
    return ast.arguments([], [ast.arg(n) for n in names], None, [], [], None, [])


def function_of(names: list[str], body: ast.expr) -> ast.expr:
    return ast.Lambda(arguments(names), body)


def define(name_: str, params: list[str], body: list[ast.stmt]) -> ast.FunctionDef:
    return ast.FunctionDef(name_, arguments(params), body or [ast.Pass()], [], None, None)


def assign(target: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(target, ast.Store())], value)


def store(target: ast.expr, value: ast.expr) -> ast.stmt:
    """Assign to a subscript or attribute built with `item` or `attribute`."""
    target.ctx = ast.Store()  # type: ignore[attr-defined]
    return ast.Assign([target], value)


def augment(target: ast.expr, operator: str, value: ast.expr) -> ast.stmt:
    target.ctx = ast.Store()  # type: ignore[attr-defined]
    return ast.AugAssign(target, OPERATORS[operator], value)  # type: ignore[arg-type]


def when(test: ast.expr, then: list[ast.stmt], other: list[ast.stmt] | None = None) -> ast.stmt:
    return ast.If(test, then or [ast.Pass()], other or [])


def locate(node: Node, at: ir.At, file: str) -> Node:
    """Say where a node was written, if that is in the function's own file."""
    if at.line and at.file == file and not hasattr(node, "lineno"):
        node.lineno = node.end_lineno = at.line  # type: ignore[attr-defined]
        node.col_offset = node.end_col_offset = 0  # type: ignore[attr-defined]
    return node


def is_plain(node: ast.expr) -> bool:
    """May the expression stand twice without being noticed (a name or a constant)?"""
    return isinstance(node, ast.Name | ast.Constant)


def is_cheap(node: ast.expr) -> bool:
    """May it stand twice at little cost: plain, or read from an array at once?"""
    match node:
        case ast.Subscript(value=one, slice=two) | ast.BinOp(left=one, right=two):
            return is_cheap(one) and is_cheap(two)
    return is_plain(node)


def known(values: Iterable[ast.expr]) -> ast.expr:
    """Whether none of these is none."""
    return both([compare(value, "is not", const(None)) for value in values])
