"""Positions as a scenario gives them: statements, cards dealt by their faces, pieces left aside."""

from collections.abc import Iterable

from ziggurat.runtime import kernel as ir
from ziggurat.runtime.kernel.errors import RulesError
from ziggurat.runtime.kernel.forms.cards import pile
from ziggurat.runtime.kernel.forms.pieces import kinds, owners, places
from ziggurat.runtime.kernel.requests import DecisionRequest
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.steps import Steps
from ziggurat.runtime.kernel.table import BOX
from ziggurat.runtime.kernel.walking import walk


class Preparation:
    """Brings states into given positions. A card that was dealt is not dealt a second time."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self.table = steps.table
        self._dealt: set[int] = set()

    def prepare(self, state: State, body: Iterable[ir.Stmt | ir.Deal | ir.Keep]) -> None:
        """Do what a `given` says. Raises RulesError for what cannot be: fewer pieces than it names,
        for one thing."""
        env: dict[str, object] = {}
        body = tuple(body)
        self.steps.exact = {id(one) for one in walk(body) if isinstance(one, ir.Move)}
        for item in body:
            if isinstance(item, ir.Deal):
                self._deal(state, item)
            elif isinstance(item, ir.Keep):
                self._keep(state, item)
            else:
                try:
                    self.steps.block(state, (item,), env)
                except DecisionRequest:
                    message = "Nobody can be asked for a decision while a position is given."
                    raise RulesError(message, item.at) from None

    def _deal(self, state: State, deal: ir.Deal) -> None:
        cards = [
            card for face, number in deal.faces for card in self._find(state, face, number, deal)
        ]
        target = pile(self.steps, state, deal.pile, {})
        if target is not None:
            state.put(cards, target, deal.how)

    def _find(self, state: State, face: str, number: int, deal: ir.Deal) -> list[int]:
        """Cards with a face: those in the box first, then those that lie elsewhere."""
        kind, _, id_ = face.partition(".")
        thing = self.table.thing_ids.get((kind, id_))
        known = [
            card
            for card, shown in enumerate(self.table.face)
            if shown == thing and card not in self._dealt
        ]
        known.sort(key=lambda card: state.whereis[card] != self.table.pile(BOX))
        if len(known) < number:
            message = f"There are not {number} cards {id_} left to deal, only {len(known)}."
            raise RulesError(message, deal.at)
        self._dealt.update(known[:number])
        return known[:number]

    def _keep(self, state: State, keep: ir.Keep) -> None:
        """Leave so many, put the rest in the box."""
        number = self.steps.given(state, keep.quantity, {})
        where = places(self.steps, state, keep.where, {})
        for owner in owners(self.steps, state, keep.units, {}):
            for piece in kinds(self.steps, state, keep.units, {}):
                rows, left = self.table.rows[piece], number
                for place in where:
                    have = state.count(rows, owner, place, keep.units.state)
                    spare = max(0, have - left)
                    box = self.table.place_ids[BOX]
                    state.move(rows, owner, place, box, spare, keep.units.state)
                    left -= have - spare
