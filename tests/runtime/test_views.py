"""What a seat may see: nothing that others hide, in any ruleset; see also `test_invariants.py`."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.runtime.hidden import disguised, known
from tests.runtime.packed import program as packed
from tests.runtime.shipped import arrive, journey, program, seats
from ziggurat.runtime.game import Game, start
from ziggurat.runtime.policies import Random, play
from ziggurat.runtime.secrecy import secret_answers

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
                assert known(disguised(game, seat, seed), seat) == known(game, seat)

    looks()
