"""What every request meets first: strict headers, whose house this is, sizes and rates.

A browser sends requests for any page that somebody has open. Names that are not the server's own
(those of another site, made to lead here) and pages of other sites are refused; no cookie is ever
set or read, so there is nothing that another page could make use of.
"""

import asyncio
import ipaddress
import json
import logging
import socket
from collections import Counter
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ziggurat.studio.web.limits import Limits, Rates
from ziggurat.studio.web.reach import Reach, name_of
from ziggurat.studio.web.refusals import FULL, Refusal

log = logging.getLogger("ziggurat.web")
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
STORED = b"cache-control"
UNKNOWN_NAME = "This server does not go by that name; `--name` or `--url` tells it."
FOREIGN = "Pages of other sites have no business here."
SEATED = "/api/tables/"  # where requests may carry the key of a seat
FOREIGN_SITES = (b"cross-site", b"same-site")  # the other ports of a name are a site with it
Headers = list[tuple[bytes, bytes]]


class Guard:
    """Stands before the application."""

    def __init__(self, app: ASGIApp, limits: Limits, reach: Reach) -> None:
        self._app, self._limits, self._reach = app, limits, reach
        own = (one.lower() for one in reach.all_names)
        self._names = {"localhost", socket.gethostname().lower(), *own}
        self._rates = Rates(limits.requests)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message = {**message, "headers": strict(message.get("headers", ()))}
            await send(message)

        try:
            scope = self._reach.without_prefix(scope)
            self._look(scope)
            if scope["path"] == scope["prefix"] != "":
                await with_headers(_redirect(f"{quote(scope['path'])}/"))
                await send({"type": "http.response.body", "body": b""})
                return
            await self._app(scope, self._bounded(scope, receive), with_headers)
        except Refusal as refusal:
            refused(scope, refusal.status, refusal.text)
            if not started:
                await answer(send, refusal.status, refusal.text)

    def _look(self, scope: Scope) -> None:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        if not self._rates.allow(address(scope)):
            raise Refusal(429, "Too many requests; wait a little.")
        if scope.get("crowded") and not scope["path"].startswith(SEATED):
            raise Refusal(503, FULL)
        host = headers.get(b"host", b"").decode("latin-1")
        if not self._ours(host):
            raise Refusal(421, UNKNOWN_NAME)
        origin = headers.get(b"origin")
        if origin is not None and not self._reach.is_own_origin(origin.decode("latin-1"), host):
            raise Refusal(403, FOREIGN)
        if headers.get(b"sec-fetch-site") in FOREIGN_SITES and not _follows_link(scope, headers):
            raise Refusal(403, FOREIGN)
        if sum(len(name) + len(value) for name, value in scope["headers"]) > self._limits.headers:
            raise Refusal(
                431, f"The headers of a request have at most {self._limits.headers} bytes."
            )
        size = headers.get(b"content-length", b"0")
        if not size.isdigit() or int(size[:20]) > self._limits.body:
            raise Refusal(413, f"A request has at most {self._limits.body} bytes.")

    def _ours(self, host: str) -> bool:
        """Whether a name is one of this server: an address cannot be turned to point elsewhere."""
        name = name_of(host)
        if name in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _bounded(self, scope: Scope, receive: Receive) -> Receive:
        """The body, as long as it is neither too long nor too slow."""
        size = 0
        done = False

        async def bounded() -> Message:
            nonlocal size, done
            if done:
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), self._limits.body_seconds)
            except TimeoutError:
                raise Refusal(408, "The request took too long.") from None
            if message["type"] == "http.request":
                size += len(message.get("body", b""))
                done = not message.get("more_body", False)
                if size > self._limits.body:
                    raise Refusal(413, f"A request has at most {self._limits.body} bytes.")
            return message

        return bounded


def _redirect(to: str) -> Message:
    headers = [(b"location", to.encode()), (b"content-length", b"0")]
    return {"type": "http.response.start", "status": 308, "headers": headers}


def _follows_link(scope: Scope, headers: dict[bytes, bytes]) -> bool:
    """Whether somebody has followed a link of another site to a page of this one."""
    is_page = headers.get(b"sec-fetch-mode") == b"navigate" and not scope["path"].startswith("/api")
    return is_page and scope["method"] == "GET"


def is_local(host: str) -> bool:
    """Whether an address is reached from this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def address(scope: Scope) -> str:
    """Where a request comes from."""
    client: Any = scope.get("client")
    return str(client[0]) if client else ""


def strict(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    """The headers of a response, with those that every response has."""
    found = [*headers, *((name.encode(), value.encode()) for name, value in HEADERS.items())]
    if all(name != STORED for name, _ in found):
        found.append((STORED, b"no-store"))
    return found


def refused(scope: Scope, status: int, why: str) -> None:
    """Note a request that was refused: no key, no body, nothing that could be taken for a line."""
    path = "".join(c if c.isascii() and c.isprintable() else "?" for c in scope["path"][:80])
    noted(status, f"{scope['method']} {path}", address(scope), why)


_refusals: Counter[int] = Counter()


def count_refusals(counter: Counter[int]) -> None:
    """Count refusals, by status, in this counter from now on: a process has one server."""
    global _refusals
    _refusals = counter


def noted(status: int, what: str, whose: str, why: str) -> None:
    """Note that something was refused."""
    _refusals[status] += 1
    log.info("refused %s %s from %s: %s", status, what, whose, why)


def response(text: str) -> tuple[Headers, bytes]:
    """Headers and body of a refusal, after which the connection ends."""
    body = json.dumps({"error": text, "source": ""}).encode()
    return [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ], body


async def answer(send: Send, status: int, text: str) -> None:
    """Refuse a request before it comes to the application."""
    headers, body = response(text)
    await send({"type": "http.response.start", "status": status, "headers": strict(headers)})
    await send({"type": "http.response.body", "body": body})
