"""Games on the little ruleset: decisions, simultaneous choices, acts, undo, refusals, views."""

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ziggurat.proving.explained import ExplainedGame
from ziggurat.runtime.bots.policies import Advised, Random, play
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.game.moment import shared_ranks
from ziggurat.runtime.kernel.errors import Refused
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.programs import compile_ruleset

sys.path.insert(0, str(Path(__file__).parent))
import small

PROGRAM = compile_ruleset(small.ruleset())


def new(players: int = 3, seed: int = 1, **options: int) -> Game:
    return start(PROGRAM, players, seed=seed, options=options)


def bring(game: Game, *numbers: int) -> None:
    for number in numbers:
        game.answer(number)


def test_everybody_is_asked_at_once() -> None:
    game = new()
    assert [d.decider for d in game.decisions] == ["player1", "player2", "player3"]
    decision = game.decisions[1]
    assert (decision.path, decision.kind, decision.prompt) == (
        "bring.n",
        "choose",
        "How many, player2?",
    )
    assert (decision.least, decision.most, decision.at.line) == (1, 1, 21)
    assert decision.options() == [0, 1, 2, 3]


def test_as_many_play_as_the_packs_admit() -> None:
    assert len(start(small.ruleset()).table.players) == 2
    assert len(start(small.ruleset(players=(3, 4))).table.players) == 4
    assert len(start(small.ruleset(players=(3, 4)), 3).table.players) == 3


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_answers_in_any_order_lead_to_the_same(order: tuple[int, ...]) -> None:
    game, answers = new(), (3, 1, 2)
    for seat in order:
        game.answer(answers[seat], seat=f"player{seat + 1}")
    expected = new()
    bring(expected, *answers)
    assert game.state == expected.state
    assert game.state.digest() == expected.state.digest()


def test_nothing_happens_before_all_have_answered() -> None:
    game = new()
    bring(game, 3, 3)
    assert game.count("stone", "player1") == 0
    bring(game, 0)
    assert [game.count("stone", f"player{n}") for n in (1, 2, 3)] == [3, 3, 0]


def test_an_act_is_the_whole_action() -> None:
    game = new()
    bring(game, 3, 2, 3)
    decision = game.decision
    assert decision is not None
    assert (decision.decider, decision.kind) == ("player2", "act")
    assert decision.options() == ["march", "done"]
    assert decision.parameter_options("march") == ["north"]
    assert decision.parameter_options("march", ["north"]) == ["east", "west"]
    assert decision.parameter_options("march", ["north", "east"]) == [1, 2]
    game.answer({"action": "march", "args": ["north", "east", 1]})
    assert game.count("stone", "player2", "east", "weary") == 1


def test_only_done_is_left_answers_itself() -> None:
    game = new()
    bring(game, 2, 1, 3)
    game.answer(["march", "north", "east", 1])
    assert game.decision is not None
    assert game.decision.decider == "player1"
    assert game.count("stone", "player2", "east", "fresh") == 1


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (["march", "north", "south", 1], "south is not possible as 'target'."),
        (["march", "west", "south", 1], "west is not possible as 'origin'."),
        (["march", "north", "east", 9], "9 is not possible as 'n'."),
        (["march", "north"], "'march' takes 3 arguments, not 1."),
        (["fly"], "There is no action 'fly' here."),
        (
            ["march", "nowhere", "east", 1],
            "['march', 'nowhere', 'east', 1] is not an answer to this.",
        ),
    ],
)
def test_refused_acts_change_nothing(answer: list[object], reason: str) -> None:
    game = new()
    bring(game, 2, 1, 3)
    before = game.state.digest()
    assert game.decision is not None
    assert game.decision.check(answer) == reason
    with pytest.raises(Refused, match=r".") as caught:
        game.answer(answer)
    assert caught.value.reason == reason
    assert game.state.digest() == before


@pytest.mark.parametrize(
    ("kind", "reason"),
    [(ExplainedGame, "The south is closed."), (Game, "south is not possible as 'target'.")],
)
def test_what_is_forbidden_says_why(kind: type[Game], reason: str) -> None:
    """The machine alone names the argument; an explained game, and its copies, the rule."""
    game = kind.start(PROGRAM, 3, seed=1).copy()
    bring(game, 3, 2, 3)
    game.answer(["march", "north", "west", 1])
    for seat in ("player2", "player1", "player3"):
        if game.decision is not None and game.decision.decider == seat:
            game.answer("done")
    bring(game, 0, 0, 0)
    assert game.decision is not None
    assert game.decision.decider == "player2"
    assert game.decision.check(["march", "west", "south", 1]) == reason


def test_a_requirement_says_why() -> None:
    game = new()
    bring(game, 2, 1, 3)
    slot = game.table.attributes["tired"].slot(1)
    game.edit(lambda state: state.attrs.__setitem__(slot, 1))
    assert game.decision is not None
    assert game.decision.decider == "player1", "who can only be done is done"


def test_refused_choices() -> None:
    game = new()
    for wrong in (4, -1, "x", None, [1], True and 7):
        assert game.decisions[0].check(wrong) is not None
    with pytest.raises(Refused, match="is not asked"):
        game.answer(1, seat="nobody")


def test_contributions_in_their_order() -> None:
    game = new()
    assert game.value("speed", "player1") == 1
    haste = game.table.thing_ids["skill", "haste"]
    game.edit(lambda state: state.give(haste, 0))
    assert game.value("speed", "player1") == 6
    assert game.value("speed", "player2") == 1


def test_a_game_to_its_end() -> None:
    game = new(4, rounds=5)
    play(game, Random(3))
    assert game.over
    assert game.decisions == []
    scores = game.scores()
    assert game.ranking() == sorted(scores, key=lambda seat: -scores[seat])


def test_seats_that_are_level_share_a_rank() -> None:
    assert shared_ranks({"a": (3,), "b": (1,), "c": (1,), "d": (0,)}) == {
        "d": 1, "b": 2, "c": 2, "a": 4,
    }  # fmt: skip
    game = new(3, rounds=5)
    assert set(game.ranks().values()) == {1}  # nobody has scored yet
    assert game.ranking() == game.seats


def test_advice_is_followed() -> None:
    game = new(2, rounds=2)
    play(game, Advised(3))
    assert game.scores() == {"player1": 18, "player2": 18}


def test_undo_and_redo() -> None:
    game = new(3, rounds=30)
    policy, digests = Random(8), [game.state.digest()]
    play(game, policy, limit=120, watch=lambda g: digests.append(g.state.digest()))
    for number in (1, 7, 40, 60):
        assert game.undo(number) == number
        assert game.state.digest() == digests[-1 - number]
        assert game.redo(number) == number
        assert game.state.digest() == digests[-1]
    assert game.undo(500) == 120
    assert game.state.digest() == digests[0]


def test_replaying_the_answers() -> None:
    game = new(3)
    play(game, Random(2))
    again = new(3)
    for index, inner in game.answers():
        again.decide(index, inner)
    assert again.state == game.state


def test_copies_go_their_own_way() -> None:
    game = new(3)
    other = game.copy()
    play(other, Random(1))
    assert game.answered == 0
    assert other.over
    assert not game.over


def test_a_game_in_the_middle_of_a_decision_is_data() -> None:
    game = new(3)
    game.answer(2, seat="player2")
    data = game.state.to_data()
    other = new(3)
    other.restore(type(game.state).from_data(other.table, data))
    assert [d.decider for d in other.decisions] == ["player1", "player3"]
    for one in (game, other):
        bring(one, 1, 1)
    assert game.state == other.state


def test_the_log_tells_what_happened() -> None:
    game = new(2)
    bring(game, 2, 1)
    said = [event.text for event in game.log]
    assert said == [
        "Bring", "player1 chooses 2.", "player2 chooses 1.",
        "player1 brings 2.", "player2 brings 1.", "Walk",
    ]  # fmt: skip
    assert [event.at.line for event in game.log[3:5]] == [23, 23]


def test_views_hide_what_others_hide() -> None:
    game = new(3)
    hands = game.table.pile_base["hand"]

    def deal(state: object, cards: list[int], plan: tuple[int, ...], seed: int) -> None:
        state.put(cards, hands + 1)  # type: ignore[attr-defined]
        state.attrs[game.table.attributes["plan"].slot(1)] = plan  # type: ignore[attr-defined]
        state.seed = seed  # type: ignore[attr-defined]

    views = []
    for cards, plan, seed in (([0, 1], (1,), 3), ([4, 3], (2, 3), 4)):
        one = game.copy()
        one.edit(lambda state, c=cards, p=plan, s=seed: deal(state, c, p, s))
        views.append((one.view("player1"), one.view("player2")))
    assert views[0][0] == views[1][0]
    assert views[0][1] != views[1][1]
    assert views[0][0]["piles"]["hand"]["player2"] == 2
    assert views[0][1]["piles"]["hand"]["player2"] == ["bread#1", "bread#2"]


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.integers(2, 5))
def test_random_play_keeps_the_laws(seed: int, players: int) -> None:
    game = new(players, seed)
    policy = Random(seed)
    rows, width = game.table.rows["stone"], game.table.Q

    def look(game: Game) -> None:
        for owner in game.table.owners:
            row = game.state.pieces[rows.total + owner * width : rows.total + (owner + 1) * width]
            assert sum(row) == game.table.supply["stone"][owner]
        for decision in game.decisions:
            assert decision.options()
            assert decision.check("nonsense") is not None

    play(game, policy, watch=look)
    assert game.over


def test_a_foreign_game_plays_to_its_end(race: Program) -> None:
    for seed in range(5):
        game = start(race, seats=["ann", "bob", "cat"], seed=seed)
        play(game, Random(seed))
        assert game.over
        assert max(game.scores().values()) >= 60
        best = start(race, seats=["ann", "bob", "cat"], seed=seed)
        play(best, Advised(seed))
        assert best.over
