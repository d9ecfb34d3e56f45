"""The reference evaluator: what an expression of the IR means, as plainly as it can be said.

The compiled rules are fast and hard to read; this is slow and obvious, one small function for each
kind of node, and looks at the same states. Differential tests compare the two. It is also the
engine of `explain`, because it can say where each part of a value came from.

What follows from a statement is in `proving.reference_steps`.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from ziggurat.dsl import ir
from ziggurat.dsl.arithmetic import (
    ABOUT_NONE,
    CHANGES,
    LOOPS,
    OPERATIONS,
    CannotCompute,
    a_set,
)
from ziggurat.dsl.forms.base import blank, zero
from ziggurat.runtime.errors import TOO_LONG, RulesError
from ziggurat.runtime.state import State
from ziggurat.runtime.table import SEAT_ATTRIBUTE, Table

Env = Mapping[str, Any]
COST = 10  # of a walked statement or value, in the coin compiled loops are charged in


@attrs.frozen
class Applied:
    """One contribution and what became of it; `amount` and `after` are None if it did not apply."""

    contribution: ir.Contribution
    applies: bool
    amount: Any
    after: Any


@attrs.frozen
class Breakdown:
    """How one value came about."""

    value: ir.Value
    args: tuple[Any, ...]
    base: Any
    applied: tuple[Applied, ...]
    result: Any


class Evaluator:
    """Evaluates expressions of one table's rules on its states."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.ruleset = table.ruleset

    def evaluate(self, state: State, expr: ir.Expr, env: Env) -> Any:
        """The value of an expression, the locals being as `env` says."""
        return _EXPRESSIONS[type(expr)](self, state, expr, env)

    def given(self, state: State, expr: ir.Expr, env: Env) -> Any:
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
        env = dict(zip((p.name for p in declared.params), args, strict=True))
        optional = declared.type.maybe
        read = self.evaluate if optional else self.given
        result = base = read(state, declared.base, env)
        applied = []
        for clause in declared.applied:
            applies = clause.when is None or bool(self.evaluate(state, clause.when, env))
            amount = None
            if applies:
                if clause.amount is not None:
                    amount = read(state, clause.amount, env)
                result = _changed(clause, result, amount)
            applied.append(Applied(clause, applies, amount, result if applies else None))
        return Breakdown(declared, args, base, tuple(applied), result)

    def pay(self, state: State, amount: int, at: ir.At) -> None:
        """Charge before something runs, so that no question takes for ever."""
        state.fuel -= amount
        if state.fuel < 0:
            raise RulesError(TOO_LONG, at)

    def sort_key(self, state: State, order: ir.OrderRef, env: Env) -> Callable[[Any], Any]:
        """What things are sorted by, lowest first."""
        keys = self.ruleset.orders[order.order].keys
        args = [self.evaluate(state, arg, env) for arg in order.args]
        return lambda thing: tuple(self.value(state, key, [*args, thing]) for key in keys)

    def members(
        self,
        state: State,
        source: ir.Expr,
        where: ir.Expr | None,
        order: ir.OrderRef | None,
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

    def owners(self, state: State, units: ir.Units, env: Env) -> list[int]:
        """Whose pieces these are."""
        owner = self.given(state, units.owner, env)
        return list(owner) if units.many else [] if owner is None else [owner]

    def places(self, state: State, where: ir.Whereabouts, env: Env) -> list[int]:
        """The places that are meant, as indices."""
        if where.expr is not None:
            meant = self.given(state, where.expr, env)
            return list(meant) if where.kind == "areas" else [] if meant is None else [meant]
        if where.kind == "own":
            return [self.table.place_ids[where.id]]
        return list(range(self.table.A if where.kind == "board" else self.table.Q))

    def pile(self, state: State, pile: ir.PileRef, env: Env) -> int | None:
        """The index of a pile; None for one of none."""
        key = None if pile.key is None else self.evaluate(state, pile.key, env)
        missing = pile.key is not None and key is None
        return None if missing else self.table.pile(pile.place, key)

    def number(self, state: State, units: ir.Units, places: Iterable[int], env: Env) -> int:
        """How many of the units stand in these places."""
        owners = self.owners(state, units, env)
        return sum(
            state.count(self.table.rows[piece], owner, place, units.state)
            for place in places
            for owner in owners
            for piece in units.pieces
            if units.state is None or units.state in self.table.rows[piece].states
        )


def _lit(_: Evaluator, __: State, expr: ir.Lit, ___: Env) -> Any:
    return int(expr.value) if isinstance(expr.value, bool) else expr.value


def _local(_: Evaluator, __: State, expr: ir.Local, env: Env) -> Any:
    return env[expr.name]


def _thing(run: Evaluator, _: State, expr: ir.ThingRef, __: Env) -> Any:
    return run.table.thing_ids.get((expr.kind, expr.id))


def _owner(run: Evaluator, _: State, expr: ir.OwnerRef, __: Env) -> Any:
    return run.table.owner_ids.get(expr.id)


def _all(run: Evaluator, _: State, expr: ir.All, __: Env) -> Any:
    return tuple(run.table.everything(expr.of))


def _option(run: Evaluator, _: State, expr: ir.OptionRef, __: Env) -> Any:
    return run.table.options[expr.id]


def _field(run: Evaluator, state: State, expr: ir.FieldOf, env: Env) -> Any:
    """A field is read through the thing a player plays, or through the face of a card."""
    thing = run.evaluate(state, expr.of, env)
    if thing is None:
        return blank(expr.type)
    if expr.of.type.name in ("player", "owner"):
        thing = state.attrs[run.table.attributes[SEAT_ATTRIBUTE + expr.owner_kind].slot(thing)]
        if thing is None:
            kind = run.ruleset.kinds[expr.owner_kind]
            return next(
                run.table.field_default(field) for field in kind.fields if field.name == expr.field
            )
    elif expr.of.type.name in run.table.families:
        thing = run.table.face[thing]
    return run.table.fields[expr.owner_kind, expr.field][thing]


def _attribute(run: Evaluator, state: State, expr: ir.AttrOf, env: Env) -> Any:
    slots = run.table.attributes[expr.attr]
    index = None if expr.of is None else run.evaluate(state, expr.of, env)
    if expr.of is not None and index is None:
        return blank(expr.type)
    if slots.keys is None:
        return state.attrs[slots.slot(index)]
    return {key: state.attrs[slots.slot(index, key)] for key in slots.keys}


def _call(run: Evaluator, state: State, expr: ir.ValueCall, env: Env) -> Any:
    return run.value(state, expr.value, [run.evaluate(state, arg, env) for arg in expr.args])


def _pile(run: Evaluator, state: State, expr: ir.PileRef, env: Env) -> tuple[int, ...]:
    index = run.pile(state, expr, env)
    return () if index is None else state.piles[index]


def _count(run: Evaluator, state: State, expr: ir.Count, env: Env) -> Any:
    number = run.number(state, expr.units, run.places(state, expr.where, env), env)
    return number > 0 if expr.exists else number


def _having(run: Evaluator, state: State, expr: ir.Having, env: Env) -> Any:
    places = run.given(state, expr.source, env)
    return tuple(place for place in places if run.number(state, expr.units, [place], env))


def _loop(run: Evaluator, state: State, expr: ir.Loop, env: Env) -> Any:
    members = run.members(state, expr.source, expr.where, expr.order, env, expr.var)
    results = members
    if expr.body is not None:
        read = run.given if expr.fn in ("sum", "max", "min") else run.evaluate
        results = [read(state, expr.body, {**env, expr.var: m}) for m in members]
    return LOOPS[expr.fn](results)


def _changed(clause: ir.Contribution, old: Any, amount: Any) -> Any:
    try:
        return CHANGES[clause.op](old, amount)
    except CannotCompute as wrong:
        raise RulesError(str(wrong), clause.at) from wrong


def _operation(run: Evaluator, state: State, expr: ir.Op, env: Env) -> Any:
    """Logic looks only at the operands it needs; everything else looks at all of them."""
    if expr.op == "and":
        return all(run.evaluate(state, arg, env) for arg in expr.args)
    if expr.op == "or":
        return any(run.evaluate(state, arg, env) for arg in expr.args)
    if expr.op == "if":
        condition, then, other = expr.args
        return run.evaluate(state, then if run.evaluate(state, condition, env) else other, env)
    raw = ABOUT_NONE.get(expr.op, ())
    args = [
        (run.evaluate if number in raw else run.given)(state, arg, env)
        for number, arg in enumerate(expr.args)
    ]
    run.pay(state, sum(len(a) for a in args if isinstance(a, tuple | dict)), expr.at)
    if expr.op in ("union", "minus", "common"):
        run.pay(state, sum(len(a) for a in args if isinstance(a, range)), expr.at)
    if None in args and expr.op in _THROUGH:
        return blank(expr.type)
    return _OPERATORS[expr.op](run, state, expr, *args)


_THROUGH = frozenset({"holds", "is_kind", "face", "others", "left_of", "is_player"})


def lacking(params: Iterable[ir.Param], args: Iterable[Any]) -> bool:
    """Is there none where something is wanted?"""
    pairs = zip(params, args, strict=True)
    return any(arg is None and not param.type.maybe for param, arg in pairs)


def _pure(function: Callable[..., Any]) -> Callable[..., Any]:
    """An operation of its operands alone."""

    def operate(run: Evaluator, state: State, expr: ir.Op, *args: Any) -> Any:
        try:
            return function(*args)
        except CannotCompute as wrong:
            raise RulesError(str(wrong), expr.at) from wrong

    return operate


def _index(run: Evaluator, state: State, expr: ir.Op, of: dict[Any, Any], key: Any) -> Any:
    return of.get(key, blank(expr.type))


def _face(run: Evaluator, state: State, expr: ir.Op, card: int, kind: str) -> Any:
    """The face of a card if it is of that kind, else none."""
    thing = run.table.face[card] if expr.args[0].type.name in run.table.families else card
    return thing if run.table.kind_of[thing] == kind else None


def _is_kind(run: Evaluator, state: State, expr: ir.Op, card: int, kind: str) -> bool:
    return _face(run, state, expr, card, kind) is not None


def _left_of(run: Evaluator, state: State, expr: ir.Op, player: int) -> int:
    return (player + 1) % len(run.table.players)


_OPERATORS: dict[str, Callable[..., Any]] = {
    **{op: _pure(function) for op, function in OPERATIONS.items()},
    "set": lambda run, state, expr, *of: {} if expr.type.name == "map" else a_set(of),
    "index": _index,
    "holds": lambda run, state, expr, player, thing: state.holds(player, thing),
    "is_kind": _is_kind,
    "face": _face,
    "cards": _pure(lambda pile: pile),
    "top": _pure(lambda pile: pile[0] if pile else None),
    "others": lambda run, state, expr, player: tuple(p for p in run.table.players if p != player),
    "left_of": _left_of,
    "is_player": lambda run, state, expr, owner: owner in run.table.players,
}


_EXPRESSIONS: dict[type, Callable[[Evaluator, State, Any, Env], Any]] = {
    ir.Lit: _lit,
    ir.Local: _local,
    ir.ThingRef: _thing,
    ir.OwnerRef: _owner,
    ir.All: _all,
    ir.OptionRef: _option,
    ir.FieldOf: _field,
    ir.AttrOf: _attribute,
    ir.ValueCall: _call,
    ir.PileRef: _pile,
    ir.Op: _operation,
    ir.Count: _count,
    ir.Having: _having,
    ir.Loop: _loop,
}
