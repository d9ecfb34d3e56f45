"""The data of the packs against tables of facts: counts, totals, borders, known exceptions.

`facts.json` holds sums and short tables, not the map itself, so that one area can be corrected
without writing it twice; whoever corrects a limit corrects the sum of its region here.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from tests.stacks import compiled, linked
from ziggurat.runtime.game.game import start
from ziggurat.runtime.kernel import Lit

FACTS = json.loads((Path(__file__).parent / "facts.json").read_text(encoding="utf-8"))
EDITIONS = ("west", "east")
BOARDS = (*EDITIONS, "mega")
EPOCHS = ("stone_age", "early_bronze", "middle_bronze", "late_bronze", "early_iron", "late_iron")


@cache
def things(stack: str, kind: str) -> dict[str, dict[str, Any]]:
    """The things of a kind as plain tables: fields by name, other things by their short id."""
    ruleset = linked(stack)
    usual = {
        field.name: field.default.value if isinstance(field.default, Lit) else ()
        for field in ruleset.kinds[kind].fields
    }
    return {
        thing.id: usual | {one.field: _plain(one.value) for one in thing.values}
        for thing in ruleset.things[kind].values()
    }


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value.rpartition(".")[2]
    if isinstance(value, tuple):
        return tuple(_plain(part) for part in value)
    return value


def lands(edition: str) -> dict[str, dict[str, Any]]:
    return {name: area for name, area in things(edition, "area").items() if not area["sea"]}


def neighbours(areas: dict[str, dict[str, Any]], among: set[str], name: str) -> set[str]:
    return among & set(areas[name]["land"])


def reach(start: Iterable[str], step: Callable[[str], Iterable[str]]) -> set[str]:
    seen = set(start)
    waiting = list(seen)
    while waiting:
        for other in step(waiting.pop()):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return seen


@pytest.mark.parametrize("edition", BOARDS)
def test_the_map_has_the_known_numbers(edition: str) -> None:
    areas, facts = things(edition, "area"), FACTS[edition]
    land = lands(edition)
    assert len(land) == facts["areas"]
    assert len(areas) - len(land) == facts["seas"]
    assert sum(area["coastal"] for area in areas.values()) == facts["coastal"]
    assert sum(len(area["land"]) for area in areas.values()) == 2 * facts["land_borders"]
    assert sum(len(area["water"]) for area in areas.values()) == 2 * facts["water_borders"]
    limits = Counter(str(area["limit"]) for area in land.values())
    assert limits == facts["limits"]
    sites = Counter(area["city_site"] for area in areas.values())
    assert (sites["black"], sites["white"]) == (facts["black_sites"], facts["white_sites"])


@pytest.mark.parametrize("edition", BOARDS)
@pytest.mark.parametrize("relation", ["land", "water"])
def test_borders_are_symmetric(edition: str, relation: str) -> None:
    areas = things(edition, "area")
    for name, area in areas.items():
        assert name not in area[relation]
        assert len(set(area[relation])) == len(area[relation]), name
        for other in area[relation]:
            assert name in areas[other][relation], f"{name} - {other}"


@pytest.mark.parametrize("edition", BOARDS)
def test_land_and_water_fit_the_kinds_of_areas(edition: str) -> None:
    areas = things(edition, "area")
    seas = {name for name, area in areas.items() if area["sea"]}
    for name, area in areas.items():
        if name in seas:
            assert not area["land"], name
            assert area["region"] is None, name
            assert not area["coastal"], name
        elif not area["coastal"]:
            assert not area["water"], name
        if area["city_site"]:
            assert area["limit"] > 0, name
        if area["city_site"] == "white":
            assert area["flood_plain"], name
    wet = reach(seas, lambda name: areas[name]["water"])
    assert {name for name, area in areas.items() if area["coastal"]} <= wet
    everything = reach(seas, lambda name: (*areas[name]["land"], *areas[name]["water"]))
    assert everything == set(areas)


@pytest.mark.parametrize("edition", EDITIONS)
def test_flood_plains_and_volcanoes(edition: str) -> None:
    areas = things(edition, "area")
    for field, listed in (("flood_plain", "flood_plains"), ("volcano", "volcanoes")):
        found: dict[str, list[str]] = {name: [] for name in things(edition, field)}
        for name, area in areas.items():
            if area[field]:
                found[area[field]].append(name)
        assert {name: sorted(members) for name, members in found.items()} == FACTS[edition][listed]
        for members in found.values():
            assert reach(members[:1], partial(neighbours, areas, set(members))) == set(members)


@pytest.mark.parametrize("edition", EDITIONS)
def test_regions_and_rows_of_the_table(edition: str) -> None:
    civilizations = things(edition, "civilization")
    assert list(civilizations) == list(FACTS[edition]["regions"])
    for name, facts in FACTS[edition]["regions"].items():
        home = [area for area in lands(edition).values() if area["region"] == name]
        told = civilizations[name]
        assert things(edition, "area")[told["start"]]["region"] == name
        assert facts == {
            "ranking": told["ranking"],
            "start": told["start"],
            "areas": len(home),
            "coastal": sum(area["coastal"] for area in home),
            "capacity": sum(area["limit"] for area in home),
            "sites": sum(bool(area["city_site"]) for area in home),
            "basic": [dict(told["epochs"])[epoch] for epoch in EPOCHS],
            "expert": [dict(told["expert_epochs"])[epoch] for epoch in EPOCHS],
        }


def test_rankings_of_both_editions_are_one_to_eighteen() -> None:
    rankings = [
        one["ranking"] for edition in EDITIONS for one in things(edition, "civilization").values()
    ]
    assert sorted(rankings) == list(range(1, 19))


@pytest.mark.parametrize("edition", EDITIONS)
def test_setups(edition: str) -> None:
    setups = {str(one["seats"]): one for one in things(edition, "setup").values()}
    rules = compiled(edition)
    assert sorted(setups) == sorted(FACTS[edition]["setups"])
    for seats, facts in FACTS[edition]["setups"].items():
        told = setups[seats]
        assert sorted(told["civilizations"]) == sorted(facts["civilizations"])
        assert len(told["civilizations"]) == int(seats)
        assert told["credits"] == facts["credits"]
        game = start(rules, int(seats), begin=False)
        assert game.value("with_minors") == (seats == "9")
        gone = [
            area for area in lands(edition).values() if area["region"] not in told["civilizations"]
        ]
        assert len(gone) == facts["out_of_play"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_trade_cards(edition: str) -> None:
    commodities = things(edition, "commodity")
    water = commodities["water"]
    assert (water["stack"], water["value"]) == (None, 0)
    for listed, additional in ((FACTS[edition]["commodities"], False), (FACTS["additional"], True)):
        told = {
            name: [one["value"], one["copies"]]
            for name, one in commodities.items()
            if one["additional"] is additional and name != "water"
        }
        assert told == listed
        assert sum(copies for _, copies in told.values()) == (58 if additional else 119)
    for name, one in commodities.items():
        if name != "water":
            assert one["stack"] == f"stack_{one['value']}"


def test_exceptions_the_texts_name() -> None:
    west, east = things("west", "area"), things("east", "area")
    for one, other in (("chalcis", "athens"), ("boeotia", "eretria")):
        assert other not in (*west[one]["land"], *west[one]["water"])
    for name in ("sinai", "eastern_desert", "anatolia"):
        assert not west[name]["coastal"]
    for name in ("ustyurt", "western_sogdiana", "lut"):
        assert not east[name]["coastal"]


@pytest.mark.parametrize(
    ("edition", "stack"), [("west", "west+short_game"), ("east", "short_game_east")]
)
def test_openings_of_the_short_game(edition: str, stack: str) -> None:
    openings = things(stack, "opening")
    assert {name: sorted(one["advances"]) for name, one in openings.items()} == {
        name: sorted(advances) for name, advances in FACTS["openings"].items()
    }
    for seats, listed in FACTS["openings_used"][edition].items():
        used = {name for name, one in openings.items() if int(seats) in one["seats"]}
        assert used == set(listed)
    assert all(one["destroys_city"] is None for one in openings.values())


# ---- both boards together -----------------------------------------------------------------------


def test_the_joined_board_is_both_halves_and_what_lies_between_them() -> None:
    west, east, mega = (things(board, "area") for board in BOARDS)
    assert set(mega) == {*west, *east}
    assert {*west} & {*east} == {"caspian_sea"}
    for relation in ("land", "water"):
        found = [
            f"{one} - {other}"
            for one, area in mega.items()
            for other in area[relation]
            if one in {*west} - {*east} and other in {*east} - {*west}
        ]
        assert sorted(found) == FACTS["mega"]["seam"][relation]
    coasts = FACTS["mega"]["coasts_of_the_joined_board"]
    for half in (west, east):
        for name, area in half.items():
            told = {**mega[name], "land": (), "water": ()}
            assert told == {**area, "land": (), "water": (), "coastal": told["coastal"]}, name
            assert told["coastal"] == (area["coastal"] or name in coasts), name
            for relation in ("land", "water"):
                added = ({*mega[name][relation]} - {*area[relation]}) & {*half}
                assert not added or name in coasts or added & {*coasts}, name
                assert {*area[relation]} <= {*mega[name][relation]}


def test_the_peoples_of_both_editions_are_one_ranking() -> None:
    peoples = things("mega", "civilization")
    for edition in EDITIONS:
        for name, one in things(edition, "civilization").items():
            assert peoples[name] == one
    assert sorted(one["ranking"] for one in peoples.values()) == list(range(1, 19))


def test_setups_of_ten_to_eighteen() -> None:
    setups = {str(one["seats"]): one for one in things("mega", "setup").values()}
    rules = compiled("mega")
    assert sorted(setups) == sorted(FACTS["mega"]["setups"])
    for seats, facts in FACTS["mega"]["setups"].items():
        told = setups[seats]
        blocks = (told["west_block"], told["east_block"])
        assert tuple(map(sorted, blocks)) == (sorted(facts["west"]), sorted(facts["east"]))
        assert sorted(told["civilizations"]) == sorted(facts["civilizations"])
        assert told["credits"] == facts["credits"]
        game = start(rules, int(seats), begin=False)
        assert game.value("with_minors") == facts["minors"]
        assert game.value("hand_limit", "player1") == facts["hand_limit"]
        gone = [
            area for area in lands("mega").values() if area["region"] not in told["civilizations"]
        ]
        assert len(gone) == facts["out_of_play"]


def test_marks_of_the_trade_cards() -> None:
    told = {
        name: [one["deck"] or "shared", one["west_cards"], one["east_cards"]]
        for name, one in things("mega", "commodity").items()
        if name != "water"
    }
    assert told == FACTS["mega"]["marks"]
    for additional, cards in ((False, 119), (True, 29)):
        some = [
            one
            for one in things("mega", "commodity").values()
            if one["additional"] == additional and one["stack"]
        ]
        assert sum(one["west_cards"] for one in some) == cards
        assert sum(one["east_cards"] for one in some) == cards
