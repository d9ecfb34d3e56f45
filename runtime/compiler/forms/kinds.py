"""The blocks that things bring."""

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.compiler.declarations import Lowering, declaration
from ziggurat.runtime.compiler.forms.procedures import triggered


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
