"""Packs on top of an edition that take away, rework, rename, reconcile and add: each is clean under
`--strict` and plays to its end."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.content.test_whole_games import PACKS, ends_properly, program
from tests.sampling import sampled
from ziggurat.dsl.loading import LoadResult, load
from ziggurat.dsl.printing.resolved import resolved
from ziggurat.proving.scenarios import matching, run_scenario
from ziggurat.runtime.kernel import Ruleset
from ziggurat.runtime.kernel.program import Program, walked_program
from ziggurat.runtime.programs import compile_ruleset
from ziggurat.studio.cli import main

FOLDER = str(Path(__file__).parents[1] / "packs")
SHOWN = {
    "gentle_world": 5,
    "fire_brigade": 7,
    "other_names": 8,
    "peace_of_potters": 5,
    "atlantis": 6,
    "slow_iron": 9,
    "other_six": 6,
    "without_minoa": 8,
}


def fields(result: LoadResult, kind: str, thing: str) -> dict[str, object]:
    assert result.ruleset is not None
    return {one.field: one.value for one in result.ruleset.things[kind][thing].values}


@pytest.mark.parametrize("pack", SHOWN)
def test_it_is_clean(pack: str) -> None:
    assert main(["check", pack, "--strict", "--packs", FOLDER]) == 0


@pytest.mark.parametrize("pack", sampled(SHOWN, 4))
def test_a_game_comes_to_its_end(pack: str) -> None:
    ends_properly(pack, SHOWN[pack], "advised", seed=SHOWN[pack])


def test_what_went_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "gentle_world", "--packs", FOLDER])
    told = capsys.readouterr().out
    assert "Removing `calamity tempest` takes along 3 scenarios." in told
    assert "Tempest" not in told
    main(["check", "gentle_world", "--verbose", "--packs", FOLDER])
    assert 'scenario "' in capsys.readouterr().out


def test_two_clash_and_a_third_reconciles_them() -> None:
    clash = load("cheap_pottery+dear_pottery", PACKS)
    assert [one.code for one in clash.diagnostics] == ["Z404"]
    peace = load("peace_of_potters", PACKS)
    assert fields(peace, "advance", "pottery")["cost"] == 55
    assert {"area.boeotia", "area.chalcis"} <= set(fields(peace, "area", "thera")["water"])


def test_both_sides_of_a_new_border() -> None:
    island = load("atlantis", PACKS)
    assert fields(island, "area", "atlantis")["water"] == (
        "area.lusitania",
        "area.eastern_atlantic_ocean",
    )


def test_only_the_rows_and_the_setup_that_were_meant_are_other() -> None:
    rows = dict(fields(load("slow_iron", PACKS), "civilization", "minoa")["epochs"])
    assert (rows["epoch.early_iron"], rows["epoch.late_iron"]) == (13, 15)
    six = fields(load("other_six", PACKS), "setup", "players_6")["civilizations"]
    assert ("civilization.rome" in six, "civilization.egypt" in six) == (False, True)


def test_resolve_tells_who_changed_what() -> None:
    rows = resolved(program("peace_of_potters").ruleset, "advance pottery")[0]
    origins = {line.strip(): origin for line, origin in rows}
    assert origins["cost: 55"] == "set by peace_of_potters/peace_of_potters.rules:1"
    rows = resolved(program("fire_brigade").ruleset, "calamity city_in_flames")[0]
    assert any("watchmen" in origin for _, origin in rows)


@pytest.mark.parametrize("how", [compile_ruleset, walked_program])
def test_triggers_on_blocks_run_compiled_and_evaluated(
    how: Callable[[Ruleset], Program],
) -> None:
    ruleset = load("fire_brigade", PACKS).ruleset
    assert ruleset is not None
    made = how(ruleset)
    results = [run_scenario(made, one) for one in matching(made.ruleset, "watchmen")]
    assert [result.failure for result in results] == [None, None, None]
