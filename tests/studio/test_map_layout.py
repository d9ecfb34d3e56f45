"""Where places are drawn: as a pack says or as one can guess; and which of them cannot be."""

import math
from collections.abc import Callable
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from tests.dsl.linked import link_text
from ziggurat.dsl.symbols import SHIFTS
from ziggurat.studio.cli import main
from ziggurat.studio.map import grid
from ziggurat.studio.map.board import Board, board
from ziggurat.studio.map.graph import spread_out
from ziggurat.studio.map.land import Plan
from ziggurat.studio.map.layout import NoBoardError
from ziggurat.studio.map.svg import draw


def drawn(text: str) -> Board:
    result = link_text(text, "")
    assert result.ruleset is not None, [found.message for found in result.diagnostics]
    return board(result.ruleset)


def meeting(found: Board) -> set[frozenset[str]]:
    """The pairs of places whose shapes share a border."""
    borders = Plan(found, 1.0, 50.0).shapes().borders
    owners = [(b.left, b.right) for b in borders if b.right is not None]
    return {frozenset((a[1], b[1])) for a, b in owners}  # type: ignore[index]


def written(cells: dict[str, grid.Cell], form: grid.Form, name: Callable[[grid.Cell], str]) -> str:
    """A board of cells, whose neighbours are all that touch in a form; they say no more."""
    near = 1.8 * grid.RADIUS if form.shifted else 1.5 * grid.RADIUS
    middles = {id_: grid.middle(form, cell) for id_, cell in cells.items()}
    text = "kind spot place { relation beside }\n"
    for id_ in cells:
        beside = [o for o in cells if o != id_ and math.dist(middles[id_], middles[o]) < near]
        text += (
            f"spot {name(cells[id_])} {{ beside: {', '.join(name(cells[o]) for o in beside)} }}\n"
        )
    return text


CELLS = {f"{c}.{r}": (c, r) for c in range(1, 6) for r in range(1, 5)}


def numbered(cell: grid.Cell) -> str:
    return f"h{cell[0]:02}{cell[1]:02}"


@pytest.mark.parametrize("shifted", ["", *SHIFTS])
def test_the_form_of_a_grid_is_the_one_in_which_neighbours_meet(shifted: str) -> None:
    found = drawn(written(CELLS, grid.Form(shifted), numbered))
    declared = {frozenset((s.id, other)) for s in found.spots.values() for other in s.touching}
    assert meeting(found) == declared
    assert {len(corners) for corners in found.cells.values()} == {6 if shifted else 4}


def test_letters_and_numbers_are_columns_and_rows() -> None:
    found = drawn(written(CELLS, grid.Form(), lambda cell: f"{'abcde'[cell[0] - 1]}{cell[1]}"))
    assert found.spots["c4"].x > found.spots["b4"].x
    assert found.spots["c4"].y > found.spots["c3"].y
    assert len(found.cells) == 20


def test_fields_may_say_column_and_row() -> None:
    found = drawn(
        'kind spot place { column: int  row: int }\nspot here "Here" { column: 1  row: 1 }\n'
        'spot there "There" { column: 2  row: 1 }\nmap board of spot { layout: hexes }\n'
    )
    # Every even column lies half a hex lower, as in most war games.
    assert found.spots["there"].y - found.spots["here"].y == pytest.approx(grid.RADIUS * 3**0.5 / 2)
    assert meeting(found) == {frozenset(("here", "there"))}


def test_numbers_may_be_worked_out() -> None:
    found = drawn(
        "kind spot place { n: int }\nspot a { n: 3 }\nspot b { n: 4 }\n"
        "map board of spot { layout: squares  at: n mod 2, n / 2 }\n"
    )
    places = {id_: (spot.x > 1, spot.y > 1.5 * grid.RADIUS) for id_, spot in found.spots.items()}
    assert places == {"a": (True, False), "b": (False, True)}


# ---- without any numbers ------------------------------------------------------------------------


def test_a_row_of_places_is_a_row() -> None:
    ids = ["a", "b", "c", "d", "e", "f"]
    near = {a: (b,) for a, b in pairwise(ids)}
    at = spread_out(ids, near)
    lengths = [math.dist(at[a], at[b]) for a, b in pairwise(ids)]
    assert max(lengths) < 1.2 * min(lengths)
    assert math.dist(at["a"], at["f"]) > 4.7 * lengths[0]
    assert spread_out(ids, near) == at


def test_neighbours_lie_nearer_than_others() -> None:
    cells = {f"{c}.{r}": (c, r) for c in range(5) for r in range(4)}
    ids = list(cells)
    near = {a: tuple(b for b in ids if math.dist(cells[a], cells[b]) == 1) for a in ids}
    at = spread_out(ids, near)
    beside = [math.dist(at[a], at[b]) for a in ids for b in near[a]]
    apart = [math.dist(at[a], at[b]) for a, b in combinations(ids, 2) if b not in near[a]]
    assert max(beside) < min(apart)


def test_places_without_neighbours_stand_in_rows() -> None:
    text = "kind spot place {}\n" + "".join(f"spot s{letter} {{}}\n" for letter in "uvwxyz")
    found = drawn(text)
    assert len({(spot.x, spot.y) for spot in found.spots.values()}) == 6
    assert "su" in draw(found)


def test_islands_are_drawn_too() -> None:
    text = "kind spot place { relation road }\nspot a { road: b }\nspot b { road: a }\nspot c {}\n"
    at = {id_: (spot.x, spot.y) for id_, spot in drawn(text).spots.items()}
    assert math.dist(at["a"], at["b"]) < math.dist(at["a"], at["c"])
    assert draw(drawn(text)).count("<text") >= 3


def test_one_place_is_a_map() -> None:
    assert "Alone" in draw(drawn('kind spot place {}\nspot one "Alone" {}\n'))


# ---- numbers for some places only ---------------------------------------------------------------

SPOTS = "kind spot place {\n  x: int = 0\n  y: int = 0\n  relation road\n}\n"
CORNERS = (
    "spot a { x: 100  y: 100  road: b, c }\nspot b { x: 180  y: 100  road: a, d, inside, second }\n"
    "spot c { x: 100  y: 180  road: a, d }\nspot d { x: 180  y: 180  road: b, c, inside, second }\n"
)
MAPS = {"no map": "", "a map": "map board of spot { at: x, y }\n"}


@pytest.mark.parametrize("declared", MAPS.values(), ids=MAPS)
def test_a_place_without_numbers_lies_by_its_neighbours(declared: str) -> None:
    added = "spot inside { road: b, d }\nspot second { road: b, d }\nspot lonely {}\n"
    spots = drawn(SPOTS + CORNERS + added + declared).spots
    at = {id_: (spot.x, spot.y) for id_, spot in spots.items()}
    assert [at[id_] for id_ in "abcd"] == [(100, 100), (180, 100), (100, 180), (180, 180)]
    assert math.dist(at["inside"], at["b"]) < math.dist(at["inside"], at["a"])
    assert math.dist(at["inside"], at["d"]) < math.dist(at["inside"], at["c"])
    assert min(math.dist(at[a], at[b]) for a, b in combinations(at, 2)) > 20


@pytest.mark.parametrize("declared", MAPS.values(), ids=MAPS)
def test_without_any_numbers_neighbours_place_everything(declared: str) -> None:
    bare = "spot a { road: b }\nspot b { road: a, c }\nspot c { road: b }\n"
    spots = drawn(SPOTS + bare + declared).spots
    at = {id_: (spot.x, spot.y) for id_, spot in spots.items()}
    assert math.dist(at["a"], at["b"]) < math.dist(at["a"], at["c"])


def test_the_origin_is_a_point_like_others() -> None:
    with pytest.raises(NoBoardError, match="the same point"):
        drawn(f"{SPOTS}spot a {{ x: 0  y: 0 }}\nspot b {{ x: 0 }}\n{MAPS['a map']}")


# ---- what cannot be drawn -----------------------------------------------------------------------

NOT_DRAWN = {
    "no kind": ("kind thing {}\n", "has no kind of place"),
    "no place": ("kind spot place plural spots {}\n", "has no spots"),
    "two at one point": (
        "kind spot place { x: int  y: int }\nspot a { x: 1  y: 2 }\nspot b { x: 1  y: 2 }\n"
        "map board of spot { layout: free }\n",
        "`spot b` cannot be drawn: it has the same point as `spot a` (1, 2).",
    ),
    "no column": (
        "kind spot place {}\nspot a1 {}\nspot somewhere {}\nmap board of spot { layout: hexes }\n",
        "`spot somewhere` cannot be drawn, because nothing says where it lies: "
        "add `at: …, …` with its column and row to the map, or take its `layout` away.",
    ),
    "no point": (
        "kind spot place {}\nspot a {}\nmap board of spot { layout: free }\n",
        "`spot a` cannot be drawn, because nothing says where it lies",
    ),
    "a number that is none": (
        "kind ground {}\nkind spot place { n: int or none = none  m: int }\n"
        "spot a { m: 1 }\nmap board of spot { at: n, m }\n",
        "`spot a` cannot be drawn: one of the two numbers that say where it lies is none.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "reason"), NOT_DRAWN.values(), ids=NOT_DRAWN)
def test_what_cannot_be_drawn_says_which_place_and_why(text: str, reason: str) -> None:
    with pytest.raises(NoBoardError) as told:
        drawn(text)
    assert reason in str(told.value)


def test_the_command_says_so_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "flat").mkdir()
    (tmp_path / "flat" / "pack.toml").write_text('id = "flat"\ntitle = "F"\nversion = "1"\n')
    (tmp_path / "flat" / "all.rules").write_text(NOT_DRAWN["no column"][0])
    assert main(["map", "flat", "--packs", str(tmp_path)]) == 2
    assert "`spot somewhere` cannot be drawn" in capsys.readouterr().err
    assert not (tmp_path / "map.svg").exists()
