"""What the text of Seven Ages names is in the pack: leaders, religions, governments and artefacts
with their ages, conditions and places, and the optional rules. These lists are facts of the
rulebook, typed here once more by hand."""

from typing import Any

import pytest

from tests.content.test_data import things
from tests.stacks import linked

STACK = "seven_ages"
LEADERS = (
    "Administrator",
    "Artist",
    "Builder",
    "Explorer",
    "Philosopher",
    "Populist",
    "Religious leader",
    "Scientist",
    "Strategist",
    "Tactician",
)
# Name: first and last age, and what it needs of the map.
RELIGIONS: dict[str, tuple[int, int, str]] = {
    "Buddhism": (2, 7, "shore: india"),
    "Christianity": (2, 7, "cradle: palestine"),
    "Confucianism": (2, 7, "homes: china, south_east_asia"),
    "Hinduism": (1, 7, "homes: india"),
    "Islam": (3, 7, "cradle: mecca"),
    "Judaism": (1, 7, "cradle: palestine"),
    "Pantheism": (1, 7, ""),
}
GOVERNMENTS = {
    "Capitalism": (5, 7),
    "Democracy": (2, 7),
    "Feudalism": (3, 7),
    "Socialism": (5, 7),
}
# Name: first and last age, whether it lies on the empire's card, which artefacts must come first.
ARTEFACTS: dict[str, tuple[int, int, bool, set[str]]] = {
    "Colossus of Rhodes": (1, 2, False, set()),
    "Computing": (6, 7, False, {"Radio"}),
    "Concentrated ownership": (1, 7, True, set()),
    "Defender of the faith": (1, 6, True, set()),
    "Environmental sustainability": (7, 7, True, {"Industrial Revolution"}),
    "Forbidden City": (3, 7, False, set()),
    "Forum": (1, 7, False, set()),
    "Great Canal": (5, 7, False, {"Industrial Revolution"}),
    "Great Library": (2, 3, False, set()),
    "Great Pyramid": (1, 3, False, set()),
    "Great Shipyard": (3, 7, False, set()),
    "Great Temple": (1, 7, False, set()),
    "Great University": (3, 7, False, {"Renaissance"}),
    "Great Wall": (2, 4, False, set()),
    "Great Zimbabwe": (2, 5, False, set()),
    "Hanging gardens": (1, 2, False, set()),
    "Heresy": (1, 7, True, set()),
    "Industrial Revolution": (6, 7, False, {"Renaissance"}),
    "Internet": (7, 7, True, {"Computing", "Satellites"}),
    "Irrigation": (1, 7, False, set()),
    "Just rule": (1, 7, False, set()),
    "Machu Pichu": (3, 5, False, set()),
    "Mars landing": (7, 7, False, {"Moon landing"}),
    "Mausoleum of Halicarnassus": (1, 2, False, set()),
    "Moon landing": (7, 7, False, {"Computing", "Satellites"}),
    "Nobel Prize": (5, 7, False, {"Industrial Revolution"}),
    "Oracle": (1, 2, False, set()),
    "Paved roads": (2, 7, False, set()),
    "Peace treaty": (1, 7, False, set()),
    "Pharos lighthouse": (1, 2, False, set()),
    "Printing": (4, 7, False, {"Renaissance"}),
    "Radio": (6, 7, False, {"Industrial Revolution", "Printing"}),
    "Railways": (5, 7, False, {"Paved roads", "Industrial Revolution"}),
    "Religious strife": (1, 7, True, set()),
    "Renaissance": (4, 7, False, set()),
    "Revolution": (1, 7, True, set()),
    "Satellites": (7, 7, False, {"Radio"}),
    "Social Media": (7, 7, False, {"Computing", "Satellites"}),
    "Summer Palace": (1, 7, False, set()),
    "Temple of Diana": (1, 2, False, set()),
    "United Nations": (1, 7, False, set()),
    "Universal suffrage": (5, 7, False, {"Renaissance"}),
    "World war": (7, 7, True, set()),
}
# Wonders add to a category of glory.
RAISES = {
    "Colossus of Rhodes": "ships",
    "Forbidden City": "city_value",
    "Great Library": "level_category",
    "Great Zimbabwe": "money",
    "Hanging gardens": "treasures",
    "Mausoleum of Halicarnassus": "land_units",
}
# What a defender of the faith begins, and no card.
OFF_CARDS = {"Holy war"}


OPTIONAL = {  # number: the option, or the options, that it is
    1: ("total_history",),
    2: ("deck_cut",),
    3: ("redemption",),
    4: ("enhanced_start",),
    5: ("enhanced_play",),
    6: ("pursuit",),
    7: ("technology",),
    8: ("take_that",),
    9: ("cadenced_progress",),
    10: ("neutral_kingdoms",),
    12: ("deus_vult",),
}


def titled(kind: str) -> dict[str, dict[str, Any]]:
    """The things of a kind by their titles."""
    titles = {thing.id: thing.title for thing in linked(STACK).things[kind].values()}
    return {titles[name]: fields for name, fields in things(STACK, kind).items()}


def ages(artefact: dict[str, Any]) -> tuple[int, int]:
    return artefact["first"], artefact["last"]


def played_for(kind: str) -> dict[str, dict[str, Any]]:
    """Artefacts that bring a religion or a government, by the title of what they bring."""
    titles = {thing.id: thing.title for thing in linked(STACK).things[kind].values()}
    found = [one for one in things(STACK, "artefact").values() if one[kind]]
    return {titles[one[kind]]: one for one in found}


def test_leaders() -> None:
    assert tuple(sorted(titled("leader_type"))) == LEADERS


def test_religions() -> None:
    begun = played_for("religion")
    assert set(titled("religion")) == set(begun) == set(RELIGIONS)
    for name, (first, last, place) in RELIGIONS.items():
        assert ages(begun[name]) == (first, last), name
        assert begun[name]["on_card"], name
        religion = titled("religion")[name]
        known = [f"{field}: {religion[field]}" for field in ("cradle", "shore") if religion[field]]
        if religion["homes"]:
            known.append(f"homes: {', '.join(religion['homes'])}")
        assert known == ([place] if place else []), name


def test_governments() -> None:
    begun = played_for("government")
    assert set(titled("government")) == set(GOVERNMENTS)
    assert {name: ages(one) for name, one in begun.items()} == GOVERNMENTS
    assert all(one["on_card"] for one in begun.values())
    needing = {
        name for name, one in begun.items() if one["needs_all"] == ("industrial_revolution",)
    }
    assert needing == {"Capitalism", "Socialism"}


def test_every_artefact_of_the_text_is_there() -> None:
    others = {
        name
        for name, one in titled("artefact").items()
        if not (one["religion"] or one["government"])
    }
    assert others == set(ARTEFACTS) | OFF_CARDS


@pytest.mark.parametrize("name", ARTEFACTS)
def test_artefact(name: str) -> None:
    first, last, on_card, needed = ARTEFACTS[name]
    artefact = titled("artefact")[name]
    titles = {thing.id: thing.title for thing in linked(STACK).things["artefact"].values()}
    assert ages(artefact) == (first, last)
    assert artefact["on_card"] == on_card
    assert {titles[one] for one in artefact["needs_all"]} == needed
    assert artefact["raises"] == RAISES.get(name)


def test_artefacts_are_on_cards() -> None:
    """Whoever plays can come by every one of them."""
    played = {card["artefact"] for card in things(STACK, "card_face").values()}
    missing = {thing.id for thing in linked(STACK).things["artefact"].values()} - played
    assert missing == {"holy_war"}


def test_markers_are_green_or_red() -> None:
    for name, one in titled("artefact").items():
        assert one["green"] != one["red"], name


def test_what_is_cited() -> None:
    """Each of them says where it stands in the text."""
    for kind in ("leader_type", "religion", "government", "artefact"):
        for thing in linked(STACK).things[kind].values():
            fields = things(STACK, kind)[thing.id]
            if fields.get("religion") or fields.get("government"):
                continue
            assert thing.meta.cites, thing.id


@pytest.mark.parametrize("number", OPTIONAL)
def test_optional_rules(number: int) -> None:
    for name in OPTIONAL[number]:
        option = linked(STACK).options[name]
        assert any(cite.place.startswith(f"{number})") for cite in option.meta.cites), name


def test_secret_victory_is_a_pack() -> None:
    """Who sees what is settled in a declaration, so no option can change it."""
    assert linked("secret_victory").attributes["player.glory"].secret
    assert not linked(STACK).attributes["player.glory"].secret
