"""Statements of the ruleset as Python statements: what all of them share.

Each form is lowered in its family, `runtime/compiler/forms`, which registers it here.
"""

import ast

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler import python as py
from ziggurat.runtime.compiler.expressions import lower, or_zero
from ziggurat.runtime.compiler.scope import Scope
from ziggurat.runtime.kernel.registry import Registry

STATEMENTS = Registry[type, list[ast.stmt]]()
statement = STATEMENTS.add


def block(fn: Scope, body: ir.Body) -> list[ast.stmt]:
    """Statements one after the other; after each, what was noted about what it changes is void."""
    out: list[ast.stmt] = []
    for node in body:
        for made in (*STATEMENTS[type(node)](fn, node), *fn.forget(node)):
            out.append(py.locate(made, node.at, fn.file))
    return out


def state_call(name: str, *args: ast.expr) -> ast.stmt:
    return ast.Expr(py.method(py.name("S"), name, *args))


class SkipIfNone:
    """A statement that does nothing if one of some expressions is none."""

    def __init__(self, fn: Scope) -> None:
        self.fn = fn
        self.before: list[ast.stmt] = []
        self.risky: list[ast.expr] = []
        self.tests: list[ast.expr] = []

    def __call__(self, node: ir.Expr) -> ast.expr:
        """The expression, which is not none when the statement runs."""
        value = lower(self.fn, node)
        if not self.fn.may_be_none(node):
            return value
        if not py.is_plain(value):
            var = self.fn.fresh()
            self.before.append(py.assign(var, value))
            value = py.name(var)
        self.risky.append(value)
        return value

    def provided(self, test: ast.expr) -> None:
        """One more thing that must hold, asked when nothing of the expressions is none."""
        self.tests.append(test)

    def run(self, *made: ast.stmt) -> list[ast.stmt]:
        tests = [*([py.known(self.risky)] if self.risky else []), *self.tests]
        return [*self.before, *([py.when(py.both(tests), list(made))] if tests else made)]


def quantity(fn: Scope, node: ir.Expr | None) -> ast.expr:
    """How many; None for all, or for no bound."""
    return py.const(None) if node is None else or_zero(fn, node)
