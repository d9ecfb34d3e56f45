"""What changed from one document to the next leads from one to the other."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.runtime.shipped import program
from tests.web.server import Server, first_answer, running
from ziggurat import ONLOOKER, Random, answer_of, new_save, start
from ziggurat.studio.web.about import PERSON, About
from ziggurat.studio.web.changes import Changes
from ziggurat.studio.web.keys import Keys
from ziggurat.studio.web.table import Table
from ziggurat.studio.web.text import encoded

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=20,
)


def apply(value: Any, change: Any) -> Any:
    """Return a value after a change, as a client does it."""
    if isinstance(change, list):
        return change[0]
    if "items" in change:
        found = list(value)
        for at, gone, come in change["items"]:
            found[at : at + gone] = come
        return found
    members = dict(value)
    for name, one in change["members"].items():
        if one is None:
            del members[name]
        else:
            members[name] = apply(members.get(name), one)
    return members


@given(before=values, now=values)
def test_a_change_leads_from_one_value_to_the_other(before: Any, now: Any) -> None:
    change = Changes().between(encoded(before), encoded(now))
    assert encoded(apply(before, json.loads(change))) == encoded(now)
    assert len(change) <= len(encoded(now)) + 2


def test_changes_of_long_lists_are_short() -> None:
    before = [{"place": f"p{n}", "number": n} for n in range(900)]
    now = [*before[:100], {"place": "new"}, *before[101:500], *before[502:]]
    change = Changes().between(encoded(before), encoded(now))
    assert apply(before, json.loads(change)) == now
    near = [*before[:3], {"place": "new"}, *before[5:300]]
    short = Changes().between(encoded(before[:300]), encoded(near))
    assert apply(before[:300], json.loads(short)) == near
    assert len(short) < 100


@pytest.mark.parametrize(("stack", "players"), [("race", 3), ("fire_brigade", 3)])
def test_documents_are_the_same_however_many_are_made(
    stack: str, players: int, tmp_path: Path
) -> None:
    """What seats have in common is worked out once; alone, each would get the same bytes."""
    save = new_save(start(program(stack), players=players, seed=5), tmp_path / "game.zig")
    about = About(dict.fromkeys(save.game.seats, PERSON), {}, Keys())
    together = Table("abcdefghijkm", save, about, tmp_path / "game.json")
    bot = Random(3)
    for number in range(12):
        if save.game.over:
            break
        decision = save.game.decisions[number % len(save.game.decisions)]
        answers = [(decision.decider, answer_of(bot, save.game, decision))]
        assert together.answer_all(len(save.records), answers)
        for seat in (*save.game.seats, ONLOOKER):
            alone = Table("abcdefghijkm", save, about, tmp_path / "game.json")
            assert alone.document(seat).text() == together.document(seat).text()
    save.close()


def test_a_client_that_asks_for_changes_sees_the_same(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        table = server.make("race", 3, people=2)
        keys = list(table.seats.values())
        headers = {"Authorization": f"Bearer {keys[0]}", "Ziggurat-Changes": "1"}
        with (
            server.http.stream("GET", f"{table.path}/events", headers=headers) as stream,
            table.events(keys[0]) as whole,
        ):
            mine: dict[str, Any] = {}
            names, lines = [], stream.iter_lines()
            for _ in range(8):
                view = next(whole)
                while mine.get("version") != view["version"]:
                    name, data = _next_event(lines)
                    names.append(name)
                    mine = _after(mine, name, data)
                assert mine == view
                _answer_if_asked(server, table.path, keys)
        assert (names[0], set(names[1:])) == ("view", {"changes"})


def _after(mine: dict[str, Any], name: str, data: dict[str, Any]) -> dict[str, Any]:
    if name == "view":
        return data
    assert data["base"] == mine["version"]
    found: dict[str, Any] = apply(mine, {"members": data["changes"]})
    return {**found, "version": data["version"], "log": data["log"]}


def _next_event(lines: Any) -> tuple[str, dict[str, Any]]:
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        if line.startswith("data: "):
            return name, json.loads(line.removeprefix("data: "))
    raise AssertionError("the stream ended")


def _answer_if_asked(server: Server, path: str, keys: list[str]) -> None:
    for key in keys:
        view = server.get(path, key).json()
        for decision in view["decisions"]:
            body = {"decision": decision["id"], "answer": first_answer(decision)}
            assert server.post(f"{path}/answer", body, key).status_code == 200
            return


def test_what_is_the_same_for_all_is_compressed_and_secrets_are_not(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        table = server.make("marches", 2)
        page = server.get("/").text
        script = next(part for part in page.split('"') if part.endswith("/main.js"))
        paths = (f"{table.path}/rules", f"{table.path}/map.svg", script)
        assert [server.get(one, table.host).headers.get("content-encoding") for one in paths] == [
            "gzip"
        ] * 3
        assert "content-encoding" not in server.get(table.path, table.host).headers
