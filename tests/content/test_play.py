"""Games by advised bots look like games by people, and advice is worth having.

The bounds are generous: they catch advice that has gone wrong, not a matter of taste.
`python -m benchmarks.realism` prints the numbers beside the records of games played by people.
"""

from collections.abc import Sequence
from functools import cache
from statistics import mean, median

import pytest

import ziggurat
from benchmarks.realism import LATE, PARTS, Played, Room, counted
from tests.golden.games import program


@cache
def west(first: int, games: int) -> tuple[Played, ...]:
    room = Room()
    return tuple(room.play(seed) for seed in range(first, first + games))


def looks_like_play(games: Sequence[Played], slack: float = 0) -> None:
    """Averages lie within bounds; `slack` widens them, because few games scatter more."""

    def between(low: float, value: float, high: float) -> bool:
        return low * (1 - slack) <= value <= high * (1 + slack)

    everybody = [result for game in games for result in game.results]
    winners = [game.results[0] for game in games]
    points = sum(result.score for result in everybody)
    steps, advances, cities = (
        sum(result.parts[n] for result in everybody) / points for n in range(len(PARTS))
    )
    assert all(game.over for game in games)
    assert between(15, median(game.turns for game in games), 16)
    assert max(game.turns for game in games) <= 20
    assert between(121, median(winner.score for winner in winners), 150)
    assert min(winner.score for winner in winners) >= 95
    assert max(winner.score for winner in winners) <= 175
    assert between(0.57, mean(game.last_share for game in games), 0.85)
    assert mean(game.said["attack_city"] for game in games) >= 3
    assert between(17, median(winner.advances for winner in winners), 30)
    assert between(14, median(result.advances for result in everybody), 20)
    assert between(6, mean(turn for game in games for turn in game.first.values()), 8)
    assert between(3.5, mean(counted((6, 7), games, "cities")), 5)
    assert between(5.3, mean(counted((8, 9), games, "cities")), 7.5)
    assert between(5, mean(counted(LATE, games, "cities")), 6.5)
    assert between(22, mean(counted(LATE, games, "census")), 44)
    assert between(0.5, steps, 0.7)
    assert between(0.27, advances, 0.42)
    assert between(0.035, cities, 0.065)


def test_few_games_look_like_play() -> None:
    looks_like_play(west(101, 3), slack=0.3)


@pytest.mark.slow
def test_fifty_games_look_like_play() -> None:
    looks_like_play(west(201, 50))


def advised_wins(room: Room, seeds: range) -> int:
    """In how many games somebody with advice wins: every other seat has it, by turns."""
    players = room.table.players
    won = 0
    for seed in seeds:
        game = room.play(seed, [seat for seat in players if (seat + seed) % 2])
        won += game.results[0].advised
    return won


def test_advice_beats_chance() -> None:
    assert advised_wins(Room(last_turn=16), range(1, 3)) == 2


@pytest.mark.slow
def test_advice_beats_chance_nearly_always() -> None:
    assert advised_wins(Room(last_turn=16), range(1, 41)) >= 38


@pytest.mark.slow
@pytest.mark.parametrize("players", [5, 6, 7, 8, 9])
@pytest.mark.parametrize("stack", ["west", "east"])
def test_games_of_every_size_come_to_an_end(stack: str, players: int) -> None:
    room = Room(stack, players)
    games = [room.play(seed) for seed in (1, 2)]
    assert all(game.over for game in games)
    assert max(game.turns for game in games) <= 26


def test_a_game_in_which_nobody_does_anything_ends() -> None:
    advised = ziggurat.Advised(1)

    def idle(game: ziggurat.Game, decision: ziggurat.Decision) -> object:
        if decision.kind == "act":
            return decision.end
        return ziggurat.answer_of(advised, game, decision)

    game = ziggurat.start(program("west"), 5, seed=1)
    ziggurat.play(game, ziggurat.Custom(idle), limit=20_000)
    assert game.over
    assert game.turn_number <= 30
    assert "the game ends" in list(game.settled.events())[-1].text
