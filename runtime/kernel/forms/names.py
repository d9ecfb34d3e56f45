"""What a bare word means where it stands."""

from typing import Any

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.evaluator import Env, Evaluator, expression
from ziggurat.runtime.kernel.forms.core import OwnerRef
from ziggurat.runtime.kernel.nodes import Expr, Type
from ziggurat.runtime.kernel.state import State


@form()
@attrs.frozen
class All(Expr):
    """Everything of a kind (kind id), `players`, `owners`; a set."""

    of: str
    type: Type


@form()
@attrs.frozen
class OptionRef(Expr):
    id: str
    type: Type


@expression(OwnerRef)
def _owner(run: Evaluator, _: State, expr: OwnerRef, __: Env) -> Any:
    return run.table.owner_ids.get(expr.id)


@expression(All)
def _all(run: Evaluator, _: State, expr: All, __: Env) -> Any:
    return tuple(run.table.everything(expr.of))


@expression(OptionRef)
def _option(run: Evaluator, _: State, expr: OptionRef, __: Env) -> Any:
    return run.table.options[expr.id]
