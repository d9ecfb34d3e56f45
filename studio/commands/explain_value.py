"""`ziggurat explain STACK EXPRESSION`: why is this 8, and why may they not?

What is asked is linked as part of a little scenario, so it is read exactly as rules are, and the
position it is asked in can be given in the words of the rules.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from rich.text import Text
from rich.tree import Tree

from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.ir import Cannot, Given, Let, Ruleset, Scenario
from ziggurat.dsl.loading import load_sources
from ziggurat.dsl.packs import read_sources, resolve_stack
from ziggurat.dsl.parse import parse_expression
from ziggurat.dsl.report import render_human
from ziggurat.proving.explain import (
    Clause,
    Explanation,
    Refusal,
    explain_action,
    explain_expression,
)
from ziggurat.proving.positions import Preparation
from ziggurat.proving.reference_steps import Steps
from ziggurat.runtime.state import State
from ziggurat.runtime.table import Table
from ziggurat.studio.console import OK, UsageError, console
from ziggurat.studio.options import search_path
from ziggurat.studio.ruleset import loaded

QUESTION = "what is explained"
DEPTH = 2
_CALL = re.compile(r"\s*([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*)\s*\(")


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
    if parse_expression(expression) is None:
        raise UsageError(f"`{expression}` is not an expression of the rules language.")
    called = _CALL.match(expression)
    action = bool(called and called.group(1) in ruleset.actions)
    held = [_holding(one) for one in holding]
    seats = tuple(players) or _seats(ruleset, " ".join((expression, *holding, *given)))
    steps = [f"give {thing} to {player}" for player, thing in held] + list(given)
    question = f"{seats[0]} cannot {expression}" if action else ""
    asked = [] if action else [f"let asked = {expression}"]
    asking = _linked(stack, packs, _scenario(seats, [*steps, *asked], question))
    console().print(_answer(*asking))
    return OK


def _holding(written: str) -> tuple[str, str]:
    player, sign, thing = written.partition("=")
    if not sign:
        raise UsageError(f"`--holding {written}` must look like `--holding rome=pottery`.")
    return player, thing


def _seats(ruleset: Ruleset, text: str) -> tuple[str, ...]:
    """The players the question speaks of, and others up to two."""
    kinds = [kind.id for kind in ruleset.kinds.values() if "seat" in kind.roles]
    known = [thing for kind in kinds for thing in ruleset.things[kind]]
    if len(known) < 2:
        raise UsageError("say who plays, as in `--players anna,ben`.")
    named = [word for word in re.findall(r"[a-z][a-z0-9_]*", text) if word in known]
    return tuple(dict.fromkeys([*named, *known[: max(0, 2 - len(set(named)))]]))


def _scenario(players: Sequence[str], steps: Sequence[str], question: str) -> str:
    body = "\n".join(f"    {step}" for step in steps)
    return (
        f'scenario "{QUESTION}" {{\n  players {", ".join(players)}\n'
        f"  given {{\n{body}\n  }}\n  {question}\n  expect {{ check 1 == 1 }}\n}}\n"
    )


def _linked(stack: str, packs: tuple[Path, ...], text: str) -> tuple[Ruleset, Scenario]:
    """The ruleset with the question in it."""
    found, findings = resolve_stack(stack, search_path(packs))
    assert found is not None
    sources, _ = read_sources(found)
    question = Source("question", text, found.packs[-1].id)
    result = load_sources([*sources, question], found, findings)
    if result.ruleset is None:
        render_human(result.diagnostics, console())
        raise UsageError("that is not a question these rules can answer.")
    scenario = next(one for one in result.ruleset.scenarios if one.title == QUESTION)
    return result.ruleset, scenario


def _answer(ruleset: Ruleset, scenario: Scenario) -> Tree:
    table = Table(ruleset, scenario.players)
    state = State(table)
    steps = Steps(table, ())
    for item in scenario.items:
        match item:
            case Given(body=(*before, Let(name="asked", expr=asked))):
                Preparation(steps).prepare(state, before)
                return explained(explain_expression(table, state, asked))
            case Given(body=body):
                Preparation(steps).prepare(state, body)
            case Cannot(action=action, args=args, player=player):
                given = tuple(steps.evaluate(state, arg, {}) for arg in args)
                number = table.owner_ids[player]
                refusal = explain_action(table, state, action, number, given)
                return _refused(f"{player}: {action}", refusal)
    raise UsageError("nothing was asked.")


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


def _refused(what: str, refusal: Refusal | None) -> Tree:
    if refusal is None:
        return Tree(Text.assemble((what, "bold"), " is allowed by its own rules"))
    head = Text.assemble((what, "bold"), " is refused: ", (refusal.reason, "bold red"))
    tree = Tree(_with_source(head, refusal.cites, refusal.where))
    for part in refusal.parts:
        tree.add(explained(part))
    return tree
