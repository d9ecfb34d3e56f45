"""`ziggurat diff --behaviour`: scenarios that end differently, games that part, and the clause."""

import json
from functools import cache
from pathlib import Path

import pytest

from ziggurat.dsl.loading import load
from ziggurat.dsl.packs import BUILT_IN, Search
from ziggurat.proving.behaviour import Behaviour, Outcome, Pair, compare
from ziggurat.runtime.bots.policies import Advised, Random
from ziggurat.runtime.kernel import Ruleset
from ziggurat.studio.behaviour_report import summary
from ziggurat.studio.cli import main

GAME = """kind spot place plural spots {{ }}
kind {ware} card plural wares {{ copies: int  worth: int }}
cards good {{ faces: {ware} }}
piece cart "cart" {{ supply: 3  home: yard }}
place yard of player
place hand of player secret {{ cards: good }}
place deck of table hidden  {{ cards: good }}
spot market "Market" {{ }}
{more}
{first}
{ware} {salt} "Salt" {{ copies: {copies}  worth: {worth} }}
{second}
attribute round of table: int = 0
value most(p: player): int = {most}
value last_round(): int = {last}
value points(p: player): int = count(cart of p on board) + sum(c.worth for c in cards(hand(p)))
order victory(p: player) {{ lead: {lead} }}
phase setup "Setup" {{ once {{ put cards(box) in deck
  shuffle deck{again} }} }}
phase sending "Sending" {{
  once {{ add 1 to round }}
  each player p {{
    choose n by p from 0..most(p) "How many carts?"
    send(p, n)
  }}
  once {{ if round >= last_round() {{ end game }} }}
}}
procedure send(p: player, n: int) {{
  place n cart of p in market
  if n > 0 {{ {extra} }}
}}
turn main {{ start: setup  phases: sending  ranking: victory  score: points }}
scenario "Carts arrive" {{
  players ann, bob
  given {{ deal tin on top of deck }}
  ann chooses 1 for sending.n
  run phase sending
  expect {{ check count(cart of ann in market) == 1 }}
}}
scenario "How many" {{
  players ann, bob
  expect {{ check most(ann) == {most} }}
}}
scenario "Salt in hand" {{
  players ann, bob
  given {{ deal {salt} in hand(ann) }}
  expect {{ check points(ann) == 1 }}
}}
"""
MANIFEST = 'id = "{id}"\ntitle = "{id}"\nversion = "1"\nplayers = "2-3"\n'
TIN = 'ware tin "Tin" { copies: 4  worth: 2 }'
PLAIN = {
    "ware": "ware", "salt": "salt", "most": "2", "last": "4", "extra": 'say "{p} sends."',
    "lead": "0 - points(p)",
    "more": "", "first": "", "second": TIN, "copies": "4", "worth": "1", "again": "",
}  # fmt: skip
DRAWS = "put top(deck) in hand(p)"
QUAY = 'spot quay "Quay" { }'
PIER = 'spot pier "Pier" { }'


def write(folder: Path, id_: str, **changes: str) -> None:
    folder.mkdir()
    (folder / "pack.toml").write_text(MANIFEST.format(id=id_), encoding="utf-8")
    (folder / "all.rules").write_text(GAME.format(**{**PLAIN, **changes}), encoding="utf-8")


PACKS = {
    "plain": {},
    "more": {"most": "3"},
    "draws": {"extra": DRAWS},
    "longer": {"last": "6"},
    "other": {"salt": "fish"},
    "turned": {"first": TIN, "second": "", "extra": DRAWS},
    "twice": {"again": "\n  shuffle deck", "extra": DRAWS},
    "richer": {"copies": "5"},
    "dearer": {"worth": "3"},
    "harbour": {"more": QUAY},
    "bridge": {"more": PIER, "last": "6"},
    "levelled": {"lead": "0"},
    "elsewhere": {"more": QUAY, "extra": "place 1 cart of p in quay"},
}


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packs")
    for id_, changes in PACKS.items():
        write(folder / id_, id_, **changes)
    return folder


@cache
def linked(folder: Path, id_: str) -> Ruleset:
    result = load(id_, Search((folder, BUILT_IN)))
    assert result.ruleset is not None, result.diagnostics
    return result.ruleset


def pair(packs: Path, old: str, new: str) -> Pair:
    return Pair(linked(packs, old), linked(packs, new))


def between(packs: Path, old: str, new: str, games: int = 0) -> Behaviour:
    return compare(linked(packs, old), linked(packs, new), games, [2, 3])


def titled(found: list[Outcome], title: str) -> Outcome:
    (one,) = [one for one in found if one.scenario.title == title]
    return one


def test_a_ruleset_behaves_like_itself(packs: Path) -> None:
    found = between(packs, "plain", "plain", games=4)
    assert not found
    assert (found.ran, found.games, found.together) == (3, 4, 4)


def test_a_scenario_that_ends_differently_names_the_clause(packs: Path) -> None:
    _, found = pair(packs, "plain", "draws").scenarios()
    one = titled(found, "Carts arrive")
    assert one.parting.cause == "send"
    assert one.parting.places == ("plain/all.rules:28", "draws/all.rules:28")


def test_a_check_that_only_one_side_meets(packs: Path) -> None:
    _, found = pair(packs, "plain", "more").scenarios()
    one = titled(found, "How many")
    assert one.seen == (("most(ann) == 2", "yes", "no"),)
    assert one.parting.cause == "most"
    assert [outcome.scenario.title for outcome in found] == ["How many"]


def test_scenarios_the_other_side_cannot_run_are_left_out(packs: Path) -> None:
    ran, found = pair(packs, "plain", "other").scenarios()
    assert ([title for title, _ in ran], found) == (["Carts arrive", "How many"], [])


def test_games_part_where_the_same_answers_do_something_else(packs: Path) -> None:
    one = pair(packs, "plain", "draws").play(seed=2, players=2)
    assert one is not None
    assert one.why == "The same answers lead to other positions."
    assert one.parting.cause == "send"
    assert one.phase == "sending"
    assert one.seen[0][0] in ("hand(player1)", "hand(player2)")


def test_games_part_where_an_answer_is_legal_on_one_side_only(packs: Path) -> None:
    """The policy plays by the new rules when the seed is odd."""
    sides = pair(packs, "plain", "more")
    parted = [sides.play(seed, 3, Random) for seed in range(12)]
    assert all(one is None for one in parted[::2])
    reasons = {one.why for one in parted[1::2] if one is not None}
    assert reasons == {"An answer is legal on one side only."}
    causes = {one.parting.cause for one in parted if one is not None}
    assert causes == {"sending.n"}


def test_games_part_where_one_of_them_is_over(packs: Path) -> None:
    one = pair(packs, "plain", "longer").play(seed=0, players=2)
    assert one is not None
    assert one.seen[0] == ("the game is over", "yes", "no")
    assert one.parting.cause == "last_round"
    assert one.answers == 8


def test_renamed_cards_are_the_same_cards(packs: Path) -> None:
    found = between(packs, "plain", "other", games=2)
    assert found.parted == ()


def test_the_order_of_declarations_is_no_difference(packs: Path) -> None:
    """The same seed deals the same cards, whichever was written first."""
    assert not between(packs, "draws", "turned", games=4)


def test_the_order_of_a_deck_counts_when_it_is_seen(packs: Path) -> None:
    """And then what laid it so is to blame, not what drew from it."""
    found = between(packs, "draws", "twice", games=4)
    assert found.causes() == [("setup.1", 4)]
    assert all(one.answers > 0 for one in found.parted)
    assert all(one.seen[0][0].startswith("hand(") for one in found.parted)


def test_changed_data_is_blamed_on_its_field(packs: Path) -> None:
    found = between(packs, "plain", "richer", games=2)
    assert found.causes() == [("ware salt / copies", 2)]
    assert found.parted[0].parting.places == ("plain/all.rules:11", "richer/all.rules:11")
    assert found.parted[0].seen == (("deck", "nothing", "salt"),)
    _, outcomes = pair(packs, "plain", "dearer").scenarios()
    one = titled(outcomes, "Salt in hand")
    assert one.parting.cause == "ware salt / worth"
    assert one.parting.places == ("plain/all.rules:11", "dearer/all.rules:11")


def test_both_are_played_on_the_board_of_each(packs: Path) -> None:
    found = between(packs, "harbour", "bridge", games=4)
    assert (found.boards, found.exchanged) == (("harbour", "bridge"), ("spot",))
    assert found.causes() == [("last_round", 4)]
    assert [one.board for one in found.parted] == ["harbour", "harbour", "bridge", "bridge"]


def test_rules_that_need_their_own_board_keep_it(packs: Path) -> None:
    found = between(packs, "elsewhere", "bridge", games=2)
    assert found.boards == ("elsewhere",)
    assert found.missing == "elsewhere on the board of bridge: there is no spot `quay`"
    assert summary(found)[-1] == f"Not possible is {found.missing}."
    stuck = between(packs, "elsewhere", "plain", games=2)
    assert stuck.boards == ("elsewhere",)
    assert stuck.causes() == [("send", 2)]


def test_causes_come_by_number(packs: Path) -> None:
    found = between(packs, "plain", "longer", games=3)
    assert found.causes() == [("last_round", 3)]
    assert (found.games, found.together) == (3, 0)


def test_swapping_the_sides_swaps_what_is_seen(packs: Path) -> None:
    there = pair(packs, "plain", "draws").play(2, 2, Advised)
    back = pair(packs, "draws", "plain").play(2, 2, Advised)
    assert there is not None
    assert back is not None
    assert [(what, new, old) for what, old, new in there.seen] == list(back.seen)
    assert there.parting.cause == back.parting.cause


# ---- the command --------------------------------------------------------------------------------


@pytest.fixture
def search(packs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZIGGURAT_PACKS", str(packs))
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.usefixtures("search")
def test_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "plain", "longer", "--behaviour", "--games", "2"]) == 0
    told = capsys.readouterr().out
    lines = told.splitlines()
    assert lines[:3] == [
        "plain → longer",
        "3 scenarios run on both sides; none end differently.",
        "2 games with the same answers; 2 part.",
    ]
    assert "2 × last_round" in lines
    assert "  the game is over: yes → no" in lines
    assert max(map(len, lines)) <= 80


@pytest.mark.usefixtures("search")
def test_numbers_only(capsys: pytest.CaptureFixture[str]) -> None:
    main(["diff", "plain", "more", "--behaviour", "--games", "0", "--stat"])
    assert capsys.readouterr().out.splitlines() == [
        "plain → more",
        "3 scenarios run on both sides; 1 end differently.",
    ]


@pytest.mark.usefixtures("search")
def test_json_has_the_documented_shape(capsys: pytest.CaptureFixture[str]) -> None:
    main(["diff", "plain", "longer", "--behaviour", "--games", "1", "--format", "json"])
    data = json.loads(capsys.readouterr().out)
    assert data["scenarios"]["ran"] == 3
    assert data["games"]["causes"] == [{"cause": "last_round", "games": 1}]
    (game,) = data["games"]["parted"]
    assert set(game) == {
        "seed", "players", "board", "answers", "phase", "why", "seen", "parting",
    }  # fmt: skip
    assert set(game["parting"]) == {"cause", "places", "old", "new"}


@pytest.mark.usefixtures("search")
def test_markdown_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "found.md"
    main(["diff", "plain", "more", "--behaviour", "--games", "0", "--format", "markdown", "-o",
          str(file)])  # fmt: skip
    text = file.read_text(encoding="utf-8")
    assert text.startswith("# plain → more\n")
    assert "- How many\n" in text


@pytest.mark.usefixtures("search")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["plain", "more", "--behaviour", "--games", "0"], 0),
        (["plain", "more", "--behaviour", "--games", "0", "--exit-code"], 1),
        (["plain", "plain", "--behaviour", "--games", "1", "--exit-code"], 0),
        (["plain", "more", "--games", "1"], 2),
        (["plain", "more", "--behaviour", "--only", "values"], 2),
        (["plain", "more", "--behaviour", "--format", "html"], 2),
        (["plain", "nowhere", "--behaviour"], 2),
    ],
)
def test_exit_codes(arguments: list[str], code: int) -> None:
    assert main(["diff", *arguments]) == code


def test_games_that_end_alike_but_are_ranked_differently(packs: Path) -> None:
    """Two rulesets that differ in nothing but the order of the players at the end."""
    found = between(packs, "plain", "levelled", games=4)
    (parted,) = found.parted  # in the other games everybody is level anyway
    assert parted.parting.cause == "victory.lead"
    assert parted.seen == (
        (
            "who wins",
            "player2 and player3 share first place",
            "player1, player2 and player3 share first place",
        ),
    )
