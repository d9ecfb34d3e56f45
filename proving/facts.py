"""What is true of the things of a ruleset: by their data alone, or in the position of a game."""

from typing import Any, Final

from ziggurat.dsl.linking.constants import Data, is_data
from ziggurat.proving.reading import Reading
from ziggurat.proving.veil import Unseen
from ziggurat.runtime.game.moment import Moment
from ziggurat.runtime.kernel import Expr, Ruleset

UNKNOWN: Final = object()


class Facts:
    """Reads expressions about one thing. Without a game, what only a game decides is UNKNOWN; for a
    seat, what it may not see is, too."""

    def __init__(
        self, ruleset: Ruleset, moment: Moment | None = None, seat: str | None = None
    ) -> None:
        self.ruleset = ruleset
        self.met_hidden = False  # whether something was asked that the seat may not know
        self._moment = moment
        self._reading = None if moment is None else Reading(moment, seat)
        self._data = Data(ruleset.kinds, ruleset.things)

    def at(self, moment: Moment, seat: str | None = None) -> "Facts":
        """The same in a moment of a game; the data need not be gone through again."""
        found = Facts.__new__(Facts)
        found.ruleset, found._data, found.met_hidden = self.ruleset, self._data, False
        found._moment, found._reading = moment, Reading(moment, seat)
        return found

    def read(self, expr: Expr, kind: str = "", id_: str = "") -> Any:
        """The value of an expression in which `this` is a thing; things and owners by their ids."""
        if is_data(expr, self.ruleset.kinds):
            self._data.work = 0
            found = self._data.about(expr, f"{kind}.{id_}")
            is_thing = isinstance(found, str) and expr.type.name in self.ruleset.kinds
            return found.partition(".")[2] if is_thing else found
        if self._reading is None:
            return UNKNOWN
        try:
            return self._reading.read(expr, kind, id_)
        except Unseen:
            self.met_hidden = True
            return UNKNOWN

    def is_settled(self, expr: Expr | None) -> bool:
        """Whether the data decide this alone, whatever happens in a game."""
        return expr is None or is_data(expr, self.ruleset.kinds)

    def called(self, owner: str) -> str:
        """What people call an owner: by what they play, or a neutral one's title."""
        if owner in self.ruleset.neutrals:
            return self.ruleset.neutrals[owner].title or owner
        thing = None if self._moment is None else self._moment.plays(owner)
        return (thing.title or thing.id) if thing is not None else owner

    def text(self, expr: Expr | None, kind: str = "", id_: str = "") -> str:
        """A colour or a letter; empty where there is none."""
        found = None if expr is None else self.read(expr, kind, id_)
        return found if isinstance(found, str) else ""
