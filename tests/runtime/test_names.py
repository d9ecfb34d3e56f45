"""Wrong names are errors that say what was meant, wherever programs of people give them."""

import pytest

from tests.stacks import compiled, linked
from ziggurat.proving.questions import BadQuestion, explain
from ziggurat.proving.questions_in_games import explain_at
from ziggurat.runtime.game.game import start
from ziggurat.runtime.kernel.layout import Seat
from ziggurat.runtime.kernel.names import UnknownName


@pytest.fixture(scope="module")
def west():
    return compiled("west")


FIVE = ["minoa", "assyria", "hatti", "hellas", "egypt"]


def test_a_misspelt_seat_is_no_new_player(west):
    with pytest.raises(ValueError, match=r"play `asyria`\. Did you mean `assyria`\?"):
        start(west, seats=["asyria", "ann", "bob", "cat", "dan"])


def test_a_seat_of_another_game_is_no_new_player(west):
    with pytest.raises(ValueError, match=r"play `maurya`\. There are .*rome.*Seat\(\"maurya\"\)"):
        start(west, seats=["maurya", *FIVE[1:]])


def test_free_names_are_players_who_play_what_the_rules_choose(west):
    names = ["ann", "bob", "cat", "dan", "eve"]
    assert start(west, seats=names).seats == names
    mixed = start(west, seats=[*FIVE[:4], Seat("asyria")])
    assert mixed.seats[-1] == "asyria"


@pytest.mark.parametrize(
    ("look", "told"),
    [
        (lambda game: game.view("asyria"), "no player `asyria`. Did you mean `assyria`?"),
        (lambda game: game.value("hand_limt", "egypt"), "Did you mean `hand_limit`?"),
        (lambda game: game.value("hand_limit", "egipt"), "Did you mean `egypt`?"),
        (lambda game: game.count("tokken", "egypt"), "no piece `tokken`"),
        (lambda game: game.count("token", "egypt", "knosos"), "Did you mean `knossos`?"),
        (lambda game: game.holds("egypt", "advance", "potery"), "Did you mean `pottery`?"),
        (lambda game: game.attribute("stepp", "egypt"), "Did you mean `step`?"),
        (lambda game: game.pile("hnad", "egypt"), "no pile `hnad`"),
        (lambda game: game.things("advnace"), "Did you mean `advance`?"),
        (lambda game: game.events("asyria"), "Did you mean `assyria`?"),
    ],
)
def test_wrong_names_say_what_was_meant(west, look, told):
    game = start(west, seats=FIVE)
    with pytest.raises(UnknownName) as wrong:
        look(game)
    assert told in str(wrong.value)


def test_a_value_says_what_it_takes(west):
    with pytest.raises(TypeError, match=r"`hand_limit` takes .*; 0 arguments"):
        start(west, seats=FIVE).value("hand_limit")


def test_a_misspelt_player_of_a_question_is_no_new_player(west):
    ruleset = linked("west")
    with pytest.raises(BadQuestion, match=r"play `asyria`\. Did you mean `assyria`\?"):
        explain(ruleset, "hand_limit(asyria)", players=["asyria", "egypt"])
    with pytest.raises(BadQuestion, match=r"`asyria` does not play\. Did you mean `assyria`\?"):
        explain_at(start(west, seats=FIVE), "2 + 2", "asyria")
