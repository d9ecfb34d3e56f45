"""Values and orders."""

from collections.abc import Iterator
from typing import Any

from ziggurat.dsl import ir
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.walker import Keyed, Walker, declaration


@declaration(ir.Value)
def _value(walker: Walker, value: ir.Value) -> Iterator[Keyed]:
    yield ("value", value.id), lambda state, *args: walker.steps.value(state, value.id, args)


@declaration(ir.Order)
def _order(walker: Walker, order: ir.Order) -> Iterator[Keyed]:
    def function(state: State, *args: Any) -> Any:
        return tuple(walker.steps.value(state, key, args) for key in order.keys)

    yield ("order", order.id), function
