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
from ziggurat.studio.web.reach import Proxies
from ziggurat.studio.web.refusals import FULL, Refusal

GRACE = 0.5  # seconds in which a new connection may come to its request
OVER = 64  # connections beyond the limit that are still told so


class Crowd:
    """The open connections, in the order in which they came."""

    def __init__(self) -> None:
        self._wires: dict[Wire, str] = {}
        self._numbers: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._wires)

    def add(self, wire: "Wire") -> None:
        """Count a connection."""
        self._wires[wire] = wire.address
        self._numbers[wire.address] += 1

    def discard(self, wire: "Wire") -> None:
        """Forget a connection that is closed, or about to be."""
        address = self._wires.pop(wire, None)
        if address is not None:
            self._numbers[address] -= 1
            if not self._numbers[address]:
                del self._numbers[address]

    def count_from(self, address: str) -> int:
        """Return how many come from an address."""
        return self._numbers[address]

    def hang_up_idle(self, newest: "Wire", address: str | None = None) -> None:
        """Hang up on the oldest connection, perhaps of one address, that asks nothing.

        A browser opens another one when it needs it; whoever waits for an answer stays, and so
        does a new connection while there is any room.
        """
        is_full = len(self._wires) > newest.limits.connections
        for wire, where in self._wires.items():
            if wire is not newest and wire.is_idle and address in (None, where):
                if is_full or not wire.is_new:
                    wire.make_way()
                return


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
                if not other.is_new:
                    other.hang_up(503, FULL)
                return

    def discard(self, wire: "Wire") -> None:
        """Forget a connection that shows a key or ends."""
        self._addresses.pop(wire, None)


class Wire(H11Protocol):
    """A connection with limits of its own."""

    limits: Limits
    strangers: Strangers
    proxies: Proxies
    crowd: Crowd
    asking: Counter[str]  # requests that are being answered, by the address a proxy tells

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self._guarded, self.app = self.app, self._admitted
        self._slow: asyncio.TimerHandle | None = None
        self._since = self.loop.time()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections + OVER:
            transport.abort()
            return
        self.crowd.add(self)
        self._make_room()
        if not self.proxies.trusts(self.address):
            self.strangers.add(self)
        # Whoever says nothing is waited for as long as between two requests.
        self.timeout_keep_alive_task = self.loop.call_later(
            self.timeout_keep_alive, self.timeout_keep_alive_handler
        )

    def connection_lost(self, exc: Exception | None) -> None:
        self.strangers.discard(self)
        self.crowd.discard(self)
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

    @property
    def is_new(self) -> bool:
        """Return whether the connection was made a moment ago."""
        return self.loop.time() - self._since < GRACE

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
        self.crowd.discard(self)
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
        """Let the application answer a request, if there is room for one more.

        `crowded` tells it that the room left is for those who show the key of a seat.
        """
        scope["known"] = self._known
        limits = self.limits
        try:
            scope = self.proxies.resolve(scope)
        except Refusal as refusal:
            refused(scope, refusal.status, refusal.text)
            await answer(send, refusal.status, refusal.text)
            return
        if len(self.crowd) > limits.connections:
            refused(scope, 503, FULL)
            await answer(send, 503, FULL)
            return
        address = scope["client"][0] if scope.get("client") else ""
        is_forwarded = "forwarded" in scope
        number = self.asking[address] + 1 if is_forwarded else self.crowd.count_from(address)
        is_full = len(self.crowd) > limits.connections - limits.reserved
        scope["crowded"] = is_full or number > limits.connections_of_address
        self.asking[address] += is_forwarded
        try:
            await self._guarded(scope, receive, send)
        finally:
            self.asking[address] -= is_forwarded
            if not self.asking[address]:
                del self.asking[address]

    def _known(self) -> None:
        """Somebody has shown a key on this connection."""
        self.strangers.discard(self)

    def _make_room(self) -> None:
        limits, address = self.limits, self.address
        if len(self.crowd) > limits.connections - limits.reserved:
            self.crowd.hang_up_idle(self)
            return
        is_many = self.crowd.count_from(address) > limits.connections_of_address
        if is_many and not self.proxies.trusts(address):
            self.crowd.hang_up_idle(self, address)

    def make_way(self) -> None:
        """Hang up, on whoever has been answered before without a word."""
        if self.cycle is None:
            self.hang_up(503, FULL)
        else:
            self.strangers.discard(self)
            self.crowd.discard(self)
            self.transport.close()


def wire_of(limits: Limits, proxies: Proxies | None = None) -> type[Wire]:
    """Return connections with these limits."""
    shared = {
        "limits": limits,
        "strangers": Strangers(limits),
        "proxies": proxies or Proxies(),
        "asking": Counter[str](),
        "crowd": Crowd(),
    }
    return type("Wire", (Wire,), shared)
