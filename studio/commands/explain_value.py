"""`ziggurat explain STACK EXPRESSION`: why is this 8, and why may they not?"""

from collections.abc import Sequence
from pathlib import Path

from rich.text import Text
from rich.tree import Tree

from ziggurat import BadQuestion, Clause, Explanation, Verdict, explain, render_human
from ziggurat.studio.console import OK, UsageError, console
from ziggurat.studio.options import search_path
from ziggurat.studio.ruleset import loaded

DEPTH = 2


def explain_value(
    stack: str,
    expression: str,
    players: Sequence[str] = (),
    holding: Sequence[str] = (),
    given: Sequence[str] = (),
    packs: tuple[Path, ...] = (),
) -> int:
    """Explain an expression, or why the first of the players may not do an action."""
    ruleset = loaded(stack, packs)
    held = [f"give {thing} to {player}" for player, thing in map(_holding, holding)]
    try:
        found = explain(ruleset, expression, players, [*held, *given], search_path(packs))
    except BadQuestion as bad:
        render_human(bad.findings, console())
        raise UsageError(bad.text) from bad
    console().print(explained(found) if isinstance(found, Explanation) else _judged(found))
    return OK


def _holding(written: str) -> tuple[str, str]:
    player, sign, thing = written.partition("=")
    if not sign:
        raise UsageError(f"`--holding {written}` must look like `--holding rome=pottery`.")
    return player, thing


# ---- telling


def explained(told: Explanation, depth: int = DEPTH) -> Tree:
    """A result and where it came from, as a tree."""
    head = Text.assemble((told.text, "bold"), " is ", (told.result, "bold green"))
    tree = Tree(_with_source(head, told.cites, told.where))
    if told.base:
        base = Text(f"base {told.base}")
        tree.add(base.append(f"  = {told.formula}", "dim") if told.formula else base)
    for clause in told.clauses:
        branch = tree.add(_clause(clause))
        for condition in clause.conditions:
            style = "green" if condition.holds else "red"
            answer = "yes" if condition.holds else "no"
            branch.add(Text.assemble(f"{condition.text}: ", (answer, style)))
    if depth and told.parts:
        parts = tree.add(Text("made from", "dim")) if told.base else tree
        for part in told.parts:
            parts.add(explained(part, depth - 1))
    return tree


def _clause(clause: Clause) -> Text:
    if clause.applies:
        text = Text.assemble((clause.change, "bold"), f" by {clause.source}, makes {clause.after}")
    else:
        text = Text(f"{clause.change} by {clause.source} does not apply", "dim")
    if clause.reason:
        text.append(f' "{clause.reason}"')
    return _with_source(text, clause.cites, clause.where)


def _with_source(text: Text, *source: str) -> Text:
    told = "  ".join(filter(None, source))
    return text.append(f"  {told}", "dim") if told else text


def _judged(found: Verdict) -> Tree:
    what, refusal = f"{found.player}: {found.action}", found.refusal
    if refusal is None:
        return Tree(Text.assemble((what, "bold"), " is allowed by its own rules"))
    head = Text.assemble((what, "bold"), " is refused: ", (refusal.reason, "bold red"))
    tree = Tree(_with_source(head, refusal.cites, refusal.where))
    for part in refusal.parts:
        tree.add(explained(part))
    return tree
