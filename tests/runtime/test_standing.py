"""How everybody stands, as a seat or an onlooker knows it: no more than they may know."""

from pathlib import Path

import pytest

from tests.runtime.shipped import arrive, journey, seats
from ziggurat import ONLOOKER, Standing, turn_rows
from ziggurat.proving.veil import Unseen, veiled
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.evaluator import Evaluator


@pytest.mark.parametrize("stack", ["race", "marches", "west", "expansion_project"])
def test_compiled_rules_see_through_no_veil(stack: str, tmp_path: Path) -> None:
    """What compiled rules tell on a veiled position is what the reference evaluator tells."""
    unseen = 0
    for stop in journey(stack, seats(stack)[0], "advised", 8)[2::5]:
        game = arrive(stack, stop, tmp_path / "game.zig").game
        for seat in (ONLOOKER, game.seats[0]):
            known = Standing(game, seat)
            turn = next(iter(game.ruleset.turns.values()))
            for name in filter(None, (*turn.shows, turn.score, *turn.parts)):
                for player in game.seats:
                    expected = _walked(game, seat, name, player)
                    assert known.value(name, player) == expected, (seat, name, player)
                    unseen += expected is None
            assert sorted(known.ranking()) == sorted(game.seats)
    assert stack != "race" or unseen == 0


def _walked(game: Game, seat: str, name: str, player: str) -> object:
    table, number = game.table, game.table.seat_number(seat)
    state = game.shown(number)
    state = state.copy() if game.over else veiled(table, state, number)
    try:
        found = Evaluator(table).value(state, name, (table.owner_ids[player],))
    except Unseen:
        return None
    return table.name(found, game.ruleset.values[name].type)


def test_an_onlooker_sees_what_everybody_sees(tmp_path: Path) -> None:
    game = arrive("race", journey("race", 3, "advised", 12)[0], tmp_path / "game.zig").game
    view = game.view(ONLOOKER)
    assert view["seat"] == ONLOOKER
    assert view["decisions"] == []
    assert all(isinstance(hand, int) for hand in view["piles"]["hand"].values())
    assert view["attributes"]["player.bets"] == {}
    assert game.view(ONLOOKER, log=False)["log"] == []
    told = [event.text for event in game.events(ONLOOKER)]
    assert told == [event["text"] for event in view["log"]]
    assert not any("bets" in text for text in told)


def test_history_is_told_as_it_could_be_known(tmp_path: Path) -> None:
    game = arrive("west", journey("west", 5, "advised", 8)[5], tmp_path / "game.zig").game
    whole, mine = turn_rows(game), turn_rows(game, game.seats[0])
    assert [(row["turn"], row["seat"]) for row in whole] == [
        (row["turn"], row["seat"]) for row in mine
    ]
    for row, seen in zip(whole, mine, strict=True):
        for name, value in seen.items():
            assert value in (None, row[name])
