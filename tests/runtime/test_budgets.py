"""No pack can hang the process: what does not end in time is a diagnostic that names the rule."""

from functools import cache

import pytest

from tests.runtime.packed import program
from ziggurat.proving.reference_program import reference_program
from ziggurat.runtime.errors import RulesError
from ziggurat.runtime.game import start
from ziggurat.runtime.policies import Random, play
from ziggurat.runtime.program import Program

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
"""
ENDLESS = {
    "nested loops": "repeat 10000000 times { repeat 10000000 times { add 1 to table.note } }",
    "a long loop": "for each n in 1..100000000 { add 1 to table.note }",
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


@cache
def rules(body: str) -> tuple[Program, Program]:
    text = f'phase play "Play" {{ once {{\n {body}\n }} }}'
    more = DOUBLING if "v59" in body else BRANCHING if "b59" in body else ""
    more += CHAIN if "c1499" in body else ""
    more += "value player1(): player = first(p in players)\n"
    more += "order upwards(n: int) { size: 0 - n }\n"
    compiled = program(WORDS + more + text)
    return compiled, reference_program(compiled.ruleset, compiled.sites)


@pytest.mark.parametrize("body", ENDLESS.values(), ids=ENDLESS)
@pytest.mark.parametrize("walked", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_rules_that_do_not_end_are_stopped(body: str, walked: bool) -> None:
    made = rules(body)[walked]
    with pytest.raises(RulesError, match=r"tiny/tiny.rules:\d+: ") as caught:
        play(start(made, 2), Random(1), limit=100)
    assert caught.value.rule
