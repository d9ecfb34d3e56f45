"""Why a line of the log is there, why an option is not offered, and to whom that may be told."""

from typing import Any

import pytest

from tests.runtime.packed import program
from ziggurat.proving.explained import start
from ziggurat.proving.questions import BadQuestion
from ziggurat.proving.questions_in_games import refused_to, why_happened

RULES = """
attribute plan of player secret: int = 0
attribute bold of player: bool = no
value strength(p: player): int = count(chip of p in one) + 1

procedure storm(p: player, q: player) {
  if p is none { stop }
  if strength(p) < 3 {
    say "{p} is too weak."
    stop
  }
  if q.plan > 4 { say "{q} was ready for {p}." } else { say "{p} storms {q} with {strength(p)}." }
}
phase play "Play" {
  players p act until done
  once {
    for each p in players where p.bold by ranked {
      for each q in players where q != p { storm(p, q) }
    }
    for each p in players where p.plan > 4 { say "{p} lay in wait." }
    end game
  }
}
action dare "Dare" in play by p () {
  needs not p.bold "Once is enough."
  set p.bold = yes
}
action prepare in play by p (n from 0..9) { set p.plan = n }
action lend in play by p (n from 1..3) { move n chip of p from one to bag }
action visit in play by p () {
  choose hall by p from areas where it.limit > 2 and not any(chip of p in it) "Where to?" optionally
  choose far by p from one.near "How far?" ask always
  say "{p} visits {hall}."
}
"""


@pytest.fixture(scope="module")
def rules() -> Any:
    return program(RULES)


def played(rules: Any, *answers: tuple[str, Any]) -> Any:
    game = start(rules, seats=["ann", "ben", "cleo"], seed=1)
    for seat, answer in answers:
        game.answer(answer, seat)
    return game


def number_of(game: Any, text: str, seat: str | None = None) -> int:
    return next(n for n, event in enumerate(game.events(seat), 1) if event.text == text)


def words(found: Any) -> str:
    return str(found)


STORMED = (
    ("ann", {"action": "prepare", "args": [7]}), ("ann", "done"),
    ("ben", {"action": "dare", "args": []}), ("ben", {"action": "lend", "args": [1]}),
    ("ben", "done"), ("cleo", "done"),
)  # fmt: skip


def test_a_line_names_its_rule_what_decided_with_numbers_and_the_answers(rules: Any) -> None:
    game = played(rules, *STORMED)
    found = why_happened(game, number_of(game, "ben storms cleo with 3."))
    assert found.where.endswith(":31")
    assert found.rule == "storm"
    storm, stage, phase = found.ran
    assert storm.rule == "storm(p = ben, q = cleo)"
    assert [(one.text, one.holds) for one in storm.why] == [
        ("3 strength of ben, 3 needed", True),
        ("cleo.plan is 0, at most 4 allowed", True),
    ]
    bold, other = stage.why
    assert bold.text == "ben is in players, 1 of 1 by ranked"
    assert [one.text for one in bold.parts] == ["ben.bold"]
    assert other.text == "cleo is in players, 2 of 2"
    assert phase.rule == "phase Play"
    (value,) = found.values
    assert (value.text, value.result) == ("strength(ben)", "3")
    assert [(led.text, led.since) for led in found.answers] == [
        ("ben: lend (1)", ("strength(ben): 4, then 3",)),
    ]


def test_a_seat_is_told_no_more_than_it_may_know(rules: Any) -> None:
    game = played(rules, *STORMED)
    line = "ben storms cleo with 3."
    for seat in ("ann", "ben"):
        told = why_happened(game, number_of(game, line, seat), seat)
        assert told.ran[0].hidden
        assert ".plan" not in words(told)
        assert told.ran[-1].rule == "phase Play"  # the log tells that
        assert len(told.ran) == 2
    assert "cleo.plan is 0" in words(why_happened(game, number_of(game, line, "cleo"), "cleo"))
    ready = why_happened(game, number_of(game, "ann was ready for ben."), "cleo")
    assert "7" not in words(ready)
    assert ".plan" not in words(ready)
    waited = why_happened(game, number_of(game, "ann lay in wait."), "cleo")
    assert waited.ran[0].hidden
    assert ".plan" not in words(waited)
    assert "ann.plan is 7" in words(why_happened(game, number_of(game, "ann lay in wait."), "ann"))


def test_an_act_tells_what_it_needed(rules: Any) -> None:
    game = played(rules, *STORMED[:3])
    found = why_happened(game)
    assert found.text == "ben: Dare"
    assert [one.rule for one in found.ran] == ["needs not ben.bold"]
    assert [(led.number, led.text) for led in found.answers] == [(3, "ben: Dare")]


def test_a_hidden_parameter_stays_hidden(rules: Any) -> None:
    game = played(rules, *STORMED[:1])
    assert [led.text for led in why_happened(game, None, "ann").answers] == ["ann: prepare (7)"]
    assert [led.text for led in why_happened(game, None, "ben").answers] == [
        "ann: prepare (hidden)"
    ]


def test_what_was_said_before_the_first_answer(rules: Any) -> None:
    game = played(rules)
    assert why_happened(game, 1).text == "Begin"
    with pytest.raises(BadQuestion, match="no line 99; the log has 2"):
        why_happened(game, 99)


def test_a_position_set_up_by_hand_has_no_past(rules: Any) -> None:
    game = played(rules, *STORMED[:3])
    game.edit(lambda state: None)
    with pytest.raises(BadQuestion, match="before this position was set up"):
        why_happened(game, 1)


def test_every_line_of_a_game_can_be_told(rules: Any) -> None:
    game = played(rules, *STORMED)
    for seat in (None, *game.seats):
        for number, event in enumerate(game.events(seat), 1):
            assert why_happened(game, number, seat).text == event.text


def test_an_option_that_is_not_offered(rules: Any) -> None:
    game = played(rules, ("ann", {"action": "visit", "args": []}))
    assert game.decision.options() == ["two", None]
    offered = refused_to(game, "ann", "two")
    assert offered.refusal is None
    assert offered.option
    refused = refused_to(game, "ann", "Three").refusal
    assert refused is not None
    assert refused.rule == "visit.hall"
    assert [one.text for one in refused.why] == ["three.limit is 2, more than 2 needed"]
    game.answer("two")
    refused = refused_to(game, "ann", "three").refusal
    assert refused is not None
    assert refused.reason == "three is not in one.near."
    with pytest.raises(BadQuestion, match="neither an action nor an option"):
        refused_to(game, "ann", "nowhere")
    with pytest.raises(BadQuestion, match="no action `three`"):
        refused_to(game, "ben", "three")
