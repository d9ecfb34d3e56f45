"""Conditions that a removal settles: nobody holds a removed thing, and nothing is one."""

from collections.abc import Callable
from typing import Any

from ziggurat.dsl.linking.context import Context
from ziggurat.dsl.linking.lookup import thing_kinds
from ziggurat.dsl.linking.model import Item
from ziggurat.dsl.linking.removals import Loss, Removal, quoted_from
from ziggurat.dsl.linking.world import World
from ziggurat.runtime.kernel.forms.core import Lit
from ziggurat.runtime.kernel.nodes import BOOL, Expr

# Known by identity: a `no` that somebody wrote is none of these.
NEVER = Lit(False, BOOL)
ALWAYS = Lit(True, BOOL)


def removed_thing(
    cx: Context, node: Any, is_wanted: Callable[[str], bool] = lambda _: False
) -> Removal | None:
    """The removal of the thing that a bare name meant, for packs that may not know of it. Where
    something else has that name, too, it was meant if a thing of its kind is wanted.

    None in a scenario, whose checks would come to something else: it goes as a whole.
    """
    if node.rule != "name" or cx.scenario is not None:
        return None
    name = str(node.parts[0])
    removal = cx.world.removal_of(name, cx.file.source.pack) if name not in cx.names else None
    others = thing_kinds(cx, name) if removal is not None else ()
    if not others:
        return removal
    gone = [one for one in cx.world.kinds if (one, name) in cx.world.book.gone]
    return removal if any(one not in others and is_wanted(one) for one in gone) else None


def settled(cx: Context, node: Any, removal: Removal, holds: bool = False) -> Expr:
    """What a condition about a removed thing comes to; it is listed with the removal."""
    word = "always" if holds else "never"
    span = cx.span(node)
    told = f"`{quoted_from(span)}` is {word} so now."
    cx.world.notes.losses.append(Loss(removal, "condition", told, span))
    return ALWAYS if holds else NEVER


def denied(found: Expr) -> Expr | None:
    """The contrary of a settled condition, or None if it is not settled."""
    return ALWAYS if found is NEVER else NEVER if found is ALWAYS else None


def unless_never(world: World, what: str, told: str, item: Item, make: Callable[[], Any]) -> Any:
    """What is made, or None if a removal settles that it never applies: then it goes along."""
    losses = world.notes.losses
    mark = len(losses)
    found = make()
    if found is not NEVER:
        return found
    removal = losses[mark].removal
    del losses[mark:]
    losses.append(Loss(removal, what, told, item.span))
    world.notes.unsaid.append((item.node, removal))
    return None
