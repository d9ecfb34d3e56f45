"""Nothing breaks on `none`: what is read through it is blank, what is done with it does nothing."""

from typing import Any

import pytest

from tests.runtime.packed import program
from ziggurat.runtime import kernel as ir
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.kernel.program import Program, walked_program

WORDS = """
kind good card plural goods { copies: int = 2   worth: int = 3 }
good salt "Salt" { }
kind nation seat plural nations { rank: int = 4   home: area or none = none }
nation reds "Reds" { }
cards card { faces: good }
place hand of player secret { cards: card }
place deck of table hidden { cards: card }
attribute friend of player: player or none = none
attribute haunt of player: area or none = none
attribute owed of player: player -> int = {}
attribute seen of player: set of area = {}
attribute spot of player: area = two
value nowhere(): area or none = none
value nobody(): player or none = none
value no_skill(): skill or none = none
value limit_of(a: area): int = a.limit + 5
value next_to(a: area): area = one_of(a.near)
value here(a: area or none): int = 7 if a is none else a.limit
order by_limit(b: area, a: area) { limit: a.limit * b.limit }
skill craft "Craft" { }
procedure visit(p: player, a: area) { add 100 to table.note }
"""
EXPRESSIONS = {
    "nowhere().limit": 0,
    "[4, 5][2]": 5,
    "size(reachable(from nowhere() through it.near))": 0,
    "size(reachable(from one through it.near))": 3,
    "size(reachable(from one through it.near up to 1 steps))": 2,
    "size(reachable(from {one, two} through it.near up to 0 steps))": 2,
    "size(reachable(from one through it.near where it.limit < 3))": 1,
    "size(reachable(from one through it.near where it != three))": 2,
    "[4, 5][3] + [4, 5][0] + [4, 5][-1]": 0,
    "[two, one][3].limit": 0,
    "size([nowhere(), one])": 1,
    "cards(deck)[2].worth": 0,
    "1 if [two, one] == [one, two] else 0": 0,
    "1 if list(a in areas) != [one, two, three] else 0": 0,
    "size(nowhere().near)": 0,
    "nobody().score": 0,
    "nobody().rank": 0,
    "nobody().owed[p]": 0,
    "p.owed[nobody()]": 0,
    "size(nobody().seen)": 0,
    "1 if nobody().haunt is none else 0": 1,
    "nobody().haunt.limit": 0,
    "nobody().friend.friend.score": 0,
    "count(chip of p in nowhere())": 0,
    "count(chip of nobody() in one)": 0,
    "count(chip of nobody() on board)": 0,
    "count(chip of players in nowhere())": 0,
    "count(chip of nobody() in bag)": 0,
    "count(chip of p in nowhere().near)": 0,
    "1 if any(chip of p in nowhere()) else 0": 0,
    "size(areas with chip of nobody())": 0,
    "size(nowhere().near with chip of p)": 0,
    "1 if nobody() holds craft else 0": 0,
    "1 if p holds no_skill() else 0": 0,
    "size(others(nobody()))": 0,
    "1 if left_of(nobody()) is none else 0": 1,
    "size(cards(hand(nobody())))": 0,
    "top(deck).worth": 0,
    "1 if top(deck) is good else 0": 0,
    "1 if top(deck).good is none else 0": 1,
    "limit_of(nowhere())": 0,
    "limit_of(next_to(nowhere()))": 0,
    "here(nowhere())": 7,
    "size({nowhere(), one})": 1,
    "size({nowhere()})": 0,
    "size(list(a in areas by by_limit(nowhere())))": 3,
    "sum(limit_of(first(b in a.near where b.limit > 9)) for a in areas)": 0,
    "max(first(n in 1..0), 3)": 3,
    "first(n in 1..0) + 2": 2,
    "1 if first(n in 1..0) < 1 else 0": 1,
    "1 if nowhere() in areas else 0": 0,
    "count(chip of p in p.home)": 0,
}
STATEMENTS = (
    "set nobody().score = 5",
    "add 5 to nobody().score",
    "include one in nobody().seen",
    "include nowhere() in p.seen",
    "set p.owed[nobody()] = 4",
    "set p.spot = nowhere()",
    "set p.score = first(n in 1..0)",
    "move 2 chip of p from nowhere() to two",
    "move 2 chip of p from one to nowhere()",
    "move all chip of nobody() from one to two",
    "move first(n in 1..0) chip of p from one to two",
    "remove 1 chip of p from nowhere()",
    "place 1 chip of nobody() in one",
    "turn 1 chip of p in nowhere() as down",
    "put top(deck) in hand(p)",
    "put cards(deck) in hand(nobody())",
    "shuffle hand(nobody())",
    "give craft to nobody()",
    "give no_skill() to p",
    "take no_skill() from p",
    'tell nobody() "This is a secret."',
    "recall nobody()",
    "visit(p, nowhere())",
    "visit(nobody(), one)",
    "for each a in nowhere().near { add 1 to table.note }",
    "repeat first(n in 1..0) times { add 1 to table.note }",
    'may nobody() leap "Leap?" { add 1 to table.note }',
    'choose nope by p from areas where it.limit > 9 "Which?"\nadd nope.limit to table.note',
    'choose n by p from 1..0 "How many?"\nadd n to table.note',
)


def both(text: str) -> tuple[Game, Game]:
    """A game of the rules compiled, and one of the same rules walked."""
    made: Program = program(WORDS + text)
    walked = walked_program(made.ruleset, made.sites)
    return start(made, 2), start(walked, 2)


def test_reading_through_none_gives_nothing() -> None:
    values = "".join(f"value v{n}(p: player): int = {text}\n" for n, text in enumerate(EXPRESSIONS))
    for game in both(values + 'phase play "Play" { once { end game } }'):
        found = {text: game.value(f"v{n}", "player1") for n, text in enumerate(EXPRESSIONS)}
        assert found == EXPRESSIONS


def _told(game: Game) -> Any:
    state = game.state
    return state.pieces, state.attrs, state.held, state.piles, state.events()


@pytest.mark.parametrize("statement", STATEMENTS)
def test_doing_something_with_none_does_nothing(statement: str) -> None:
    phase = """
phase play "Play" {{
  each player p in players {{ {} }}
  once {{ end game }}
}}"""
    before, _ = both(phase.format(""))
    for game in both(phase.format(statement)):
        assert game.over
        assert _told(game)[:4] == _told(before)[:4]
        assert "secret" not in str([event.text for event in game.log])


def test_a_decision_of_nobody_takes_the_first_option() -> None:
    text = """
phase play "Play" {
  once {
    choose a by nobody() from areas "Where?"
    set table.note = a.limit
    end game
  }
}"""
    for game in both(text):
        assert game.attribute("note") == 2


def test_a_little_map_may_lack_an_area() -> None:
    text = """
value there(p: player): int = 1 + three.limit + count(chip of p in three)
phase play "Play" { once { move 1 chip of player1 from one to three   end game } }
""".replace("move 1 chip of player1 from one to three   ", "")
    made = program(WORDS + text)
    small = ir.Thing("area", "one", "One", (), ())
    for rules in (made, walked_program(made.ruleset, made.sites)):
        assert start(rules, 2, things=[small]).value("there", "player1") == 1


def test_the_player_that_a_neutral_owner_is_is_none() -> None:
    text = """
phase play "Play" {
  once {
    add 4 to player(house).score
    set table.note = 8 + player(house).score + player(house).rank
    put cards(deck) in hand(player(house))
    end game
  }
}"""
    for game in both(text):
        assert game.attribute("note") == 8
        assert [game.attribute("score", seat) for seat in ("player1", "player2")] == [0, 0]
