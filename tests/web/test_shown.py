"""What packs show a player beside things and in a phase, as far as they may know it."""

from functools import cache

from ziggurat import ONLOOKER, Game, Ruleset, load, start_from
from ziggurat.studio.web.documents import columns
from ziggurat.studio.web.explaining import history
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


def test_epochs_lie_along_the_rows_of_the_succession_table() -> None:
    (track,) = history(at_purchases(), "minoa")["tracks"]
    assert (track["column"], track["kind"]) == ("steps_taken", "epoch")
    rows = {seat: [at for _, at in row] for seat, row in track["stretches"].items()}
    assert rows == {"minoa": [0, 6, 9, 11, 14, 15], "hatti": [0, 5, 8, 11, 14, 15]}
    assert track["stretches"]["minoa"][1] == ("epoch.early_bronze", 6)
    assert track["column"] in [one["id"] for one in columns(west())]


def test_nobody_is_shown_what_others_hide() -> None:
    other = at_purchases("deal lead 4 in hand(hatti)")
    assert shown(other, "minoa") == shown(at_purchases(), "minoa")
    assert shown(other, "hatti") != shown(at_purchases(), "hatti")


def test_rules_that_show_nothing_show_nothing() -> None:
    given = [*GIVEN, "place 3 token of minoa in knossos"]
    game = start_from(west(), SEATS, given, phase="movement")
    assert shown(game, "minoa")["phase"] == []
    assert ONLOOKER not in game.seats
