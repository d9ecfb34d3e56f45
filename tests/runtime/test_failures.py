"""Whose mistake it is: what rules bring about names the rule, anything else names Ziggurat."""

from contextlib import suppress
from typing import Any

import pytest

from tests.dsl.linked import link_text
from tests.dsl.made import Maker
from tests.runtime.packed import program
from ziggurat.runtime.bots.policies import Advised, Random, play
from ziggurat.runtime.compiler import support
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.kernel.errors import InternalError, RulesError
from ziggurat.runtime.kernel.program import Program, walked_program
from ziggurat.runtime.programs import compile_ruleset

WORDS = """
kind good card plural goods { copies: int = 2 }
good salt "Salt" { }
cards card { faces: good }
place hand of player { cards: card }
place deck of table { cards: card }
attribute haunt of player: area or none = none
attribute maybe of table: int or none = none
attribute haunts of table: list of area = {}
attribute drawn of table: list of card = {}
attribute lists of table: int -> list of int = {}
attribute flags of table: int -> bool = {}
attribute sets of table: list of set of int = {}
attribute near_by of player: area -> set of int = {}
order by_limit(a: area) { least: a.limit }
kind stand plural stands { wares: list of area = {} }
stand stall "Stall" { }
value first_player(): player = first(p in players)
"""
PLAY = 'phase play "Play" {{ once {{\n {body}\n }}\n once {{ end game }} }}'


def rules(body: str, more: str = "") -> Program:
    return program(WORDS + more + PLAY.format(body=body))


def said(made: Program) -> list[Any]:
    game = start(made, 2)
    play(game, Random(1))
    return [game.state.digest(), *(event.text for event in game.log)]


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (
            "set table.haunts = list(p.haunt for p in players)\n"
            "for each a in table.haunts by by_limit { add a.limit to table.note }\n"
            'say "{size(table.haunts)}"',
            "0",
        ),
        ('set table.haunts = {first_player().haunt, one}\nsay "{table.haunts}"', "One"),
        ('add 3 to table.maybe\nsay "{table.maybe}"', "3"),
        ('subtract 3 from table.maybe\nsay "{table.maybe}"', "-3"),
        ('include 3 in table.lists[2]\nsay "{table.lists}"', "2 3"),
        ('set table.lists[2] = {3, 4}\nexclude 3 from table.lists[2]\nsay "{table.lists}"', "2 4"),
        ('set table.flags[2] = 1 < 2\nsay "{table.flags}"', "2 yes"),
        ('include {1, 2} in table.sets\ninclude {3} in table.sets\nsay "{table.sets}"', "1, 2, 3"),
        ('set first_player().near_by = {}\nsay "{size(first_player().near_by[one])}"', "0"),
        ('say "{size(stall.wares)}"', "0"),
        (
            "put cards(box) in deck\ninclude top(deck) in table.drawn\n"
            "include top(deck) in table.drawn\nput table.drawn in hand(first_player())\n"
            'say "{size(hand(first_player()))} and {size(deck)}"',
            "1 and 1",
        ),
    ],
)
def test_what_rules_may_well_do_is_no_mistake_at_all(body: str, sentence: str) -> None:
    made = rules(body)
    found = said(made)
    assert found[-1] == sentence
    assert said(walked_program(made.ruleset, made.sites)) == found


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("set table.note = 5 / table.note", "A number is divided by 0."),
        ("set table.note = 5 mod table.note", "A number is divided by 0."),
        (
            "add 9 to table.note\nrepeat 90 times { set table.note = table.note * table.note }",
            "A number becomes too large.",
        ),
    ],
)
def test_what_rules_bring_about_is_theirs(body: str, message: str) -> None:
    made = rules(body)
    for walked in (made, walked_program(made.ruleset, made.sites)):
        with pytest.raises(RulesError) as caught:
            play(start(walked, 2), Random(1))
        assert caught.value.message == message
        assert caught.value.rule
        assert caught.value.at.file == "tiny/tiny.rules"


ACTING = """
phase play "Play" {{ players p act until done }}
action double "Double" in play by p (a from areas where {option} >= 0) {{ add {effect} to p.score }}
advice double {{ prefer {score} }}
"""


def acting(broken: str) -> Program:
    parts = dict.fromkeys(("option", "effect", "score"), "1")
    return program(ACTING.format(**{**parts, broken: "table.note * p.score"}))


def failing(wrong: Exception) -> Any:
    def fail(*_: object) -> None:
        raise wrong

    return fail


@pytest.mark.parametrize("broken", ["option", "effect", "score"])
@pytest.mark.parametrize("wrong", [NameError("v3"), TypeError("no"), KeyError("x"), ValueError()])
def test_what_no_rule_can_bring_about_is_a_mistake_of_ziggurat(
    broken: str, wrong: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(support.NAMES, "times", failing(wrong))
    with pytest.raises(InternalError, match="a mistake in Ziggurat, not in the rules") as caught:
        play(start(acting(broken), 2), Advised(1), limit=9)
    told, at = str(caught.value), caught.value.at
    assert f"({type(wrong).__name__}:" in told
    assert at.line
    assert f"tiny/tiny.rules:{at.line}" in told
    assert caught.value.rule in told


def test_a_failing_game_stays_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(support.NAMES, "times", failing(AttributeError("nothing")))
    game: Game = start(acting("effect"), 2)
    before = game.state.digest()
    with pytest.raises(InternalError):
        game.answer({"action": "double", "args": ["one"]})
    assert (game.state.digest(), game.answered) == (before, 0)
    game.answer("done")
    assert game.answered == 1


MANY = [pytest.param(seed, marks=pytest.mark.slow) for seed in range(12, 200)]


@pytest.mark.parametrize("seed", [*range(12), *MANY])
def test_packs_made_by_chance_bring_about_no_mistake_of_ziggurat(seed: int) -> None:
    ruleset = link_text(Maker(seed).pack(), base="").ruleset
    if ruleset is None:
        return  # chance made something that linking rightly refuses
    with suppress(RulesError):
        game = start(compile_ruleset(ruleset), 2, seed=seed)
        play(game, Advised(seed), limit=40)
        assert game.view("player1")
