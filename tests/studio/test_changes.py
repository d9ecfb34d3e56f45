"""What people are told they gained and lost: the difference of what they had, phase by phase."""

from collections import Counter
from functools import cache

from ziggurat import Advised, Program, Sentences, answer_of, load_program, start
from ziggurat.studio.play.changes import Changes, Stock, sentences
from ziggurat.studio.play.naming import Names

SEAT = "minoa"
SEATS = ["minoa", "hatti", "assyria", "hellas", "rome"]


@cache
def west() -> Program:
    program, _ = load_program("west")
    assert program is not None
    return program


def stock(game: object, changes: Changes) -> Stock:
    """What the seat has, as the changes hold it when they are asked for the news."""
    changes.told(game, SEAT)  # type: ignore[arg-type]
    return Counter(changes.had(SEAT))


def test_all_gains_and_losses_are_told_with_their_phases() -> None:
    game = start(west(), seats=SEATS, seed=5)
    changes, bot = Changes(game, (SEAT,)), Advised(5)
    first, gained, lost, phases = stock(game, changes), Counter(), Counter(), set()
    for _ in range(400):
        decision = game.decision
        assert decision is not None
        game.answer(answer_of(bot, game, decision), decision.decider)
        for change in changes.told(game, SEAT):
            assert not change.gained & change.lost
            gained, lost = gained + change.gained, lost + change.lost
            phases.add(change.phase)
    last = stock(game, changes)
    assert first + gained - lost == last
    assert lost
    titles = {phase.title for phase in west().ruleset.phases.values()}
    assert phases <= titles
    assert {"Population expansion", "Movement", "Trade"} <= phases


def test_what_somebody_does_is_not_told_again() -> None:
    game = start(west(), seats=SEATS, seed=5)
    changes, bot = Changes(game, (SEAT,)), Advised(5)
    while (decision := game.decision) and not (
        decision.decider == SEAT and decision.kind == "act" and "march" in decision.actions()
    ):
        game.answer(answer_of(bot, game, decision), decision.decider)
    changes.told(game, SEAT)
    changes.before(game, SEAT)
    (origin,) = decision.parameter_options("march")[:1]
    (target,) = decision.parameter_options("march", [origin])[:1]
    game.answer({"action": "march", "args": [origin, target, 1]}, SEAT)
    change = changes.after(game)
    assert change is not None
    assert change.lost == {(origin, "token"): 1}
    assert change.gained == {(target, "token"): 1}
    assert changes.told(game, SEAT) == []
    words = sentences(change, Names(game), Sentences(game.ruleset))
    title = {thing.id: thing.title for thing in game.things("area")}
    assert list(words) == [
        f"you lose 1 token in {title[origin]}",
        f"you gain 1 token in {title[target]}",
    ]
