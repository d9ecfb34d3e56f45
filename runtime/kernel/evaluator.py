"""The reference evaluator: what expressions of the IR mean, as plainly as it can be said.

The compiled rules are fast and hard to read; this is slow and obvious, one small function for each
kind of node, which stands in its family (`runtime/kernel/forms`). It looks at the same states, and
differential tests compare the two. It is also the engine of `explain`, because it can say where
each part of a value came from. What follows from a statement is in `proving.steps`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

import attrs

from ziggurat.runtime.kernel.arithmetic import ABOUT_NONE, CHANGES, CannotCompute, halved
from ziggurat.runtime.kernel.errors import TOO_LONG, RulesError
from ziggurat.runtime.kernel.nodes import At, Expr, blank, zero
from ziggurat.runtime.kernel.registry import Registry

if TYPE_CHECKING:
    from ziggurat.runtime.kernel.forms.clauses import Contribution
    from ziggurat.runtime.kernel.forms.core import Op, OrderRef, Param
    from ziggurat.runtime.kernel.forms.values import Value
    from ziggurat.runtime.kernel.state import State
    from ziggurat.runtime.kernel.table import Table

Env = Mapping[str, Any]
CONSTANT_FUEL = 1_000_000  # for one default of a field or an attribute
COST = 10  # of a walked statement or value, in the coin compiled loops are charged in
# Functions of the evaluator, the state, the expression and the locals.
EXPRESSIONS = Registry[type, Any]()
OPERATIONS = Registry[str, Any]()
expression, operation = EXPRESSIONS.add, OPERATIONS.add


@attrs.frozen
class Applied:
    """One contribution and what became of it; `amount` and `after` are None if it did not apply."""

    contribution: Contribution
    applies: bool
    amount: Any
    after: Any


@attrs.frozen
class Breakdown:
    """How one value came about."""

    value: Value
    args: tuple[Any, ...]
    base: Any
    applied: tuple[Applied, ...]
    result: Any


class HiddenPieces(ABC):
    """Pieces as a seat knows them: some lie covered and are only counted together.

    `tops` are values that tell what lies on top, by their arguments.
    """

    tops: Mapping[tuple[str, tuple[Any, ...]], Any]

    @abstractmethod
    def __getitem__(self, cell: int) -> int: ...

    @abstractmethod
    def together(self, cells: Iterable[int]) -> int:
        """Return the number of pieces in all of these cells."""

    @abstractmethod
    def any_shown(self, cells: Iterable[int]) -> bool:
        """Return whether one of these cells surely has a piece."""


class Unread:
    """Stands for the state where an expression is constant: it can only be charged."""

    fuel = CONSTANT_FUEL


class Evaluator:
    """Evaluates expressions of one table's rules on its states."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.ruleset = table.ruleset

    def evaluate(self, state: State, expr: Expr, env: Env) -> Any:
        """The value of an expression, the locals being as `env` says."""
        return EXPRESSIONS[type(expr)](self, state, expr, env)

    def constant(self, expr: Expr) -> Any:
        """Return the value of an expression that reads no state."""
        return self.evaluate(cast("State", Unread()), expr, {})

    def given(self, state: State, expr: Expr, env: Env) -> Any:
        """The value where something is wanted: none counts as 0, no or the empty set."""
        found = self.evaluate(state, expr, env)
        return zero(expr.type) if found is None else found

    def value(self, state: State, value: str, args: Iterable[Any]) -> Any:
        """A declared value for these arguments; blank if it wants something and gets none."""
        known = tuple(args)
        self.pay(state, COST, self.ruleset.values[value].at)
        declared = self.ruleset.values[value]
        if lacking(declared.params, known):
            return blank(declared.type)
        return self.breakdown(state, value, known).result

    def breakdown(self, state: State, value: str, args: tuple[Any, ...]) -> Breakdown:
        """A declared value, with its base and every contribution to it in the order they apply."""
        declared = self.ruleset.values[value]
        if isinstance(state.pieces, HiddenPieces) and (value, args) in state.pieces.tops:
            top = state.pieces.tops[value, args]  # what lies on top is seen, not what is below
            return Breakdown(declared, args, top, (), top)
        env = dict(zip((p.name for p in declared.params), args, strict=True))
        optional = declared.type.maybe
        read = self.evaluate if optional else self.given
        result = base = read(state, declared.base, env)
        applied = []
        whole, halvings = base, 0
        for clause in declared.applied:
            applies = clause.when is None or bool(self.evaluate(state, clause.when, env))
            amount = None
            if applies:
                if clause.amount is not None:
                    amount = read(state, clause.amount, env)
                if clause.op == "halving":
                    whole, halvings = (whole if halvings else result), halvings + 1
                    result = halved(whole, halvings)
                else:
                    result = _changed(clause, result, amount)
            applied.append(Applied(clause, applies, amount, result if applies else None))
        return Breakdown(declared, args, base, tuple(applied), result)

    def pay(self, state: State, amount: int, at: At) -> None:
        """Charge before something runs, so that no question takes for ever."""
        state.fuel -= amount
        if state.fuel < 0:
            raise RulesError(TOO_LONG, at)

    def sort_key(self, state: State, order: OrderRef, env: Env) -> Callable[[Any], Any]:
        """What things are sorted by, lowest first."""
        keys = self.ruleset.orders[order.order].keys
        args = [self.evaluate(state, arg, env) for arg in order.args]
        return lambda thing: tuple(self.value(state, key, [*args, thing]) for key in keys)

    def members(
        self,
        state: State,
        source: Expr,
        where: Expr | None,
        order: OrderRef | None,
        env: Env,
        var: str = "it",
    ) -> list[Any]:
        """The members of a set that pass a filter, in their order."""
        given = self.given(state, source, env)
        self.pay(state, len(given), source.at)
        found = list(given)
        if where is not None:
            found = [m for m in found if self.evaluate(state, where, {**env, var: m})]
        if order is not None:
            found.sort(key=self.sort_key(state, order, env))
        return found

    def operands(self, state: State, expr: Op, env: Env) -> list[Any]:
        """What an operation works on, paid for: none counts as 0, no or the empty set, except
        where it is an operand like any other."""
        raw = ABOUT_NONE.get(expr.op, ())
        args = [
            (self.evaluate if number in raw else self.given)(state, arg, env)
            for number, arg in enumerate(expr.args)
        ]
        self.pay(state, sum(len(arg) for arg in args if isinstance(arg, tuple | dict)), expr.at)
        if expr.op in ("union", "minus", "common"):
            self.pay(state, sum(len(arg) for arg in args if isinstance(arg, range)), expr.at)
        return args


def _changed(clause: Contribution, old: Any, amount: Any) -> Any:
    try:
        return CHANGES[clause.op](old, amount)
    except CannotCompute as wrong:
        raise RulesError(str(wrong), clause.at) from wrong


def lacking(params: Iterable[Param], args: Iterable[Any]) -> bool:
    """Is there none where something is wanted?"""
    pairs = zip(params, args, strict=True)
    return any(arg is None and not param.type.maybe for param, arg in pairs)
