"""Some phases of the Western game written by hand, the way one would without a rules language.

They work on the same states as the compiled rules and must leave equal ones behind. Whatever the
cards of a nine-player game can change is here as well; where the rules would ask somebody, these
functions need no answer because the positions are such that only one is legal.
"""

from collections.abc import Iterable

from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import Table


class ByHand:
    """The phases for one table."""

    def __init__(self, table: Table) -> None:
        self.token = table.rows["token"]
        self.city = table.rows["city"]
        self.players = table.players
        self.owners = table.owners
        self.areas = table.A
        self.width = table.Q
        self.stock = table.place_ids["stock"]
        self.treasury = table.place_ids["treasury"]
        self.limit = table.fields["area", "limit"]
        self.census = table.attributes["player.census"].slot(0)
        self.revolting = table.attributes["player.revolting"].slot(0)
        self.new_city = table.attributes["area.new_city"].slot(0)
        self.tokens = [self.token.total + owner * table.Q for owner in table.owners]
        self.cities = [self.city.total + owner * table.Q for owner in table.owners]

        def bit(name: str) -> int:
            return table.bit[table.thing_ids["advance", name]]

        self.coinage, self.monarchy = bit("coinage"), bit("monarchy")
        self.democracy, self.metalworking = bit("democracy"), bit("metalworking")
        self.agriculture, self.public_works = bit("agriculture"), bit("public_works")
        self.ascendancy = bit("cultural_ascendancy")

    def _places(self, state: State, starts: list[int], owner: int) -> list[int]:
        """The areas where an owner has some."""
        row = state.pieces[starts[owner] : starts[owner] + self.areas]
        return [area for area, number in enumerate(row) if number]

    # ---- tax collection, everybody at their lowest rate

    def tax_collection(self, state: State) -> None:
        for player in self.players:
            start = self.cities[player]
            cities = sum(state.pieces[start : start + self.areas])
            if not cities:
                continue
            held = state.held[player]
            rate = 1 if held & self.coinage else 2
            due = rate * cities
            paid = min(due, state.pieces[self.tokens[player] + self.stock])
            state.move(self.token, player, self.stock, self.treasury, due)
            if not held & self.democracy:
                state.attrs[self.revolting + player] = cities - paid // rate

    # ---- population expansion and census

    def expansion(self, state: State, players: Iterable[int]) -> None:
        token, pieces = self.token, state.pieces
        for player in players:
            start = self.tokens[player]
            for area in self._places(state, self.tokens, player):
                state.move(token, player, self.stock, area, min(2, pieces[start + area]))

    def taking_census(self, state: State) -> None:
        for player in self.players:
            start = self.tokens[player]
            state.attrs[self.census + player] = sum(state.pieces[start : start + self.areas])

    # ---- token conflict

    def _fighting(self, state: State, area: int, sides: list[int]) -> bool:
        if len(sides) < 2:
            return False
        sums = state.sums
        return sums[self.token.sums + area] > self.limit[area] or sums[self.city.sums + area] > 0

    def _sides(self, state: State, area: int) -> list[int]:
        pieces = state.pieces
        return [owner for owner, row in enumerate(self.tokens) if pieces[row + area]]

    def conflict(self, state: State) -> None:
        occupied = {
            area for owner in self.owners for area in self._places(state, self.tokens, owner)
        }
        for area in sorted(occupied):
            self._fight(state, area)

    def _fight(self, state: State, area: int) -> None:
        pieces, held = state.pieces, state.held
        while self._fighting(state, area, sides := self._sides(state, area)):
            groups: dict[tuple[bool, int], list[int]] = {}
            for side in sides:
                late = bool(held[side] & self.metalworking)
                groups.setdefault((late, pieces[self.tokens[side] + area]), []).append(side)
            for key in sorted(groups):
                if not self._fighting(state, area, self._sides(state, area)):
                    break
                for side in groups[key]:
                    state.move(self.token, side, area, self.stock, 1)

    # ---- surplus and support

    def _room(self, state: State, owner: int, area: int) -> int:
        if state.sums[self.city.sums + area]:
            own = state.pieces[self.cities[owner] + area]
            return 1 if own and state.held[owner] & self.public_works else 0
        return self._limit(state, owner, area)

    def _limit(self, state: State, owner: int, area: int) -> int:
        """The population limit; one more for farmers who are alone on poor land."""
        limit: int = self.limit[area]
        if limit <= 2 and state.held[owner] & self.agriculture:
            pieces, sums = state.pieces, state.sums
            strangers = sums[self.token.sums + area] - pieces[self.tokens[owner] + area]
            foreign = sums[self.city.sums + area] - pieces[self.cities[owner] + area]
            return limit if strangers or foreign else limit + 1
        return limit

    def surplus(self, state: State) -> None:
        for owner in self.owners:
            row = self.tokens[owner]
            too_many = [
                (area, extra)
                for area in self._places(state, self.tokens, owner)
                if (extra := state.pieces[row + area] - self._room(state, owner, area)) > 0
            ]
            for area, extra in too_many:
                state.move(self.token, owner, area, self.stock, extra)

    def support(self, state: State) -> None:
        """Those who lack support give up a city each time, new ones first, then the first."""
        for player in self.players:
            rate = 3 if state.held[player] & self.ascendancy else 2
            while True:
                cities = self._places(state, self.cities, player)
                start = self.tokens[player]
                if sum(state.pieces[start : start + self.areas]) >= rate * len(cities):
                    break
                new = [area for area in cities if state.attrs[self.new_city + area]]
                self._reduce(state, player, (new or cities)[0])

    def _reduce(self, state: State, player: int, area: int) -> None:
        beside = state.pieces[self.tokens[player] + area]
        state.move(self.city, player, area, self.stock, 1)
        state.move(self.token, player, self.stock, area, self.limit[area] - beside)
        more = self._limit(state, player, area) - max(self.limit[area], beside)
        if more > 0:
            state.move(self.token, player, self.stock, area, more)
