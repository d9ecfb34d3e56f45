"""Questions about a running game, in the words of the rules: by a seat, which is told no more than
it may know, or by somebody who sees all.

What is asked is linked in a little scenario of the players at the table, who go by what they play.
"""

import re
from collections.abc import Mapping
from typing import Any

import attrs

from ziggurat.dsl.nearest import did_you_mean
from ziggurat.dsl.packs import Search
from ziggurat.dsl.parse import parse_expression
from ziggurat.proving.explain import Explanation, explain_expression
from ziggurat.proving.happened import Happening, happening
from ziggurat.proving.options import asked_of, option_refused
from ziggurat.proving.questions import BadQuestion, Verdict, linked, question, scenario_text
from ziggurat.proving.refusals import explain_action
from ziggurat.proving.veil import Unseen, veiled
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.errors import RulesError
from ziggurat.runtime.kernel.evaluator import Evaluator
from ziggurat.runtime.kernel.state import State

ME = "me"
WHY_NOT = "why not "
WHY = re.compile(r"why(?:\s+(?:(\d+)|last))?")
_BETWEEN = frozenset({"in", "at", "on", "from", "to", "with", "for", "of"})


def explain_to(game: Game, seat: str, expression: str, search: Search | None = None) -> Explanation:
    """The value of an expression where a game stands, and where it comes from, as far as a seat may
    know it. Players are named by what they play, `me` is the seat. Raises `BadQuestion`."""
    number = game.table.owner_ids[seat]
    state = veiled(game.table, game.shown(number), number)
    found = _explained(game, state, seat, expression, search)
    if isinstance(found, Verdict):
        raise BadQuestion(f"`{expression}` is an action; `why not` tells of those.")
    return found


def explain_at(
    game: Game, expression: str, seat: str = "", search: Search | None = None
) -> Explanation | Verdict | Happening:
    """The value of an expression where a game stands, with nothing hidden; why an action may not be
    done there, or an option not be chosen (`why not build_city in argos`, `why not argos`), by a
    seat or whoever is asked; or why a line of the log is there (`why 12`, `why last`). Raises
    `BadQuestion`."""
    aliases = {_alias(game, name): name for name in game.seats}
    asked = game.decision.decider if game.decision is not None else game.seats[0]
    who = aliases.get(seat, seat) or asked
    if who not in game.seats:
        near = did_you_mean(seat, aliases) or f"There are {', '.join(aliases)}."
        raise BadQuestion(f"`{seat}` does not play. {near}")
    line = WHY.fullmatch(expression.strip())
    if line is not None:
        return why_happened(game, int(line[1]) if line[1] else None)
    if expression.startswith(WHY_NOT):
        return refused_to(game, who, expression.removeprefix(WHY_NOT), veil=False)
    return _explained(game, game.shown(game.table.owner_ids[who]).copy(), who, expression, search)


def _explained(
    game: Game, state: State, seat: str, expression: str, search: Search | None
) -> Explanation | Verdict:
    text = _completed(game.ruleset, expression.strip())
    if parse_expression(text) is None:
        raise BadQuestion(f"`{text}` is not an expression of the rules language.")
    people = {_alias(game, name): name for name in game.seats}
    aliases = {name: alias for alias, name in people.items()}
    text = re.sub(rf"\b{ME}\b", aliases[seat], text)
    item = _seated(_item(game.ruleset, search, text, aliases[seat], list(people)), people)
    try:
        if isinstance(item, ir.Cannot):
            run = Evaluator(game.table)
            given = tuple(run.evaluate(state, arg, {}) for arg in item.args)
            number = game.table.owner_ids[seat]
            refusal = explain_action(game.table, state, item.action, number, given)
            turn = _turn(game, seat, item.action)
            found: Any = Verdict(aliases[seat], item.action, refusal, turn=turn)
        else:
            found = explain_expression(game.table, state, item.body[-1].expr)
    except Unseen:
        raise BadQuestion("That depends on something you may not see.") from None
    except (RulesError, KeyError, TypeError, IndexError, ValueError) as wrong:
        raise BadQuestion(f"That cannot be worked out: {wrong}") from wrong
    told: Explanation | Verdict = _spoken(found, aliases)
    return told


def why_happened(game: Game, number: int | None = None, seat: str | None = None) -> Happening:
    """Why a line of the log is there: the rules that ran, what decided in them with its numbers,
    and the answers that led to it. `number` counts the lines that the seat may read (all of them
    without a seat, and then nothing is hidden) from 1; the last line unless told. Raises
    `BadQuestion`."""
    found = happening(game, number, seat)
    told: Happening = _spoken(found, {name: _alias(game, name) for name in game.seats})
    return told


def refused_to(game: Game, seat: str, text: str, veil: bool = True) -> Verdict:
    """Why a seat is not offered an action: `build_city in argos`, `march knossos`; or an option of
    what it is asked: `argos`. What is named of an action's parameters is looked at, from the first
    on, as far as the seat may know unless there is no `veil`. Raises `BadQuestion`."""
    action, *words = re.findall(r"[\w.]+", text) or [""]
    declared = game.ruleset.actions.get(action)
    if declared is None:
        near = did_you_mean(action, list(game.ruleset.actions))
        if asked_of(game, seat) is None or (near and not words):
            raise BadQuestion(f"there is no action `{action}`. {near or ''}".strip())
        found = option_refused(game, seat, text, veil)
        verdict: Verdict = _spoken(found, {name: _alias(game, name) for name in game.seats})
        return verdict
    names = [word for word in words if word not in _BETWEEN]
    if len(names) > len(declared.params):
        wanted = ", ".join(param.name for param in declared.params) or "nothing"
        raise BadQuestion(f"`{action}` takes {wanted}; that is more.")
    number = game.table.owner_ids[seat]
    shown = game.shown(number)
    state = veiled(game.table, shown, number) if veil else shown.copy()
    try:
        given = tuple(
            game.table.parse(_plain(name), param.type)
            for name, param in zip(names, declared.params, strict=False)
        )
        refusal = explain_action(game.table, state, action, number, given)
    except Unseen:
        raise BadQuestion("That depends on something you may not see.") from None
    except (RulesError, KeyError, TypeError, IndexError, ValueError) as wrong:
        raise BadQuestion(f"that cannot be worked out: {wrong}") from wrong
    return Verdict(_alias(game, seat), action, refusal, turn=_turn(game, seat, action))


def _plain(name: str) -> Any:
    return int(name) if name.isdecimal() else name


def _turn(game: Game, seat: str, action: str) -> str:
    """Why an action cannot be taken now whatever its own rules say; empty if it can."""
    phase, now = game.ruleset.actions[action].phase, game.position.phase
    if now != phase:
        told = f"now it is {now}" if now else "no phase runs now"
        return f"This is done in {phase}, and {told}."
    acting = [face.decider for face in game.decisions if face.kind == "act"]
    return "" if seat in acting else f"It is not the turn of {seat}."


def _alias(game: Game, seat: str) -> str:
    plays = game.seen_by(seat).plays(seat)
    return seat if plays is None else plays.id


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
    raise BadQuestion(f"`{text}` needs to know more: `explain {text}({wanted})`.")


def _item(
    rules: ir.Ruleset, search: Search | None, text: str, player: str, players: list[str]
) -> ir.ScenarioItem:
    """What is asked in the words of the ruleset."""
    asked = question(rules, player, text)
    try:
        _, scenario = linked(rules.stack, search, scenario_text(players, [asked]))
    except BadQuestion as bad:
        wrong = next((one for one in bad.findings if one.is_error), None)
        if wrong is None:
            raise
        raise BadQuestion(" ".join(filter(None, (wrong.message, wrong.suggestion)))) from bad
    return scenario.items[-1]


def _seated(expr: Any, people: Mapping[str, str]) -> Any:
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


def _spoken(found: Any, names: Mapping[str, str]) -> Any:
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
