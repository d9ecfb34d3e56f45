"""Secrets that leak by who is asked.

Everybody sees whose answer a game waits for. So a stage's `where`, the guard of a `may` and the one
who decides must not depend on what some player may not see.
"""

from collections.abc import Iterator
from typing import Any

from ziggurat.dsl.linking.advice_checks import Sight
from ziggurat.dsl.linking.span import source_text, span_of
from ziggurat.dsl.linking.world import World
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.walking import asks, calls, walk

_CURE = "Ask everybody who could be meant, and let the answers of the others do nothing."


def check_who_is_asked(world: World, ruleset: ir.Ruleset) -> None:
    """Warn of secrets that show by who is asked. Quiet while anything else is wrong."""
    if world.findings.has_errors:
        return
    sight = Sight(ruleset)
    asking = _asking_procedures(ruleset)
    for expr in _deciding_who(ruleset, asking):
        peek = next(sight.peeks(expr, {}), None)
        if peek is not None:
            read = source_text(world, peek.path[0] if peek.path else peek.at)
            message = f"Everybody sees who is asked, and that depends on `{read}`, which is hidden."
            world.warn("Z617", message, span_of(world, expr.at), _CURE)


def _deciding_who(ruleset: ir.Ruleset, asking: set[str]) -> Iterator[ir.Expr]:
    """Yield the expressions that decide who is asked."""
    for node in walk((ruleset.phases, ruleset.procedures, ruleset.things, ruleset.actions)):
        match node:
            case ir.Stage(kind="each" | "at_once" | "act", condition=ir.Expr() as condition):
                if node.kind == "act" or _may_ask(node.body, asking):
                    yield condition
            case ir.May(by=by, when=guard):
                yield by
                if guard is not None:
                    yield guard
            case ir.Choose(by=by) | ir.Select(by=by) | ir.Divide(by=by):
                yield by


def _asking_procedures(ruleset: ir.Ruleset) -> set[str]:
    """Return the procedures that may ask somebody, themselves or by what they call."""
    asking: set[str] = set()
    while found := {
        id_
        for id_, rule in ruleset.procedures.items()
        if id_ not in asking and _may_ask((rule.body, *(one.body for one in rule.triggers)), asking)
    }:
        asking |= found
    return asking


def _may_ask(body: Any, asking: set[str]) -> bool:
    """Return whether a body asks somebody; blocks of things might."""
    return asks(body) or any(kind == "body" or name in asking for kind, name, *_ in calls(body))
