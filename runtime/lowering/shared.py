"""What stands twice in an expression is worked out once.

Generated functions that only look at a position are full of the same readings: the tokens of a
player in an area, a value of the same arguments. The first one that is surely evaluated before the
others keeps its result in a variable. What is evaluated only sometimes (a branch, the right side of
`and`) serves only what comes after it there; comprehensions and lambdas are left as they are.
"""

import ast
from collections.abc import Callable
from typing import Any

_WORTH = (ast.Subscript, ast.Call)
_OPAQUE = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp, ast.Lambda)
_PLAIN = (*_OPAQUE, ast.Name, ast.Constant)


class _Kept(ast.NamedExpr):
    """A reading that may be wanted again."""

    wanted = False


Known = dict[Any, _Kept]


def work_once(body: list[ast.stmt], fresh: Callable[[], str]) -> None:
    """Rewrite the statements of a function that changes nothing but its own variables."""
    for node in body:
        if isinstance(node, ast.Return | ast.Assign | ast.AugAssign) and node.value is not None:
            node.value = _rewritten(node.value, fresh)
        elif isinstance(node, ast.If):
            node.test = _rewritten(node.test, fresh)
            work_once(node.body, fresh)
            work_once(node.orelse, fresh)


def _rewritten(expr: ast.expr, fresh: Callable[[], str]) -> ast.expr:
    keys: dict[int, Any] = {}
    readings: list[Any] = []
    _identify(expr, keys, readings)
    if len(set(readings)) == len(readings):
        return expr
    made: ast.expr = _Strip().visit(_Twice(fresh, keys).visit(expr))
    return made


def _identify(node: ast.expr, keys: dict[int, Any], readings: list[Any]) -> Any:
    """A key for every node, the same for those that say the same; `readings` are those of nodes
    that are worth a variable."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant):
        return type(node.value), node.value
    if isinstance(node, _OPAQUE):
        return id(node)
    parts: list[Any] = [type(node)]
    for field in node._fields:
        value = getattr(node, field)
        if isinstance(value, ast.expr):
            parts.append(_identify(value, keys, readings))
        elif isinstance(value, list):
            parts.extend(_identify_part(member, keys, readings) for member in value)
        else:
            parts.append(value if isinstance(value, str) else type(value))
    key = tuple(parts)
    if isinstance(node, _WORTH):
        keys[id(node)] = key
        readings.append(key)
    return key


def _identify_part(node: Any, keys: dict[int, Any], readings: list[Any]) -> Any:
    if isinstance(node, ast.expr):
        return _identify(node, keys, readings)
    return id(node) if isinstance(node, ast.keyword) else type(node)


class _Twice:
    """Rewrites one expression in the order in which it is evaluated. Every node is made anew,
    because the same one may stand in several places."""

    def __init__(self, fresh: Callable[[], str], keys: dict[int, Any]) -> None:
        self._fresh = fresh
        self._keys = keys
        self._known: Known = {}

    def visit(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.IfExp):
            return self._branch(node)
        if isinstance(node, ast.BoolOp):
            return self._test(node, self._known)[0]
        if isinstance(node, _PLAIN):
            return node
        if not isinstance(node, _WORTH):
            return self._anew(node)
        key = self._keys[id(node)]
        known = self._known.get(key)
        if known is not None:
            known.wanted = True
            return ast.copy_location(ast.Name(known.target.id, ast.Load()), node)
        made = self._known[key] = _Kept(ast.Name(self._fresh(), ast.Store()), self._anew(node))
        return ast.copy_location(made, node)

    def _anew(self, node: ast.expr) -> ast.expr:
        new = type(node)(**{field: self._part(getattr(node, field)) for field in node._fields})
        return ast.copy_location(new, node)

    def _part(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._part(member) for member in value]
        return self.visit(value) if isinstance(value, ast.expr) else value

    def _branch(self, node: ast.IfExp) -> ast.expr:
        always = self._known
        test, yes, no = self._test(node.test, always)
        self._known = dict(yes)
        body = self.visit(node.body)
        self._known = dict(no)
        made = ast.IfExp(test, body, self.visit(node.orelse))
        self._known = always
        return ast.copy_location(made, node)

    def _test(self, node: ast.expr, known: Known) -> tuple[ast.expr, Known, Known]:
        """A condition evaluated when `known` is known (to which what it always reads is added),
        and what is known when it holds and when it does not."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner, yes, no = self._test(node.operand, known)
            return ast.copy_location(ast.UnaryOp(node.op, inner), node), no, yes
        if not isinstance(node, ast.BoolOp):
            outer, self._known = self._known, known
            made = self.visit(node)
            self._known = outer
            return made, known, known
        is_and = isinstance(node.op, ast.And)
        parts = [self._test(node.values[0], known)]
        for value in node.values[1:]:
            _, yes, no = parts[-1]
            parts.append(self._test(value, dict(yes if is_and else no)))
        made = ast.copy_location(ast.BoolOp(node.op, [part[0] for part in parts]), node)
        _, yes, no = parts[-1]
        return (made, yes, known) if is_and else (made, known, no)


class _Strip(ast.NodeTransformer):
    """Takes away the variables nobody wants."""

    def visit__Kept(self, node: _Kept) -> ast.expr:
        value: ast.expr = self.visit(node.value)
        if not node.wanted:
            return value
        return ast.copy_location(ast.NamedExpr(node.target, value), node)
