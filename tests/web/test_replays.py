"""Looking back at saves: every position, as far as whoever looks may see it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.server import PACKS, Server, first_answer, running
from ziggurat import Advised, Search, answer_of, load_program, new_save, start
from ziggurat.studio.web.boards import boards

SEARCH = Search.default([PACKS])


@pytest.fixture(scope="module")
def saves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a game of bots that is over, and one that goes on."""
    folder = tmp_path_factory.mktemp("saves")
    program, _ = load_program("race", SEARCH)
    assert program is not None
    for name, most in (("whole", 10_000), ("begun", 9)):
        save = new_save(start(program, players=3, seed=5), folder / f"{name}.zig", search=SEARCH)
        policy = Advised(5)
        for _ in range(most):
            if save.game.decision is None:
                break
            decision = save.game.decision
            save.answer(answer_of(policy, save.game, decision), decision.decider)
        save.close()
    (folder / "damaged.zig").write_bytes((folder / "whole.zig").read_bytes().replace(b"1", b"2"))
    return folder


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, saves: Path) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("tables"), saves=saves) as found:
        yield found


def position(server: Server, id_: str, answer: int = 0, key: str = "") -> dict[str, Any]:
    found = server.get(f"/api/replays/{id_}?answer={answer}", key)
    assert found.status_code == 200, found.text
    return dict(found.json())


def test_saves_of_the_folder_are_listed(server: Server) -> None:
    found = server.get("/api/replays").json()["saves"]
    assert [one["id"] for one in found] == ["begun", "damaged", "whole"]


def test_games_with_the_same_rules_are_drawn_once(
    saves: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    monkeypatch.setattr(
        "ziggurat.studio.web.replays.boards",
        lambda game, drawer: drawn.append(game) or boards(game, drawer),
    )
    with running(tmp_path, saves=saves) as server:
        found = {server.get(f"/api/replays/{id_}/rules").text for id_ in ("whole", "begun")}
    assert (len(found), len(drawn)) == (1, 1)


def test_every_position_of_a_game(server: Server) -> None:
    last = position(server, "whole", 10**6)
    assert last["state"] == "over"
    assert last["answer"] == last["answers"]
    seen = [position(server, "whole", n) for n in range(0, last["answers"] + 1, 3)]
    assert [one["answer"] for one in seen] == list(range(0, last["answers"] + 1, 3))
    turns = [one["moment"]["turn"] for one in seen]
    assert turns == sorted(turns)
    assert position(server, "whole", 4) == position(server, "whole", 4)


def test_turns_begin_where_they_say(server: Server) -> None:
    found = position(server, "whole")
    for number, start_ in enumerate(found["turns"]):
        turn = found["first_turn"] + number
        assert position(server, "whole", start_)["moment"]["turn"] == turn
        if start_:
            assert position(server, "whole", start_ - 1)["moment"]["turn"] == turn - 1


def test_in_the_folder_nothing_is_hidden(server: Server) -> None:
    found = position(server, "begun", 6)
    hands = [one for one in found["piles"] if one["place"] == "hand"]
    assert len(hands) == 3
    assert all("cards" in one for one in hands)


def test_the_history_has_a_row_for_every_turn(server: Server) -> None:
    found = server.get("/api/replays/whole/history").json()
    turns = position(server, "whole")["turns"]
    assert len(found["rows"]) == len(turns)
    assert [one["title"] for one in found["columns"]] == ["points"]


def test_a_table_is_looked_back_at_when_it_is_over_with_a_key_of_it(server: Server) -> None:
    made = server.make("race", 2)
    (key,) = made.seats.values()
    path = f"/api/replays/{made.id}"
    assert server.get(path).status_code == 401
    assert server.get(path, "wrong").status_code == 401
    assert server.get(path, key).status_code == 409
    while (view := made.asked(key))["state"] == "playing":
        asked = view["decisions"][0]
        assert made.answer(key, asked["id"], first_answer(asked)).status_code == 200
    assert server.get(path).status_code == 401
    for one in (key, made.onlooker, made.host):
        assert position(server, made.id, 10**6, one)["state"] == "over"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("nothing", 404),
        ("..%2Fwhole", 404),
        ("damaged", 409),
        ("whole?answer=-1", 400),
        ("whole?answer=x", 400),
        ("whole?answer=99999999999", 400),
        ("whole/card?thing=nothing", 404),
    ],
)
def test_what_makes_no_sense_is_refused(server: Server, path: str, status: int) -> None:
    found = server.get(f"/api/replays/{path}")
    assert found.status_code == status, found.text
    assert found.json()["error"]


def test_looking_back_writes_nothing(server: Server, saves: Path) -> None:
    """Also of a save that somebody is writing: a line that is not whole yet is left alone."""
    file = saves / "begun.zig"
    before = file.read_bytes()
    file.write_bytes(before + b'10 ["player1"')
    assert position(server, "begun", 100)["answer"] == 9
    assert file.read_bytes() == before + b'10 ["player1"'
    file.write_bytes(before)
