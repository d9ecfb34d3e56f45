"""Positions in the middle of a game, the same in every run."""

from functools import cache

from ziggurat.runtime.bots.policies import Advised, play
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.kernel.scheduler import Scheduler
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import Table
from ziggurat.runtime.saves.cache import load_program

SEED = 11
TURNS = range(5, 15)


@cache
def compiled_rules(stack: str) -> Program:
    program, findings = load_program(stack)
    assert program is not None, [finding.message for finding in findings]
    return program


def western() -> Program:
    return compiled_rules("west")


def new_game(players: int, seed: int = SEED, compiled: Program | None = None) -> Game:
    """A game that has not begun to be played."""
    program = compiled or western()
    table = Table(program.ruleset, [f"player{number + 1}" for number in range(players)])
    return Game.begin(Scheduler(program.bind(table)), seed)


@cache
def recorded() -> tuple[Game, dict[str, list[State]]]:
    """A game of nine, and the positions before each of its phases in the middle of it."""
    game = new_game(9)
    found: dict[str, list[State]] = {}
    turn = game.table.attributes["table.turn"].slot(None)

    def watch(state: State) -> None:
        here = game.run.position(state)
        if not here.opening and here.coming and state.attrs[turn] in TURNS:
            found.setdefault(here.coming, []).append(state.copy())

    game.watch = watch
    play(game, Advised(SEED), 20_000)
    game.watch = None
    assert game.over
    return game, found
