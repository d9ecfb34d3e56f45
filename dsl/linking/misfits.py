"""Scenarios of lower packs that upper packs leave without sense.

What a pack removes takes its scenarios along. What it changes does not: a scenario that calls an
action which has other parameters now, or answers a decision that is no more, is changed by that
pack, which has to say what becomes of it. In the text of a pack that its author does not own it
would be no use to speak of mistakes.
"""

from collections.abc import Iterator

from ziggurat.dsl.diagnostics import Diagnostic, Span
from ziggurat.dsl.forms.scenarios import head_of, scenario
from ziggurat.dsl.linking.model import Decl
from ziggurat.dsl.linking.removals import Loss, Removal, may_not_know, tokens_of, unless_removed
from ziggurat.dsl.linking.world import World
from ziggurat.dsl.syntax import Declaration, Token
from ziggurat.runtime.kernel.forms.scenarios import Misfit, Scenario
from ziggurat.runtime.kernel.nodes import At


def fitting(world: World, decl: Decl) -> tuple[Scenario | Misfit, ...]:
    """The cases of a scenario, or a misfit; nothing if it is for another stack, or goes with
    something removed."""
    kept = world.notes
    mark, loss = kept.findings.mark(), len(kept.losses)
    told = f"The scenario {decl.name_span.text} goes, too."
    found = unless_removed(world, "scenario", told, decl.name_span, lambda: scenario(world, decl))
    if found is None:
        removal = kept.losses[loss].removal
        return () if removal.verb == "removes" else (_misfit(world, decl, removal),)
    errors = [one for one in kept.findings.since(mark) if one.is_error]
    changes = [_change_behind(world, decl, one) for one in errors]
    change = next(iter(changes), None)
    if change is None or None in changes:
        return found
    kept.findings.back_to(mark)
    told = f"The scenario {decl.name_span.text} does not fit any more."
    kept.losses.append(Loss(change, "scenario", told, decl.name_span))
    return (_misfit(world, decl, change),)


def _misfit(world: World, decl: Decl, change: Removal) -> Misfit:
    span = change.span
    place = At(span.source.path, span.line, span.column, span.end_line, span.end_column)
    return Misfit(head_of(world, decl), change.pack, change.spoken, place)


def _change_behind(world: World, decl: Decl, finding: Diagnostic) -> Removal | None:
    """The change of another pack that a mistake in a scenario comes of: of what is named nearest
    to it in the same item."""
    span = finding.span
    if span is None:
        return None
    names = sorted(_names_around(world, decl, span), key=lambda one: _distance(one, span))
    changes = (world.book.changed.get(str(name)) for name in names)
    return next(
        (one for one in changes if one and may_not_know(world.stack, span.source.pack, one)), None
    )


def _names_around(world: World, decl: Decl, span: Span) -> Iterator[Token]:
    """The names in the item of a scenario, or of a position that it shares, in which a place is."""
    shared = (item for given in world.book.of("given").values() for item in given.items)
    for item in (*decl.items, *shared):
        if item.span.contains(span):
            yield from tokens_of(item.node)
            yield from [item.node.word] if isinstance(item.node, Declaration) else []


def _distance(name: Token, span: Span) -> int:
    return abs(name.start_pos - span.start)
