"""Everything that is not a rule, declared in the order in which one needs the other."""

from ziggurat.dsl import ir
from ziggurat.dsl.linking.attributes import attributes, options
from ziggurat.dsl.linking.equipment import families, neutrals, pieces, places
from ziggurat.dsl.linking.kinds import field_defaults, kind, kind_names
from ziggurat.dsl.linking.world import World


def declare(world: World) -> dict[str, ir.Kind]:
    """Fill the tables of everything that is not a rule."""
    kind_names(world)
    families(world)
    kinds = {decl.path: kind(world, decl) for decl in world.book.of("kind").values()}
    for name in world.kinds:
        world.things[name] = world.book.of(name)
        for thing in world.things[name]:
            world.kinds_of_name.setdefault(thing, []).append(name)
    places(world)
    pieces(world)
    neutrals(world)
    options(world)
    attributes(world)
    return field_defaults(world, kinds)
