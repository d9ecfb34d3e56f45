"""Words that players miss: what an action asks for, and why it is refused."""

from ziggurat.dsl.diagnostics import Diagnostic, Severity
from ziggurat.dsl.linking.span import span_of
from ziggurat.dsl.linking.world import World
from ziggurat.runtime import kernel as ir

_ASK = 'Write a question behind it, as in `n from 1..3 "How many?"`.'
_REFUSE = 'Write a sentence behind it, as in `needs p.points > 0 "You have no points."`.'


def check_words(world: World, ruleset: ir.Ruleset) -> None:
    """Report parameters of actions without a question, and requirements without a reason.

    That is a warning in a pack that says for how many players it is, and a note in packs below
    it. Quiet while anything is wrong, and in stacks that are no game yet.
    """
    if world.findings.has_errors or not ruleset.players:
        return
    for action in ruleset.actions.values():
        title = action.title or action.id
        for param in action.params:
            if not param.prompt:
                _report(world, f"`{title}` asks for `{param.name}` without words.", param.at, _ASK)
        for need in action.needs:
            if not need.reason:
                _report(world, f"`{title}` can be refused here without a reason.", need.at, _REFUSE)


def _report(world: World, message: str, at: ir.At, advice: str) -> None:
    span = span_of(world, at)
    home = span.source.pack if span is not None else ""
    is_game = any(pack.id == home and pack.players for pack in world.stack.packs)
    severity: Severity = "warning" if is_game else "note"
    world.add(Diagnostic("Z039", message, span, advice, severity=severity))
