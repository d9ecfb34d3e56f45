"""A person at a table, scripted: reads the events of a seat and answers as a hasty player would.

It speaks to a server over plain sockets, so that what is measured is the server and not a client.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from random import Random
from typing import Any
from urllib.parse import urlsplit

Data = dict[str, Any]
DEALS = 3  # actions of one stage before somebody has enough


class Line:
    """One connection to a server, for one request after the other."""

    def __init__(self, home: str) -> None:
        found = urlsplit(home)
        self._host, self._port = found.hostname or "", found.port or 80
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is not None and self._streams[0].at_eof():
            self.close()
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port, limit=1 << 24)
        return self._streams

    async def _send(self, method: str, path: str, key: str, body: bytes) -> tuple[int, int | None]:
        reader, writer = await self._open()
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {self._host}:{self._port}",
            f"Authorization: Bearer {key}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
        ]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        size = [line.partition(":")[2] for line in head.split("\r\n") if "content-length" in line]
        return int(head.split(" ")[1]), int(size[0]) if size else None

    async def ask(self, path: str, key: str = "", data: Data | None = None) -> tuple[int, Data]:
        """A request and its answer. Raises OSError or EOFError if the server is gone."""
        body = b"" if data is None else json.dumps(data).encode()
        method = "GET" if data is None else "POST"
        status, size = await self._send(method, path, key, body)
        reader, _ = await self._open()
        return status, json.loads(await reader.readexactly(size or 0))

    async def events(self, path: str, key: str) -> AsyncIterator[bytes]:
        """The documents of a stream, as they come."""
        status, _ = await self._send("GET", path, key, b"")
        if status != 200:
            raise OSError(f"no stream: {status}")
        reader, _ = await self._open()
        rest = b""
        while True:
            size = int(await reader.readline() or b"0", 16)
            if not size:
                return
            rest += await reader.readexactly(size)
            await reader.readline()
            while b"\n\n" in rest:
                event, _, rest = rest.partition(b"\n\n")
                if b"data: " in event:
                    yield event.partition(b"data: ")[2]

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            with contextlib.suppress(OSError, RuntimeError):
                self._streams[1].close()
            self._streams = None


class Clicker:
    """Puts answers together as a page does: option by option."""

    def __init__(self, line: Line, path: str, key: str, chance: Random) -> None:
        self._line, self._path, self._key, self._chance = line, path, key, chance
        self._acted: dict[str, int] = {}

    async def answer_to(self, view: Data) -> Any:
        """An answer to what a view asks."""
        decision = view["decisions"][0]
        kind, options = decision["kind"], decision.get("options", [])
        if kind == "act":
            return await self._act(decision, f"{view['moment']['turn']}{decision['path']}")
        if kind == "select":
            return await self._select(decision)
        if kind == "divide":
            return await self._divide(decision)
        values = [one["value"] for one in options]
        if decision["several"]:
            number = self._chance.randint(decision["least"], min(decision["most"], len(values)))
            return self._chance.sample(values, number)
        return self._chance.choice(values)

    async def _options(self, decision: Data, **more: Any) -> Data:
        status, found = await self._line.ask(
            f"{self._path}/options", self._key, {"decision": decision["id"], **more}
        )
        if status != 200:
            raise LookupError(found["error"])
        return found

    async def _act(self, decision: Data, where: str) -> Any:
        self._acted[where] = self._acted.get(where, 0) + 1
        if not decision["actions"] or self._acted[where] > DEALS:
            return decision["end"]
        action = self._chance.choice(decision["actions"])
        args: list[Any] = []
        while len(args) < len(action["params"]):
            found = await self._options(decision, action=action["id"], args=args)
            values = [one["value"] for one in found["options"]]
            if len(values) < (1 if found["single"] else found["least"]):
                raise LookupError("What others did in the meantime leaves nothing to choose here.")
            if found["single"]:
                args.append(self._chance.choice(values))
            else:
                args.append(self._chance.sample(values, found["least"]))
        return {"action": action["id"], "args": args}

    async def _select(self, decision: Data) -> list[Any]:
        chosen: list[Any] = []
        while not (found := await self._options(decision, chosen=chosen))["complete"]:
            chosen.append(self._chance.choice(found["options"])["value"])
        return chosen

    async def _divide(self, decision: Data) -> list[Any]:
        chosen: list[Any] = []
        while (found := await self._options(decision, chosen=chosen))["amounts"]:
            one = found["amounts"][0]
            chosen.append([one["value"], self._chance.choice(one["amounts"])])
        return chosen
