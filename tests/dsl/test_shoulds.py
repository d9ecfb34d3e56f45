"""What kinds want of their things: warnings for some numbers of players, or for all of them."""

from pathlib import Path

import pytest

from tests.dsl.test_players import made
from ziggurat.dsl.loading import load

GAME = """
kind setup plural setups { seats: int  clans: set of clan }
kind clan seat plural clans {
  home: text
  should sometimes this in chosen() "Nobody plays it."
  should this not in chosen() or not any(c in chosen() where c is not this and c.home == home)
      "Two have one home."
}
option crowd "Whether many play": bool = no
clan red "Red" { home: "hill" }
clan blue "Blue" { home: "lake" }
clan grey "Grey" { home: "moor" }
setup two { seats: 2  clans: red, blue }
setup three { seats: 3  clans: red, blue, grey }
value chosen(): set of clan = {c in clans where any(s in setups where s.seats == size(players)
    and c in s.clans)}
attribute moves of player: int = 0
order most(p: player) { moves: -p.moves }
phase moving "Moving" {
  each player p {
    choose side by p from chosen() "Who are you?"
    set p.clan = side
    may p go "Go?" when crowd or p.moves == 0 { add 1 to p.moves }
  }
  once { end game }
}
turn main { phases: moving  ranking: most }
"""


def green(home: str, joins: str = "") -> str:
    """Return a clan of the pack above, and when it joins the others."""
    rule = f"rule joins {{ modify chosen() by adding {{green}} when {joins} }}\n" if joins else ""
    return f'clan green "Green" {{ home: "{home}" }}\n{rule}'


def warned(folder: Path, game: str, variant: str) -> list[str]:
    """Return the reasons that the pack above gets to hear."""
    search = made(folder, {"game": 'players = "2-3"', "above": 'extends = ["game"]'})
    (folder / "game" / "game.rules").write_text(GAME + game)
    (folder / "above" / "above.rules").write_text(variant)
    result = load("above", search)
    assert {one.code for one in result.diagnostics} <= {"Z524"}
    assert all(
        one.span and one.span.source.path == "above/above.rules" for one in result.diagnostics
    )
    assert all(one.severity == "warning" for one in result.diagnostics)
    return [one.message.partition(": ")[2] for one in result.diagnostics]


@pytest.mark.parametrize(
    ("variant", "reasons"),
    [
        (green("cave"), ["Nobody plays it."]),
        (green("cave", "size(players) == 3"), []),
        (green("hill", "size(players) == 3"), ["Two have one home."]),
        (green("cave", "crowd"), ["Nobody plays it."]),
        (green("moor", "size(players) == 2"), []),
        (green("hill") + "amend setup two { clans -red +green }\n"
         "amend setup three { clans -red +green }\n", []),
        (green("cave") + 'amend kind clan { remove should "Nobody plays it." }\n', []),
        (green("cave") + "amend kind clan { remove should }\n", []),
    ],
)  # fmt: skip
def test_warnings(variant: str, reasons: list[str], tmp_path: Path) -> None:
    assert warned(tmp_path, "", variant) == reasons


def test_what_a_game_decides_is_not_asked(tmp_path: Path) -> None:
    decided = (
        "rule later { modify chosen() by removing {red} when any(p in players where p.moves > 9) }"
    )
    assert warned(tmp_path, decided, green("hill")) == []
