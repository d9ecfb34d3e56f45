"""Rules for the commands that play: a stack's compiled program, or its findings for people."""

from ziggurat.dsl.packs import Search
from ziggurat.dsl.report import render_human
from ziggurat.runtime.cache import load_program
from ziggurat.runtime.program import Program
from ziggurat.studio.console import UsageError, console


def program(stack: str, search: Search) -> Program:
    """The compiled rules of a stack. Broken packs are shown, and then there is nothing to play."""
    found, diagnostics = load_program(stack, search)
    if found is None:
        render_human([one for one in diagnostics if one.is_error], console())
        raise UsageError(f"`{stack}` cannot be played before that is mended.")
    if not found.ruleset.turns:
        raise UsageError(f"`{stack}` is no game of its own: it has no turn. Try `ziggurat packs`.")
    return found


def players_of(rules: Program, wanted: int | None) -> int:
    """How many play: what was asked for, if the packs allow it, else as many as they allow."""
    allowed: set[int] | None = None
    for pack in rules.ruleset.packs:
        if pack.players:
            low, _, high = pack.players.partition("-")
            span = set(range(int(low), int(high or low) + 1))
            allowed = span if allowed is None else allowed & span
    if not allowed:
        return wanted or 2
    if wanted is not None and wanted not in allowed:
        stack, fewest, most = rules.ruleset.stack, min(allowed), max(allowed)
        raise UsageError(f"`{stack}` is for {fewest} to {most} players, not {wanted}.")
    return wanted or max(allowed)
