"""What is true of every position of every game: nothing is lost, nothing is there twice."""

from array import array
from collections.abc import Iterator

from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.table import Table


class Laws:
    """Looks at the positions of one game; what has not changed since the last look is known."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._pieces: array[int] = array(table.typecode)
        self._piles: list[tuple[int, ...]] = []
        city = table.rows.get("city")
        self._cities = slice(city.sums, city.sums + table.A) if city else slice(0)

    def hold(self, game: Game) -> None:
        assert game.over or game.pending
        if game.state.pieces != self._pieces:
            self._pieces_hold(game)
        if game.state.piles != self._piles:
            self._cards_hold(game)

    def _pieces_hold(self, game: Game) -> None:
        table, state = self.table, game.state
        for kind, owner, at, states in self._changed(state.pieces):
            total = state.pieces[at : at + table.Q]
            assert min(total) >= 0
            assert sum(total) == table.supply[kind][owner]
            if states:
                parts = [state.pieces[one : one + table.Q] for one in states]
                assert all(min(part) >= 0 for part in parts)
                assert [*map(sum, zip(*parts, strict=True))] == [*total]
        assert state.sums == table.sum_pieces(state.pieces)
        assert max(state.sums[self._cities], default=0) <= 1, "two cities in one area"
        self._pieces = state.pieces[:]

    def _changed(self, pieces: "array[int]") -> Iterator[tuple[str, int, int, list[int]]]:
        """The pieces of a kind and an owner that moved: where their counts begin, in all states."""
        size = self.table.Q
        for rows in self.table.rows.values():
            for owner in self.table.owners:
                at = [base + owner * size for base in (rows.total, *rows.states.values())]
                if any(pieces[n : n + size] != self._pieces[n : n + size] for n in at):
                    yield rows.id, owner, at[0], at[1:]

    def _cards_hold(self, game: Game) -> None:
        state = game.state
        assert sorted(card for pile in state.piles for card in pile) == [*range(len(state.whereis))]
        for index, pile in enumerate(state.piles):
            assert all(state.whereis[card] == index for card in pile)
        self._piles = list(state.piles)
