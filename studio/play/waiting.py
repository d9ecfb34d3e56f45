"""`pass until asked`: somebody who has nothing to do until others want something of them."""

import re

import attrs

from ziggurat import END, Decision, Game
from ziggurat.studio.play.naming import normal
from ziggurat.studio.play.unfinished import bundle_parts

Requests = frozenset[tuple[str, str, tuple[str, ...]]]


@attrs.frozen
class Passing:
    """A seat that passes in a phase, and what others wanted of it when it began to."""

    turn: int
    phase: str
    requests: Requests


class Waiting:
    """The seats that pass until they are asked."""

    def __init__(self) -> None:
        self._passing: dict[str, Passing] = {}

    def begin(self, game: Game, decision: Decision) -> None:
        """Let the seat that decides pass from now on."""
        seat = decision.decider
        requests = _requests(game, seat)
        self._passing[seat] = Passing(game.turn_number, decision.phase, requests)

    def passes(self, game: Game, decision: Decision) -> bool:
        """Return whether a seat still passes: in the same phase, while nobody has asked it
        anything new."""
        seat = decision.decider
        passing = self._passing.get(seat)
        if passing is None:
            return False
        same = (game.turn_number, decision.phase) == (passing.turn, passing.phase)
        if same and decision.kind == "act" and _requests(game, seat) <= passing.requests:
            return True
        del self._passing[seat]
        return False

    def end(self) -> None:
        """Let nobody pass any more."""
        self._passing.clear()


def without_waiting(line: str) -> str:
    """Return a line without `until asked` behind the word that ends an act; "" if it has none."""
    found = re.fullmatch(r"((?:.*;)?\s*(\w+))\s+until\s+asked\s*", line, re.IGNORECASE)
    return found[1] if found and normal(found[2]) in END else ""


def _requests(game: Game, seat: str) -> Requests:
    """Return the bundles of others that name a seat, with what it sees in them."""
    rules, moment = game.ruleset, game.seen_by(seat)
    return frozenset(
        (bundle.id, owner, bundle_parts(moment, bundle.id, owner, seat))
        for bundle in rules.bundles.values()
        if bundle.of == "player"
        for owner in game.seats
        if owner != seat and moment.attribute(bundle.id, owner)
        if any(
            rules.attributes[one].type.name == "player" and moment.attribute(one, owner) == seat
            for one in bundle.attributes[1:]
        )
    )
