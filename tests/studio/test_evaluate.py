"""Expressions of the rules as plain data, before anything has happened."""

from pathlib import Path

import pytest

from ziggurat import BadQuestion, Ruleset, Search, evaluate, load

SEARCH = Search.default([Path(__file__).parents[1] / "packs"])


@pytest.fixture
def race() -> Ruleset:
    ruleset = load("race", SEARCH).ruleset
    assert ruleset is not None
    return ruleset


def test_what_expressions_come_to(race: Ruleset) -> None:
    asked = ["{s in spots where s.muddy}", "first(s in spots where s.number == 4)"]
    muddy, hill, *others = evaluate(race, [*asked, "2 * 3", "1..3", "size(players) > 9"], SEARCH)
    assert sorted(muddy) == ["bog", "brook"]
    assert hill == "hill"
    assert others == [6, [1, 2, 3], False]


@pytest.mark.parametrize(
    "asked", ["2 +", "nobody_knows", "1 / size({s in spots where s.number > 9})"]
)
def test_what_cannot_be_asked(race: Ruleset, asked: str) -> None:
    with pytest.raises(BadQuestion):
        evaluate(race, [asked], SEARCH)
