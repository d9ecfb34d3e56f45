"""The baseline: rules as text, and what differs from them."""

from pathlib import Path

import pytest

from tests import baseline
from tests.golden.catalogue import CATALOGUE, awaited


def test_rules_that_stay_the_same_are_so_wherever_they_stand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    packs, archive = tmp_path / "packs", str(tmp_path / "rules.tar.xz")
    for path in (baseline.PACKS / "race").iterdir():
        (packs / "race").mkdir(parents=True, exist_ok=True)
        (packs / "race" / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(baseline, "PACKS", packs)
    compare = ["rulesets", "--check", "--archive", archive]
    assert baseline.main(["rulesets", "--archive", archive, "--stack", "race"]) == 0
    rules = packs / "race" / "race.rules"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(f"# a note\n\n{text}", encoding="utf-8")
    assert baseline.main(compare) == 0
    rules.write_text(text.replace("supply: 5 ", "supply: 6 "), encoding="utf-8")
    assert baseline.main(compare) == 1
    said = capsys.readouterr().out
    assert "race: 1 declarations differ, pieces carrot first:" in said
    assert "was" in said


def test_awaited_games_cover_what_has_few() -> None:
    stacks = [golden.stack for golden in (*CATALOGUE, *awaited())]
    for stack in ("seven_ages", "seven_ages+secret_victory", "marches", "race", "clans"):
        assert stacks.count(stack) >= 2
    assert len({g.name for g in (*CATALOGUE, *awaited()) if g.stack == "expansion_project"}) >= 6
    assert "inner_sea" in stacks


def test_saves_need_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        baseline.main(["all"])
    assert "say the name of the version" in capsys.readouterr().err
