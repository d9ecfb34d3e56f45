"""Stages: whom they go through, when they end, what is done."""

from collections.abc import Iterator

from ziggurat.dsl import ir
from ziggurat.runtime.kernel.signatures import Spec
from ziggurat.runtime.kernel.walker import Keyed, Walker


def walked_stage(walker: Walker, key: Spec, stage: ir.Stage) -> Iterator[Keyed]:
    names = [stage.var] if stage.var else []
    if stage.source is not None:
        yield (*key, "items"), walker.items(stage.source, stage.condition, stage.var)
    elif stage.condition is not None:
        yield (*key, "test"), walker.expression((), stage.condition)
    if stage.limit is not None:
        yield (*key, "limit"), walker.expression((), stage.limit)
    if stage.times is not None:
        yield (*key, "times"), walker.expression((), stage.times)
    if stage.order is not None:
        yield (*key, "order"), walker.sort_key(stage.order)
    yield (*key, "body"), walker.block(names, stage.body)
