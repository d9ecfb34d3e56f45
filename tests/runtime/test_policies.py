"""What policies answer: any legal answer, or the best by the advice."""

from collections import Counter
from itertools import combinations

import attrs
import pytest

from tests.runtime.packed import program
from ziggurat.runtime.bots.policies import Advised, Random
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.kernel.errors import RulesError

ACT = """
phase play "Play" { players p act until done { } }
action spread "Spread" in play by p (
    origin from areas with chip of p,
    targets: at least 1 from origin.near,
    n from 1..count(chip of p in origin)) {
  needs size(targets) <= 2   "Too many."
  for each a in targets { move n chip of p from origin to a }
}
action rest "Rest" in play by p () { add 1 to p.score }
"""
PICK = 'phase play "Play" { each player p in players { choose a by p from areas "Where?" } }\n'


def advised(text: str) -> tuple[Game, object]:
    """What an advised player decides first."""
    game = start(program(text), 2)
    return game, Advised(1).decide(game, game.pending[0])


def areas(game: Game, *names: str) -> tuple[int, ...]:
    return tuple(game.table.thing_ids["area", name] for name in names)


def test_several_pieces_of_advice_about_one_thing_add_up() -> None:
    text = "advice play.a {{\n prefer {} when it is one\n prefer 2 when it is two\n}}\n"
    one = program(PICK + text.format(3)).ruleset
    more = program(PICK + text.format(0)).ruleset
    for advice, best in ((one.advice, "one"), (one.advice + more.advice, "two")):
        game = start(attrs.evolve(one, advice=advice), 2)
        assert (Advised(1).decide(game, game.pending[0]),) == areas(game, best)


def test_without_advice_an_act_is_done() -> None:
    assert advised(ACT)[1] is None


def test_members_of_a_set_are_scored_one_by_one() -> None:
    text = ACT + "advice spread { prefer 5 }\nadvice spread.targets { prefer it.limit - 2 }\n"
    text += "advice spread.n { prefer n }\n"
    game, answer = advised(text)
    (origin,), targets = areas(game, "one"), areas(game, "two")
    assert answer == ("spread", (origin, targets, 3))


def test_a_set_takes_at_least_what_it_must() -> None:
    text = ACT + "advice spread { prefer 5 }\nadvice spread.targets { prefer 0 - it.limit }\n"
    _, answer = advised(text)
    assert isinstance(answer, tuple)
    assert len(answer[1][1]) == 1


def test_the_best_action_above_nothing_is_taken() -> None:
    game, answer = advised(ACT + "advice spread { prefer n }\nadvice rest { prefer 4 }\n")
    assert answer == ("rest", ())
    game, answer = advised(ACT + "advice spread { prefer n }\nadvice rest { prefer 0 }\n")
    assert isinstance(answer, tuple)
    assert answer[0] == "spread"
    assert answer[1][2] == 3
    assert game.pending


def test_the_next_best_is_taken_if_the_best_is_refused() -> None:
    more = 'action jump "Jump" in play by p (a from areas) { needs a.limit < 3 "No." }\n'
    game, answer = advised(ACT + more + "advice jump { prefer a.limit }\n")
    assert answer in [("jump", areas(game, name)) for name in ("one", "three")]


@pytest.mark.parametrize(
    ("about", "looked_at"),
    [
        ("prefer 5 when p.score > 0", False),
        ("prefer 5 when p.score > 0 and n > 1", False),
        ("prefer 5 when n > 1 and p.score > 0", True),
        ("prefer 5 when p.score > 0\n prefer 1 when n > 9", True),
        ("prefer 5 when p.score > 0 or n > 9", True),
        ("prefer n", True),
        ("prefer 5 when p.score == 0", True),
    ],
)
def test_what_cannot_be_advised_is_not_looked_at(about: str, looked_at: bool) -> None:
    """Whoever looks at its parameters would notice that nobody can divide by 0."""
    text = f"{ACT}advice spread {{ {about} }}\nadvice spread.n {{ prefer 1 / p.score }}\n"
    if looked_at:
        with pytest.raises(RulesError):
            advised(text)
    else:
        assert advised(text)[1] is None


def test_all_pieces_of_advice_must_agree_that_there_is_no_chance() -> None:
    text = "advice spread {{ prefer 5 when p.score {} 0 }}\n"
    first, never, always = (program(ACT + text.format(how)).ruleset for how in (">", ">", "=="))
    for more, best in ((never, None), (always, "spread")):
        game = start(attrs.evolve(first, advice=first.advice + more.advice), 2)
        answer = Advised(1).decide(game, game.pending[0])
        assert (answer and answer[0]) == best


def test_chance_among_equals_is_fair() -> None:
    text = PICK.replace('choose a by p from areas "Where?"',
                        'select a by p from areas "Where?" such that total 1 is 2')  # fmt: skip
    game = start(program(text), 2)
    bot = Advised(5)
    found = Counter(bot._best_picks(game.pending[0].ask, [0, 0, 0]) for _ in range(600))
    assert len(found) == 3
    assert min(found.values()) > 150


def test_at_random_every_legal_answer_is_as_likely() -> None:
    text = """
phase play "Play" { players p act until done { } }
action go "Go" in play by p (
    origin from areas with chip of p,
    target from origin.near,
    n from 1..count(chip of p in origin)) {
  needs n < 3 or target.limit > 2  "Too many."
  move n chip of p from origin to target
}
action call "Call" in play by p (whom: at least 1 from areas) { add 1 to p.score }
action rest "Rest" in play by p () { add 1 to p.score }
"""
    game = start(program(text), 2)
    menu = game.pending[0].menu
    go, call = (menu.plans[number] for number in range(2))
    legal: set[object] = {None, ("rest", ())}
    for origin in menu.options(go, (0,)):
        for target in menu.options(go, (0, origin)):
            legal |= {("go", (origin, target, n)) for n in menu.options(go, (0, origin, target))}
    places = menu.options(call, (0,))
    sets = [some for size in (1, 2, 3) for some in combinations(places, size)]
    assert len(sets) == 2 ** len(places) - 1
    bot = Random(5)
    found = [bot.decide(game, game.pending[0]) for _ in range(300 * (len(legal) + 1))]
    calls = [answer[1][0] for answer in found if answer and answer[0] == "call"]
    others = Counter(answer for answer in found if not answer or answer[0] != "call")
    assert set(others) == legal
    assert all(220 < number < 380 for number in (*others.values(), len(calls)))
    drawn = Counter(calls)
    assert set(drawn) == set(sets)
    assert all(20 < number < 70 for number in drawn.values())
