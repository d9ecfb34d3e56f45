"""What is true of the things of a ruleset: by their data alone, or in the position of a game."""

from typing import Any, Final

from ziggurat.dsl.ir import Expr, Ruleset
from ziggurat.dsl.linking.constants import Data, is_data
from ziggurat.proving.reference import Evaluator
from ziggurat.runtime.game import Game

UNKNOWN: Final = object()


class Facts:
    """Reads expressions about one thing. Without a game, what only a game decides is UNKNOWN."""

    def __init__(self, ruleset: Ruleset, game: Game | None = None) -> None:
        self.ruleset = ruleset
        self._game = game
        self._data = Data(ruleset.kinds, ruleset.things)
        self._evaluator = Evaluator(game.table) if game is not None else None

    def read(self, expr: Expr, kind: str = "", id_: str = "") -> Any:
        """The value of an expression in which `this` is a thing; things and owners by their ids."""
        if is_data(expr, self.ruleset.kinds):
            found = self._data.about(expr, f"{kind}.{id_}")
            return found.partition(".")[2] if self._is_thing(expr, found) else found
        if self._game is None or self._evaluator is None:
            return UNKNOWN
        table = self._game.table
        this = table.thing_ids[kind, id_] if id_ else None
        found = self._evaluator.evaluate(self._game.now.copy(), expr, {"this": this})
        return None if found is None else table.name(found, expr.type)

    def text(self, expr: Expr | None, kind: str = "", id_: str = "") -> str:
        """A colour or a letter; empty where there is none."""
        found = None if expr is None else self.read(expr, kind, id_)
        return found if isinstance(found, str) else ""

    def _is_thing(self, expr: Expr, found: Any) -> bool:
        return isinstance(found, str) and expr.type.name in self.ruleset.kinds
