"""What packs show a player beside things and in a phase, as far as they may know it."""

from functools import cache

from ziggurat import ONLOOKER, Game, Ruleset, load, start_from
from ziggurat.studio.web.shown import shown

SEATS = ["minoa", "hatti"]
GIVEN = [
    "give pottery to minoa",
    "set minoa.credits[crafts] = 10",
    "deal bone 4 in hand(minoa)",
    "move 40 token of minoa from stock to treasury",
]


@cache
def west() -> Ruleset:
    found = load("west").ruleset
    assert found is not None
    return found


def at_purchases(*more: str) -> Game:
    given = [*GIVEN, "set table.idle = no", *more]
    return start_from(west(), SEATS, given, phase="advances_acquisition")


def test_prices_credits_and_the_worth_of_sets() -> None:
    found = shown(at_purchases(), "minoa")
    assert {"title": "Price", "value": 100} in found["things"]["advance.agriculture"]
    assert {"title": "Credit", "value": 10} in found["things"]["advance.agriculture"]
    assert {"title": "Special credit", "value": 10} in found["things"]["advance.agriculture"]
    assert found["things"]["commodity.bone"] == [{"title": "Set", "value": 16}]
    assert "commodity.lead" not in found["things"]
    assert found["phase"] == [
        {"title": "Means", "value": 56},
        {"title": "In the cart", "value": 0},
        {"title": "Paid", "value": 0},
    ]


def test_nobody_is_shown_what_others_hide() -> None:
    other = at_purchases("deal lead 4 in hand(hatti)")
    assert shown(other, "minoa") == shown(at_purchases(), "minoa")
    assert shown(other, "hatti") != shown(at_purchases(), "hatti")


def test_rules_that_show_nothing_show_nothing() -> None:
    given = [*GIVEN, "place 3 token of minoa in knossos"]
    game = start_from(west(), SEATS, given, phase="movement")
    assert shown(game, "minoa")["phase"] == []
    assert ONLOOKER not in game.seats
