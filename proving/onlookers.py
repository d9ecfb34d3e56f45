"""What happened in the last run of a scenario: who was asked, what was said, and who sees what."""

from collections.abc import Sequence

from ziggurat.proving.explain import explain_expression
from ziggurat.proving.script_words import Tell
from ziggurat.proving.scripts import Mismatch, Script
from ziggurat.proving.veil import Unseen, veiled
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import Table


def check_asked(item: ir.Asked, script: Script) -> None:
    """Exactly these were asked, in this order; who acts several times in a row is asked once."""
    found = [name for name, path in script.asked if path == item.path]
    if item.path in script.run.ruleset.phases:
        found = [name for n, name in enumerate(found) if not n or found[n - 1] != name]
    if tuple(found) != item.players:
        expected = f"{', '.join(item.players)} decide {item.path} in order"
        raise Mismatch(expected, f"asked were: {', '.join(found) or 'none'}", item.at)


def check_said(item: ir.Said, told: Sequence[str]) -> None:
    """Each text is a part of a sentence after the one before, or of none at all."""
    if item.silent:
        for sentence in told:
            if any(text in sentence for text in item.texts):
                listed = ", ".join(f'"{text}"' for text in item.texts)
                raise Mismatch(f"nobody said {listed}", sentence, item.at)
        return
    following = iter(told)
    for text in item.texts:
        if not any(text in sentence for sentence in following):
            listed = "; ".join(told) or "nothing"
            raise Mismatch(f'said "{text}", after what stands before it', listed, item.at)


def check_sees(item: ir.Sees, table: Table, state: State, tell: Tell) -> None:
    """A player can work out the one from what they see, and not the other."""
    known = veiled(table, state, table.owner_ids[item.player])
    if item.shown is not None and not _can_tell(table, known, item.shown):
        expected = f"{item.player} sees {tell(item.shown)}"
        raise Mismatch(expected, "it depends on something hidden", item.at)
    if item.hidden is not None and _can_tell(table, known, item.hidden):
        expected = f"{item.player} does not see {tell(item.hidden)}"
        raise Mismatch(expected, "nothing of it is hidden", item.at)


def _can_tell(table: Table, state: State, expr: ir.Expr) -> bool:
    try:
        explain_expression(table, state, expr)
    except Unseen:
        return False
    return True
