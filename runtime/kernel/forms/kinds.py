"""The blocks that things bring."""

from collections.abc import Iterator

from ziggurat.dsl import ir
from ziggurat.runtime.compiler.program import Function
from ziggurat.runtime.kernel.walker import Keyed, Walker, declaration


@declaration(ir.Thing)
def _thing(walker: Walker, thing: ir.Thing) -> Iterator[Keyed]:
    kind = walker.steps.ruleset.kinds[thing.kind]
    declared = {body.name: body.params for body in kind.bodies}
    for body in thing.bodies:
        key = ("body", thing.kind, thing.id, body.name)
        params = declared.get(body.name, ())
        yield key, _block(walker, f"{thing.id}.{body.name}", body, params)


def _block(walker: Walker, path: str, body: ir.ThingBody, params: tuple[ir.Param, ...]) -> Function:
    return lambda state, *args: walker.steps.triggered(state, path, body, params, args)
