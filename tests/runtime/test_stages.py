"""How phases run: at once, each, while, acts, passing, triggers, phases in phases, budgets."""

import sys
from pathlib import Path

import pytest

from ziggurat.runtime.bots.policies import Random, play
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.kernel.errors import Refused, RulesError

sys.path.insert(0, str(Path(__file__).parent))
from packed import program


def game(text: str, players: int = 3, **more: object) -> Game:
    return start(program(text), players, **more)  # type: ignore[arg-type]


def deciders(game: Game) -> list[str]:
    return [decision.decider for decision in game.decisions]


def test_an_answer_that_is_no_longer_legal_is_asked_again() -> None:
    one = game(
        """
phase play "Play" {
  all players p at once {
    choose a by p from {a in areas where not any(chip of house in a)} "Where?"
    place 1 chip of house in a
    add 1 to p.score
  }
  once { end game }
}
"""
    )
    assert deciders(one) == ["player1", "player2", "player3"]
    one.answer("two", seat="player3")
    one.answer("one", seat="player1")
    one.answer("one", seat="player2")
    assert deciders(one) == ["player2"], "player1 was first"
    assert one.decisions[0].options() == ["two", "three"]
    one.answer("three")
    assert one.over
    assert [one.count("chip", "house", a) for a in ("one", "two", "three")] == [1, 1, 1]


def test_what_is_left_answers_itself_after_a_clash() -> None:
    one = game(
        """
phase play "Play" {
  all players p at once {
    choose a by p from {a in areas where not any(chip of house in a)} "Where?"
    place 1 chip of house in a
  }
  once { end game }
}
"""
    )
    for seat in ("player1", "player2", "player3"):
        one.answer("two", seat=seat)
    assert deciders(one) == ["player2"]
    one.answer("one")
    assert one.over, "one area is left for player3"


def test_the_order_is_looked_at_anew() -> None:
    one = game(
        """
phase play "Play" {
  each player p in players by ranked {
    choose n by p from 0..3 "How many?"
    add n to p.score
    for each q in others(p) { if q.score == 0 { add 5 to left_of(q).score } }
  }
  once { end game }
}
"""
    )
    asked = []
    while not one.over:
        asked.append(deciders(one)[0])
        one.answer(0)
    assert asked[0] == "player1"
    assert sorted(asked) == ["player1", "player2", "player3"]
    assert asked[1:] == ["player3", "player2"]


def test_rounds_are_steps() -> None:
    one = game(
        """
phase play "Play" {
  while table.note < 3 {
    choose n by one_of(players) from 1..2 "How many?"
    add n to table.note
    say "Now {table.note}."
  }
  once { end game }
}
"""
    )
    one.answer(1)
    assert one.attribute("note") == 1
    one.answer(1)
    one.answer(2)
    assert one.over
    assert [e.text for e in one.log if e.what == "say"] == ["Now 1.", "Now 2.", "Now 4."]


def test_acting_freely_and_recall() -> None:
    one = game(
        """
phase play "Play" {
  players p act freely until all pass or table.note >= 9
  once { end game }
}
action shout "Shout" in play by p (q from others(p), n from 1..5) {
  needs p.score < 3 "You are hoarse."
  add 1 to p.score
  add n to table.note
  recall q
}
"""
    )
    assert deciders(one) == ["player1", "player2", "player3"]
    one.answer("pass", seat="player2")
    assert deciders(one) == ["player1", "player3"]
    one.answer({"action": "shout", "args": ["player2", 1]}, seat="player3")
    assert deciders(one) == ["player1", "player2", "player3"]
    for _ in range(2):
        one.answer(["shout", "player1", 1], seat="player3")
    assert deciders(one) == ["player1", "player2"], "player3 is hoarse"
    with pytest.raises(Refused, match="player3 is not asked"):
        one.answer("pass", seat="player3")
    one.answer(["shout", "player3", 5], seat="player1")
    one.answer(["shout", "player3", 1], seat="player2")
    assert one.over


def test_before_after_and_instead() -> None:
    one = game(
        """
procedure pay(p: player, n: int) { add n to p.score }
procedure log(n: int) { set table.note = table.note * 10 + n }
skill thrift "Thrift" {
  instead of pay(holder, n) when n > 5 { log(2) }
}
rule around "Around" {
  before pay(p, n) { log(1) }
  after pay(p, n) when p.score > 0 { log(3) }
  before play { log(9) }
}
phase play "Play" {
  once {
    give thrift to one_of(players)
    for each p in players { pay(p, 6) }
    end game
  }
}
"""
    )
    assert one.over
    assert one.attribute("note") == 9121313
    assert one.scores() == {"player1": 0, "player2": 6, "player3": 6}


def test_a_phase_inside_a_phase_and_one_that_is_not_needed() -> None:
    one = game(
        """
attribute fleeting of table: int = 0 { lasts: phase }
phase inner "Inner" { once { add 1 to table.note
    add 1 to table.fleeting } }
phase never "Never" { needs table.note > 99
    once { add 1000 to table.note } }
phase play "Play" {
  perform inner
  perform inner when table.note > 5
  perform never
  once { set table.note = table.note * 10 + table.fleeting
    end game }
}
"""
    )
    assert one.over
    assert one.attribute("note") == 10


@pytest.mark.parametrize(
    ("head", "rounds"),
    [
        ("repeat inner up to 9 times while table.note < 3", 3),
        ("repeat inner up to 9 times while table.note < 0", 1),
        ("repeat inner up to 2 times while table.note < 9", 2),
        ("repeat inner up to 8 times", 8),
        ("repeat inner up to table.note times while table.note < 9", 0),
        ("repeat inner up to 3 - table.note times", 2),
        ("repeat never up to 3 times", 0),
    ],
)
def test_a_phase_that_runs_again(head: str, rounds: int) -> None:
    one = game(
        f"""
phase inner "Inner" {{
  once {{ add 1 to table.note }}
  each player p {{ choose a by p from areas "Where?" }}
}}
phase never "Never" {{ needs table.note > 99
    once {{ add 1 to table.note }} }}
phase play "Play" {{
  {head}
  once {{ end game }}
}}
"""
    )
    asked = 0
    while not one.over:
        assert one.position.phase == "inner"
        one.answer("one")
        asked += 1
    assert one.attribute("note") == rounds
    assert asked == 3 * rounds


def test_self_answers_and_choices_of_sets() -> None:
    one = game(
        """
phase play "Play" {
  once {
    choose a by one_of(players) from {two} "Only one"
    choose none_there by house from {} + {a} "By the house"
    choose 5 all_of_them by one_of(players) from areas "More than there are"
    choose up to 0 nothing by one_of(players) from areas "Nothing"
    choose 2 pair by one_of(players) from areas "Two"
    choose b by one_of(players) from areas where it not in pair "One" ask always
    choose c by one_of(players) from areas "Or none" optionally
    set table.note = size(all_of_them) * 10 + size(pair)
    if c is none { add 100 to table.note }
    end game
  }
}
"""
    )
    first = one.decisions[0]
    assert (first.path, first.least, first.most) == ("play.pair", 2, 2)
    assert first.check(["one"]) == "This takes 2, not 1."
    one.answer(["three", "one"])
    assert one.decisions[0].options() == ["two"]
    one.answer("two")
    assert one.decisions[0].options() == ["one", "two", "three", None]
    one.answer(None)
    assert one.over
    assert one.attribute("note") == 132


def test_dividing_and_selecting() -> None:
    one = game(
        """
phase play "Play" {
  once {
    divide 4 lost among areas by one_of(players) "Lose 4" allowing 0..it.limit
    for each a in areas { set table.note = table.note * 10 + lost[a] }
    select some by one_of(players) from areas "Which?"
      such that connected by it.near, total it.limit is 5
      relaxing from the last
    set table.note = table.note * 10 + size(some)
    end game
  }
}
"""
    )
    decision = one.decisions[0]
    assert decision.kind == "divide"
    assert decision.next_picks() == {"one": [0, 1, 2], "two": [0, 1, 2, 3], "three": [0, 1, 2]}
    assert decision.next_picks({"two": 0}) == {"one": [2], "three": [2]}
    assert decision.check({"one": 2}) is not None
    one.answer({"one": 1, "two": 3})
    assert one.decisions[0].kind == "select"
    assert one.decisions[0].next_picks() == ["one", "two", "three"]
    assert one.decisions[0].next_picks(["one"]) == ["two"]
    assert one.decisions[0].check(["one", "three"]) is not None
    one.answer(["two", "three"])
    assert one.over
    assert one.attribute("note") == 1302


def test_may_and_otherwise() -> None:
    text = """
phase play "Play" {
  once {
    may one_of(players) pay "Pay?" when table.note == 0 { set table.note = 5 }
      otherwise { set table.note = 6 }
    may one_of(players) again "Again?" when table.note == 0 { set table.note = 1 }
    end game
  }
}
"""
    for answer, note in ((True, 5), (False, 6), ("yes", 5)):
        one = game(text)
        assert one.decisions[0].options() == [True, False]
        one.answer(answer)
        assert one.over
        assert one.attribute("note") == note


def test_chance_inside_a_step_does_not_change_when_it_is_asked_again() -> None:
    one = game(
        """
phase play "Play" {
  once {
    pick a at random from areas
    pick 2 bs at random from areas
    choose n by one_of(players) from 1..3 "n"
    choose m by one_of(players) from 1..3 "m"
    say "{a} {bs} {n} {m}"
    end game
  }
}
""",
        seed=5,
    )
    one.answer(2)
    one.answer(3)
    said = next(e.text for e in one.log if e.what == "say")
    assert one.state.draws == 2
    one.undo(2)
    one.answer(2)
    one.answer(3)
    assert next(e.text for e in one.log if e.what == "say") == said


def test_what_goes_wrong_names_the_line() -> None:
    text = """
phase play "Play" {
  once {
    let n = count(chip of house on board)
    set table.note = 7 / n
  }
}
"""
    with pytest.raises(RulesError, match=r"tiny\.rules:24: ") as caught:
        game(text)
    assert caught.value.at.file == "tiny/tiny.rules"


def test_loops_deeper_than_python_allows() -> None:
    depth = 24
    head = "".join(f"for each a{n} in {{one}} {{ " for n in range(depth))
    body = "add 1 to table.note\nif table.note >= 3 { stop }"
    deep = f"repeat 9 times {{ {head} {body} {'}' * depth} }}"
    text = f'phase play "Play" {{\n once {{ {deep} }}\n once {{ end game }}\n }}'
    one = game(text)
    assert one.attribute("note") == 3


def test_traced_programs_count_clauses() -> None:
    text = """
value worth(a: area): int = a.limit
rule more "More" { modify worth(a) by +1 when a == two }
phase play "Play" { once { set table.note = sum(worth(a) for a in areas)
    end game } }
"""
    traced = program(text, trace=True)
    one = start(traced, 2)
    assert one.over
    counted = dict(zip(traced.clauses, one.run.bound.counts, strict=True))
    assert counted["worth"] == 3
    assert next(n for clause, n in counted.items() if "modify worth" in clause) == 1
    assert start(program(text), 2).attribute("note") == one.attribute("note") == 8


def test_actions_of_things_are_for_their_holders() -> None:
    one = game(
        """
skill song "Song" {
  action sing "Sing" in play by p () { needs p.score == 0
    add 1 to p.score }
}
phase play "Play" {
  once { give song to one_of(players) }
  players p act until done
  once { end game }
}
"""
    )
    assert deciders(one) == ["player1"]
    one.answer(["song.sing"])
    assert one.over
    assert one.scores() == {"player1": 1, "player2": 0, "player3": 0}


def test_random_play_of_sets_in_actions() -> None:
    one = game(
        """
phase play "Play" { players p act until done
    once { end game } }
action lay "Lay" in play by p (
    some: at least 2 from areas, first from some, n: up to 1 from areas - some) {
  needs p.score < 5
  needs size(n) < 1 or first != one "Not that."
  add size(some) to p.score
}
"""
    )
    assert one.decision is not None
    for wrong in (None, "one", {}, 3, [None], ["one", None]):
        assert one.decision.check({"action": "lay", "args": [wrong, "one", []]}) is not None
    play(one, Random(4))
    assert one.over
