"""Bundles begin, change and end as wholes; procedures give results.

Compiled rules and the reference evaluator agree about both; views and saves need not know of them.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.runtime.packed import program
from ziggurat.runtime.bots.policies import Random
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.game.secrecy import secret_answers
from ziggurat.runtime.kernel.program import Program, walked_program
from ziggurat.runtime.saves import save as saves

BID = """
kind nation seat plural nations { rank: int = 4 }
attribute owed of player: player -> int = {}
bundle bid "Bid" of player {
  hidden: set of area secret
  size: int = 3
  to: player
  open: bool = yes
  owed: player -> int
  goal: area or none = two
}
bundle storm of table { centre: area or none  force: int = 2 }
bundle fort of area { strength: int = 5 }
bundle plan of player secret { target: area or none }
value nobody(): player or none = none
value nowhere(): area or none = none
procedure begin_bid(p: player, q: player) {
  set p.bid = bid(hidden: {one, three}, to: q)
}
"""
PHASE = """
phase play "Play" {{
  once {{
    let p = first(q in players)
    let q = left_of(p)
    {}
    end game
  }}
}}"""


def rules(text: str) -> tuple[Program, Program]:
    """Rules compiled, and the same rules walked."""
    made = program(BID + text)
    return made, walked_program(made.ruleset, made.sites)


def games(steps: str, more: str = "") -> tuple[Game, Game]:
    compiled, walked = rules(more + PHASE.format("\n    ".join(steps.split("; "))))
    return start(compiled, 2), start(walked, 2)


NEW = {"hidden": ["one", "three"], "size": 3, "to": "player2", "open": True, "goal": "two"}
NEW["owed"] = {"player1": 0, "player2": 0}
STEPS: dict[str, Any] = {
    "begin_bid(p, q)": NEW,
    "begin_bid(p, q); clear p.bid": None,
    "begin_bid(p, q); set p.bid = bid(to: p)": NEW | {"hidden": [], "to": "player1"},
    "begin_bid(p, q); set p.bid.size = 7": NEW | {"size": 7},
    "begin_bid(p, q); add 2 to p.bid.size; subtract 1 from p.bid.size": NEW | {"size": 4},
    "begin_bid(p, q); include two in p.bid.hidden": NEW | {"hidden": ["one", "two", "three"]},
    "begin_bid(p, q); add 4 to p.bid.owed[q]": NEW | {"owed": {"player1": 0, "player2": 4}},
    # What is given is worked out before anything is written.
    "begin_bid(p, q); set p.bid = bid(to: p.bid.to, size: size(p.bid.hidden))":
        NEW | {"hidden": [], "size": 2},
    # What is said to be none is none; what cannot be none is what it is to begin with.
    "set p.bid = bid(to: q, goal: none)": NEW | {"hidden": [], "goal": None},
    "set p.bid = bid(to: nobody())": NEW | {"hidden": [], "to": None},
    "set p.bid = bid(to: q, size: first(n in 1..0))": NEW | {"hidden": [], "size": 0},
    # What is not there is not changed, and neither is what nobody has.
    "set p.bid.size = 7; include two in p.bid.hidden; add 4 to p.bid.owed[q]": None,
    "begin_bid(p, q); clear p.bid; add 1 to p.bid.size": None,
    "begin_bid(nobody(), q); set nobody().bid = bid(to: p); clear nobody().bid": None,
    "clear p.bid": None,
}  # fmt: skip


@pytest.mark.parametrize("steps", STEPS)
def test_what_is_in_a_bundle(steps: str) -> None:
    for game in games(steps):
        assert game.attribute("bid", "player1") == STEPS[steps]
        assert game.attribute("bid", "player2") is None


def test_of_the_table_and_of_things() -> None:
    steps = "set storm = storm(centre: two); add 1 to storm.force; set one.fort = fort()"
    steps += "; set nowhere().fort = fort()"
    for game in games(steps):
        assert game.attribute("storm") == {"centre": "two", "force": 3}
        assert game.attribute("fort", "one") == {"strength": 5}
        assert game.attribute("fort", "two") is None
    for game in games("set table.storm = storm(); clear storm"):
        assert game.attribute("storm") is None


def test_what_is_not_there_has_nothing_in_it() -> None:
    more = """
value nothing(p: player): bool = p.bid is none and p.bid.size == 0 and not p.bid.open
    and p.bid.hidden == {} and p.bid.to is none and p.bid.goal is none and p.bid.owed[p] == 0
value something(p: player): bool = p.bid is not none and p.bid.size == 3 and p.bid.open
    and size(p.bid.hidden) == 2 and p.bid.to is not none and p.bid.goal is two
"""
    for game in games("begin_bid(p, q)", more):
        assert game.value("something", "player1") == 1
        assert game.value("nothing", "player1") == 0
        assert game.value("something", "player2") == 0
        assert game.value("nothing", "player2") == 1
    for game in games("begin_bid(p, q); clear p.bid", more):
        assert game.value("nothing", "player1") == 1


def test_a_seat_sees_what_is_open_of_the_bundles_of_others() -> None:
    for game in games("begin_bid(p, q); set p.plan = plan(target: two)"):
        mine, theirs = (game.view(seat)["attributes"] for seat in ("player1", "player2"))
        assert mine["player.bid.hidden"] == {0: [(0, 2)]}
        assert theirs["player.bid.hidden"] == {1: [()]}
        assert theirs["player.bid"] == {0: [1], 1: [0]}
        assert theirs["player.bid.size"] == {0: [3], 1: [0]}
        assert mine["player.plan"] == {0: [1]}
        assert theirs["player.plan"] == {1: [0]}
        assert theirs["player.plan.target"] == {1: [None]}


@pytest.mark.parametrize(
    ("steps", "secret"),
    [
        ("set p.bid = bid(to: p, hidden: {a})", True),
        ("set p.plan = plan(target: a)", True),
        ("set p.bid = bid(to: p, goal: a)", False),
        ("set a.fort = fort()", False),
        ("let b = likewise(a); set p.plan = plan(target: b)", True),
        ("let b = likewise(a); place 1 chip of p in b", False),
    ],
)
def test_an_answer_that_only_secret_fields_keep_is_secret(steps: str, secret: bool) -> None:
    more = "procedure likewise(a: area): area or none { give a }\n"
    lines = ['choose a by p from areas "Which?"', *steps.split("; ")]
    text = more + PHASE.format("\n    ".join(lines))
    assert ("play.a" in secret_answers(program(BID + text))) is secret


def test_a_saved_game_goes_on_with_its_bundles(tmp_path: Path) -> None:
    text = """
phase play "Play" {
  each player p in players {
    choose n by p from 1..3 "How many?"
    set p.bid = bid(to: left_of(p), size: n)
  }
  each player p in players where p.bid is not none {
    choose goal by p from areas "Where?"
    set p.bid.goal = goal
    if p.bid.size > 2 { clear p.bid }
    add p.bid.size to p.score
  }
  once { set table.note = table.note + 1 }
  once { if table.note > 3 { end game } }
}"""
    made, _ = rules(text)
    game = start(made, 2, seed=3)
    save = saves.Save(tmp_path / "game.zig", saves.header_of(game, "0.1.0", {}), game)
    save.create()
    bot = Random(5)
    for _ in range(6):
        face = save.game.decisions[0]
        save.answer(face.name(bot.decide(save.game, save.game.pending[0])), face.decider)
    loaded, told = saves.load(save.path, lambda stack: made)
    assert told == []
    assert loaded.game.state == save.game.state
    assert any(loaded.game.attribute("bid", seat) for seat in ("player1", "player2"))


def test_a_whole_that_grows_has_to_be_paid_for() -> None:
    before = start(rules(PHASE.format(""))[0], 2).state.room
    for game in games("begin_bid(p, q); set p.bid = bid(to: q, hidden: {one})"):
        assert game.state.room < before
    for game in games("begin_bid(p, q); clear p.bid"):
        assert game.state.room == before


# ---- results ------------------------------------------------------------------------------------

GIVING = """
procedure full(p: player): area or none {
  for each a in areas {
    if any(chip of p in a) { give a }
  }
}
procedure doubled(n: int): int {
  stop if n > 10
  if n > 5 { give 1 }
  step twice { give n + n }
}
procedure asked(p: player): bool {
  may p agree "Agree?" { give yes }
}
procedure near(a: area): set of area {
  give a.near
}
procedure counted(p: player): int {
  add 10 to p.score
  give p.score
}
rule more {
  before counted(p) { add 1 to p.score }
  after counted(p) { add 100 to p.score }
  instead of counted(p) when p.score > 1000 { give 7 }
  instead of counted(p) when p.score > 2000 { add 1 to p.score }
}
"""
RESULTS = {
    "let a = full(p); set table.note = a.limit": 2,
    "remove 3 chip of p from one; let a = full(p); set table.note = 1 if a is none else 0": 1,
    "let a = full(nobody()); set table.note = 1 if a is none else 0": 1,
    "let n = doubled(4); let n = doubled(n); set table.note = n + 10": 11,
    "let n = doubled(3); set table.note = n": 6,
    "let n = doubled(11); set table.note = n + 1": 1,
    "let n = doubled(first(m in 1..0)); set table.note = n + 1": 1,
    "let all = near(two); set table.note = size(all)": 2,
    "let all = near(nowhere()); set table.note = size(all)": 0,
    "let n = counted(p); set table.note = n * 1000 + p.score": 11111,
    "set p.score = 1500; let n = counted(p); set table.note = n * 1000 + p.score - 1500": 7101,
    "set p.score = 2500; let n = counted(p); set table.note = n * 1000 + p.score - 2500": 102,
    "counted(p); set table.note = p.score": 111,
}


BLOCKS = """
kind storm plural storms {
  force: int = 1
  body spread(p: player): set of player
  body eye(p: player, wide: area or none): area or none
  body strength(p: player): int
}
storm gale "Gale" {
  force: 3
  spread {
    stop if p.score > 5
    give others(p)
  }
  eye { give wide if wide is not none else one }
  strength { give this.force }
}
storm calm "Calm" {}
value storm_of(n: int): storm or none = first(s in storms where s.force == n)
rule harder {
  before storm.strength(p) { add 1 to p.score }
  instead of calm.strength(p) when p.score > 4 { give 50 }
}
"""
GIVEN_BY_BLOCKS = {
    "let all = gale.spread(p); set table.note = size(all)": 1,
    "set p.score = 9; let all = gale.spread(p); set table.note = size(all) + 5": 5,
    "let all = calm.spread(p); set table.note = size(all) + 5": 5,
    "let all = storm_of(9).spread(p); set table.note = size(all) + 5": 5,
    "let all = gale.spread(nobody()); set table.note = size(all) + 5": 5,
    "let a = gale.eye(p, none); set table.note = 1 if a is one else 0": 1,
    "let a = gale.eye(p, two); set table.note = 1 if a is two else 0": 1,
    "let a = calm.eye(p, two); set table.note = 1 if a is none else 0": 1,
    "let n = storm_of(3).strength(p); set table.note = n * 10 + p.score": 31,
    "let n = calm.strength(p); set table.note = n * 10 + p.score": 1,
    "set p.score = 4; let n = calm.strength(p); set table.note = n * 10 + p.score": 505,
    "gale.strength(p); set table.note = p.score": 1,
}


@pytest.mark.parametrize("steps", GIVEN_BY_BLOCKS)
def test_what_the_block_of_a_thing_gives(steps: str) -> None:
    for game in games(steps, BLOCKS):
        assert game.attribute("note") == GIVEN_BY_BLOCKS[steps]


@pytest.mark.parametrize("steps", RESULTS)
def test_what_a_procedure_gives(steps: str) -> None:
    for game in games(steps, GIVING):
        assert game.attribute("note") == RESULTS[steps]


def test_a_procedure_that_asks_gives_what_was_answered() -> None:
    for game in games("let yes_said = asked(p); set table.note = 5 if yes_said else 3", GIVING):
        twin = game.copy()
        game.answer(True)
        twin.answer(False)
        assert (game.attribute("note"), twin.attribute("note")) == (5, 3)


def test_a_result_is_given_from_any_depth() -> None:
    """Python allows 20 loops inside each other; deeper ones are functions of their own."""
    depth = 30
    names = [f"a{n}" for n in range(depth)]
    loops = "".join(f"for each {name} in {{one, two}} {{\n" for name in names)
    deep = f"procedure deep(n: int): int {{\n{loops} add 1 to table.note\n"
    deep += "if table.note == n { give n * 100 }\n" + "}\n" * depth + "give 4\n}\n"
    for game in games("let n = deep(3); set table.note = n", deep):
        assert game.attribute("note") == 300
