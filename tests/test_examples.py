"""The games in `docs/examples`, each of a family that the interpreter was not made for."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.browser import Window, launched, link
from tests.web.server import Server, first_answer, running
from ziggurat import Advised, Program, Random, Search, compile_ruleset, load, play, start
from ziggurat.proving.scenarios import Runner

FOLDER = Path(__file__).parents[1] / "docs" / "examples"
GAMES = sorted(path.parent.name for path in FOLDER.glob("*/pack.toml"))
SEARCH = Search((FOLDER,))


@pytest.fixture(scope="module")
def programs() -> dict[str, Program]:
    made = {}
    for name in GAMES:
        loaded = load(name, SEARCH)
        assert not loaded.diagnostics, [finding.message for finding in loaded.diagnostics]
        assert loaded.ruleset is not None
        made[name] = compile_ruleset(loaded.ruleset)
    return made


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("tables"), search=SEARCH) as found:
        yield found


def test_there_are_examples_of_all_families() -> None:
    assert len(GAMES) >= 5


@pytest.mark.parametrize("name", GAMES)
def test_scenarios_pass(name: str, programs: dict[str, Program]) -> None:
    runner = Runner(programs[name])
    results = [runner.run(scenario) for scenario in runner.ruleset.scenarios]
    assert results
    assert [str(one.failure) for one in results if not one.passed] == []


@pytest.mark.parametrize("name", GAMES)
def test_bots_play_to_the_end(name: str, programs: dict[str, Program]) -> None:
    for players in programs[name].ruleset.players:
        for policy in (Random(players), Advised(players)):
            game = start(programs[name], players, seed=players)
            play(game, policy)
            assert game.over
            assert sorted(game.ranks()) == sorted(game.seats)
            assert 1 in game.ranks().values()


@pytest.mark.parametrize("name", GAMES)
def test_a_person_plays_over_http(name: str, programs: dict[str, Program], server: Server) -> None:
    made = server.make(name, min(programs[name].ruleset.players))
    (key,) = made.seats.values()
    rules = server.get(f"{made.path}/rules", key).json()
    has_board = server.get(f"{made.path}/map.svg", key).status_code == 200
    assert rules["board"] is has_board
    while (view := made.asked(key))["state"] == "playing":
        (decision,) = view["decisions"]
        assert made.answer(key, decision["id"], first_answer(decision)).status_code == 200
    assert view["state"] == "over"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as found:
        yield found


@pytest.mark.parametrize("name", ["pig", "whist"])
def test_games_without_a_board_are_played_in_a_browser(
    name: str, browser: Any, server: Server
) -> None:
    made = server.make(name, 3)
    (key,) = made.seats.values()
    for size in ((1400, 900), (390, 844)):
        window = Window(browser, server, *size).open(link(made.id, key))
        offers = window.asked()
        assert window.page.locator(".board").count() == 0
        assert offers["options"]
        window.click(".options button.option")
        assert window.wrong == []
        wide = window.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size[0]
        window.close()
