"""A stack may name a pack by its folder; every command finds it there, though no search would."""

import os
from pathlib import Path

import pytest

from ziggurat.studio.cli import main

MANIFEST = 'id = "{0}"\ntitle = "{0}"\nversion = "1"\nextends = [{1}]\n'
LOWER = """
value steps(p: player): int = 4
scenario "four steps" {
  players ana, ben
  expect { check steps(ana) == 4 }
}
"""
UPPER = "rule longer { modify steps(p) by +1 }\n"


@pytest.fixture
def upper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The folder of a pack on top of one that has a scenario about what it changes."""
    packs = Path(__file__).parents[1] / "packs"
    searched = (str(packs), str(tmp_path / "lower"))
    monkeypatch.setenv("ZIGGURAT_PACKS", os.pathsep.join(searched))
    for place, below, text in (
        ("lower/strides", '"race"', LOWER),
        ("own/leaps", '"strides"', UPPER),
    ):
        folder = tmp_path / place
        folder.mkdir(parents=True)
        folder.joinpath("pack.toml").write_text(MANIFEST.format(folder.name, below))
        folder.joinpath("a.rules").write_text(text)
    return str(tmp_path / "own" / "leaps")


def test_what_it_changes_is_known_to_be_changed(
    upper: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["test", upper, "four steps"]) == 1
    assert "CHANGED  four steps\n  by leaps: leaps/a.rules:1" in capsys.readouterr().out


def test_its_values_are_explained(upper: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", upper, "steps(ana)", "--players", "ana,ben"]) == 0
    assert "makes 5" in capsys.readouterr().out
    assert main(["explain", upper, "steps(ana)", "--scenario", "four steps"]) == 0


def test_its_games_are_simulated(upper: str, tmp_path: Path) -> None:
    more = ("--games", "1", "--jobs", "1", "--players", "2", "--out", str(tmp_path / "out"))
    assert main(["simulate", upper, *more]) == 0
    assert main(["simulate", "strides", "--compare", upper, *more, "--fresh"]) == 0
