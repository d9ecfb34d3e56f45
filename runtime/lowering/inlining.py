"""Small values stand in the functions that use them, because a call costs more than they do.

What contributions do to such a value is part of the expression: `limit(a)` that some holder raises
becomes `a.limit + (1 if p holds it else 0)`.
"""

from collections import Counter
from collections.abc import Sequence

import attrs

from ziggurat.dsl import ir
from ziggurat.dsl.forms.walking import walk

SIZE = 60  # nodes, with what is inlined in turn
_YES_OR_NO = ir.Type("bool")


@attrs.frozen
class Formula:
    """A value as one expression, and how often it reads each of its parameters."""

    expr: ir.Expr
    uses: Counter[str]
    size: int


class Inlining:
    """Which values of one ruleset are small, each found out once. `order` is the order in which
    contributions are applied."""

    def __init__(self, ruleset: ir.Ruleset, order: dict[str, int]) -> None:
        self._values = ruleset.values
        self._order = order
        self._known: dict[str, Formula | None] = {}

    def formula(self, value: str) -> Formula | None:
        """The value as an expression, None if it is better called."""
        if value not in self._known:
            self._known[value] = None
            self._known[value] = self._small(self._values[value])
        return self._known[value]

    def _small(self, value: ir.Value) -> Formula | None:
        expr = self._expression(value)
        if expr is None:
            return None
        size = 0
        uses: Counter[str] = Counter()
        for node in walk(expr):
            if isinstance(node, ir.Loop | ir.Having) or _is_long(node):
                return None
            if isinstance(node, ir.Local):
                uses[node.name] += 1
            inner = self.formula(node.value) if isinstance(node, ir.ValueCall) else None
            size += 1 if inner is None else inner.size
            if size > SIZE:
                return None
        return Formula(expr, uses, size)

    def _expression(self, value: ir.Value) -> ir.Expr | None:
        clauses = sorted(value.contributions, key=lambda clause: self._order[clause.op])
        if clauses and all(clause.op in ("allow", "forbid") for clause in clauses):
            return _permission(value.base, clauses)
        expr = value.base
        for clause in clauses:
            if clause.op not in ("to", "by") or clause.amount is None or value.type.name != "int":
                return None
            amount = clause.amount
            if clause.op == "to":
                expr = amount if clause.when is None else _if(clause.when, amount, expr)
            else:
                if clause.when is not None:
                    amount = _if(clause.when, amount, ir.Lit(0, ir.Type("int")))
                expr = ir.Op("+", (expr, amount), value.type)
        return expr


def _if(test: ir.Expr, then: ir.Expr, other: ir.Expr) -> ir.Expr:
    return ir.Op("if", (test, then, other), then.type)


def _permission(base: ir.Expr, clauses: Sequence[ir.Contribution]) -> ir.Expr:
    """Any forbid that holds wins, then any allow will do."""
    yes = ir.Lit(True, _YES_OR_NO)
    tests = {
        op: [yes if c.when is None else c.when for c in clauses if c.op == op]
        for op in ("forbid", "allow")
    }
    never = isinstance(base, ir.Lit) and not base.value and tests["allow"]
    allowed = _joined("or", tests["allow"] if never else [*tests["allow"], base])
    if not tests["forbid"]:
        return allowed
    denied = ir.Op("not", (_joined("or", tests["forbid"]),), _YES_OR_NO)
    return ir.Op("and", (denied, allowed), _YES_OR_NO)


def _joined(op: str, parts: list[ir.Expr]) -> ir.Expr:
    return parts[0] if len(parts) == 1 else ir.Op(op, tuple(parts), _YES_OR_NO)


def _is_long(node: object) -> bool:
    """Does it look at many places, or make a set?"""
    if isinstance(node, ir.Count):
        return node.where.kind == "areas"
    return isinstance(node, ir.Op) and node.op in ("set", "list", "map", "union", "minus", "common")
