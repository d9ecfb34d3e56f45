"""Who plays the Expansion Project where: nations next to each other for every number of players."""

from typing import Any

import pytest

from tests.content.test_data import reach, things

STACK = "expansion_project"
Things = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def setups() -> Things:
    return things(STACK, "setup")


@pytest.fixture(scope="module")
def nations() -> Things:
    return things(STACK, "civilization")


def test_every_number_of_players_and_half_has_a_setup(setups: Things) -> None:
    halves = [(setup["seats"], setup["half"]) for setup in setups.values()]
    assert sorted(halves, key=str) == sorted(
        [
            *((number, half) for number in range(5, 10) for half in ("western", "eastern")),
            *((number, None) for number in range(10, 19)),
        ],
        key=str,
    )


def test_nations_of_every_setup_are_contiguous(setups: Things, nations: Things) -> None:
    """By borders of land or water, without an open sea or anything that is out of play between."""
    areas = things(STACK, "area")
    for name, setup in setups.items():
        playing = [nations[nation] for nation in setup["civilizations"]]
        regions = {nation["region"] for nation in playing} | set(setup["open_lands"])
        in_play = {area for area, fields in areas.items() if fields["region"] in regions}
        neighbours = {
            area: in_play & {*areas[area]["land"], *areas[area]["water"]} for area in areas
        }
        first, *others = (nation["start"] for nation in playing)
        assert set(others) <= reach([first], neighbours.__getitem__), name


def test_setups_take_as_many_nations_as_players_from_the_right_columns(
    setups: Things, nations: Things
) -> None:
    for name, setup in setups.items():
        columns = [nations[nation]["column"] for nation in setup["civilizations"]]
        assert len(set(setup["civilizations"])) == setup["seats"], name
        if setup["half"]:
            assert set(columns) == {setup["half"].removesuffix("ern")}, name
        if setup["seats"] >= 12:
            assert columns.count("west") == -(-setup["seats"] // 2), name
