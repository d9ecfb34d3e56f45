"""One or more functions for every declaration: values, orders, procedures, stages, actions, advice.

Each function takes the state first and is known by a key, such as ("value", "hand_limit") or
("action", "march", "options", 1). What is made of a declaration stands in its family,
`runtime/forms`, which registers it here.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ziggurat.dsl import ir
from ziggurat.dsl.registry import Registry
from ziggurat.runtime.lowering import python as py
from ziggurat.runtime.lowering.call_graph import weights
from ziggurat.runtime.lowering.expressions import empty, lower, test
from ziggurat.runtime.lowering.memo import Memo
from ziggurat.runtime.lowering.nullability import Nullability
from ziggurat.runtime.lowering.scope import Scope, Shared
from ziggurat.runtime.lowering.statements import block

HEAVY = 1_000  # what calls so many others, directly or not, is charged when it is called
DECLARATIONS = Registry[type, None]()
declaration = DECLARATIONS.add


class Lowering:
    """Lowers a ruleset; `files` collects the functions by the rules file they come from."""

    def __init__(self, ruleset: ir.Ruleset, trace: bool = False, memo: bool = True) -> None:
        self.ruleset = ruleset
        known = Memo(ruleset) if memo else None
        self.shared = Shared(ruleset, trace, memo=known, nullability=Nullability(ruleset))
        self.files: dict[str, list[ast.stmt]] = {}
        self._weights = weights(ruleset)

    def lower(self) -> None:
        for one in self._declarations():
            DECLARATIONS[type(one)](self, one)

    def _declarations(self) -> Iterator[Any]:
        rules = self.ruleset
        yield from rules.values.values()
        yield from rules.orders.values()
        yield from rules.procedures.values()
        for kind in rules.kinds:
            yield from rules.things.get(kind, {}).values()
        yield from rules.phases.values()
        yield from rules.actions.values()
        yield from rules.advice

    def scope(self, rule: str, at: ir.At, params: Iterable[str], meta: ir.Meta) -> Scope:
        scope = Scope(self.shared, rule, at.file, meta)
        for param in params:
            scope.bind(param)
        return scope

    def add(self, key: Sequence[Any], scope: Scope, params: Iterable[str], at: ir.At,
             body: list[ast.stmt]) -> None:  # fmt: skip
        name = self.shared.function(*key)
        made = scope.finish(name, [scope.env[param] for param in params], body)
        line = max(at.line, 1)
        made.lineno = made.end_lineno = line
        made.col_offset = made.end_col_offset = 0
        self.files.setdefault(at.file, []).append(made)

    def expression(self, key: Sequence[Any], rule: str, at: ir.At, params: Sequence[str],
                   expr: ir.Expr, meta: ir.Meta = ir.NO_META,
                   condition: bool = False) -> None:  # fmt: skip
        """A function that returns one expression."""
        scope = self.scope(rule, at, params, meta)
        made = test(scope, expr) if condition else lower(scope, expr)
        self.add(key, scope, params, at, [ast.Return(made)])

    def procedure(self, key: Sequence[Any], rule: str, at: ir.At, params: Sequence[str],
                  body: ir.Body, meta: ir.Meta = ir.NO_META,
                  gives: ir.Type | None = None) -> None:  # fmt: skip
        """A function that runs statements; one that gives something does so at its end, too."""
        scope = self.scope(rule, at, params, meta)
        scope.gives = gives
        scope.lacking = self.shared.nullability.locals_of(body)
        made = [*scope.traced(rule), *self.charge(scope, key), *block(scope, body)]
        if gives is not None:
            made.append(ast.Return(empty(gives)))
        self.add(key, scope, params, at, made)

    def charge(self, scope: Scope, key: Sequence[Any]) -> list[ast.stmt]:
        """What leads to very many calls is charged for them; loops are charged by themselves."""
        what = "procedure" if key[0] == "main" else key[0]
        weight = self._weights.get((what, *key[1:]), 0)
        if weight <= HEAVY:
            return []
        node = (self.ruleset.values if what == "value" else self.ruleset.procedures)[key[1]]
        amount = py.const(weight // 100)
        return [ast.Expr(py.method(py.name("S"), "spend", amount, scope.site(node)))]
