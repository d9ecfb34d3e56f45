"""One connection, before there is a request that the application could meet: what is no HTTP, what
comes too slowly and what is one too many is refused like everything else, with the same headers."""

import asyncio
from typing import Any

import h11
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from ziggurat.studio.web.guard import answer, noted, refused, response, strict
from ziggurat.studio.web.limits import Limits

FULL = "Too many are connected here; try again in a moment."
OVER = 64  # connections beyond the limit that are still told so


class Wire(H11Protocol):
    """A connection with limits of its own."""

    limits: Limits

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self._guarded, self.app = self.app, self._admitted
        self._slow: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections + OVER:
            transport.abort()
            return
        # Whoever says nothing is waited for as long as between two requests.
        self.timeout_keep_alive_task = self.loop.call_later(
            self.timeout_keep_alive, self.timeout_keep_alive_handler
        )

    def connection_lost(self, exc: Exception | None) -> None:
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

    def _in_time(self) -> None:
        if self._slow is not None:
            self._slow.cancel()
            self._slow = None

    def _too_slow(self) -> None:
        self._slow = None
        self._refuse(408, "The request took too long.")

    def send_400_response(self, msg: str) -> None:
        self._refuse(400, "This is not HTTP as it is spoken here.")

    def _refuse(self, status: int, text: str) -> None:
        """Answer, unless an answer is under way, and hang up."""
        if self.transport.is_closing():
            return
        noted(status, "something", self.client[0] if self.client else "", text)
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
        if len(self.connections) > self.limits.connections:
            refused(scope, 503, FULL)
            await answer(send, 503, FULL)
        else:
            await self._guarded(scope, receive, send)


def wire_of(limits: Limits) -> type[Wire]:
    """Connections with these limits."""
    return type("Wire", (Wire,), {"limits": limits})
