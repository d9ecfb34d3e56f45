"""No pack can hang the process: what does not end in time is a diagnostic that names the rule."""

import subprocess
import sys
from functools import cache
from itertools import pairwise

import pytest

from tests.runtime.packed import program
from ziggurat.runtime.bots.policies import Random, play
from ziggurat.runtime.game.game import start
from ziggurat.runtime.kernel.errors import TOO_LONG, TOO_MUCH, RulesError
from ziggurat.runtime.kernel.program import Program, walked_program
from ziggurat.runtime.kernel.state import State

DOUBLING = "value v0(n: int): int = n\n" + "".join(
    f"value v{k}(n: int): int = v{k - 1}(n) + v{k - 1}(n + 1)\n" for k in range(1, 60)
)
CHAIN = "procedure c0() { add 1 to table.note }\n" + "".join(
    f"procedure c{k}() {{ c{k - 1}() }}\n" for k in range(1, 1500)
)
BRANCHING = "procedure b0() { add 1 to table.note }\n" + "".join(
    f"procedure b{k}() {{\n b{k - 1}()\n b{k - 1}()\n }}\n" for k in range(1, 60)
)
WORDS = """
attribute big of table: set of int = {}
attribute row of table: list of int = {}
attribute rows of table: list of list of int = {}
attribute pairs of table: int -> int = {}
attribute lists of table: int -> list of int = {}
attribute marks of player: area -> set of int = {}
value wide(n: int): set of int = {m for m in n..n + 150}
value grown(): set of int = table.big
rule growing { modify grown() by adding {1} }
"""
ENDLESS = {
    "nested loops": "repeat 10000000 times { repeat 10000000 times { add 1 to table.note } }",
    "a long loop": "for each n in 1..100000000 { add 1 to table.note }",
    "no way's end": "set table.note = size(reachable(from 1 through {it + 1}))",
    "a long sum": "set table.note = sum(n for n in 1..100000000)",
    "sums in sums": (
        "set table.note = sum(1 for a in 1..9000 where any(b in 1..9000 where b > 9000))"
    ),
    "a huge number": (
        "set table.note = 3\nrepeat 500 times { set table.note = table.note * table.note }"
    ),
    "no end": "set table.note = 3",
    "while": "repeat while yes { set table.note = 3 }",
    "a huge set": "set table.big = {n for n in 1..900000000}",
    "ranges compared": "if 1..900000000 == 1..899999999 { set table.note = 1 }",
    "growing sets": ("for each n in 1..9000 { set table.big = table.big + {m for m in 1..n} }"),
    "sorting": "set table.note = size(list(n in 1..90000000 by upwards))",
    "the first by an order": "set table.note = first(n in 1..90000000 by upwards)",
    "a huge pick": "pick 90000000 some at random from 1..900000000",
    "picking one": "pick one_of_many at random from 1..900000000 where it > 899999999",
    "a huge choice": 'choose n by player1() from 1..900000000 "Which?"',
    "a huge set to choose": 'choose up to 3 some by player1() from 1..900000000 "Which?"',
    "a huge selection": (
        'select some by player1() from 1..90000000 "Which?" such that total it is 70'
    ),
    "values in values": "set table.note = v59(1)",
    "procedures in procedures": "c1499()\nc1499()",
    "procedures twice": "b59()",
}
OFTEN = "repeat 2000 times {{ repeat 2000 times {{\n add 1 to table.note\n {}\n }} }}"
WIDE = "set table.big = {{n for n in 1..90000}}\n" + OFTEN
GROWING = {
    "sentences": OFTEN.format('say "On and on."'),
    "sentences to one": OFTEN.format('tell player1() "{table.note}"'),
    "long sentences": WIDE.format('say "{table.big}"'),
    "a list": OFTEN.format("include 1 in table.row"),
    "a set": OFTEN.format("include table.note in table.big"),
    "a union": OFTEN.format("set table.big = table.big + {table.note}"),
    "a map": OFTEN.format("set table.pairs[table.note] = 1"),
    "lists in a map": OFTEN.format("include 3 in table.lists[1]"),
    "sets of areas": OFTEN.format("include table.note in player1().marks[one]"),
    "lists in a list": (
        "set table.row = list(n in 1..9000)\nrepeat 2000 times { include table.row in table.rows }"
    ),
    "what answers itself": OFTEN.format('choose x by player1() from {1} "?"'),
    "sets that answer themselves": OFTEN.format('choose at least 9 x by player1() from 1..9 "?"'),
    "noted values": OFTEN.format("set table.big = wide(table.note)"),
    "looking for a member": WIDE.format("if 0 in table.big { add 1 to table.note }"),
    "copies": WIDE.format("add size(list(n in table.big)) to table.note"),
    "differences": WIDE.format("add size(table.big - table.big) to table.note"),
    "comparisons": WIDE.format("if table.big == grown() { add 1 to table.note }"),
    "changed values": WIDE.format("add size(grown()) to table.note"),
}


@cache
def rules(body: str) -> tuple[Program, Program]:
    text = f'phase play "Play" {{ once {{\n {body}\n }} }}'
    more = DOUBLING if "v59" in body else BRANCHING if "b59" in body else ""
    more += CHAIN if "c1499" in body else ""
    more += "value player1(): player = first(p in players)\n"
    more += "order upwards(n: int) { size: 0 - n }\n"
    compiled = program(WORDS + more + text)
    return compiled, walked_program(compiled.ruleset, compiled.sites)


@pytest.mark.parametrize("body", [*ENDLESS.values(), *GROWING.values()], ids=[*ENDLESS, *GROWING])
@pytest.mark.parametrize("walked", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_rules_that_do_not_end_are_stopped(body: str, walked: bool) -> None:
    made = rules(body)[walked]
    with pytest.raises(RulesError, match=r"tiny/tiny.rules:\d+: ") as caught:
        play(start(made, 2), Random(1), limit=100)
    assert caught.value.rule


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))
from tests.runtime.test_budgets import GROWING, rules
from ziggurat.runtime.kernel.errors import RulesError
from ziggurat.runtime.game.game import start
for name in sys.argv[1:]:
    try:
        start(rules(GROWING[name])[0], 2)
    except RulesError as wrong:
        print(name, wrong.at.file, wrong.rule, wrong.message, sep="|")
"""


def test_rules_that_grow_end_before_memory_does() -> None:
    names = ["sentences", "sentences to one", "long sentences", "lists in a list", "a map"]
    run = subprocess.run(
        [sys.executable, "-c", LIMITED, *names], capture_output=True, text=True, check=True
    )
    told = [line.split("|") for line in run.stdout.splitlines()]
    assert [line[0] for line in told] == names
    assert {line[1] for line in told} == {"tiny/tiny.rules"}
    assert all(line[2] == "play.1" for line in told)
    assert [line[3] for line in told] == [*[TOO_MUCH] * 3, TOO_LONG, TOO_LONG]


ROUNDS = """
attribute kept of table: list of int = {}
attribute scratch of table: list of int = {} { lasts: phase }
phase play "Play" {
  once { for each n in 1..50 { include n in table.scratch } }
  once { set table.kept = table.scratch }
  once { say "{table.kept}" }
  each player p in players { choose n by p from 1..2 "Which?" }
}
"""


def test_room_that_is_free_again_is_given_back() -> None:
    game = start(program(ROUNDS), 2)
    left = []
    for _ in range(40):
        play(game, Random(1), limit=2)
        left.append(game.state.room)
        again = State.from_data(game.table, game.state.to_data())
        assert again.room == game.state.room
    spent = {before - after for before, after in pairwise(left)}
    assert len(spent) == 1  # only the log grows
    assert 0 < spent.pop() < 120


def test_a_log_that_fills_up_ends_the_game() -> None:
    game = start(program(ROUNDS), 2)
    state = game.state.copy()
    state.room = 300
    game.restore(state)
    with pytest.raises(RulesError) as caught:
        play(game, Random(1), limit=100)
    assert caught.value.message == TOO_MUCH
    assert caught.value.at.file == "tiny/tiny.rules"
