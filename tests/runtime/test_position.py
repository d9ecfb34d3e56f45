"""Where a game is in its rules, and how its moments are read."""

import sys
from pathlib import Path

from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.kernel.position import Position
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.programs import compile_ruleset

sys.path.insert(0, str(Path(__file__).parent))
import small

PROGRAM = compile_ruleset(small.ruleset())


def test_positions_of_a_game_in_order() -> None:
    game = start(PROGRAM, 3, seed=1, begin=False)
    seen: list[Position] = []
    game = Game.begin(game.run, 1, watch=lambda state: seen.append(game.run.position(state)))
    for number in (2, 1, 3):
        game.answer(number)
    assert [(one.opening, one.ended, one.coming) for one in seen] == [
        (True, "", ""),
        (False, "", "bring"),
        (False, "bring", "walk"),
    ]
    assert {one.phase for one in seen} == {""}
    assert game.position == Position(
        turn="main", phase="walk", ended="bring", coming="end", stage=0, acting="player2"
    )


def test_a_position_by_hand_has_no_turn() -> None:
    game = start(PROGRAM, 3, begin=False)
    assert game.position == Position()
    game.run_phases("bring", "walk")
    assert (game.position.turn, game.position.phase, game.position.coming) == ("", "bring", "walk")
    assert game.position.stage == 0


def test_a_seat_looks_at_the_moment_it_is_asked_in() -> None:
    game = start(PROGRAM, 3, seed=1)
    moment = game.seen_by("player2")
    assert moment.now is game.shown(1)
    assert moment.seats == ["player1", "player2", "player3"]
    assert moment.count("stone", "player1") == 0


def test_reading_leaves_the_fuel_alone() -> None:
    game = start(PROGRAM, 3, seed=1)
    state: State = game.state
    state.fuel = 17
    game.scores()
    assert state.fuel == 17
