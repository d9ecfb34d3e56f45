"""`ziggurat explain STACK EXPRESSION`: why is this 8, and why may they not?"""

from pathlib import Path

import attrs

from ziggurat import BadQuestion, Explanation, Happening, Verdict, explain, explain_at, render_human
from ziggurat.studio.console import OK, UsageError, console
from ziggurat.studio.explained import tell
from ziggurat.studio.options import named_folders, search_path
from ziggurat.studio.positions import saved_game
from ziggurat.studio.ruleset import loaded


@attrs.frozen
class Asked:
    """What is asked, and where: in a position made up, in a saved game or in a scenario."""

    stack: str
    expression: str
    players: tuple[str, ...] = ()
    holding: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    state: str = ""
    scenario: str = ""
    packs: tuple[Path, ...] = ()
    rules: str = ""  # by which a saved game is opened


def explain_value(asked: Asked, depth: int | None = None) -> int:
    """Explain an expression, or why the first of the players may not do an action."""
    try:
        found = _in_game(asked) if asked.state else _in_rules(asked)
    except BadQuestion as bad:
        render_human(bad.findings, console())
        raise UsageError(bad.text) from bad
    tell(console(), found, depth)
    return OK


def _in_game(asked: Asked) -> Explanation | Verdict | Happening:
    opened = saved_game(asked.state, asked.stack, asked.packs, asked.rules)
    seat = (*asked.players, "")[0]
    return explain_at(opened.save.remembered(), asked.expression, seat, opened.search)


def _in_rules(asked: Asked) -> Explanation | Verdict:
    ruleset = loaded(asked.stack, asked.packs)
    held = [_holding(one) for one in asked.holding]
    search = search_path((*named_folders(asked.stack), *asked.packs))
    return explain(
        ruleset, asked.expression, asked.players, asked.given, search, held, asked.scenario
    )


def _holding(written: str) -> tuple[str, str]:
    player, sign, thing = written.partition("=")
    if not sign:
        raise UsageError(f"`--holding {written}` must look like `--holding rome=pottery`.")
    return player, thing
