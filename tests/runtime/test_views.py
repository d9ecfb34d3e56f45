"""What a seat may see: nothing that others hide, in any ruleset; see also `test_invariants.py`."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.runtime.hidden import disguised, known
from tests.runtime.packed import program as packed
from tests.runtime.shipped import arrive, journey, program, seats
from ziggurat.proving.veil import Unseen, veiled
from ziggurat.runtime.bots.policies import Advised, Random, play
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.game.secrecy import secret_answers

SECRETS = """
attribute favour of player secret: area or none = none
attribute liked of player secret: set of area = {}
attribute sly of player secret: bool = no
attribute seen of player: area or none = none
procedure remember(p: player, a: area) { set p.favour = a }
"""
PHASE = """
phase play "Play" {{
  all players p at once {{
    {body}
  }}
  once {{ end game }}
}}"""


@pytest.mark.parametrize(
    ("body", "secret"),
    [
        ('choose a by p from areas "Which?"   set p.favour = a', True),
        ('choose a by p from areas "Which?"   include a in p.liked', True),
        ('choose a by p from areas "Which?"   let b = a   set p.favour = b', True),
        ('choose a by p from areas "Which?"   remember(p, a)', True),
        (
            'choose a by p from areas "Which?"   let b = {a}   let b = b + p.liked'
            "   set p.liked = b",
            True,
        ),
        (
            'choose up to 2 some by p from areas "Which?"   for each a in some { remember(p, a) }',
            True,
        ),
        ('choose a by p from areas "Which?"   if a is one { set p.sly = yes }', True),
        ('may p lie "Lie?" { set p.sly = yes }', True),
        ('choose a by p from areas "Which?" secretly   set p.seen = a', True),
        ('choose a by p from areas "Which?"   set p.favour = a   set p.seen = a', False),
        ('choose a by p from areas "Which?"   set p.favour = a   say "{p} likes {a}."', False),
        ('choose a by p from areas "Which?"   if a is one { add 1 to p.score }', False),
        ('choose a by p from areas "Which?"   place 1 chip of p in a', False),
        ('may p lie "Lie?" { add 1 to p.score }', False),
    ],
)
def test_an_answer_only_a_secret_keeps_is_not_in_the_log(body: str, secret: bool) -> None:
    body = body.replace("   ", "\n    ")
    game = start(packed(SECRETS + PHASE.format(body=body)), 2)
    play(game, Random(1))
    mine, others = (
        [event for event in game.view(seat)["log"] if event["what"] == "chose"]
        for seat in ("player1", "player2")
    )
    assert mine[0]["data"] != "hidden"
    assert (others[0]["data"] == "hidden") is secret
    assert game.log[1].data != "hidden"


def test_bets_of_the_race_are_secret() -> None:
    assert secret_answers(program("race")) == {"setup.friends"}


def test_whether_somebody_can_do_anything_shows_in_nobody_else_s_view() -> None:
    text = """
kind good card plural goods { copies: int = 4 }
good salt "Salt" { }
good gold "Gold" { }
cards card { faces: good }
place hand of player secret { cards: card }
phase play "Play" {
  players p act freely until all pass
  once { end game }
}
action sell "Sell" in play by p (c from cards(hand(p)) where it.good is gold) {
  put c in box
}
"""
    rules = packed(text)
    found = []
    for dealt in ((0, 4), (4, 0)):  # salt for the second player and gold for the third, or so
        game = start(rules, 3, begin=False)
        hands = game.table.pile_base["hand"]
        for seat, card in zip((1, 2), dealt, strict=True):
            game.state.put([card], hands + seat)
        game.state.put([5], hands)
        game.run_phases("play")
        assert len(game.decisions) == 2
        found.append(game.view("player1"))
    assert found[0] == found[1]
    assert found[0]["waiting"] == ["player1", "player2", "player3"]


def somewhere(stack: str, players: int, bot: str, stop: int, folder: Path) -> Game:
    stops = journey(stack, players, bot, 12)
    return arrive(stack, stops[stop % len(stops)], folder / "game.zig").game


def advised(game: Game, seat: int) -> list[object]:
    """What a bot in that seat would do, which may depend on nothing the seat does not see."""
    return [Advised(1).decide(game, one) for one in game.pending if one.decider == seat]


@pytest.mark.parametrize("stack", ["west", "east"])
@pytest.mark.parametrize(
    ("examples", "answers"), [(2, 4), pytest.param(6, 25, marks=pytest.mark.slow)]
)
def test_positions_that_look_the_same_do_so_for_a_while(
    stack: str, examples: int, answers: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("views")

    @settings(max_examples=examples)
    @given(st.data())
    def looks(data: st.DataObject) -> None:
        bot = data.draw(st.sampled_from(["advised", "random"]))
        stop, seed = data.draw(st.integers(0, 11)), data.draw(st.integers(0, 99))
        game = somewhere(stack, seats(stack)[0], bot, stop, folder)
        policy = Random(seed)
        for _ in range(answers):
            if game.pending:
                index = policy._stream.below(len(game.pending))
                game.decide(index, policy.decide(game, game.pending[index]))
            for seat in game.table.players:
                other = disguised(game, seat, seed)
                assert known(other, seat) == known(game, seat)
                assert advised(other, seat) == advised(game, seat)

    looks()


UNCOUNTED = """
kind good card plural goods { copies: int = 4 }
good salt "Salt" { }
cards card { faces: good }
place deck of area hidden uncounted { cards: card }
place hand of player secret { cards: card }
place purse of player secret uncounted { cards: card }
phase play "Play" { players p act freely until all pass }
action draw "Draw" in play by p (a from areas where not empty(deck(it))) {
  put top(deck(a)) in purse(p)
}
"""


def dealt(*piles: tuple[str, int, int]) -> Game:
    """A game with so many cards in piles: the place, whose it is, how many."""
    game = start(packed(UNCOUNTED), 2, begin=False)
    cards = iter(range(4))
    for place, key, number in piles:
        some = [next(cards) for _ in range(number)]
        game.state.put(some, game.table.pile(place, key))
    game.run_phases("play")
    return game


def test_what_nobody_may_count_shows_only_whether_there_is_any() -> None:
    few = dealt(("deck", 0, 1), ("deck", 1, 2), ("purse", 1, 1)).view("player1")
    many = dealt(("deck", 0, 1), ("deck", 1, 1), ("purse", 1, 2)).view("player1")
    assert few == many
    assert few["piles"]["deck"] == {"one": "some", "two": "some", "three": "empty"}
    assert few["piles"]["purse"] == {"player1": [], "player2": "some"}
    other = dealt(("deck", 0, 1), ("deck", 1, 3)).view("player1")
    assert other["piles"]["purse"]["player2"] == "empty"


def test_the_size_of_hands_and_of_what_one_sees_stays_open() -> None:
    game = dealt(("hand", 1, 2), ("purse", 0, 2))
    assert game.view("player1")["piles"]["hand"]["player2"] == 2
    assert game.view("player1")["piles"]["purse"]["player1"] == ["salt#3", "salt#4"]


def test_a_question_cannot_count_what_nobody_may_count() -> None:
    game = dealt(("deck", 0, 3), ("hand", 1, 1))
    state = veiled(game.table, game.state, 0)
    deck, hand = (state.piles[game.table.pile(*which)] for which in (("deck", 0), ("hand", 1)))
    assert (bool(deck), bool(hand), len(hand)) == (True, True, 1)
    assert not state.piles[game.table.pile("deck", 1)]
    for look in (len, list):
        with pytest.raises(Unseen):
            look(deck)


def test_stacks_of_trade_cards_are_never_counted() -> None:
    for stack in ("west", "east"):
        piles = start(program(stack), seats(stack)[0]).view("player1")["piles"]["draw_pile"]
        assert set(piles.values()) <= {"some", "empty"}
