"""`explain`: any expression of the rules language, on the position as a seat knows it."""

import re
from typing import Any

import attrs
from rich.tree import Tree

from ziggurat.dsl import ir
from ziggurat.dsl.diagnostics import Source
from ziggurat.dsl.loading import load_sources
from ziggurat.dsl.packs import Search, read_sources, resolve_stack
from ziggurat.dsl.parse import parse_expression
from ziggurat.proving.explain import Explanation, explain_expression
from ziggurat.runtime.errors import RulesError
from ziggurat.runtime.game import Game
from ziggurat.studio.commands.explain_value import explained
from ziggurat.studio.play.naming import Names, WrongInput
from ziggurat.studio.play.veil import Unseen, veiled

ME = "me"
ASKED = "asked"
TITLE = "a question during play"


def explain(game: Game, seat: str, names: Names, search: Search, text: str) -> Tree:
    """The value of an expression and where it comes from. Raises `WrongInput`."""
    table = game.table
    text = _completed(game.run.rules, text.strip())
    if parse_expression(text) is None:
        raise WrongInput(f"`{text}` is not an expression of the rules language.")
    people = {names.alias(name): name for name in table.owner_names[: len(table.players)]}
    asked = _linked(game.run.rules.stack, search, re.sub(rf"\b{ME}\b", names.alias(seat), text),
                    list(people))  # fmt: skip
    number = table.owner_ids[seat]
    state = veiled(table, game.shown(number), number)
    try:
        found = explain_expression(table, state, _seated(asked, people))
    except Unseen:
        raise WrongInput("That depends on something you may not see.") from None
    except RulesError as wrong:
        raise WrongInput(f"That cannot be worked out: {wrong}") from wrong
    return explained(_spoken(found, {name: alias for alias, name in people.items()}))


def _completed(rules: ir.Ruleset, text: str) -> str:
    """A value of one player, named alone, is meant for whoever asks."""
    value = rules.values.get(text)
    if value is None:
        return text
    if not value.params:
        return f"{text}()"
    if len(value.params) == 1 and value.params[0].type.name in ("player", "owner"):
        return f"{text}({ME})"
    wanted = ", ".join(param.name for param in value.params)
    raise WrongInput(f"`{text}` needs to know more: `explain {text}({wanted})`.")


def _linked(stack: str, search: Search, text: str, players: list[str]) -> ir.Expr:
    """The expression in the words of the ruleset. Nothing but the whole stack knows all words."""
    question = (
        f'scenario "{TITLE}" {{\n  players {", ".join(players)}\n'
        f"  given {{ let {ASKED} = {text} }}\n  expect {{ check 1 == 1 }}\n}}\n"
    )
    found, _ = resolve_stack(stack, search)
    assert found is not None
    sources, _ = read_sources(found)
    result = load_sources([*sources, Source("question", question, found.packs[-1].id)], found)
    if result.ruleset is None:
        wrong = next(one for one in result.diagnostics if one.is_error)
        raise WrongInput(" ".join(filter(None, (wrong.message, wrong.suggestion))))
    scenario = next(one for one in result.ruleset.scenarios if one.title == TITLE)
    for item in scenario.items:
        if isinstance(item, ir.Given) and isinstance(item.body[-1], ir.Let):
            return item.body[-1].expr
    raise WrongInput(f"`{text}` is not an expression of the rules language.")


def _seated(expr: Any, people: dict[str, str]) -> Any:
    """Players by the names of their seats."""
    if isinstance(expr, ir.OwnerRef):
        return attrs.evolve(expr, id=people.get(expr.id, expr.id))
    if isinstance(expr, tuple):
        return tuple(_seated(part, people) for part in expr)
    if attrs.has(type(expr)) and not isinstance(expr, ir.At | ir.Meta | ir.Type):
        changes = {
            field.name: _seated(getattr(expr, field.name), people)
            for field in attrs.fields(type(expr))
        }
        return attrs.evolve(expr, **changes)
    return expr


def _spoken(found: Any, names: dict[str, str]) -> Any:
    """An explanation with players by what they play."""
    if isinstance(found, str):
        return re.sub(r"\w+", lambda word: names.get(word[0], word[0]), found)
    if isinstance(found, tuple):
        return tuple(_spoken(part, names) for part in found)
    if attrs.has(type(found)):
        keep = ("where", "cites")
        changes = {
            field.name: _spoken(getattr(found, field.name), names)
            for field in attrs.fields(type(found))
            if field.name not in keep
        }
        return attrs.evolve(found, **changes)
    return found


__all__ = ["Explanation", "explain"]
