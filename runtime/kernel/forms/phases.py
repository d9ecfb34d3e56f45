"""Phases: what they need, what they trigger, and their stages."""

from collections.abc import Iterator

from ziggurat.dsl import ir
from ziggurat.runtime.kernel.forms.stages import walked_stage
from ziggurat.runtime.kernel.walker import Keyed, Walker, declaration


@declaration(ir.Phase)
def _phase(walker: Walker, phase: ir.Phase) -> Iterator[Keyed]:
    for number, need in enumerate(phase.needs):
        yield ("phase", phase.id, "needs", number), walker.expression((), need.condition)
    for number, trigger in enumerate(phase.triggers):
        yield ("phase", phase.id, "trigger", number), walker.block((), trigger.body)
        if trigger.condition is not None:
            yield ("phase", phase.id, "when", number), walker.expression((), trigger.condition)
    for number, stage in enumerate(phase.stages):
        yield from walked_stage(walker, ("stage", phase.id, number), stage)
