"""Mutants that change nothing: what a pack says about wrong rules that no scenario can notice.

Which mutants there are is not known here: `ziggurat test --mutate` compares, and tells of those
that are listed and noticed after all, or that can no longer be made.
"""

from ziggurat.dsl.linking.model import Item, unquoted
from ziggurat.dsl.linking.world import World
from ziggurat.runtime.kernel.forms.harmless import Harmless
from ziggurat.runtime.kernel.nodes import At


def harmless(world: World) -> tuple[Harmless, ...]:
    """All that the packs of a stack list."""
    return tuple(_harmless(world, item) for item in world.book.mutants)


def _harmless(world: World, item: Item) -> Harmless:
    name, reason = item.node.parts
    if not unquoted(reason):
        message = "Why this mutant changes nothing is not said."
        advice = "Write the reason after `because`."
        world.report("Z608", message, item.file.span(reason), advice)
    span = item.file.span(item.node)
    at = At(span.source.path, span.line, span.column, *span.source.position(span.end))
    return Harmless(unquoted(name), unquoted(reason), at=at)
