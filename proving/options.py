"""Why an option of what is asked now is not offered; for a seat as far as it may know."""

import re
from collections.abc import Iterator
from typing import Any

from ziggurat.dsl.nearest import did_you_mean
from ziggurat.proving import phrasing
from ziggurat.proving.explain import Listener
from ziggurat.proving.past import Cause, traced
from ziggurat.proving.questions import BadQuestion, Verdict
from ziggurat.proving.refusals import Refusal, forbidden
from ziggurat.proving.sight import HIDDEN, Sight
from ziggurat.proving.tracing import Capture
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.decisions import Decision
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.description import IT

UNSEEN = "That depends on something you may not see."
FEW = 12
NEVER = 1 << 60  # a line that no log comes to


def asked_of(game: Game, seat: str) -> Decision | None:
    """The choice that a seat has to make now, if it is one."""
    found = [face for face in game.decisions if face.decider == seat and face.kind != "act"]
    return found[0] if found else None


def option_refused(game: Game, seat: str, text: str, veil: bool = True) -> Verdict:
    """Why a seat may not choose something in the decision it is asked for; what it may choose is
    said to be offered. Raises `BadQuestion`."""
    face = asked_of(game, seat)
    if face is None:
        raise BadQuestion(f"{seat} has nothing to choose now.")
    option = _option(game, face, text)
    said = f"{text.strip()} for {face.path}"
    ask = face.pending.ask
    assert ask is not None
    if option in ask.options:
        return Verdict(seat, said, None, turn=_whole(face), option=True)
    capture = _asked(game, face)
    number = game.table.owner_ids[seat]
    try:
        refusal = _refusal(Sight(game, number if veil else None), capture, option)
        return Verdict(seat, said, refusal, option=True)
    except HIDDEN:
        raise BadQuestion(UNSEEN) from None


def _whole(face: Decision) -> str:
    """What else must be so for what is offered."""
    if face.kind == "select":
        return "It may be picked; all that are picked must meet what the rule asks for together."
    return ""


def _option(game: Game, face: Decision, text: str) -> Any:
    """An option by its id, its title, its number or what a player plays."""
    table, type_ = game.table, face.item
    wanted = _plain(text)
    if type_.name == "bool":
        known: dict[str, Any] = {"yes": 1, "no": 0}
    elif type_.name in ("player", "owner"):
        known = dict(table.owner_ids)
        known |= {_plain(name): n for n, name in enumerate(game.spoken)}
    elif type_.name == "int":
        known = {wanted: int(wanted)} if re.fullmatch(r"-?\d+", wanted) else {}
    elif type_.name in table.families:
        known = {**table.card_ids}
    else:
        known = {_plain(table.things[n].title): n for n in table.kind_range.get(type_.name, ())}
        known |= {id_: n for (kind, id_), n in table.thing_ids.items() if kind == type_.name}
    if wanted not in known:
        listed = ", ".join(map(str, face.options()[:FEW]))
        near = did_you_mean(wanted, known) or f"{face.path} asks for {listed} …"
        raise BadQuestion(f"`{text.strip()}` is neither an action nor an option of this. {near}")
    return known[wanted]


def _plain(text: str) -> str:
    return re.sub(r"\W+", "_", text.strip().casefold()).strip("_") if "#" not in text else text


def _asked(game: Game, face: Decision) -> Capture:
    """The rules that run where a decision is asked, walked once more."""
    site = face.pending.ask.site if face.pending.ask is not None else -1
    captures, _ = traced(game, Cause(game, None, game.answered), NEVER, site)
    mine = [one for one in captures if _decider(game, one) == face.pending.decider]
    if not mine:
        raise BadQuestion("that cannot be worked out again.")
    return mine[-1]


def _decider(game: Game, capture: Capture) -> Any:
    sight = Sight(game, None)
    return sight.run.evaluate(sight.state(capture.state), capture.node.by, capture.rules[-1].env)


def _refusal(sight: Sight, capture: Capture, option: Any) -> Refusal:
    rule, node = capture.rules[-1], capture.node
    sight.hear(capture.told)
    env, state = sight.env(rule.env, rule.origins), sight.state(capture.state)
    return next(_reasons(sight, Listener(sight.table), state, node, env, option))


def _reasons(
    sight: Sight, run: Listener, state: Any, node: Any, env: dict[str, Any], option: Any
) -> Iterator[Refusal]:
    cites, where = phrasing.cites(getattr(node, "meta", ir.NO_META)), phrasing.where(node.at)
    if isinstance(node, ir.May):
        yield Refusal("This is asked with yes or no.", node.path, cites, where)
        return
    source = node.among if isinstance(node, ir.Divide) else node.source
    type_ = source.type.item or source.type
    name = phrasing.value(sight.table, option, type_)
    members = list(sight.run.given(state, source, env))
    if option not in members:
        run.heard = [[]]
        run.given(state, source, env)
        reason = f"{name} is not in {run.reasoner.tell(source, env)}."
        yield Refusal(reason, node.path, cites, where, tuple(run.heard[0]))
        return
    run.heard = [[]]
    inner = {**env, IT: option}
    condition = getattr(node, "where", None)
    if condition is not None and not run.evaluate(state, condition, inner):
        told = f"{name} is not offered: {run.reasoner.tell(condition, inner)} is no."
        why = run.reasoner.reasons(state, condition, inner)
        reason = forbidden(run.heard[0]) or told
        yield Refusal(reason, node.path, cites, where, tuple(run.heard[0]), why)
        return
    yield Refusal(f"{name} is left out where this is asked.", node.path, cites, where)
