"""The workshop of the server: what it tells of rulesets, scenarios and findings."""

import gc
import json
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.web.server import PACKS, Server, running
from ziggurat import Search, arrange, compile_ruleset, load, matching
from ziggurat.studio.web.desks import KEPT, Desks
from ziggurat.studio.web.walking import walk

MANIFEST = 'id = "mine"\ntitle = "Mine"\nversion = "1"\nextends = ["race"]\n'
RULES = "amend trick boots { price: 1 }\n"
SCENARIO = """
scenario "boots are cheap" {
  players hare, snail
  expect { check boots.price == 1 }
}
"""


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packs")
    mine = folder / "mine"
    mine.mkdir()
    (mine / "pack.toml").write_text(MANIFEST, encoding="utf-8")
    (mine / "rules.rules").write_text(RULES + SCENARIO, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, packs: Path) -> Iterator[Server]:
    search = Search.default([PACKS, packs])
    with running(tmp_path_factory.mktemp("tables"), search=search) as found:
        yield found


def asked(server: Server, what: str, **query: str) -> Any:
    found = server.http.get(f"/api/workshop/{what}", params=query)
    assert found.status_code == 200, found.text
    return found.json()


def test_rulesets_that_nobody_looks_into_any_more_are_freed(packs: Path) -> None:
    desks = Desks(Search.default([PACKS, packs]))
    stacks = ["race", "clans", "race+mine", "race+mine ", " race", " clans"]
    gc.disable()  # as good as it is in a server
    try:
        seen = [weakref.ref(desks.desk(stack).ruleset) for stack in stacks * 2]
    finally:
        gc.enable()
    assert sum(ruleset() is not None for ruleset in seen) <= KEPT + 3


def test_the_outline_has_all_that_is_declared(server: Server) -> None:
    found = asked(server, "outline", stack="race")
    words = {one["word"]: one for one in found["sections"]}
    assert [one["path"] for one in words["trick"]["items"]] == ["boots", "whip"]
    assert words["trick"]["title"] == "Tricks"
    assert "scenario" not in words


def test_a_thing_has_a_card_and_its_text_with_origins(server: Server) -> None:
    found = asked(server, "declaration", stack="race+mine", word="trick", path="boots")
    assert found["title"] == "Boots"
    (price,) = [one for one in found["card"]["fields"] if one["label"] == "Price"]
    assert price["pieces"] == [["1", "", ""]]
    origins = [one["origin"] for one in found["text"] if "price" in one["line"]]
    assert origins == ["set by mine/rules.rules:1"]


def test_a_value_tells_who_changes_it(server: Server) -> None:
    found = asked(server, "declaration", stack="race", word="", path="reach")
    assert [one["by"] for one in found["changes"]] == ["boots", "whip"]
    assert found["word"] == "value"
    assert found["places"]


def test_what_stands_inside_a_rule_leads_to_the_rule(server: Server) -> None:
    """Lines of a log name decisions and clauses; the page shows what they stand in."""
    found = asked(server, "declaration", stack="race", word="", path="run.c")
    assert (found["word"], found["path"]) == ("phase", "run")
    found = asked(server, "declaration", stack="race", word="", path="boots / modify reach / 1")
    assert (found["word"], found["path"]) == ("trick", "boots")


def test_two_rulesets_side_by_side(server: Server) -> None:
    found = asked(server, "diff", left="race", right="race+mine")
    (chapter,) = found["chapters"]
    (provision,) = chapter["provisions"]
    assert provision["title"].startswith("Boots")
    (left, right), *_ = provision["entries"][0]["hunks"][0]
    assert ["2", False] in left
    assert ["1", False] in right


def test_a_comparison_is_kept_until_a_file_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = []
    kept = "ziggurat.studio.web.workshop.arrange"
    monkeypatch.setattr(kept, lambda *given: done.append(given) or arrange(*given))
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "pack.toml").write_text(MANIFEST, encoding="utf-8")
    (mine / "rules.rules").write_text(RULES, encoding="utf-8")
    with running(tmp_path / "tables", search=Search.default([PACKS, tmp_path])) as server:
        first, again = (asked(server, "diff", left="race", right="race+mine") for _ in range(2))
        assert (first, len(done)) == (again, 1)
        (mine / "rules.rules").write_text(RULES.replace("boots", "whip"), encoding="utf-8")
        other = asked(server, "diff", left="race", right="race+mine")
        assert other["chapters"] != first["chapters"]


def test_the_same_ruleset_twice_has_no_difference(server: Server) -> None:
    found = asked(server, "diff", left="race", right="race")
    assert found["chapters"] == []


def test_a_scenario_step_by_step(server: Server) -> None:
    (one,) = asked(server, "scenarios", stack="race")["scenarios"]
    found = asked(server, "scenario", stack="race", id=one["id"])
    assert [step["sort"] for step in found["steps"]] == ["given", "run", "expect"]
    assert found["passed"] is True
    given, ran, _ = found["steps"]

    def places(step: Any) -> set[str]:
        return {one["place"] for one in step["stands"] if one["owner"] == "hare"}

    assert places(given) == {"brook"}
    assert places(ran) == {"bog", "mouth"}
    assert set(found["board"]["places"]) >= {"brook", "bog"}
    assert 'data-place="bog"' in found["board"]["svg"]
    assert ["Crawl (1)"] in [pile["cards"] for pile in given["piles"]]


def test_every_answer_of_a_scenario_is_a_step() -> None:
    ruleset = load("marches", Search.default([PACKS])).ruleset
    assert ruleset is not None
    scenario = next(matching(ruleset, "the beaten fall back"))
    steps = walk(compile_ruleset(ruleset), scenario)["steps"]
    assert [one["sort"] for one in steps] == ["given", "run", "answer", "answer", "expect"]
    assert steps[2]["asked"] == "Where do you fall back to?"
    assert steps[2]["path"] == "rout.refuge"
    assert steps[0]["stands"] != steps[3]["stands"]


@contextmanager
def watching(server: Server, stack: str) -> Iterator[Iterator[dict[str, Any]]]:
    path = "/api/workshop/watch"
    with server.http.stream("GET", path, params={"stack": stack}) as stream:
        assert stream.status_code == 200
        lines = stream.iter_lines()
        yield (json.loads(one[6:]) for one in lines if one.startswith("data: "))


def test_findings_are_told_whenever_a_file_is_written(server: Server, packs: Path) -> None:
    file = packs / "mine" / "rules.rules"
    with watching(server, "race+mine") as told:
        first = next(told)
        assert first["findings"] == []
        assert first["tested"] == {"ran": 2, "failed": []}
        assert first["folders"] == ["mine", "race"]
        file.write_text(RULES.replace("boots", "bootz"), encoding="utf-8")
        (found,) = next(told)["findings"]
        assert found["severity"] == "error"
        assert found["where"].startswith("mine/rules.rules:1")
        assert "bootz" in found["line"]
        file.write_text(RULES.replace("1", "3") + SCENARIO, encoding="utf-8")
        # The file may be read before all of it is written.
        third = next(news for news in told if news["tested"]["failed"])
        assert third["findings"] == []
        (failed,) = third["tested"]["failed"]
        assert failed["title"] == "boots are cheap"
    file.write_text(RULES + SCENARIO, encoding="utf-8")


def test_a_scenario_that_fails_says_so_at_its_last_step(server: Server, packs: Path) -> None:
    file = packs / "mine" / "rules.rules"
    file.write_text(RULES.replace("1", "3") + SCENARIO, encoding="utf-8")
    found = asked(server, "scenario", stack="race+mine", id="boots are cheap")
    assert found["passed"] is False
    assert found["steps"][-1]["failure"]["actual"] == "boots.price is 3"
    file.write_text(RULES + SCENARIO, encoding="utf-8")


@pytest.mark.parametrize(
    ("what", "query", "status"),
    [
        ("outline", {"stack": "nothing"}, 404),
        ("outline", {"stack": "../race"}, 400),
        ("outline", {"stack": "./race"}, 400),
        ("outline", {}, 400),
        ("declaration", {"stack": "race", "path": "nothing"}, 404),
        ("declaration", {"stack": "race", "path": "x" * 5000, "word": "y" * 5000}, 404),
        ("scenario", {"stack": "race", "id": "nothing"}, 404),
        ("diff", {"left": "race", "right": "race/../race"}, 400),
        ("watch", {"stack": "/etc"}, 400),
    ],
)
def test_what_makes_no_sense_is_refused(
    server: Server, what: str, query: dict[str, str], status: int
) -> None:
    found = server.http.get(f"/api/workshop/{what}", params=query)
    assert found.status_code == status
    assert found.json()["error"]
