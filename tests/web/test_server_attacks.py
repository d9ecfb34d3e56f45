"""Whoever means harm is refused, noted without secrets, learns nothing and stops nobody."""

import contextlib
import json
import logging
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import attrs
import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.web.server import QUICK, Made, Server, first_answer, running
from ziggurat.studio.web.guard import HEADERS
from ziggurat.studio.web.limits import Limits

NASTY = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("tables")) as one:
        yield one


@pytest.fixture(scope="module")
def table(server: Server) -> Made:
    return server.make("race", 3, people=2)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give new connections no time to come to their request."""
    monkeypatch.setattr("ziggurat.studio.web.wire.GRACE", 0.0)


def strict(found: httpx.Response) -> httpx.Response:
    """A response with all the headers that every response has."""
    for name, value in HEADERS.items():
        assert found.headers[name] == value
    assert "unsafe" not in found.headers["content-security-policy"]
    assert "cache-control" in found.headers
    assert "set-cookie" not in found.headers
    return found


# ---- keys


def test_without_the_right_key_there_is_nothing(server: Server, table: Made) -> None:
    other = server.make("race", 2)
    wrong = ["", "x", "é" * 9, "a" * 9000, other.host, next(iter(other.seats.values()))]
    for key in wrong:
        for path in ("", "/events", "/log", "/rules", "/map.svg", "/map.json", "/history", "/card"):
            headers = {"Authorization": f"Bearer {key}".encode()} if key else {}
            found = strict(server.http.get(table.path + path, headers=headers))
            assert found.status_code == 401
            assert found.json()["error"] == "This needs a key: open the link you were given."
        for path in ("/answer", "/options", "/host", "/undo", "/why"):
            headers = {"Authorization": f"Bearer {key}".encode()} if key else {}
            found = strict(server.http.post(table.path + path, json={}, headers=headers))
            assert found.status_code == 401
    assert server.get("/api/tables/aaaaaaaaaaaa", table.host).status_code == 404
    assert server.get("/api/tables/..%2f..%2fetc", table.host).status_code == 404


def test_nobody_answers_for_another(server: Server, table: Made) -> None:
    (one, key), (_, other) = table.seats.items()
    before = table.view(key)
    decision = before["decisions"][0]
    for wrong in (table.host, table.onlooker):
        found = strict(table.answer(wrong, decision["id"], []))
        assert (found.status_code, found.json()["error"]) == (
            403,
            "This key is for something else.",
        )
        assert server.post(f"{table.path}/why", {"line": 1}, wrong).status_code == 403
    for key_ in (key, other, table.onlooker):
        asked = {"do": "end"}
        assert server.post(f"{table.path}/host", asked, key_).status_code == 403
    asked = {"decision": decision["id"], "answer": [], "seat": one}
    assert server.post(f"{table.path}/answer", asked, other).status_code == 200
    after = table.view(key)
    assert after["decisions"] == before["decisions"]  # it was the other's own answer


# ---- malformed requests

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20)
    | st.sampled_from(["done", "pass", "player1", "player2", "crawl#1", "0.0", "0.1", "move"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
words = st.sampled_from(
    ["decision", "answer", "action", "args", "chosen", "line", "not", "value", "do", "seat", "by"]
)
doing = st.sampled_from(["undo", "redo", "bot", "person", "key"]) | anything
messages = st.dictionaries(words, anything, max_size=5) | st.fixed_dictionaries(
    {"do": doing, "seat": st.sampled_from(["player1", "player3"]) | anything}
)
PATHS = ("/answer", "/options", "/undo", "/host", "/why")


@given(path=st.sampled_from(PATHS), message=messages, whose=st.integers(0, 3))
@settings(max_examples=150)
def test_any_message_gets_a_sentence(
    server: Server, path: str, message: dict[str, Any], whose: int
) -> None:
    table = _fresh(server)
    keys = [*table.seats.values(), table.host, table.onlooker]
    text = json.dumps(message).encode()
    found = server.http.post(
        table.path + path,
        content=text,
        headers={"Authorization": f"Bearer {keys[whose]}", "Content-Type": "application/json"},
    )
    assert found.status_code in (200, 400, 401, 403, 409), (found.status_code, found.text)
    if found.status_code != 200:
        told = strict(found).json()
        assert set(told) == {"error", "source"}
        assert told["error"].strip()


_tables: dict[int, Made] = {}


def _fresh(server: Server) -> Made:
    """A table that is still played, with keys that are still right."""
    table = _tables.get(id(server))
    if table is None or any(
        server.get(table.path, key).status_code != 200
        for key in (*table.seats.values(), table.host, table.onlooker)
    ):
        table = _tables[id(server)] = server.make("race", 3, people=2)
    return table


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b"3", 400),
        (b"null", 400),
        (b"\xff\xfe{}", 400),
        (b'{"decision": NaN, "answer": 1}', 400),
        (b'{"decision": "0.0", "answer": ' + b"[" * 30_000 + b"]" * 30_000 + b"}", 400),
        (b'{"decision": "0.0", "answer": 1' + b"0" * 10_000 + b"}", 400),
        (b'{"decision": "\\ud800", "answer": "\\udfff"}', 409),
        (b'{"decision": 0, "answer": 1}', 400),
        (b'{"decision": "0.0"}', 400),
        (b'{"decision": "' + b"9" * 5000 + b'.1", "answer": 1}', 409),
    ],
)
def test_what_is_no_message(server: Server, table: Made, text: bytes, status: int) -> None:
    key = next(iter(table.seats.values()))
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    found = strict(server.http.post(f"{table.path}/answer", content=text, headers=headers))
    assert found.status_code == status
    assert found.json()["error"].endswith(".")


def test_a_form_of_another_page_is_no_message(server: Server) -> None:
    """What a browser sends without asking first is refused, and so is what it asks."""
    text = json.dumps({"stack": "race"})
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        found = strict(
            server.http.post("/api/tables", content=text, headers={"Content-Type": kind})
        )
        assert found.status_code == 415
    evil = {"Origin": "http://evil.example"}
    assert strict(server.post("/api/tables", {"stack": "race"}, **evil)).status_code == 403
    asked = strict(server.http.options("/api/tables", headers=evil))
    assert asked.status_code == 403
    assert not any(name.startswith("access-control") for name in asked.headers)
    for site in ("cross-site", "same-site"):
        foreign = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors"}
        for path in ("/api/rulesets", "/", "/static/main.js"):
            assert strict(server.get(path, **foreign)).status_code == 403
        followed = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate"}
        assert server.get("/", **followed).status_code == 200
        assert strict(server.get("/api/rulesets", **followed)).status_code == 403
    assert server.get("/api/rulesets", **{"Sec-Fetch-Site": "same-origin"}).status_code == 200
    named = strict(server.get("/api/rulesets", Host="evil.example"))
    assert named.status_code == 421


def test_ten_megabytes_are_too_many(server: Server, table: Made) -> None:
    key = next(iter(table.seats.values()))
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    large = b'{"decision": "0.0", "answer": "' + b"x" * 10_000_000 + b'"}'
    found = _or_cut_off(
        lambda: server.http.post(f"{table.path}/answer", content=large, headers=headers)
    )
    assert found in (413, None)

    def pieces() -> Iterator[bytes]:
        for start in range(0, len(large), 65536):
            yield large[start : start + 65536]

    path = f"{table.path}/answer"
    found = _or_cut_off(lambda: server.http.post(path, content=pieces(), headers=headers))
    assert found in (413, None)
    assert table.view(key)["state"] == "playing"


def _or_cut_off(ask: Any) -> int | None:
    """The status, or nothing if the server hung up while we were still talking."""
    try:
        return int(ask().status_code)
    except httpx.TransportError:
        return None


def test_a_long_header_is_cut_off(server: Server, table: Made) -> None:
    headers = {"X-Long": "x" * 200_000}
    assert _or_cut_off(lambda: server.get(table.path, table.host, **headers)) in (400, 431, None)
    assert server.get(table.path, table.host).status_code == 200


def test_no_file_is_served_that_is_not_the_pages(server: Server) -> None:
    for path in ("/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/keys.py", "/static/"):
        found = strict(server.http.get(path))
        assert found.status_code in (404, 405), path
    assert strict(server.http.get("/nothing")).json() == {
        "error": "There is nothing here.",
        "source": "",
    }
    assert strict(server.http.delete("/api/tables")).status_code == 405


# ---- names


def test_a_name_is_text(server: Server) -> None:
    seats = [
        {"by": "person", "name": NASTY},
        {"by": "bot", "name": "\x00\u202e\nTwo\tlines " + "x" * 500},
    ]
    table = server.make("race", 2, seats=seats)
    key = next(iter(table.seats.values()))
    found = strict(server.get(table.path, key))
    assert found.headers["content-type"] == "application/json"
    one, two = (owner["name"] for owner in found.json()["owners"])
    assert one == NASTY
    assert two.startswith("Two lines xxx")
    assert len(two) == 40
    for page in ("/", f"/t/{table.id}", f"/t/{NASTY}"):
        told = strict(server.http.get(page))
        assert NASTY not in told.text


def test_names_of_packs_are_no_markup(server: Server) -> None:
    table = server.make("marches", 2)
    drawn = server.get(f"{table.path}/map.svg", table.host).text
    assert "<script" not in drawn
    assert " on" not in "".join(part.partition(">")[0] for part in drawn.split("<")[1:]).replace(
        " onto", ""
    )


# ---- too many, too fast


def test_too_fast_is_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    limits = attrs.evolve(QUICK, answers=0.001, questions=0.001, tables_made=0.0001)
    limits = attrs.evolve(limits, tables_at_once=1)
    with running(tmp_path_factory.mktemp("tables"), limits) as server:
        table = server.make("race", 2, people=2)
        key, other = table.seats.values()
        assert table.answer(key, "0.0", []).status_code == 200
        found = strict(table.answer(key, "0.1", []))
        assert found.status_code == 429
        assert table.answer(other, "0.0", []).status_code == 200  # others are not concerned
        assert server.post("/api/tables", {"stack": "race"}).status_code == 429
        assert server.post(f"{table.path}/why", {"line": 1}, key).status_code == 200
        assert server.post(f"{table.path}/why", {"line": 1}, key).status_code == 429
    limits = attrs.evolve(QUICK, studies=0.001, replayed=0.001)
    with running(tmp_path_factory.mktemp("tables"), limits) as server:
        for path, status in (("workshop/packs", 200), ("replays/none", 404)):
            assert server.get(f"/api/{path}").status_code == status
            assert strict(server.get(f"/api/{path}")).status_code == 429
    limits = attrs.evolve(QUICK, requests=0.001)
    with running(tmp_path_factory.mktemp("tables"), limits) as server:
        assert server.get("/api/rulesets").status_code == 200
        assert strict(server.get("/api/rulesets")).status_code == 429


def test_too_many_are_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    limits = attrs.evolve(QUICK, tables=2, streams=3, streams_of_key=2)
    with running(tmp_path_factory.mktemp("tables"), limits) as server:
        table = server.make("race", 2)
        server.make("race", 2)
        assert strict(server.post("/api/tables", {"stack": "race"})).status_code == 429
        key = next(iter(table.seats.values()))
        with table.events(key) as one, table.events(key) as two:
            next(one), next(two)
            assert strict(server.get(f"{table.path}/events", key)).status_code == 429
            with table.events(table.onlooker) as three:
                next(three)
                assert strict(server.get(f"{table.path}/events", table.host)).status_code == 429


@pytest.mark.usefixtures("impatient")
def test_seats_have_room_when_connections_run_out(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    limits = attrs.evolve(QUICK, connections=16, reserved=6, streams_of_key=20, strangers=100)
    with running(tmp_path_factory.mktemp("tables"), limits) as server, ExitStack() as streams:
        table = server.make("race", 2, people=2)
        key, other = table.seats.values()
        looking = [streams.enter_context(table.events(key)) for _ in range(9)]
        assert all(map(next, looking))
        open_ = [_connected(server) for _ in range(100)]  # which ask nothing, and make way
        with httpx.Client(base_url=server.home) as http:
            assert http.get("/api/rulesets").status_code == 200
        looking.append(streams.enter_context(table.events(key)))
        assert next(looking[-1])
        found = strict(server.get("/api/rulesets"))
        assert (found.status_code, set(found.json())) == (503, {"error", "source"})
        for path, key_, status in (
            (f"{table.path}/events", other, 503),
            (table.path, table.onlooker, 503),
            (table.path, other, 200),
        ):
            assert strict(server.get(path, key_)).status_code == status
        assert table.answer(other, "0.0", []).status_code == 200
        for connection in open_:
            connection.close()


@pytest.mark.usefixtures("impatient")
def test_open_connections_keep_no_player_out(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Those that ask nothing make way, those of players stay."""
    limits = attrs.evolve(QUICK, strangers=30, strangers_of_address=20, connections=40)
    limits = attrs.evolve(limits, reserved=4)
    with running(tmp_path_factory.mktemp("tables"), limits) as server:
        table = server.make("race", 2)
        key = next(iter(table.seats.values()))
        with table.events(key) as events:
            next(events)
            open_ = [_connected(server) for _ in range(100)]
            for connection in open_:
                with contextlib.suppress(ConnectionError):
                    connection.sendall(b"GET / HTTP/1.1\r\nX-Half: ")
            assert _heard(open_[0]).status_code == 503
            assert httpx.get(f"{server.home}/api/rulesets").status_code == 200
            assert table.view(key)["state"] == "playing"
            decision = table.asked(key)["decisions"][0]
            assert table.answer(key, decision["id"], first_answer(decision)).status_code == 200
            assert next(events)
            for connection in open_:
                connection.close()


@pytest.mark.usefixtures("impatient")
def test_one_address_leaves_room_for_others(tmp_path_factory: pytest.TempPathFactory) -> None:
    limits = attrs.evolve(QUICK, connections_of_address=10)
    with running(tmp_path_factory.mktemp("tables"), limits) as server:
        table = server.make("race", 2)
        open_ = [_connected(server) for _ in range(20)]
        assert _heard(open_[0]).status_code == 503  # the oldest makes way
        assert table.view(table.host)["state"] == "playing"
        for connection in open_:
            connection.close()


def _connected(server: Server) -> socket.socket:
    host, _, port = server.home.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)))


def _heard(connection: socket.socket) -> httpx.Response:
    """What comes on a connection until the server hangs up."""
    came = b""
    with connection, contextlib.suppress(ConnectionResetError):  # if we were still talking
        while part := connection.recv(65536):
            came += part
    head, _, body = came.partition(b"\r\n\r\n")
    first, *rest = head.decode("ascii").split("\r\n")
    return httpx.Response(
        int(first.split(" ")[1]), headers=[line.split(": ", 1) for line in rest], content=body
    )


CHUNKED = (
    b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
)


@pytest.mark.parametrize("said", [b"nonsense\r\n\r\n", b"\xff\x00" * 20_000 + b"\r\n", CHUNKED])
def test_what_is_no_http_is_refused_like_everything_else(server: Server, said: bytes) -> None:
    connection = _connected(server)
    connection.sendall(said)
    found = strict(_heard(connection))
    assert found.status_code in (400, 415)
    assert set(found.json()) == {"error", "source"}


@pytest.mark.parametrize("before", [b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"])
def test_headers_that_never_end_are_not_waited_for(
    before: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whether in the first request of a connection or in another, and however many bytes come."""
    limits = attrs.evolve(QUICK, header_seconds=0.3)
    with running(tmp_path_factory.mktemp("tables"), limits) as server:
        connection = _connected(server)
        if before:
            connection.sendall(before)
            assert b"</html>" in _until(connection, b"</html>")
        connection.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
        connection.settimeout(0.02)
        came = b""
        while not came:
            with contextlib.suppress(TimeoutError, ConnectionError):
                connection.send(b"x")
                came = connection.recv(1, socket.MSG_PEEK)
        connection.settimeout(60)
        found = strict(_heard(connection))
        assert (found.status_code, found.json()["error"]) == (408, "The request took too long.")


def _until(connection: socket.socket, wanted: bytes) -> bytes:
    came = b""
    while wanted not in came:
        came += connection.recv(65536)
    return came


def test_whoever_says_nothing_is_not_waited_for(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ziggurat.studio.web.serving.KEPT", 0.2)
    with running(tmp_path_factory.mktemp("tables")) as server:
        connection = _connected(server)
        assert connection.recv(1) == b""


# ---- what is noted, and what is not


def test_what_is_refused_is_noted_without_secrets(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    table = server.make("race", 2)
    key = next(iter(table.seats.values()))
    with caplog.at_level(logging.DEBUG):
        table.answer(key, "0.7", "a-secret-answer")
        server.get(table.path, "wrong-key-of-somebody")
        server.get("/api/tables/%0d%0aforged%20line", key)
        server.post("/api/tables", {"stack": "race", "seats": [{"name": 5}], "seed": 4711471147})
        decision = table.asked(key)["decisions"][0]
        table.answer(key, decision["id"], first_answer(decision))
    told = [record.getMessage() for record in caplog.records if record.name == "ziggurat.web"]
    assert any("refused 409 POST" in line for line in told)
    assert any("refused 401 GET" in line for line in told)
    assert all("\n" not in line and "\r" not in line for line in told)
    everything = "\n".join(record.getMessage() for record in caplog.records)
    for secret in (key, table.host, "wrong-key", "a-secret-answer", "4711471147"):
        assert secret not in everything


def test_keys_are_on_no_disk(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("tables")
    with running(folder) as server:
        table = server.make("race", 2, people=2)
        files = [path.read_bytes() for path in folder.iterdir() if path.is_file()]
        for key in (*table.seats.values(), table.host, table.onlooker):
            assert not any(key.encode() in data for data in files)


def test_limits_are_what_they_say() -> None:
    limits = Limits()
    assert limits.body == 64 * 1024
    assert limits.streams + limits.reserved <= limits.connections
