"""`ziggurat explain STACK EXPRESSION`: why is this 8, and why may they not?"""

from collections.abc import Sequence
from pathlib import Path

from ziggurat import BadQuestion, explain, render_human
from ziggurat.studio.console import OK, UsageError, console
from ziggurat.studio.explained import tell
from ziggurat.studio.options import search_path
from ziggurat.studio.ruleset import loaded


def explain_value(
    stack: str,
    expression: str,
    players: Sequence[str] = (),
    holding: Sequence[str] = (),
    given: Sequence[str] = (),
    depth: int | None = None,
    packs: tuple[Path, ...] = (),
) -> int:
    """Explain an expression, or why the first of the players may not do an action."""
    ruleset = loaded(stack, packs)
    held = [_holding(one) for one in holding]
    try:
        found = explain(ruleset, expression, players, given, search_path(packs), held)
    except BadQuestion as bad:
        render_human(bad.findings, console())
        raise UsageError(bad.text) from bad
    tell(console(), found, depth)
    return OK


def _holding(written: str) -> tuple[str, str]:
    player, sign, thing = written.partition("=")
    if not sign:
        raise UsageError(f"`--holding {written}` must look like `--holding rome=pottery`.")
    return player, thing
