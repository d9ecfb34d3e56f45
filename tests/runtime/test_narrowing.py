"""`o is player p`: what a test finds out has a name, compiled and walked alike."""

from tests.runtime.packed import program
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.kernel.program import walked_program

WORDS = """
kind good card plural goods { copies: int = 2   worth: int = 3 }
kind woe card plural woes { copies: int = 1 }
good salt "Salt" {}
woe flood "Flood" {}
cards card { faces: good, woe }
place deck of table { cards: card }
attribute fame of player: int = 4
attribute rival of owner: owner or none = none
attribute shown of owner: int = 0
value price(o: owner, q: owner): int = 10
value stranger(o: owner): owner or none = first(x in owners where x is not o and x is not player)
value worth_of(c: card): int = g.worth if c is good g else 1
skill craft "Craft" {
  modify price(o, holder) by +holder.fame * 100 when o is player p and p is holder
}
rule pride {
  modify price(o, q) by +p.fame + r.fame when o is player p and q is player r
  after show(o) when o is player p { add 10 to p.fame }
}
procedure show(o: owner) {
  if o is player p {
    set o.rival = house
    add p.fame to o.shown
  } else if o is house and o.rival is player p { add 1 to p.fame } else { add 1 to o.shown }
  if o.rival is player q and q.fame > 0 { set q.fame = 0 }
}
phase play "Play" {
  once {
    give craft to first(p in players)
    for each o in owners { show(o) }
    for each o in owners where o is player p { add 100 to p.fame }
    repeat while house.rival is player p at most 3 times {
      set house.rival = none
      set p.fame = 0
    }
    for each c in cards(box) { if c is good g { add g.worth to table.note } }
    end game
  }
}
"""
# Of a player and of the House.
EXPRESSIONS = {
    "p.fame if o is player p else 0": (114, 0),
    "0 if o is not player else 1": (1, 0),
    "(p.fame if o is player p else 0) + (1 if o is player p and p.fame > 999 else 2)": (116, 2),
    "1 if o is not player else 2 if o is player p and p.fame == 114 else 3": (2, 1),
    "player(o).fame": (114, 0),
    "sum(p.fame for x in owners where x is player p and p is o)": (114, 0),
    "count(x in owners where x is player p and p is not o)": (1, 2),
    "size({p for x in owners where x is player p})": (2, 2),
    "1 if every(x in owners has x is house or x is player p and p.fame == 114) else 0": (1, 1),
    "1 if stranger(o) is player p and p.fame > 0 else 7": (7, 7),
    "size(others(o))": (1, 2),
    "1 if o holds craft else 0": (1, 0),
    "price(o, o)": (10 + 228 + 11400, 10),
    "sum(worth_of(c) for c in cards(box))": (7, 7),
    "o.shown": (4, 1),
}  # fmt: skip


def both(text: str) -> tuple[Game, Game]:
    """A game of the rules compiled, and one of the same rules walked."""
    made = program(WORDS + text)
    return start(made, 2), start(walked_program(made.ruleset, made.sites), 2)


def test_a_name_is_the_player_that_an_owner_is() -> None:
    values = "".join(f"value v{n}(o: owner): int = {text}\n" for n, text in enumerate(EXPRESSIONS))
    for game in both(values):
        assert game.over
        found = {
            text: tuple(game.value(f"v{n}", who) for who in ("player1", "house"))
            for n, text in enumerate(EXPRESSIONS)
        }
        assert found == EXPRESSIONS


def test_steps_keep_what_was_found_out_when_it_changes() -> None:
    text = """
value rival_of(o: owner): int = 1 if o.rival is player else 0
rule feud {
  before show(o) when o is player p and p holds craft {
    set house.rival = p
    if house.rival is player q {
      set house.rival = none
      add 1000 to q.fame
    }
  }
}
value fame_of(p: player): int = p.fame
"""
    for game in both(text):
        assert [game.value("fame_of", who) for who in ("player1", "player2")] == [1114, 114]
        assert game.value("rival_of", "house") == 0


def test_questions_sentences_and_stages_see_what_was_found_out() -> None:
    made = program("""
attribute heard of owner: owner or none = none
attribute cheers of player: int = 0
value cheers_of(p: player): int = p.cheers
phase play "Play" {
  each owner o in owners where o is player p { add 1 to p.cheers }
  all players p at once where p.heard is none { set p.heard = left_of(p) }
  once { set house.heard = first(p in players) }
  while house.heard is player p and p.cheers < 3 { add 1 to p.cheers }
  once {
    say "{r} is heard." when house.heard is player r
    tell r "You are heard." when house.heard is player r
    may house boast "Boast to {r}?" when house.heard is player r {
      set house.heard = none
      add 10 to r.cheers
    }
    end game
  }
}
""")
    for rules in (made, walked_program(made.ruleset, made.sites)):
        game = start(rules, 2)
        assert game.over
        assert [game.value("cheers_of", who) for who in ("player1", "player2")] == [13, 1]
        assert "player1 is heard." in [event.text for event in game.log]
