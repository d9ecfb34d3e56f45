"""The blocks that things bring."""

from ziggurat.dsl import ir
from ziggurat.runtime.forms.procedures import triggered
from ziggurat.runtime.lowering.declarations import Lowering, declaration


@declaration(ir.Thing)
def _thing(low: Lowering, thing: ir.Thing) -> None:
    kind = low.ruleset.kinds[thing.kind]
    declared = {body.name: body for body in kind.bodies}
    for body in thing.bodies:
        about = declared[body.name]
        params = [param.name for param in about.params]
        rule = f"{thing.id}.{body.name}"
        key = ("body", kind.id, thing.id, body.name)
        triggered(low, key, rule, params, body, about.type)
