"""For how many players a stack is: what packs say about it together, and what it then needs."""

from pathlib import Path

import pytest

from tests.dsl.linked import WHOLE, link_text
from ziggurat.dsl.diagnostics import Diagnostic
from ziggurat.dsl.loading import load, load_below
from ziggurat.dsl.packs import Search, Stack, resolve_stack

GAME = """
kind setup plural setups { seats: int }
attribute rested of player: int = 0
order rested_most(p: player) { most: -p.rested }
phase rest "Rest" {
  each player p { may p well "Rest?" { add 1 to p.rested } }
  once { end game }
}
turn main {
  needs any(s in setups where s.seats == size(players)) "There is no setup."
  phases: rest
  ranking: rested_most
}
"""


def made(folder: Path, packs: dict[str, str]) -> Search:
    """Packs on disk, each with the lines its `pack.toml` has besides the usual ones."""
    for name, more in packs.items():
        (folder / name).mkdir()
        text = f'id = "{name}"\ntitle = "{name}"\nversion = "1"\n{more}\n'
        (folder / name / "pack.toml").write_text(text)
    return Search((folder,))


def resolved(
    folder: Path, stack: str, packs: dict[str, str]
) -> tuple[Stack | None, list[Diagnostic]]:
    return resolve_stack(stack, made(folder, packs))


@pytest.mark.parametrize(
    ("stack", "packs", "players"),
    [
        ("a", {"a": ""}, []),
        ("a", {"a": 'players = "4"'}, [4]),
        ("b", {"a": 'players = "2-3"', "b": 'extends = ["a"]'}, [2, 3]),
        ("b", {"a": 'players = "2-3"', "b": 'extends = ["a"]\nplayers = "1-4"'}, [1, 2, 3, 4]),
        ("b", {"a": 'players = "2-4"', "b": 'extends = ["a"]\nplayers = "3"'}, [3]),
        ("b", {"a": 'players = "2-4"', "b": 'requires = ["a"]\nplayers = "7-8"'}, [7, 8]),
        ("a+b", {"a": 'players = "2-4"', "b": 'optional = ["a"]\nplayers = "7-8"'}, [7, 8]),
        ("a+b", {"a": 'players = "2-4"', "b": 'players = "3-6"'}, [3, 4]),
        ("a+b", {"a": 'players = "2-4"', "b": 'players = "2-4"'}, [2, 3, 4]),
    ],
)
def test_what_packs_say_together(
    stack: str, packs: dict[str, str], players: list[int], tmp_path: Path
) -> None:
    found, findings = resolved(tmp_path, stack, packs)
    assert found is not None
    assert findings == []
    assert [*found.players] == players


BELOW = {"a": 'players = "2-3"', "b": 'players = "3-9"', "c": 'players = "6-8"'}


def test_packs_that_no_number_suits_are_refused_by_name(tmp_path: Path) -> None:
    found, findings = resolved(tmp_path, "a+b+c", BELOW)
    assert found is None
    assert [one.code for one in findings] == ["Z030"]
    assert "`a` is for 2 to 3 players and `c` is for 6 to 8 players" in findings[0].message


def test_a_pack_that_builds_on_both_says_what_holds(tmp_path: Path) -> None:
    packs = {**BELOW, "d": 'extends = ["a", "b", "c"]\nplayers = "5"'}
    found, findings = resolved(tmp_path, "d", packs)
    assert found is not None
    assert findings == []
    assert found.players == (5,)


@pytest.mark.parametrize(
    ("packs", "useless"),
    [
        ({"a": 'players = "2-3"', "b": 'extends = ["a"]\nplayers = "2-3"'}, True),
        ({"a": 'players = "2-3"', "b": 'extends = ["a"]\nplayers = "2-4"'}, False),
        ({"a": 'players = "2-3"', "b": 'players = "2-3"'}, False),
        ({"a": "", "b": 'extends = ["a"]\nplayers = "2-3"'}, False),
    ],
)
def test_saying_what_holds_anyway_is_useless(
    packs: dict[str, str], useless: bool, tmp_path: Path
) -> None:
    _, findings = resolved(tmp_path, "+".join(packs), packs)
    assert [(one.code, one.is_error) for one in findings] == [("Z032", False)] * useless


def test_a_pack_may_widen_the_game_if_it_brings_what_is_needed(tmp_path: Path) -> None:
    more = 'extends = ["game"]\nplayers = "2-4"'
    search = made(tmp_path, {"game": 'players = "2-3"', "more": more})
    setups = 'setup two "Two" { seats: 2 }\nsetup three "Three" { seats: 3 }\n'
    (tmp_path / "game" / "game.rules").write_text(GAME + setups)
    game = load("game", search)
    assert game.ruleset is not None
    assert game.ruleset.players == (2, 3)
    (found,) = load("more", search).diagnostics
    assert (found.code, found.message) == (
        "Z031",
        "Something is missing for 4 players: There is no setup.",
    )
    (tmp_path / "more" / "more.rules").write_text('setup four "Four" { seats: 4 }\n')
    result = load("more", search)
    assert result.diagnostics == ()
    assert result.ruleset is not None
    assert result.ruleset.players == (2, 3, 4)


def test_a_variant_may_take_away_what_the_turn_needs(tmp_path: Path) -> None:
    search = made(tmp_path, {"game": 'players = "1"', "free": 'extends = ["game"]'})
    (tmp_path / "game" / "game.rules").write_text(GAME)
    assert [one.code for one in load("game", search).diagnostics] == ["Z031"]
    (tmp_path / "free" / "free.rules").write_text("amend turn main { remove needs }\n")
    assert load("free", search).ruleset is not None


@pytest.mark.parametrize(
    ("need", "code"),
    [
        ("size(players) > 0", "Z031"),  # the packs do not say how many play
        ("any(p in players where p.fame > 3)", "Z311"),
        ("size(players)", "Z301"),
    ],
)
def test_what_a_turn_may_need(need: str, code: str) -> None:
    result = link_text(f"amend turn main {{ needs {need} }}\n", WHOLE)
    assert [one.code for one in result.diagnostics] == [code]


def test_what_cannot_be_worked_out_is_said_where_it_stands(tmp_path: Path) -> None:
    search = made(tmp_path, {"game": 'players = "2-3"'})
    needs = "needs 6 / (size(players) - 2) > 1"
    (tmp_path / "game" / "game.rules").write_text(
        GAME.replace(
            'needs any(s in setups where s.seats == size(players)) "There is no setup."', needs
        )
    )
    (found,) = load("game", search).diagnostics
    assert found.code == "Z327"
    assert found.span is not None
    assert found.span.text == needs


def test_a_part_of_games_leaves_to_the_game_how_many_play(tmp_path: Path) -> None:
    more = 'extends = ["part"]\nplayers = "2"'
    search = made(tmp_path, {"part": "incomplete = true", "game": more})
    (tmp_path / "part" / "part.rules").write_text(GAME, encoding="utf-8")
    (tmp_path / "game" / "game.rules").write_text(
        'setup two "Two" { seats: 2 }\n', encoding="utf-8"
    )
    assert load("game", search).ruleset is not None
    below = load_below("game", 1, search)
    assert below.ruleset is not None, below.diagnostics
