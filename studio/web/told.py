"""Why an answer was refused, as far as the seat may know; and whether one has shown it anything."""

from typing import Any

from ziggurat import Decision, Game, Refused, why_not
from ziggurat.studio.play.naming import placed, source
from ziggurat.studio.web.refusals import Refusal

LONGEST = 300
FORBIDDEN = "The rules do not allow that now."


def refusal_of(game: Game, decision: Decision, answer: Any, refused: Refused) -> Refusal:
    """What the seat is told. The engine's own reason was worked out on the whole position; for an
    action it is worked out again on what the seat sees."""
    if decision.kind != "act":
        return Refusal(409, refused.reason[:LONGEST], source(refused.meta, refused.at))
    rule = None
    if isinstance(answer, dict) and isinstance(answer.get("action"), str):
        rule = game.ruleset.actions.get(answer["action"])
    if rule is None:
        return Refusal(409, "There is no such action here.")
    try:
        found = why_not(game, decision.decider, rule.id, answer.get("args", ()), veil=True)
    except (KeyError, TypeError, ValueError, AttributeError):
        return Refusal(409, "That is not an answer to this.", source(rule.meta, rule.at, rule.id))
    if found is None:
        return Refusal(409, FORBIDDEN, source(rule.meta, rule.at, rule.id))
    return Refusal(409, found.reason[:LONGEST], placed(found.rule, found.cites, found.where))


def showed_nothing(game: Game, seat: str) -> bool:
    """Whether the last answer of a game has told the seat that gave it nothing it did not know.

    This is on the safe side: chance decided nothing, no card came to light, the rules said nothing
    and wrote nothing down but of the seat itself, and it is the seat's turn still.
    """
    before = game.copy()
    if not before.undo():
        return False
    if game.chances != before.chances or not any(d.decider == seat for d in game.decisions):
        return False
    news = game.seen_by(seat).events(seat, before.settled.event_count)
    if any(event.what not in ("act", "chose") or event.seat != seat for event in news):
        return False
    now, then = game.view(seat, log=False), before.view(seat, log=False)
    return _cards(now) <= _cards(then) and _noted(now, game, seat) == _noted(then, game, seat)


def _cards(view: dict[str, Any]) -> set[str]:
    piles = (shown for by_key in view["piles"].values() for shown in by_key.values())
    return {card for shown in piles if isinstance(shown, list) for card in shown}


def _noted(view: dict[str, Any], game: Game, seat: str) -> Any:
    """What is written down of anybody else."""
    own = game.owners.index(seat)
    return {
        name: {index: value for index, value in values.items() if index != own}
        for name, values in view["attributes"].items()
    }
