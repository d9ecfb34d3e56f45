"""One connection, before there is a request that the application could meet: what is no HTTP, what
comes too slowly and what is one too many is refused like everything else, with the same headers."""

import asyncio
from collections import Counter
from typing import Any

import h11
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from ziggurat.studio.web.guard import answer, noted, refused, response, strict
from ziggurat.studio.web.limits import Limits

FULL = "Too many are connected here; try again in a moment."
OVER = 64  # connections beyond the limit that are still told so


class Strangers:
    """Connections on which nobody has shown a key yet, in the order in which they came.

    There is room for some, of all and of one address. Those that ask nothing make way for others,
    so whoever only holds connections open keeps nobody out.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._addresses: dict[Wire, str] = {}

    def add(self, wire: "Wire") -> None:
        """Take in a connection. If there are too many now, hang up on one that asks nothing."""
        self._addresses[wire] = wire.address
        numbers = Counter(self._addresses.values())
        address, number = wire.address, numbers[wire.address]
        if number <= self._limits.strangers_of_address:
            if len(self._addresses) <= self._limits.strangers:
                return
            address = max(numbers, key=numbers.__getitem__)
        for other, where in self._addresses.items():
            if where == address and other is not wire and other.is_idle:
                other.hang_up(503, FULL)
                return

    def discard(self, wire: "Wire") -> None:
        """Forget a connection that shows a key or ends."""
        self._addresses.pop(wire, None)


class Wire(H11Protocol):
    """A connection with limits of its own."""

    limits: Limits
    strangers: Strangers

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self._guarded, self.app = self.app, self._admitted
        self._slow: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections + OVER:
            transport.abort()
            return
        if self._crowd() > self.limits.connections_of_address:
            self.hang_up(503, FULL)
            return
        self.strangers.add(self)
        # Whoever says nothing is waited for as long as between two requests.
        self.timeout_keep_alive_task = self.loop.call_later(
            self.timeout_keep_alive, self.timeout_keep_alive_handler
        )

    def connection_lost(self, exc: Exception | None) -> None:
        self.strangers.discard(self)
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        self._in_time()

    def data_received(self, data: bytes) -> None:
        """From its first byte on, a request has some seconds until its headers are there."""
        if self._slow is None and self.conn.their_state is h11.IDLE:
            self._slow = self.loop.call_later(self.limits.header_seconds, self._too_slow)
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._in_time()

    @property
    def address(self) -> str:
        """Where the connection comes from."""
        return self.client[0] if self.client else ""

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _in_time(self) -> None:
        if self._slow is not None:
            self._slow.cancel()
            self._slow = None

    def _too_slow(self) -> None:
        self._slow = None
        self.hang_up(408, "The request took too long.")

    def send_400_response(self, msg: str) -> None:
        self.hang_up(400, "This is not HTTP as it is spoken here.")

    def hang_up(self, status: int, text: str) -> None:
        """Answer, unless an answer is under way, and hang up."""
        if self.transport.is_closing():
            return
        self.strangers.discard(self)
        noted(status, "something", self.address, text)
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            headers, body = response(text)
            for part in (
                h11.Response(status_code=status, headers=strict(headers)),
                h11.Data(data=body),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(part) or b"")
        self.transport.close()

    async def _admitted(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The application, if there is room for one more."""
        scope["known"] = self._known
        if len(self.connections) > self.limits.connections:
            refused(scope, 503, FULL)
            await answer(send, 503, FULL)
        else:
            await self._guarded(scope, receive, send)

    def _known(self) -> None:
        """Somebody has shown a key on this connection."""
        self.strangers.discard(self)

    def _crowd(self) -> int:
        """Return how many connections come from the same address."""
        return sum(
            isinstance(one, Wire) and one.address == self.address for one in self.connections
        )


def wire_of(limits: Limits) -> type[Wire]:
    """Connections with these limits."""
    return type("Wire", (Wire,), {"limits": limits, "strangers": Strangers(limits)})
