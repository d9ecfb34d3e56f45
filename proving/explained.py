"""Games that say why: a refused action is told with the reason of the rule that forbids it.

The machine knows which requirement failed. Which clause of which rule made it fail takes an
explanation, and explanations need the reference evaluator, which the machine does without. Games
that people or programs outside meet are started and loaded here.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from ziggurat.dsl.version import __version__
from ziggurat.proving.explain import Refusal, explain_action, forbidden
from ziggurat.runtime import saves
from ziggurat.runtime.cache import load_program
from ziggurat.runtime.game import Game
from ziggurat.runtime.program import Program
from ziggurat.runtime.save_format import BadSave, SavedAnswer
from ziggurat.runtime.saves import Save
from ziggurat.runtime.state import State


class ExplainedGame(Game):
    """A game whose refusals carry the reason of the rule behind them."""

    def reason(self, state: State, action: str, player: int, args: tuple[Any, ...]) -> str:
        found = explain_action(self.table, state, action, player, args)
        return found.reason if found is not None and forbidden(list(found.parts)) else ""


start = ExplainedGame.start


def why_not(game: Game, seat: str, action: str, args: Sequence[Any] = ()) -> Refusal | None:
    """The first reason why a player may not do this now; None if the action's own rules permit it.

    `args` may stop early: then only as much is looked at as they say.
    """
    params = game.ruleset.actions[action].params
    given = tuple(game.table.parse(a, p.type) for p, a in zip(params, args, strict=False))
    return explain_action(game.table, game.state, action, game.table.owner_ids[seat], given)


def new_save(
    game: Game,
    path: Path,
    options: Mapping[str, Any] | None = None,
    people: Sequence[str] = (),
) -> Save:
    """A save of a game that starts now, with the options it was started with; its file is there.

    `people` are the seats that people play, which whoever goes on with the save may want to know.
    """
    header = saves.header_of(game, __version__, options or {})
    save = Save(path, attrs.evolve(header, people=tuple(people)), game)
    save.create()
    return save


def load_save(
    path: Path,
    rules: Callable[[str], Program] | None = None,
    to: int | None = None,
    watch: Callable[[Game, int, SavedAnswer], object] | None = None,
) -> tuple[Save, list[str]]:
    """A saved game at its last answer (or after the first `to`), and what people should be told.

    `rules` gives the program of a stack, from the built-in packs unless told otherwise. `watch` is
    told of every answer on the way. Raises `BadSave` with one sentence for people.
    """
    return saves.load(path, rules or _built_in, to, watch, ExplainedGame)


def _built_in(stack: str) -> Program:
    program, _ = load_program(stack)
    if program is None:
        raise BadSave(f"The rules of this save, `{stack}`, cannot be loaded.")
    return program
