"""Phases that a scenario runs one after the other, over the end of a turn too."""

from pathlib import Path

import pytest

from tests.runtime.walkers import MANIFEST, RULES
from ziggurat.dsl.loading import load
from ziggurat.dsl.packs import Search
from ziggurat.proving.scenarios import Result, Runner

TURN = """
attribute tired of player: bool = no { lasts: turn }
phase dawn "Dawn" { once { say "It begins." } }
phase noon "Noon" { each player p { if p.tired { add 10 to p.score } else { add 1 to p.score } } }
phase dusk "Dusk" { each player p { set p.tired = yes } }
turn main { start: dawn  phases: noon, dusk  ranking: ranks  score: strength }
"""
RULES_WITHOUT_TURN = RULES.partition("turn main")[0]


def run(folder: Path, runs: str, score: int) -> Result:
    pack = folder / "walkers"
    pack.mkdir()
    scenario = f'scenario "runs" {{\n  players reds, blues\n  {runs}\n'
    scenario += f"  expect {{ check reds.score == {score} }}\n}}\n"
    (pack / "pack.toml").write_text(MANIFEST, encoding="utf-8")
    (pack / "walkers.rules").write_text(RULES_WITHOUT_TURN + TURN + scenario, encoding="utf-8")
    result = load("walkers", Search((folder,)))
    assert result.ruleset is not None, [str(finding) for finding in result.diagnostics]
    return Runner(result.ruleset).run(result.ruleset.scenarios[0])


@pytest.mark.parametrize(
    ("runs", "score"),
    [
        ("run phase dusk to noon", 1),
        ("run phase dusk\nrun phase noon", 10),
        ("run phase dawn to dusk", 1),
        ("run phase dusk to noon\nrun phase dusk to noon", 2),
    ],
)
def test_run_over_end_of_turn_expires_what_lasts_for_a_turn(
    tmp_path: Path, runs: str, score: int
) -> None:
    result = run(tmp_path, runs, score)
    assert result.passed, result


def test_run_back_to_start_phase_is_refused(tmp_path: Path) -> None:
    result = run(tmp_path, "run phase dusk to dawn", 0)
    assert "No turn leads from dusk to dawn." in str(result)
