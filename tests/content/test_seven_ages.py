"""Another game on the same interpreter: its rules are whole, its data are marked as invented, and
bots play it to its end."""

import io
import re
from functools import cache
from pathlib import Path

import pytest

from tests.runtime.laws import Laws
from tests.sampling import slow
from tests.stacks import linked
from ziggurat.dsl.packs import BUILT_IN, Search
from ziggurat.runtime.bots.policies import Advised, Policy, Random, play
from ziggurat.runtime.game.game import Game, start
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.saves.cache import load_program
from ziggurat.studio.cli import main

PACK = BUILT_IN / "seven_ages"
INVENTED = PACK / "invented"
# The numbers of the outline of its rules; those of a tag are the last of them.
OUTLINE = (*range(1, 8), *range(10, 19), *range(20, 24), *range(30, 34))
SIZES = (2, 3, 4, 5)
ANSWERS = 60_000


@cache
def program() -> Program:
    found, findings = load_program("seven_ages", Search.default(()))
    assert found is not None, [finding.message for finding in findings]
    return found


def played(players: int, seed: int, *bots: Policy) -> Game:
    game = start(program(), players, seed=seed)
    laws = Laws(game.table)
    seats = bots if len(bots) > 1 else bots * players
    play(game, list(seats), ANSWERS, laws.hold)
    return game


def texts(ending: str) -> str:
    found = [p for p in sorted(PACK.rglob("*.rules")) if p.name.endswith(ending)]
    return "\n".join(path.read_text(encoding="utf-8") for path in found)


def test_it_is_sound() -> None:
    assert main(["check", "seven_ages", "--strict"]) == 0
    assert main(["fmt", str(PACK), "--check"]) == 0


@pytest.mark.slow
def test_its_scenarios_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "seven_ages", "--coverage"]) == 0
    assert "broken" not in capsys.readouterr().out


@pytest.mark.parametrize("number", OUTLINE)
def test_every_rule_of_the_outline_is_cited_and_tried(number: int) -> None:
    """A rule with the tag has a citation, and a scenario has the tag."""
    tag = f"SA-{number:02}"
    rules = program().ruleset
    pages = (rules.values, rules.procedures, rules.phases, rules.actions, rules.orders)
    told = [one.meta for page in pages for one in page.values()]
    cited = [meta for meta in told if tag in meta.tags and meta.cites]
    assert cited or number in (30,)
    assert tag in texts(".scenarios.rules")
    assert tag in texts(".rules")


def test_what_is_tagged_is_cited() -> None:
    rules = program().ruleset
    for page in (rules.values, rules.procedures, rules.phases, rules.actions, rules.orders):
        for one in page.values():
            if any(tag.startswith("SA-") for tag in one.meta.tags):
                assert one.meta.cites, one.id


def test_every_section_that_rules_cite_is_cited_by_a_scenario() -> None:
    rules = linked("seven_ages")
    pages = (rules.values, rules.procedures, rules.phases, rules.actions, rules.orders)
    told = {cite.place for page in pages for one in page.values() for cite in one.meta.cites}
    tried = {cite.place for scenario in rules.scenarios for cite in scenario.meta.cites}
    assert told - tried == set()


def test_what_is_invented_says_so() -> None:
    files = [path for path in sorted(INVENTED.glob("*.rules")) if "scenarios" not in path.name]
    assert {"board", "cards", "counters", "nations", "terrain", "units", "progress"} <= {
        path.stem for path in files
    }
    for path in files:
        assert path.read_text(encoding="utf-8").startswith("# INVENTED"), path.name
    data = ("area", "card_face", "empire", "nation", "unit", "terrain", "leader", "event", "beast")
    for kind in data:
        for thing in program().ruleset.things[kind].values():
            assert thing.at.file.startswith("seven_ages/invented/"), thing.id


def test_how_much_of_everything_there_is() -> None:
    things = program().ruleset.things
    assert 18 <= len(things["area"]) <= 24
    assert len(things["empire"]) == 8 + 1  # the sets of counters, and the kingdoms
    assert len(things["card_face"]) == 60
    assert len(things["leader_type"]) == 10
    assert len(things["religion"]) == 7
    assert len(things["government"]) == 4


@pytest.mark.parametrize(
    ("policy", "players"),
    [
        ("advised", 4),
        ("random", 2),
        ("mixed", 5),
        *(slow("advised", players) for players in (2, 3, 5)),
        *(slow("random", players) for players in (3, 4, 5)),
        *(slow("mixed", players) for players in (2, 3, 4)),
    ],
)
def test_games_come_to_an_end(players: int, policy: str) -> None:
    wise, wild = Advised(players), Random(players)
    bots = {
        "advised": [wise] * players,
        "random": [wild] * players,
        "mixed": [(wise, wild)[number % 2] for number in range(players)],
    }[policy]
    game = played(players, players, *bots)
    assert game.over
    assert len(game.ranking()) == players


@pytest.mark.slow
@pytest.mark.parametrize("players", SIZES)
def test_advice_beats_chance(players: int) -> None:
    """Nineteen times of twenty, in seats that change."""
    won = 0
    for seed in range(20):
        mine = seed % players
        wise, wild = Advised(seed), Random(seed)
        bots = [wise if seat == mine else wild for seat in range(players)]
        game = start(program(), players, seed=seed)
        play(game, bots, ANSWERS)
        won += game.ranks()[game.seats[mine]] == 1
    assert won >= 19


def test_a_game_in_which_nobody_does_anything_ends() -> None:
    class Idle(Advised):
        def decide(self, game: Game, pending: object) -> object:
            acts = getattr(pending, "ask", None) is None
            return None if acts else super().decide(game, pending)  # type: ignore[arg-type]

    assert played(3, 1, Idle(1)).over


def test_maps_books_and_differences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawn, book = tmp_path / "map.svg", tmp_path / "book"
    assert main(["map", "seven_ages", "-o", str(drawn)]) == 0
    assert "Latium" in drawn.read_text(encoding="utf-8")
    assert main(["book", "seven_ages", "-o", str(book)]) == 0
    told = (book / "index.html").read_text(encoding="utf-8")
    assert "Harvest glory" in told
    assert "Each player has" not in told  # units belong to empires
    assert main(["diff", "seven_ages", "west"]) in (0, 1)
    assert capsys.readouterr().out


def test_its_tags_are_those_of_the_outline() -> None:
    """And those of its optional rules and of the expansion, from 40 on."""
    known = {f"SA-{number:02}" for number in (*OUTLINE, *range(40, 54))}
    assert set(re.findall(r"SA-\d\d", texts(".rules"))) <= known


def test_it_is_played_in_the_terminal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the numbers of the list, `none` among them; piles without cards are not told, and nobody
    is asked for leaders who are not there."""
    start_an_empire = ["7", "1", "1", "1", "1", "1", "1", "6", "3", "none", "none"]
    march = ["4", "5", "1", "1", "1"]
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([*start_an_empire, *march, "quit"])))
    assert (
        main(["play", "seven_ages", "--players", "3", "--seed", "5", "--option", "pursuit=no"]) == 0
    )
    out = capsys.readouterr().out
    assert "There is no option" not in out
    assert "Mongols · Confucianism · Fires (4)" in out
    assert "Packet" not in out
    assert "takes the counters Red, Pink" in out
    assert "Which leaders go along?" not in out
    assert "March: Latium Red 5sp" in out


def test_many_numbers_are_told_in_short(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "seven_ages", "options"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "60, or 1 to 200" in told
    assert main(["demo", "seven_ages", "--option", "last_turn=0"]) == 2
    assert "is one of 1 to 200" in " ".join(capsys.readouterr().err.split())
