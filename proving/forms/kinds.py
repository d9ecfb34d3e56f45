"""The blocks that things bring."""

from collections.abc import Iterator

from ziggurat.dsl import ir
from ziggurat.proving.walker import Keyed, Walker, declaration


@declaration(ir.Thing)
def _thing(walker: Walker, thing: ir.Thing) -> Iterator[Keyed]:
    kind = walker.steps.ruleset.kinds[thing.kind]
    declared = {body.name: [param.name for param in body.params] for body in kind.bodies}
    for body in thing.bodies:
        key = ("body", thing.kind, thing.id, body.name)
        yield key, walker.block(declared.get(body.name, []), body.body)
