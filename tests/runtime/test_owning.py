"""Things that own pieces, things that are pieces, halves rounded once and steps that take more than
one: compiled and walked they come to the same."""

from pathlib import Path

import pytest

from tests.runtime.laws import Laws
from ziggurat.dsl.packs import Search
from ziggurat.runtime.bots.policies import Random, play
from ziggurat.runtime.game.game import start
from ziggurat.runtime.kernel.program import walked_program
from ziggurat.runtime.saves.cache import load_program
from ziggurat.studio.cli import main

PACKS = Path(__file__).parents[1] / "packs"


def test_the_scenarios_of_clans_hold(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "clans", "--strict", "--packs", str(PACKS)]) == 0
    assert main(["fmt", str(PACKS / "clans"), "--check"]) == 0
    assert main(["test", "clans", "--coverage", "--packs", str(PACKS)]) == 0
    assert "broken" not in capsys.readouterr().out


@pytest.mark.parametrize(("pack", "players", "answers"), [("clans", 2, 99), ("seven_ages", 2, 20)])
@pytest.mark.parametrize("seed", [1, 2])
def test_games_go_the_same_compiled_and_walked(
    pack: str, players: int, answers: int, seed: int
) -> None:
    program, _ = load_program(pack, Search.default([PACKS]))
    assert program is not None
    compiled = start(program, players, seed=seed)
    walked = start(walked_program(program.ruleset), players, seed=seed)
    laws = Laws(compiled.table)
    play(compiled, Random(seed), answers, laws.hold)
    play(walked, Random(seed), answers)
    assert compiled.state.pieces == walked.state.pieces
    assert compiled.state.attrs == walked.state.attrs
    assert compiled.state.piles == walked.state.piles


def test_an_owner_has_what_it_says_of_each_piece() -> None:
    program, _ = load_program("clans", Search.default([PACKS]))
    assert program is not None
    game = start(program, 2, seed=1)
    assert game.owners[2:] == ["elk", "owl", "fox"]
    assert [game.table.supply["riders"][owner] for owner in game.table.owners] == [0, 0, 2, 5, 0]
    assert [game.table.supply["axes"][owner] for owner in game.table.owners] == [4, 4, 4, 1, 4]
