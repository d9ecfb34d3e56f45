"""Expressions of the rules read in one moment of a game, in plain data."""

from typing import Any

from ziggurat.dsl import ir
from ziggurat.proving.reference import Evaluator
from ziggurat.runtime.moment import Moment


def read(moment: Moment, expr: ir.Expr, kind: str = "", this: str = "") -> Any:
    """What an expression is now; `this` in it is the thing of a kind."""
    table = moment.table
    env = {"this": table.thing_ids[kind, this]} if this else {}
    found = Evaluator(table).evaluate(moment.now.copy(), expr, env)
    return table.name(found, expr.type)
