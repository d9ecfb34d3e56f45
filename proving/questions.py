"""Questions about rules and games, asked in the words of the rules.

What is asked is linked as part of a little scenario, so it is read exactly as rules are, and the
position it is asked in can be given in the words of the rules, too. Asked by a seat about a running
game, it is answered from what the seat may know.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from ziggurat.dsl import ir
from ziggurat.dsl.diagnostics import Diagnostic, Source
from ziggurat.dsl.loading import load_sources
from ziggurat.dsl.packs import Search, read_sources, resolve_stack
from ziggurat.dsl.parse import parse_expression
from ziggurat.proving.coming_by import steps_to_hold
from ziggurat.proving.explain import Explanation, explain_expression
from ziggurat.proving.reference_program import reference_program
from ziggurat.proving.refusals import Refusal, explain_action
from ziggurat.proving.scenarios import Performance
from ziggurat.proving.veil import Unseen, veiled
from ziggurat.runtime.errors import RulesError
from ziggurat.runtime.game import Game

TITLE = "what is explained"
ASKED = "asked"
ME = "me"
_CALL = re.compile(r"\s*([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*)\s*\(")


class BadQuestion(Exception):  # noqa: N818 - what it is
    """What cannot be asked, or not answered; `findings` if the rules cannot read it."""

    def __init__(self, text: str, findings: Sequence[Diagnostic] = ()) -> None:
        super().__init__(text)
        self.text = text
        self.findings = tuple(findings)


@attrs.frozen
class Verdict:
    """Whether a player may take an action; without a `refusal` its own rules allow it. `assumed` is
    what was decided by itself on the way to the position."""

    player: str
    action: str
    refusal: Refusal | None
    assumed: tuple[str, ...] = ()


# ---- about rules


def explain(
    ruleset: ir.Ruleset,
    expression: str,
    players: Sequence[str] = (),
    given: Sequence[str] = (),
    search: Search | None = None,
    holding: Sequence[tuple[str, str]] = (),
) -> Explanation | Verdict:
    """Explain the value of an expression, or why the first of the players may not do an action.

    `given` are statements of the rules that make the position, one each; `holding` says who holds
    what, with all it brings; `players` are those the question names unless told. Raises
    `BadQuestion`.
    """
    if parse_expression(expression) is None:
        raise BadQuestion(f"`{expression}` is not an expression of the rules language.")
    called = _CALL.match(expression)
    action = bool(called and called.group(1) in ruleset.actions)
    named = " ".join((expression, *given, *(player for player, _ in holding)))
    seats = tuple(players) or _named_seats(ruleset, named)
    question = f"{seats[0]} cannot {expression}" if action else ""
    asked = [] if action else [f"let {ASKED} = {expression}"]
    held = [steps_to_hold(ruleset, player, thing) for player, thing in holding]
    text = _scenario(seats, [*given, *asked], question, [line for line, _ in held])
    found = _answer(*_linked(ruleset.stack, search, text))
    left_out = (told for _, told in held if told)
    return attrs.evolve(found, assumed=(*left_out, *found.assumed))


def _named_seats(ruleset: ir.Ruleset, text: str) -> tuple[str, ...]:
    """The players the question speaks of, and others up to two."""
    kinds = [kind.id for kind in ruleset.kinds.values() if "seat" in kind.roles]
    known = [thing for kind in kinds for thing in ruleset.things[kind]]
    if len(known) < 2:
        raise BadQuestion("say who plays, as in `--players anna,ben`.")
    named = [word for word in re.findall(r"[a-z][a-z0-9_]*", text) if word in known]
    return tuple(dict.fromkeys([*named, *known[: max(0, 2 - len(set(named)))]]))


def _scenario(
    players: Sequence[str], steps: Sequence[str], question: str = "", before: Sequence[str] = ()
) -> str:
    body = "\n".join(f"    {step}" for step in steps)
    lines = "\n".join(f"  {line}" for line in before)
    return (
        f'scenario "{TITLE}" {{\n  players {", ".join(players)}\n{lines}\n'
        f"  given {{\n{body}\n  }}\n  {question}\n  expect {{ check 1 == 1 }}\n}}\n"
    )


def _linked(stack: str, search: Search | None, text: str) -> tuple[ir.Ruleset, ir.Scenario]:
    """The ruleset with the question in it. Nothing but the whole stack knows all words."""
    found, findings = resolve_stack(stack, search or Search.default())
    if found is None:
        raise BadQuestion(f"`{stack}` is not found any more.", findings)
    sources, _ = read_sources(found)
    result = load_sources([*sources, Source("question", text, found.packs[-1].id)], found, findings)
    if result.ruleset is None:
        raise BadQuestion("that is not a question these rules can answer.", result.diagnostics)
    scenario = next(one for one in result.ruleset.scenarios if one.title == TITLE)
    return result.ruleset, scenario


def _answer(ruleset: ir.Ruleset, scenario: ir.Scenario) -> Explanation | Verdict:
    play = Performance(reference_program(ruleset), scenario)
    try:
        for item in scenario.items:
            match item:
                case ir.Given(body=(*before, ir.Let(name="asked", expr=asked))):
                    play.perform(ir.Given(tuple(before)))
                    found = explain_expression(play.game.table, play.game.state.copy(), asked)
                    return attrs.evolve(found, assumed=_unasked(play.game))
                case ir.Cannot(action=action, args=args, player=player):
                    state = play.game.state.copy()
                    given = tuple(play.steps.evaluate(state, arg, {}) for arg in args)
                    number = play.game.table.owner_ids[player]
                    refusal = explain_action(play.game.table, state, action, number, given)
                    return Verdict(player, action, refusal, _unasked(play.game))
                case _:
                    play.perform(item)
    except RulesError as wrong:
        raise BadQuestion(f"this cannot be worked out: {wrong.message}") from wrong
    raise BadQuestion("nothing was asked.")


def _unasked(game: Game) -> tuple[str, ...]:
    """What was decided on the way, though nobody said how."""
    chosen = (event for event in game.events() if event.what == "chose")
    return tuple(
        f"{event.text.removesuffix('.')} for {event.path}, the first option." for event in chosen
    )


# ---- about a game, by a seat


def explain_to(game: Game, seat: str, expression: str, search: Search | None = None) -> Explanation:
    """The value of an expression where a game stands, and where it comes from, as far as a seat may
    know it. Players are named by what they play, `me` is the seat. Raises `BadQuestion`."""
    text = _completed(game.ruleset, expression.strip())
    if parse_expression(text) is None:
        raise BadQuestion(f"`{text}` is not an expression of the rules language.")
    people = {_alias(game, name): name for name in game.seats}
    aliases = {name: alias for alias, name in people.items()}
    asked = _expression(game.ruleset.stack, search, re.sub(rf"\b{ME}\b", aliases[seat], text),
                        list(people))  # fmt: skip
    number = game.table.owner_ids[seat]
    state = veiled(game.table, game.shown(number), number)
    try:
        found = explain_expression(game.table, state, _seated(asked, people))
    except Unseen:
        raise BadQuestion("That depends on something you may not see.") from None
    except (RulesError, KeyError, TypeError, IndexError, ValueError) as wrong:
        raise BadQuestion(f"That cannot be worked out: {wrong}") from wrong
    told: Explanation = _spoken(found, aliases)
    return told


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


def _expression(stack: str, search: Search | None, text: str, players: list[str]) -> ir.Expr:
    """The expression in the words of the ruleset."""
    try:
        _, scenario = _linked(stack, search, _scenario(players, [f"let {ASKED} = {text}"]))
    except BadQuestion as bad:
        wrong = next((one for one in bad.findings if one.is_error), None)
        if wrong is None:
            raise
        raise BadQuestion(" ".join(filter(None, (wrong.message, wrong.suggestion)))) from bad
    for item in scenario.items:
        if isinstance(item, ir.Given) and isinstance(item.body[-1], ir.Let):
            return item.body[-1].expr
    raise BadQuestion(f"`{text}` is not an expression of the rules language.")


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
