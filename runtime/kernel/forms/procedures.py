"""Procedures, with what happens before, after and instead."""

from collections.abc import Iterator

from ziggurat.dsl import ir
from ziggurat.runtime.kernel.walker import Keyed, Walker, declaration


@declaration(ir.Procedure)
def _procedure(walker: Walker, procedure: ir.Procedure) -> Iterator[Keyed]:
    key = ("procedure", procedure.id)
    yield key, lambda state, *args: walker.steps.call(state, procedure, args)
