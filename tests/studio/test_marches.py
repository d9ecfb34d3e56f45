"""A hex war game, all of it rules: every front end plays, draws and reports it."""

import io
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from ziggurat.dsl.loading import load
from ziggurat.dsl.packs import Search
from ziggurat.runtime.bots.policies import Advised, Policy, Random, play
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.kernel import Ruleset
from ziggurat.studio.cli import main
from ziggurat.studio.map.board import board
from ziggurat.studio.map.land import Plan
from ziggurat.studio.map.pieces import standing
from ziggurat.studio.map.svg import draw

PACKS = Path(__file__).parents[1] / "packs"
GIVEN = ["--packs", str(PACKS)]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def marches() -> Ruleset:
    ruleset = load("marches", Search.default([PACKS])).ruleset
    assert ruleset is not None
    return ruleset


def test_it_is_only_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert {path.suffix for path in (PACKS / "marches").iterdir()} == {".rules", ".toml"}
    assert main(["check", "marches", "--strict", *GIVEN]) == 0
    assert main(["fmt", str(PACKS / "marches"), "--check"]) == 0
    assert main(["test", "marches", *GIVEN]) == 0
    assert "10 still kept." in capsys.readouterr().out


@pytest.mark.parametrize("bot", [Advised(3), Random(3)], ids=["advised", "random"])
@pytest.mark.parametrize("seed", range(3))
def test_bots_play_it_to_its_end(marches: Ruleset, bot: Policy, seed: int) -> None:
    game = start(marches, 2, seed=seed)
    play(game, bot, limit=3000)
    assert game.over
    assert game.value("points", game.ranking()[0]) >= game.value("points", game.ranking()[1])


def test_hexes_that_are_near_by_the_rules_meet_on_the_map(marches: Ruleset) -> None:
    found = board(marches)
    borders = Plan(found, 1.0, 50.0).shapes().borders
    met = {frozenset((b.left[1], b.right[1])) for b in borders if b.right is not None}  # type: ignore[index]
    game = start(marches, 2)
    near = {frozenset((id_, other)) for id_ in found.spots for other in game.value("near", id_)}
    assert len(found.spots) >= 40
    assert met == near


def test_its_map_shows_its_marks(marches: Ruleset) -> None:
    texts = [text.text for text in ET.fromstring(draw(board(marches))).iter(f"{SVG}text")]
    for told in ("Plain", "Woods", "Hills", "Lake", "town", "Nordhaven", "h0304"):
        assert told in texts
    assert "without supplies" not in texts


def cut_off(marches: Ruleset) -> Game:
    """One army of the North stands beside those of the South, and no way leads to it."""
    game = start(marches, 2)
    table = game.table
    rows, places = table.rows["army"], (game.place("h0101"), game.place("h0804"))
    game.edit(lambda state: state.move(rows, 0, *places, 1))
    return game


def test_a_mark_shows_what_is_so_in_a_game(marches: Ruleset) -> None:
    found = board(marches, cut_off(marches))
    looks = {look.mark: look for look in found.spots["h0804"].looks}
    assert looks["held"].told == "The North"
    assert looks["held"].line == "#b23a2e"
    assert "hunger" in looks
    assert "hunger" not in {look.mark for look in found.spots["h0102"].looks}
    told = draw(standing(found, cut_off(marches)))
    assert ">without supplies</text>" in told
    assert "<title>The South: 2 army</title>" in told


def test_a_mark_that_cannot_be_worked_out_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path))
    pack = tmp_path / "shares"
    pack.mkdir()
    manifest = 'id = "shares"\ntitle = "Shares"\nversion = "1"\nextends = ["marches"]\n'
    (pack / "pack.toml").write_text(manifest)
    mark = "mark shares of hex = 6 / count(army of players in this) { symbol: disc }\n"
    (pack / "all.rules").write_text(mark)
    given = [*GIVEN, "--packs", str(tmp_path)]
    monkeypatch.setattr("sys.stdin", io.StringIO("done\n"))
    assert main(["play", "shares", "--seed", "1", *given]) == 0
    saved = re.search(r"--load (\S+)", capsys.readouterr().out)
    assert saved
    assert main(["map", "shares", "--state", saved[1], "-o", str(tmp_path / "x.svg"), *given]) == 2
    assert "shares/all.rules:1: A number is divided by 0." in capsys.readouterr().err


def test_demo_tells_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--stack", "marches", "--seed", "1", *GIVEN]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "War in the Marches: 2 players, seed 1." in out
    assert re.search(r"The North attacks \S+ with \d and a \d, against \d and a \d", out)
    assert re.search(r"The (North|South) wins with \d+ points after 8 turns", out)


def test_people_play_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path))
    typed = "march\nnord\nh0102\nboard h0102\nboard ford\ndone\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert main(["play", "marches", "--seed", "1", *GIVEN]) == 0
    out = capsys.readouterr().out
    assert "March: Nordhaven you 1a; h0102 you 3a (1 tired)." in out
    assert "terrain Plain, garrison The North" in out
    assert "terrain Town, town" in out
    saved = re.search(r"--load (\S+)", out)
    assert saved
    picture = tmp_path / "game.svg"
    assert main(["map", "marches", "--state", saved[1], "-o", str(picture), *GIVEN]) == 0
    assert "<title>The North: 3 army</title>" in picture.read_text(encoding="utf-8")


def test_many_games_of_it_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--games", "4", "--jobs", "1", "--policy", "mixed", "--out", str(tmp_path / "sim")]
    assert main(["simulate", "marches", *given, *GIVEN]) == 0
    report = (tmp_path / "sim" / "report.html").read_text(encoding="utf-8")
    for told in ("Armies", "Towns", "The North", "The South", "March on", "Supply"):
        assert told in report
