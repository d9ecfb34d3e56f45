"""A server to test with: in a thread of this process, on a free port, with tables in a folder."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from ziggurat import Search
from ziggurat.studio.web.app import build
from ziggurat.studio.web.hall import Hall
from ziggurat.studio.web.house_key import HouseKeys
from ziggurat.studio.web.limits import Limits
from ziggurat.studio.web.reach import Reach
from ziggurat.studio.web.serving import Place, config_of, listen

PACKS = Path(__file__).parents[1] / "packs"
# What a test does is not what a person does: it may be as quick as it likes.
QUICK = Limits(
    requests=1e6,
    answers=1e6,
    questions=1e6,
    tables_made=1e6,
    looks=1e6,
    studies=1e6,
    replayed=1e6,
    pause=0.0,
    heartbeat=60.0,
)


class Server:
    """A running server, and what tests ask of it."""

    def __init__(self, home: str, hall: Hall, house_key: str) -> None:
        self.home, self.hall, self.house_key = home, hall, house_key
        self.http = httpx.Client(base_url=home, timeout=60)

    def get(self, path: str, key: str = "", **headers: str) -> httpx.Response:
        return self.http.get(path, headers={**_bearer(key), **headers})

    def post(self, path: str, data: Any, key: str = "", **headers: str) -> httpx.Response:
        return self.http.post(path, json=data, headers={**_bearer(key), **headers})

    def make(self, stack: str, players: int, people: int = 1, **more: Any) -> "Made":
        """A table with some people, in the first seats."""
        seats = [{"by": "person" if n < people else "bot"} for n in range(players)]
        asked = {"stack": stack, "players": players, "seats": seats, "seed": 7, **more}
        found = self.post("/api/tables", asked)
        assert found.status_code == 201, found.text
        return Made(self, found.json())


class Made:
    """A table of a server, with all its keys."""

    def __init__(self, server: Server, told: dict[str, Any]) -> None:
        self.server = server
        self.id, self.host, self.onlooker = told["table"], told["host"], told["view"]
        self.seats = {one["seat"]: one["key"] for one in told["seats"] if one["key"]}
        self.path = f"/api/tables/{self.id}"

    def view(self, key: str) -> dict[str, Any]:
        found = self.server.get(self.path, key)
        assert found.status_code == 200, found.text
        return dict(found.json())

    def answer(self, key: str, decision: str, answer: Any) -> httpx.Response:
        asked = {"decision": decision, "answer": answer}
        return self.server.post(f"{self.path}/answer", asked, key)

    def do(self, what: str, **more: Any) -> httpx.Response:
        return self.server.post(f"{self.path}/host", {"do": what, **more}, self.host)

    def asked(self, key: str) -> dict[str, Any]:
        """What the seat of a key is asked, as soon as it is asked something (or all is over)."""
        with self.events(key) as events:
            for view in events:
                if view["decisions"] or view["state"] != "playing":
                    return self.view(key)  # with the whole log
        raise AssertionError("the stream ended")

    @contextmanager
    def events(self, key: str, last: str = "") -> Iterator[Iterator[dict[str, Any]]]:
        """The documents that a stream brings."""
        headers = {**_bearer(key), **({"Last-Event-ID": last} if last else {})}
        with self.server.http.stream("GET", f"{self.path}/events", headers=headers) as stream:
            assert stream.status_code == 200, stream.status_code
            yield _documents(stream.iter_lines())


def _documents(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    for line in lines:
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def _bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"} if key else {}


def first_answer(decision: dict[str, Any]) -> Any:
    """An answer that is always there: the end of acting, or the first option."""
    if decision["kind"] == "act":
        return decision["end"]
    if decision["several"]:
        return [one["value"] for one in decision["options"][: decision["least"]]]
    return decision["options"][0]["value"]


@contextmanager
def running(
    folder: Path,
    limits: Limits = QUICK,
    search: Search | None = None,
    saves: Path | None = None,
    reach: Reach | None = None,
    keys: HouseKeys | None = None,
) -> Iterator[Server]:
    """A server while it runs; when this ends, it has ended."""
    reach, keys = reach or Reach(), keys or HouseKeys()
    bound = listen(Place("127.0.0.1", 0, folder))
    ready = threading.Event()
    found: list[Any] = []

    async def serve() -> None:
        hall = Hall(folder, search or Search.default([PACKS]), limits)
        config = config_of(build(hall, None, reach, keys, saves), limits, reach.proxies)
        config.timeout_graceful_shutdown = 0
        server = uvicorn.Server(config)
        found.extend((server, hall))
        ready.set()
        try:
            await server.serve(sockets=[bound])
        finally:
            await hall.close()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(60)
    server, hall = found
    home = f"http://127.0.0.1:{bound.getsockname()[1]}"
    one = Server(home, hall, keys.local)
    try:
        yield one
    finally:
        one.http.close()
        server.should_exit = True
        thread.join(60)
        bound.close()
