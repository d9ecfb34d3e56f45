"""Values that rules work out and packs modify, and orders, whose keys are values."""

from collections.abc import Iterator
from typing import Any

import attrs

from ziggurat.runtime.kernel.description import form
from ziggurat.runtime.kernel.forms.clauses import RANK, Contribution
from ziggurat.runtime.kernel.forms.core import Param
from ziggurat.runtime.kernel.nodes import NO_META, At, Expr, Meta, Type, at_field
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.walker import Keyed, Walker, declaration


@form("declaration")
@attrs.frozen
class Value:
    id: str
    title: str
    params: tuple[Param, ...]
    type: Type
    base: Expr
    contributions: tuple[Contribution, ...]
    meta: Meta = NO_META
    at: At = at_field()

    @property
    def applied(self) -> list[Contribution]:
        """The contributions in the order in which they apply."""
        return sorted(self.contributions, key=lambda clause: RANK[clause.op])


@form("declaration")
@attrs.frozen
class Order:
    """Keys are values (`ranking.rank`) of all parameters, compared in this order, lowest first."""

    id: str
    title: str
    params: tuple[Param, ...]
    keys: tuple[str, ...]
    meta: Meta = NO_META
    at: At = at_field()


@declaration(Value)
def _value(walker: Walker, value: Value) -> Iterator[Keyed]:
    yield ("value", value.id), lambda state, *args: walker.steps.value(state, value.id, args)


@declaration(Order)
def _order(walker: Walker, order: Order) -> Iterator[Keyed]:
    def function(state: State, *args: Any) -> Any:
        return tuple(walker.steps.value(state, key, args) for key in order.keys)

    yield ("order", order.id), function
