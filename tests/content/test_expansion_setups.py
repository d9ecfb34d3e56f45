"""Who plays the Expansion Project where: nations next to each other for every number of players."""

import pytest

from tests.content.test_data import reach, things

STACK = "expansion_project"
SETUPS = things(STACK, "setup")
NATIONS = things(STACK, "civilization")
AREAS = things(STACK, "area")


def test_there_is_a_setup_for_every_number_and_half() -> None:
    halves = [(setup["seats"], setup["half"]) for setup in SETUPS.values()]
    assert sorted(halves, key=str) == sorted(
        [
            *((number, half) for number in range(5, 10) for half in ("western", "eastern")),
            *((number, None) for number in range(10, 19)),
        ],
        key=str,
    )


@pytest.mark.parametrize("name", sorted(SETUPS))
def test_nations_of_a_setup_are_contiguous(name: str) -> None:
    """By borders of land or water, without an open sea or anything that is out of play between."""
    setup = SETUPS[name]
    nations = [NATIONS[nation] for nation in setup["civilizations"]]
    regions = {nation["region"] for nation in nations} | set(setup["open_lands"])
    in_play = {area for area, fields in AREAS.items() if fields["region"] in regions}
    first, *others = (nation["start"] for nation in nations)
    reached = reach([first], lambda a: in_play & {*AREAS[a]["land"], *AREAS[a]["water"]})
    assert set(others) <= reached


@pytest.mark.parametrize("name", sorted(SETUPS))
def test_as_many_nations_as_players_of_the_half_or_of_both_columns(name: str) -> None:
    setup = SETUPS[name]
    columns = [NATIONS[nation]["column"] for nation in setup["civilizations"]]
    assert len(set(setup["civilizations"])) == setup["seats"]
    if setup["half"]:
        assert set(columns) == {setup["half"].removesuffix("ern")}
    if setup["seats"] >= 12:
        assert columns.count("west") == -(-setup["seats"] // 2)
