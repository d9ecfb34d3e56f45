"""Rules for the commands that play: a stack's compiled program, or its findings for people."""

import sys
from collections.abc import Sequence

from ziggurat import (
    BadCatalogue,
    Program,
    Search,
    load_program,
    players_text,
    read_catalogues,
    read_translation,
    render_human,
    resolve_stack,
    wordings,
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
    if spoken():
        _warn_of_english(found, stack, search)
    return found


def _warn_of_english(program: Program, stack: str, search: Search) -> None:
    """Say so if most texts of a game are not translated into the language that is spoken."""
    resolved, _ = resolve_stack(stack, search)
    catalogues = read_catalogues(resolved, search, spoken()) if resolved else []
    translations = {
        text for name, data in catalogues for text in read_translation(name, data).texts.values()
    }
    texts = [wording.text for wording in wordings(program.ruleset)]
    done = sum(text in translations for text in texts)
    if 2 * done < len(texts):
        console(sys.stderr).print(
            f"Only {done} of the {len(texts)} texts of {stack} are translated into `{spoken()}`;"
            " the others are in English.",
            style="yellow",
            markup=False,
            soft_wrap=True,
        )


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
