"""Questions about rules, asked in the words of the rules.

What is asked is linked as part of a little scenario, so it is read exactly as rules are, and the
position it is asked in can be given in the words of the rules, too; or it is put at the end of a
scenario that is there, and asked where that one has come to. Questions about running games are in
`questions_in_games`.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from ziggurat.dsl.diagnostics import Diagnostic, Source
from ziggurat.dsl.loading import load_sources
from ziggurat.dsl.nearest import did_you_mean
from ziggurat.dsl.packs import Search, read_sources, resolve_stack
from ziggurat.dsl.parse import parse_expression
from ziggurat.proving.coming_by import holding_steps
from ziggurat.proving.excerpts import Excerpt, NoSuchPlace, meant_scenario, with_lines
from ziggurat.proving.explain import Explanation, explain_expression
from ziggurat.proving.refusals import Refusal, explain_action
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.errors import RulesError

TITLE = "what is explained"
ASKED = "asked"
_CALL = re.compile(r"\s*([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*)\s*\(")


class BadQuestion(Exception):  # noqa: N818 - what it is
    """What cannot be asked, or not answered; `findings` if the rules cannot read it."""

    def __init__(self, text: str, findings: Sequence[Diagnostic] = ()) -> None:
        super().__init__(text)
        self.text = text
        self.findings = tuple(findings)


@attrs.frozen
class Verdict:
    """Whether a player may take an action, or choose an `option` of what is asked; without a
    `refusal` its own rules allow it, or it is offered. `assumed` is what was decided by itself on
    the way to the position, and `turn` says in a running game why it is not the time for it."""

    player: str
    action: str
    refusal: Refusal | None
    assumed: tuple[str, ...] = ()
    turn: str = ""
    option: bool = False


# ---- about rules


def explain(
    ruleset: ir.Ruleset,
    expression: str,
    players: Sequence[str] = (),
    given: Sequence[str] = (),
    search: Search | None = None,
    holding: Sequence[tuple[str, str]] = (),
    scenario: str = "",
) -> Explanation | Verdict:
    """Explain the value of an expression, or why the first of the players may not do an action.

    `given` are statements of the rules that make the position, one each; `holding` says who holds
    what, with all it brings; `players` are those the question names unless told. With the title of
    a `scenario` it is asked where that one ends, or at a step of it, as in `title@step`: `given`,
    so many answers, a decision, or a rule that begins. Raises `BadQuestion`.
    """
    if parse_expression(expression) is None:
        raise BadQuestion(f"`{expression}` is not an expression of the rules language.")
    check_players(ruleset, (*players, *(player for player, _ in holding)))
    held, left_out = holding_steps(ruleset, holding)
    if scenario:
        try:
            place, step = meant_scenario(ruleset, scenario)
            actor = (*players, *place.players)[0]
            asked = [*map(_as_given, (*held, *given)), question(ruleset, actor, expression)]
            found = _answer(*_linked_into(ruleset, search, place, asked), len(asked), step)
        except NoSuchPlace as wrong:
            raise BadQuestion(str(wrong)) from wrong
    else:
        named = " ".join((expression, *given, *(player for player, _ in holding)))
        seats = tuple(players) or _named_seats(ruleset, named)
        if not seats:
            raise BadQuestion("say who plays, as in `--players anna,ben`.")
        asked = [_as_run(one) for one in held]
        asked += [_as_given("\n".join(given)), question(ruleset, seats[0], expression)]
        found = _answer(*linked(ruleset.stack, search, scenario_text(seats, asked)), len(asked))
    return attrs.evolve(found, assumed=(*left_out, *found.assumed))


def evaluate(
    ruleset: ir.Ruleset, expressions: Sequence[str], search: Search | None = None
) -> list[Any]:
    """What expressions come to before anything has happened: numbers, texts, yes or no, ids of
    things, and lists of these. Raises `BadQuestion`."""
    for expression in expressions:
        if parse_expression(expression) is None:
            raise BadQuestion(f"`{expression}` is not an expression of the rules language.")
    lines = [_as_given(f"let {ASKED} = {expression}") for expression in expressions]
    seats = _named_seats(ruleset, " ".join(expressions)) or ("p1", "p2")
    play = Excerpt(*linked(ruleset.stack, search, scenario_text(seats, lines)))
    try:
        return [
            _plain(play, step.expr)
            for item in play.scenario.items
            if isinstance(item, ir.Given)
            for step in item.body
            if isinstance(step, ir.Let)
        ]
    except RulesError as wrong:
        raise BadQuestion(f"this cannot be worked out: {wrong.message}") from wrong


def _plain(play: Excerpt, expr: ir.Expr) -> Any:
    (found,) = play.evaluated([expr])
    return list(found) if expr.type.name == "range" else play.game.table.name(found, expr.type)


def check_players(ruleset: ir.Ruleset, players: Sequence[str]) -> None:
    """A free name that is nearly the name of a seat is that, misspelt."""
    seats = [thing for kind in _seat_kinds(ruleset) for thing in ruleset.things[kind]]
    for player in players:
        near = did_you_mean(player, seats) if player not in seats and len(player) > 3 else None
        if near:
            raise BadQuestion(f"nobody can play `{player}`. {near}")


def _seat_kinds(ruleset: ir.Ruleset) -> list[str]:
    return [kind.id for kind in ruleset.kinds.values() if "seat" in kind.roles]


def question(ruleset: ir.Ruleset, player: str, expression: str) -> str:
    """What is asked, as a line of a scenario."""
    called = _CALL.match(expression)
    if called and called.group(1) in ruleset.actions:
        return f"{player} cannot {expression}"
    return _as_given(f"let {ASKED} = {expression}")


def _as_given(steps: str) -> str:
    return f"given {{\n{steps}\n}}"


def _as_run(step: str) -> str:
    """Whoever comes by a thing may be asked something, so that is run."""
    return f"run {step}" if _CALL.match(step) else _as_given(step)


def _named_seats(ruleset: ir.Ruleset, text: str) -> tuple[str, ...]:
    """The players the question speaks of, and others up to two; nobody if there are not so many."""
    known = [thing for kind in _seat_kinds(ruleset) for thing in ruleset.things[kind]]
    if len(known) < 2:
        return ()
    named = [word for word in re.findall(r"[a-z][a-z0-9_]*", text) if word in known]
    return tuple(dict.fromkeys([*named, *known[: max(0, 2 - len(set(named)))]]))


def scenario_text(players: Sequence[str], lines: Sequence[str]) -> str:
    """A scenario with these lines at its end."""
    head = f'scenario "{TITLE}" {{\n  players {", ".join(players)}\n'
    return "\n".join([f"{head}  expect {{ check 1 == 1 }}", *lines, "}\n"])


def linked(stack: str, search: Search | None, text: str) -> tuple[ir.Ruleset, ir.Scenario]:
    """The ruleset with the question in it. Nothing but the whole stack knows all words."""
    return _with_sources(
        stack, search, TITLE, lambda sources, top: [*sources, Source("question", text, top)]
    )


def _linked_into(
    ruleset: ir.Ruleset, search: Search | None, place: ir.Scenario, lines: Sequence[str]
) -> tuple[ir.Ruleset, ir.Scenario]:
    """The ruleset with the question at the end of a scenario."""

    def changed(sources: Sequence[Source], _: str) -> list[Source]:
        return [
            with_lines(source, place, lines) if source.path == place.at.file else source
            for source in sources
        ]

    return _with_sources(ruleset.stack, search, place.title, changed)


def _with_sources(
    stack: str,
    search: Search | None,
    title: str,
    change: Callable[[Sequence[Source], str], Sequence[Source]],
) -> tuple[ir.Ruleset, ir.Scenario]:
    found, findings = resolve_stack(stack, search or Search.default())
    if found is None:
        raise BadQuestion(f"`{stack}` is not found any more.", findings)
    sources, _ = read_sources(found)
    result = load_sources(change(sources, found.packs[-1].id), found, findings)
    if result.ruleset is None:
        wrong = [found for found in result.diagnostics if found.is_error]
        raise BadQuestion("that is not a question these rules can answer.", wrong)
    return result.ruleset, next(one for one in result.ruleset.scenarios if one.title == title)


def _answer(
    ruleset: ir.Ruleset, scenario: ir.Scenario, asked: int, step: str = ""
) -> Explanation | Verdict:
    """What the last so many items of a scenario ask, where the others come to."""
    play = Excerpt(ruleset, scenario, step)
    first = len(scenario.items) - asked
    play.come_to(scenario.items[:first])
    try:
        return _asked(play, scenario.items[first:])
    except RulesError as wrong:
        raise BadQuestion(f"this cannot be worked out: {wrong.message}") from wrong


def _asked(play: Excerpt, items: Sequence[ir.ScenarioItem]) -> Explanation | Verdict:
    table = play.game.table
    assumed: tuple[str, ...] = ()
    for item in items:
        match item:
            case ir.Run():
                play.perform(item)
                play.position, assumed = play.game.state, _unasked(play.game)
            case ir.Given(body=(ir.Let(name="asked", expr=asked),)):
                found = explain_expression(table, play.position.copy(), asked)
                return attrs.evolve(found, assumed=assumed)
            case ir.Given(body=body):
                play.position = play.position.copy()
                play.preparation.prepare(play.position, body)
            case ir.Cannot(action=action, player=player):
                given = play.evaluated(item.args)
                number, state = table.owner_ids[player], play.position.copy()
                refusal = explain_action(table, state, action, number, given)
                return Verdict(player, action, refusal, assumed)
    raise BadQuestion("nothing was asked.")


def _unasked(game: Game) -> tuple[str, ...]:
    """What was decided on the way, though nobody said how."""
    chosen = (event for event in game.events() if event.what == "chose")
    return tuple(
        f"{event.text.removesuffix('.')} for {event.path}, the first option." for event in chosen
    )
