"""`ziggurat map`: shapes that fit together, and a picture that shows what the rules say."""

import math
import random
import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import attrs
import pytest

from tests.dsl.linked import BASE, link_text
from tests.stacks import linked
from ziggurat.dsl.loading import load
from ziggurat.dsl.symbols import SYMBOLS
from ziggurat.runtime.game.game import start
from ziggurat.runtime.programs import compile_ruleset
from ziggurat.runtime.saves.save import Save, header_of
from ziggurat.studio.cli import main
from ziggurat.studio.map.board import Board, Look, Pieces, Spot, board
from ziggurat.studio.map.cells import Site, shapes
from ziggurat.studio.map.land import Plan
from ziggurat.studio.map.pieces import COLOURS, standing
from ziggurat.studio.map.svg import MARGIN, SCALE, _afloat, draw

SVG = "{http://www.w3.org/2000/svg}"


def size(ring: list[tuple[float, float]]) -> float:
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise(ring))) / 2


DISC, SQUARE = SYMBOLS["disc"], SYMBOLS["square"]
REDS = Look("region", "The Reds", "reds", fill="#cc2222")
BLUES = Look("region", "The <Blues>", "blues", fill="#24c")
FIRE = Look("fire", "Fire", "fire", shapes=(SYMBOLS["peak"],), colours=("#552211",))
MARSH = Look("marsh", "marsh", hatch="#77aa55")
CAMP = Look("camp", "camp", shapes=(SQUARE,), size=6)
FORD = Look("ford", "ford", line="#aa2211")


def number(n: int) -> Look:
    return Look("limit", f"limit {n}", text=str(n), shapes=(DISC,))


def spot(id_: str, x: float, y: float, land: str = "", across: str = "", *looks: Look) -> Spot:
    return Spot(id_, id_.title(), x, y, tuple(land.split()), tuple(across.split()), looks=looks)


def little() -> Board:
    spots = [
        spot("one", 0, 0, "two", "", REDS, number(2), CAMP),
        spot("two", 60, 0, "one three", "bay", REDS, number(3), MARSH),
        spot("three", 120, 10, "two", "bay", BLUES, number(0), FIRE, FORD),
        spot("isle", 70, 120, "", "bay", number(1), CAMP, FIRE),
        attrs.evolve(spot("bay", 70, 65, "", "two three isle"), water=True),
    ]
    legend = (("The Reds", REDS), ("The <Blues>", BLUES), ("camp", CAMP), ("fire", FIRE))
    return Board("A & B", {s.id: s for s in spots}, legend)


@pytest.mark.parametrize("seed", range(4))
def test_territories_cover_the_whole_rectangle(seed: int) -> None:
    chance = random.Random(seed)
    sites = [Site(chance.random() * 90, chance.random() * 60, n % 5) for n in range(60)]
    found = shapes(sites, 90, 60, rounding=0)
    assert all(ring[0] == ring[-1] for rings in found.outlines.values() for ring in rings)
    # Holes count twice: once as a hole, once as whoever fills it.
    whole = sum(size(ring) for rings in found.outlines.values() for ring in rings)
    holes = sum(size(ring) for rings in found.outlines.values() for ring in rings[1:])
    assert whole >= 90 * 60 - 1e-6
    assert whole - 2 * holes <= 90 * 60 + 1e-6


def test_rounded_borders_still_fit_together() -> None:
    chance = random.Random(7)
    sites = [Site(chance.random() * 90, chance.random() * 60, n % 4) for n in range(80)]
    found = shapes(sites, 90, 60)
    assert all(ring[0] == ring[-1] for rings in found.outlines.values() for ring in rings)


def test_neighbours_by_land_meet() -> None:
    plan = Plan(little(), 2.0, 40.0)
    found = shapes(plan.sites(), plan.width, plan.height)
    met = {frozenset((b.left, b.right)) for b in found.borders}
    assert frozenset((("land", "one"), ("land", "two"))) in met
    assert frozenset((("land", "two"), ("land", "three"))) in met
    assert frozenset((("land", "one"), ("land", "isle"))) not in met


def test_close_spots_are_pushed_apart() -> None:
    spots = [spot("a", 0, 0, "b"), spot("b", 100, 0, "a"), spot("c", 3, 2), spot("d", 100, 100)]
    plan = Plan(Board("", {s.id: s for s in spots}), 1.0, 30.0)
    assert math.dist(plan.at["a"], plan.at["c"]) > 20
    assert all(0 <= x <= plan.width and 0 <= y <= plan.height for x, y in plan.at.values())


def test_the_picture_says_what_the_board_says() -> None:
    picture = ET.fromstring(draw(little()))
    texts = ["".join(text.itertext()) for text in picture.iter(f"{SVG}text")]
    for told in ("One", "Two", "Three", "Isle", "Bay", "A & B", "The Reds", "The <Blues>"):
        assert told in texts
    assert sorted(text for text in texts if text.isdigit()) == ["0", "1", "2", "3"]
    titles = ["".join(title.itertext()) for title in picture.iter(f"{SVG}title")]
    assert "One, The Reds, limit 2, camp" in titles
    drawn = draw(little())
    assert drawn.count('<pattern id="hatch-77aa55"') == 1
    assert drawn.count('fill="url(#hatch-77aa55)"') == 1
    assert drawn.count('stroke="#aa2211"') == 1


def test_what_several_spots_share_is_drawn_once_between_them() -> None:
    told = draw(little())
    assert told.count(SYMBOLS["peak"]) == 2  # the other one is in the legend
    assert told.count(SQUARE) == 3


def test_the_picture_needs_nothing_else() -> None:
    told = draw(little())
    references = re.findall(r'href="(.*?)"', told)
    assert all(one.startswith("#") and f'id="{one[1:]}"' in told for one in references)
    assert told.count("http") == told.count("http://www.w3.org/2000/svg") == 1


def test_the_same_board_gives_the_same_picture() -> None:
    assert draw(little()) == draw(little())


MAN = Look("token", "token", shapes=(DISC,), size=10)
SHIP = Look("ship", "ship", text="S", shapes=(SQUARE,))
HOUSE = Look("city", "city", text="C", shapes=(SQUARE,), size=10)


def test_pieces_are_drawn_where_they_stand() -> None:
    placed = {
        "one": (
            Pieces("Rome", "token", 4, "#cc2222", MAN),
            Pieces("Rome", "city", 1, "#cc2222", HOUSE),
        )
    }
    told = draw(attrs.evolve(little(), pieces=placed))
    assert "<title>Rome: 4 token</title>" in told
    assert ">4</text>" in told
    assert ">C</text>" in told


def test_the_legend_tells_the_pieces_and_who_has_no_region() -> None:
    placed = {
        "one": (
            Pieces("The Reds", "token", 4, "#cc2222", MAN),
            Pieces("The Reds", "war_ship", 1, "#cc2222", SHIP),
        ),
        "two": (Pieces("the Barbarians", "token", 2, "", MAN),),
    }
    plain = little()
    told = draw(attrs.evolve(plain, pieces=placed, kinds=(MAN, HOUSE, SHIP)))
    assert ">city</text>" not in told
    for sign in ("token", "ship", "the Barbarians", "The Reds"):
        assert told.count(f">{sign}</text>") == 1
    assert ">token</text>" not in draw(plain)


TINY = """kind area place plural areas {
  x: int   y: int
  region: nation or none = none
  relation land
}
kind nation seat plural nations { colour: text }
nation reds "The Reds" { colour: "#cc2222" }
nation blues "The Blues" { colour: "" }
area one "One" { x: 0   y: 0   region: reds   land: two }
area two "Two" { x: 50   y: 20   land: one }
mark nations of nation { colour: colour }
place bag of owner
piece chip { supply: 9   home: bag }
neutral house "the House" { supply: chip 3 }
value result(p: player): int = count(chip of p on board)
order ranked(p: player) { points: 0 - result(p) }
phase begin "Begin" {
  each player p { place 3 chip of p in one }
  once { place 2 chip of house in two }
}
phase play "Play" { each player p { choose _n by p from 1..2 } }
turn main { start: begin   phases: play   ranking: ranked   score: result }
"""


def test_a_saved_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZIGGURAT_PACKS", str(tmp_path))
    for name in ("tiny", "other"):
        (tmp_path / name).mkdir()
        manifest = f'id = "{name}"\ntitle = "{name}"\nversion = "1"\nplayers = "2"\n'
        (tmp_path / name / "pack.toml").write_text(manifest, encoding="utf-8")
        (tmp_path / name / "all.rules").write_text(TINY, encoding="utf-8")
    ruleset = load("tiny").ruleset
    assert ruleset is not None
    game = start(compile_ruleset(ruleset), seats=["reds", "blues"])
    Save(tmp_path / "game.zig", header_of(game, "0", {}), game).create()
    assert main(["map", "tiny", "--state", "game.zig", "-o", "game.svg"]) == 0
    reds, blues = standing(board(ruleset), game).pieces["one"]
    assert (reds.owner, reds.piece, reds.number, reds.colour) == ("The Reds", "chip", 3, "#cc2222")
    assert (blues.owner, blues.colour) == ("The Blues", COLOURS[1])
    told = (tmp_path / "game.svg").read_text(encoding="utf-8")
    for title in ("The Reds: 3 chip", "The Blues: 3 chip", "the House: 2 chip"):
        assert f"<title>{title}</title>" in told
    assert main(["map", "other", "--state", "game.zig"]) == 2
    assert "is a game of `tiny`, not of `other`" in capsys.readouterr().err
    assert main(["map", "tiny", "--state", "nowhere.zig"]) == 2


PAINTED = """
attribute paint of area: text = "#123456"
attribute word of area: text = "<b>&"
mark painted of area = yes { fill: this.paint  symbol: disc  letter: this.word }
scenario "a little map" {
  players reds, blues
  area lone "Alone" { x: 7   y: 9 }
  run phase begin
  expect { check yes }
}
"""


def test_what_a_game_writes_down_is_no_markup() -> None:
    ruleset = link_text(TINY + PAINTED, "").ruleset
    assert ruleset is not None
    game = start(ruleset, seats=["reds", "blues"])
    assert {look.fill for s in board(ruleset, game).spots.values() for look in s.looks} == {
        "#123456"
    }
    quoted = link_text(TINY + PAINTED.replace("#123456", "#123' onload='x"), "").ruleset
    assert quoted is not None
    told = draw(board(quoted, start(quoted, seats=["reds", "blues"])))
    assert "onload" not in told
    assert "&lt;b&gt;&amp;" in told


def test_the_little_map_of_a_scenario_is_drawn() -> None:
    ruleset = link_text(TINY + PAINTED, "").ruleset
    assert ruleset is not None
    things = ruleset.scenarios[0].things
    found = board(ruleset, start(ruleset, seats=["reds", "blues"], things=things))
    assert [spot.name for spot in found.spots.values()] == ["Alone"]
    assert "Alone" in draw(found)


@pytest.mark.parametrize("edition", ["west", "east", "mega"])
def test_the_boards_of_the_packs(edition: str) -> None:
    ruleset = linked(edition)
    found = board(ruleset)
    picture = draw(found)
    root = ET.fromstring(picture)
    told = " ".join("".join(text.itertext()) for text in root.iter(f"{SVG}text"))
    for one in found.spots.values():
        assert all(word in told for word in one.name.split())
    assert len(picture) < 1_500_000


@pytest.mark.parametrize("edition", ["west", "east", "mega", "west+expert", "east+expert"])
def test_the_legend_has_room(edition: str) -> None:
    ruleset = linked(edition)
    found = board(ruleset)
    kinds = tuple(
        Pieces("the Barbarians", name, 1, "", attrs.evolve(MAN, mark=name, told=name))
        for name in ruleset.pieces
    )
    placed, looks = {next(iter(found.spots)): kinds}, tuple(one.look for one in kinds)
    root = ET.fromstring(draw(attrs.evolve(found, pieces=placed, kinds=looks)))
    entries = [group for group in root.iter(f"{SVG}g") if "transform" in group.attrib]
    assert "".join(entries[-1].itertext()).endswith("the Barbarians")
    for entry in entries:
        x, y = entry.attrib["transform"].removeprefix("translate(").rstrip(")").split()
        text = [*entry.iter(f"{SVG}text")][-1].text or ""
        assert float(x) + 26 + 7.6 * len(text) < float(root.attrib["width"])
        assert float(y) < float(root.attrib["height"])


def test_a_game_on_both_boards_shows_its_blocks_and_what_is_out_of_play() -> None:
    west = ["minoa", "carthage", "hatti", "rome", "hellas", "egypt"]
    east = ["saba", "assyria", "babylon", "persia", "nubia", "parthia"]
    game = start(linked("mega"), seats=[*west, *east])
    spots = board(linked("mega"), game).spots

    def told(spot: str) -> set[str]:
        return {look.mark for look in spots[spot].looks}

    assert "blocks" in told("knossos") & told("assyria")
    assert "blocks" not in told("iberus") | told("athens")
    assert "out_of_play" in told("iberus")
    assert "out_of_play" not in told("knossos")


def test_the_name_of_a_sea_covers_no_mark_of_the_land() -> None:
    plan = Plan(little(), SCALE, MARGIN)
    sea = plan.board.spots["bay"]
    free = _afloat(sea, plan.board, plan)
    plan.at["isle"] = free
    moved = _afloat(sea, plan.board, plan)
    assert free == plan.at["bay"]
    assert abs(moved[0] - free[0]) > 40 or abs(moved[1] - free[1]) > 30


def test_a_variant_is_called_after_all_that_was_asked_for() -> None:
    assert board(linked("west+expert")).title == "Western Empires + The Expert side of the A.S.T."


def test_a_plain_game_gets_a_plain_map() -> None:
    text = BASE.replace("limit: int\n", "limit: int\n  x: int = 0\n  y: int = 0\n")
    text = text.replace('area south "South" { ', 'area south "South" { x: 50   y: 80   ')
    ruleset = link_text("", text).ruleset
    assert ruleset is not None
    found = board(ruleset)
    assert found.spots["south"].touching == ("north",)
    assert "South" in draw(found)


def test_the_command_writes_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["map", "west", "-o", "west.svg"]) == 0
    assert (tmp_path / "west.svg").read_text(encoding="utf-8").startswith("<svg ")
    assert capsys.readouterr().out == "The map of west is in west.svg.\n"
    assert main(["map", "west", "-o", "no/such/folder.svg"]) == 2
    assert main(["map", "nowhere"]) == 2
