"""Phases: what they need, what they trigger, and their stages."""

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler.declarations import Lowering, declaration
from ziggurat.runtime.compiler.forms.stages import lower_stage


@declaration(ir.Phase)
def _phase(low: Lowering, phase: ir.Phase) -> None:
    for number, need in enumerate(phase.needs):
        key = ("phase", phase.id, "needs", number)
        low.expression(key, phase.id, need.at, [], need.condition, need.meta, True)
    for number, trigger in enumerate(phase.triggers):
        key = ("phase", phase.id, "trigger", number)
        low.procedure(key, trigger.path, trigger.at, [], trigger.body, trigger.meta)
        if trigger.condition is not None:
            when = ("phase", phase.id, "when", number)
            low.expression(when, trigger.path, trigger.at, [], trigger.condition)
    for number, stage in enumerate(phase.stages):
        lower_stage(low, phase, number, stage)
