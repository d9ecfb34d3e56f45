"""The ruleset as text: nothing is lost, and only meaning counts for the hash."""

import re

import pytest

from tests.dsl.linked import BASE, link_text
from ziggurat.dsl import load
from ziggurat.dsl.linking.hashing import content_hash, from_json, meaning_hash, to_json

GAME = """
turn main { phases: play   ranking: by_rank }
rule school {
  after play {
    for each p in players where size(near(north)) in span(p) and long_game {
      give pottery to p
      give sailing to p
      drought.strike(p)
    }
  }
}
procedure test_all(p: player, n: int) {
  choose up to 2 spots by p from areas where it.limit > 1   "Which {n}?"   ask always
  divide n lost among spots by p "Lose {n}" allowing 0..count(man of p in it)
  select gone by p from areas with man of p   "Which?"
    such that connected by it.land, total lost[it] is n relaxing from the last
  for each a in gone by smallest { set p.owed[crafts] = a.limit }
}
order smallest(a: area) { size: a.limit }
advice test_all.spots { prefer it.limit }
scenario "All of it" {
  players reds, blues
  given { deal salt 2 in hand(reds) }
  reds chooses {north} for test_all.spots
  run test_all(reds, 2)
  expect { check size(hand(reds)) == 2 }
}
"""


def hashed(text: str, base: str = BASE) -> str:
    ruleset = link_text(text, base).ruleset
    assert ruleset is not None
    return content_hash(ruleset)


def test_nothing_is_lost() -> None:
    ruleset = link_text(GAME).ruleset
    assert ruleset is not None
    again = from_json(to_json(ruleset))
    assert again == ruleset
    assert to_json(again) == to_json(ruleset)
    assert again.values["reach"].at == ruleset.values["reach"].at
    assert content_hash(again) == content_hash(ruleset)


def test_a_full_ruleset_is_sound_and_survives() -> None:
    result = load("west")
    assert result.diagnostics == ()
    assert result.ruleset is not None
    assert from_json(to_json(result.ruleset)) == result.ruleset


@pytest.mark.parametrize(
    "relaid",
    [
        re.sub(r"(?m)$", "   # a remark", GAME),
        re.sub(r"(?m)^ +", "\t", GAME).replace(" = ", "   =   "),
        "\n\n\n" + GAME.replace("\n", "\n\n"),
        GAME.replace("prefer it.limit", "prefer 0 - it.limit"),
        GAME.replace("== 2 }", "== 3 }"),
    ],
    ids=["remarks", "blanks", "lines", "advice", "scenario"],
)
def test_layout_scenarios_and_advice_do_not_count(relaid: str) -> None:
    assert hashed(relaid) == hashed(GAME)


@pytest.mark.parametrize(
    ("old", "new"),
    [("up to 2", "up to 3"), ("by p from areas", "by p from p.liked"), ("limit > 1", "limit >= 1")],
)
def test_meaning_counts(old: str, new: str) -> None:
    assert hashed(GAME.replace(old, new)) != hashed(GAME)


def test_the_blanks_of_titles_do_not_count() -> None:
    titled = BASE.replace('"The Wild"', '"The   Wild"')
    assert hashed(GAME, titled) == hashed(GAME)


def meaning(text: str, base: str = BASE) -> str:
    ruleset = link_text(text, base).ruleset
    assert ruleset is not None
    return meaning_hash(ruleset)


def test_wording_means_nothing_to_a_game() -> None:
    worded = GAME.replace("Which {n}?", "Which ones?").replace("Lose {n}", "What goes?")
    assert hashed(worded) != hashed(GAME)
    assert meaning(worded) == meaning(GAME)
    titled = BASE.replace('"The Wild"', '"The Wilderness"')
    assert hashed(GAME, titled) != hashed(GAME)
    assert meaning(GAME, titled) == meaning(GAME)


@pytest.mark.parametrize("is_read", [False, True])
def test_only_fields_that_rules_read_mean_something_to_a_game(is_read: bool) -> None:
    rule = 'rule dry { after play when north.paint == "red" { say "Red." } }\n' if is_read else ""
    red, blue = (f'amend kind area {{ paint: text = "{paint}" }}\n' for paint in ("red", "blue"))
    assert (meaning(GAME + red + rule) != meaning(GAME + blue + rule)) is is_read


def test_rules_mean_something_to_a_game() -> None:
    assert meaning(GAME.replace("up to 2", "up to 3")) != meaning(GAME)
    swapped = GAME.replace("pottery", "?").replace("sailing", "pottery").replace("?", "sailing")
    assert meaning(swapped) != meaning(GAME)
