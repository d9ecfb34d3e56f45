"""Rules for the commands that play: a stack's compiled program, or its findings for people."""

from collections.abc import Sequence

from ziggurat import (
    BadCatalogue,
    Header,
    Program,
    Search,
    load_program,
    players_text,
    render_human,
    search_for,
)
from ziggurat.studio.console import UsageError, console
from ziggurat.studio.language import spoken


def program(stack: str, search: Search) -> Program:
    """The compiled rules of a stack, in the language that is spoken. Broken packs are shown, and
    then there is nothing to play."""
    try:
        found, diagnostics = load_program(stack, search, language=spoken())
    except BadCatalogue as wrong:
        raise UsageError(str(wrong)) from wrong
    if found is None:
        render_human([one for one in diagnostics if one.is_error], console())
        raise UsageError(f"`{stack}` cannot be played before that is mended.")
    if not found.ruleset.turns:
        raise UsageError(f"`{stack}` is no game of its own: it has no turn. Try `ziggurat packs`.")
    return found


def saved_program(header: Header, search: Search) -> Program:
    """The compiled rules of a saved game, whose packs are looked for where they were, too."""
    return program(header.stack, search_for(header, search))


def players_of(programs: Sequence[Program], wanted: int | None) -> int:
    """How many play: what was asked for, if the packs admit it, else as many as they admit."""
    said = [set(rules.ruleset.players) for rules in programs if rules.ruleset.players]
    if not said:
        return wanted or 2
    suiting = set.intersection(*said)
    stacks = "` and `".join(rules.ruleset.stack for rules in programs)
    if not suiting:
        raise UsageError(f"no number of players suits both `{stacks}`.")
    if wanted is not None and wanted not in suiting:
        are = "is" if len(programs) == 1 else "are"
        raise UsageError(f"`{stacks}` {are} for {players_text(sorted(suiting))}, not {wanted}.")
    return wanted or max(suiting)
