"""Tables over the network: made, joined, played, kept."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.server import Made, Server, first_answer, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("tables")) as one:
        yield one


def play(table: Made, key: str, number: int) -> dict[str, Any]:
    """Answer as often as told, with whatever comes first; the document after that."""
    for _ in range(number):
        view = table.asked(key)
        if view["state"] != "playing":
            return view
        decision = view["decisions"][0]
        done = table.answer(key, decision["id"], first_answer(decision))
        assert done.status_code == 200, done.text
        assert done.json() == {"answered": decision["id"]}
    return table.asked(key)


def test_a_person_plays_a_whole_game_against_programs(server: Server) -> None:
    table = server.make("race", 3)
    (key,) = table.seats.values()
    view = play(table, key, 200)
    assert view["state"] == "over"
    assert list(view["standings"]["ranks"]) == view["standings"]["ranking"]
    assert min(view["standings"]["ranks"].values()) == 1
    assert view["decisions"] == []
    late = table.answer(key, "0.0", "done")
    assert (late.status_code, late.json()["error"]) == (409, "The game is over.")


def test_what_can_be_played(server: Server) -> None:
    found = server.get("/api/rulesets").json()
    games = {one["stack"]: one for one in found["games"]}
    assert games["west"]["players"] == [5, 6, 7, 8, 9]
    assert "core" not in games
    assert "west" in next(one["on"] for one in found["variants"] if one["id"] == "expert")
    rules = server.get("/api/rulesets/race").json()
    assert rules["players"] == [2, 3, 4, 5, 6]
    (option,) = (one for one in rules["options"] if one["id"] == "hand_size")
    assert option == {
        "id": "hand_size",
        "title": "Cards in hand",
        "type": "int",
        "default": 2,
        "values": [],
    }


@pytest.mark.parametrize(
    ("asked", "status", "text"),
    [
        ({"stack": "nowhere"}, 404, "There is no pack `nowhere`."),
        ({"stack": "../../etc"}, 400, "A ruleset is named like `west` or `west+expert`."),
        ({"stack": "./race"}, 400, "A ruleset is named like `west` or `west+expert`."),
        ({"stack": "core"}, 409, None),
        ({"stack": "race", "players": 17}, 400, "`race` is for 2 to 6 players."),
        ({"stack": "race", "players": True}, 400, "`race` is for 2 to 6 players."),
        ({"stack": "race", "seats": [{"by": "wizard"}]}, 400, None),
        ({"stack": "race", "seats": {}}, 400, None),
        ({"stack": "race", "seats": [3]}, 400, None),
        ({"stack": "race", "seats": [{"plays": "rome"}]}, 400, None),
        ({"stack": "race", "options": {"hand_size": "2"}}, 400, None),
        ({"stack": "race", "options": {"hand_size": True}}, 400, None),
        ({"stack": "race", "options": {"unknown": 1}}, 400, "The rules have no option `unknown`."),
        ({"stack": "race", "seed": -1}, 400, None),
        ({"stack": "race", "seed": 1.5}, 400, None),
        ({"stack": "race", "seats": [{"name": 3}]}, 400, "A name is text."),
        ({}, 400, None),
    ],
)
def test_a_table_that_makes_no_sense(
    server: Server, asked: dict[str, Any], status: int, text: str | None
) -> None:
    found = server.post("/api/tables", asked)
    assert found.status_code == status
    assert found.json()["error"].endswith(".")
    if text is not None:
        assert found.json()["error"] == text


def test_seats_are_what_was_wished(server: Server) -> None:
    seats = [{"plays": "minoa", "by": "person", "name": "  Anna\n "}, {"plays": "egypt"}]
    table = server.make("west", 5, seats=seats, options={"last_turn": 3})
    view = table.view(table.seats["minoa"])
    first, second, *others = view["owners"]
    assert (first["title"], first["name"], first["by"]) == ("Minoa", "Anna", "person")
    assert (second["plays"], second["by"]) == ("civilization.egypt", "bot")
    assert [one["player"] for one in others[:3]] == [True] * 3
    assert view["standings"]["columns"][0] == {"id": "cities", "title": "Cities"}
    assert view["piles"][1]["title"]


def test_an_answer_counts_once(server: Server) -> None:
    table = server.make("race", 2)
    (key,) = table.seats.values()
    first = table.asked(key)["decisions"][0]
    assert table.answer(key, first["id"], []).status_code == 200
    again = table.answer(key, first["id"], [])
    assert (again.status_code, again.json()["error"]) == (409, "This was answered already.")
    later = table.asked(key)["decisions"][0]
    assert later["id"] != first["id"]
    wrong = table.answer(key, "0.77", [])
    assert (wrong.status_code, wrong.json()["error"]) == (
        409,
        "That is not what you are asked now.",
    )


def test_an_answer_from_before_something_was_taken_back_does_not_count(server: Server) -> None:
    table = server.make("race", 2)
    (key,) = table.seats.values()
    first = table.asked(key)["decisions"][0]
    assert table.answer(key, first["id"], []).status_code == 200
    assert table.do("undo").status_code == 200
    view = table.asked(key)
    assert view["decisions"][0]["path"] == first["path"]
    again = table.answer(key, first["id"], [])
    assert (again.status_code, again.json()["error"]) == (409, "This was answered already.")
    assert table.do("redo").status_code == 200
    assert table.do("redo").json()["error"] == "There is nothing to do again."
    assert table.asked(key)["decisions"][0]["path"] != first["path"]


def test_what_the_rules_refuse_is_refused_with_their_reason(server: Server) -> None:
    seats = [{"plays": "minoa", "by": "person"}]
    table = server.make("west", 5, seats=seats)
    key = table.seats["minoa"]
    view = table.asked(key)
    decision = view["decisions"][0]
    assert decision["kind"] == "act"
    march = {"action": "march", "args": ["knossos", "fayum", 1]}
    assert table.answer(key, decision["id"], None).status_code == 409
    assert table.asked(key)["decisions"][0]["id"] == decision["id"]
    refused = table.answer(key, decision["id"], march)
    assert refused.status_code == 409
    assert refused.json()["source"]
    asked = {"decision": decision["id"], "action": "march"}
    options = server.post(f"{table.path}/options", {**asked, "args": []}, key).json()
    assert {one["place"] for one in options["options"]} == {"knossos"}
    cheating = server.post(f"{table.path}/options", {**asked, "args": ["fayum"]}, key)
    assert (cheating.status_code, cheating.json()["error"]) == (
        409,
        "That was not among the options.",
    )
    targets = server.post(f"{table.path}/options", {**asked, "args": ["knossos"]}, key).json()
    target = targets["options"][0]["value"]
    numbers = {**asked, "args": ["knossos", target]}
    assert server.post(f"{table.path}/options", numbers, key).json()["options"]
    march["args"] = ["knossos", target, 1]
    assert server.post(f"{table.path}/options", {**asked, **march}, key).json()["complete"]
    assert table.answer(key, decision["id"], march).status_code == 200
    view = table.asked(key)
    assert view["undo"]
    there = [one for one in view["pieces"] if one["place"] == target and one["owner"] == "minoa"]
    assert there[0]["number"] == 1
    assert server.post(f"{table.path}/undo", {}, key).json() == {"done": "undo"}
    assert not [one for one in table.view(key)["pieces"] if one["place"] == target]
    assert server.post(f"{table.path}/undo", {}, key).status_code == 409


def test_two_tabs_of_one_seat_see_the_same(server: Server) -> None:
    table = server.make("race", 3)
    (key,) = table.seats.values()
    decision = table.asked(key)["decisions"][0]
    with table.events(key) as one, table.events(key) as other:
        assert next(one)["version"] == next(other)["version"]
        assert table.answer(key, decision["id"], []).status_code == 200
        seen = [[view["version"] for view in _until_asked(tab)] for tab in (one, other)]
    assert seen[0][-1] == seen[1][-1]


def _until_asked(events: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for view in events:
        yield view
        if view["decisions"]:
            return


def test_a_stream_goes_on_where_it_was(server: Server) -> None:
    table = server.make("race", 2, people=2)
    key = next(iter(table.seats.values()))
    version = table.view(key)["version"]
    with table.events(key, last=version) as events:
        decision = table.view(key)["decisions"][0]
        table.answer(key, decision["id"], [])
        view = next(events)
    assert view["version"] != version
    assert view["decisions"] == []


def test_proxies_are_asked_to_keep_no_event_back(server: Server) -> None:
    table = server.make("race", 2)
    sent = {"Authorization": f"Bearer {table.host}"}
    with server.http.stream("GET", f"{table.path}/events", headers=sent) as stream:
        assert stream.headers["x-accel-buffering"] == "no"


def test_later_events_bring_only_new_lines(server: Server) -> None:
    table = server.make("race", 2)
    (key,) = table.seats.values()
    play(table, key, 3)
    with table.events(key) as events:
        lines = next(events)["log"]["lines"]
        decision = table.asked(key)["decisions"][0]
        table.answer(key, decision["id"], first_answer(decision))
        for view in events:
            assert view["log"]["from"] > 0
            lines = lines[: view["log"]["from"]] + view["log"]["lines"]
            if view["decisions"] and view["decisions"][0]["id"] != decision["id"]:
                break
    assert lines == table.view(key)["log"]["lines"]
    assert server.get(f"{table.path}/log?from=1&to=3", key).json() == {
        "from": 1,
        "lines": lines[1:3],
    }


def test_the_host_gives_a_seat_to_a_program_and_back(server: Server) -> None:
    table = server.make("race", 2, people=2)
    (one, key), (two, other) = table.seats.items()
    assert table.do("bot", seat=one).json() == {"done": "bot"}
    while table.view(other)["waiting"] != [two]:
        pass
    refused = table.answer(key, "0.0", [])
    assert "A program plays this seat now" in refused.json()["error"]
    assert table.do("person", seat=one).json() == {"done": "person", "key": None}
    decision = table.asked(other)["decisions"][0]
    assert table.answer(other, decision["id"], []).status_code == 200
    assert table.asked(key)["decisions"]
    new = table.do("key", seat=one).json()["key"]
    assert server.get(table.path, key).status_code == 401
    assert table.view(new)["seat"] == one


def test_a_seat_of_a_program_is_given_to_a_person_who_comes_later(server: Server) -> None:
    table = server.make("race", 2)
    (key,) = table.seats.values()
    new = table.do("person", seat="player2").json()["key"]
    assert table.view(new)["seat"] == "player2"
    assert table.view(key)["owners"][1]["by"] == "person"


def test_the_host_ends_a_table(server: Server) -> None:
    table = server.make("race", 2)
    (key,) = table.seats.values()
    decision = table.asked(key)["decisions"][0]
    assert table.do("end").json() == {"done": "end"}
    assert table.view(key)["state"] == "ended"
    late = table.answer(key, decision["id"], [])
    assert (late.status_code, late.json()["error"]) == (409, "The host has ended this table.")
    assert table.do("undo").status_code == 409


def test_why_and_history_and_cards(server: Server) -> None:
    seats = [{"plays": "minoa", "by": "person"}]
    table = server.make("west", 5, seats=seats, options={"last_turn": 4})
    key = table.seats["minoa"]
    play(table, key, 2)
    lines = table.view(key)["log"]["lines"]
    built = next(line for line in reversed(lines) if line["what"] == "say")
    why = server.post(f"{table.path}/why", {"line": built["n"]}, key).json()
    assert why["text"] == built["text"]
    assert why["parts"]
    value = server.post(f"{table.path}/why", {"value": "hand_limit"}, key).json()
    assert "hand_limit" in value["text"]
    refused = server.post(f"{table.path}/why", {"not": "march fayum"}, key).json()
    assert refused["holds"] is False
    hidden = server.post(f"{table.path}/why", {"value": "cards(hand(egypt))"}, key)
    assert (hidden.status_code, hidden.json()["error"]) == (
        409,
        "That depends on something you may not see.",
    )
    assert server.post(f"{table.path}/why", {}, key).status_code == 409
    assert server.post(f"{table.path}/why", {"line": 10**9}, key).status_code == 409
    history = server.get(f"{table.path}/history", key).json()
    assert [row["turn"] for row in history["rows"]] == list(range(len(history["rows"])))
    card = server.get(f"{table.path}/card?thing=advance.pottery", key).json()
    assert card["title"] == "Pottery"
    assert card["entries"]
    assert server.get(f"{table.path}/card?thing=advance.nothing", key).status_code == 404


def test_the_board_is_drawn_once_and_kept(server: Server) -> None:
    table = server.make("marches", 2)
    (key,) = table.seats.values()
    found = server.get(f"{table.path}/map.svg", key)
    assert found.headers["content-type"].startswith("image/svg+xml")
    middles = server.get(f"{table.path}/map.json", key).json()
    for place in middles["places"]:
        assert f'data-place="{place}"' in found.text
    again = server.get(f"{table.path}/map.svg", key, **{"If-None-Match": found.headers["etag"]})
    assert (again.status_code, again.text) == (304, "")
    rules = server.get(f"{table.path}/rules", key).json()
    assert {one["id"] for one in rules["places"] if one["board"]} == set(middles["places"])


def test_tables_go_on_after_a_restart(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        table = server.make("race", 3, people=2)
        (_, key), (_, other) = table.seats.items()
        table.answer(key, table.asked(key)["decisions"][0]["id"], [])
        table.answer(other, table.asked(other)["decisions"][0]["id"], [])
        before = [table.asked(key), table.view(other), table.view(table.onlooker)]
        table.do("bot", seat="player2")
        replaced = table.do("key", seat="view").json()["key"]
    with running(tmp_path) as server:
        table.server = server
        after = [table.asked(key), table.view(other)]
        assert after[1]["owners"][1]["by"] == "bot"
        assert after[0]["pieces"] == before[0]["pieces"]
        assert (
            after[0]["log"]["lines"][: len(before[0]["log"]["lines"])]
            == (before[0]["log"]["lines"])
        )
        assert table.view(replaced)["seat"] is None
        assert server.get(table.path, table.onlooker).status_code == 401
