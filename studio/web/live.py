"""What changes, as it changes: server-sent events."""

import asyncio
import time
from collections.abc import AsyncIterator

import attrs
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from ziggurat.studio.web.documents import Document
from ziggurat.studio.web.house import Caller, House
from ziggurat.studio.web.lines import Lines
from ziggurat.studio.web.page import page_version
from ziggurat.studio.web.refusals import Refusal
from ziggurat.studio.web.table import Table

CHANGES = "ziggurat-changes"  # the header by which a client asks for changes
PAGE = "ziggurat-page"  # the header in which a page tells its version
GONE = "event: gone\ndata: {}\n\n"


async def get_events(house: House, request: Request) -> Response:
    caller = await house.caller(request)
    limits = house.limits
    if sum(house.streams.values()) >= limits.streams:
        raise Refusal(429, "Too many are looking on here.")
    if house.streams.get(caller.key, 0) >= limits.streams_of_key:
        raise Refusal(429, "This link is open too often already.")
    house.streams[caller.key] = house.streams.get(caller.key, 0) + 1
    return event_stream(_events(house, caller, Wish.of(request)))


@attrs.frozen
class Wish:
    """What a client asks of a stream besides its events."""

    last_id: str  # the document it has
    page: str | None  # the version of the page it is
    changes: bool  # whether it takes what changed instead of whole documents

    @classmethod
    def of(cls, request: Request) -> "Wish":
        """Return what a request asks."""
        given = request.headers
        return cls(given.get("last-event-id", ""), given.get(PAGE), CHANGES in given)


def event_stream(events: AsyncIterator[str]) -> Response:
    """Return a response that brings events. A proxy (nginx) is asked not to collect them first."""
    headers = {"X-Accel-Buffering": "no"}
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


@attrs.frozen
class Sent:
    """The document that somebody was sent last, as far as the next one depends on it.

    While the table is awake it is kept; while it sleeps, only a hash of its lines.
    """

    version: str
    count: int
    document: Document | None = None
    digest: str = ""

    @classmethod
    def of(cls, document: Document) -> "Sent":
        """Return what is kept of a document."""
        return cls(document.version, document.lines.count, document)

    def asleep(self) -> "Sent":
        """Return the same without the document."""
        if self.document is None:
            return self
        digest = self.document.lines.part_digest(self.count)
        return Sent(self.version, self.count, None, digest)

    def shared(self, lines: Lines) -> int:
        """Return how many lines are the same from the beginning on."""
        if self.document is not None:
            return lines.shared(self.document.lines)
        return self.count if lines.part_digest(self.count) == self.digest else 0


async def _events(house: House, caller: Caller, wish: Wish) -> AsyncIterator[str]:
    """Yield documents as they change, and signs of life whatever happens at the table.

    A page of another version than the server's is told so first.
    Nothing here keeps the table in memory while nothing happens.
    """
    hall, limits, id_ = house.hall, house.limits, caller.table.id
    key, seat, is_host = caller.key, caller.seat, caller.host
    del caller
    sent: Sent | None = None
    beat = time.monotonic() + limits.heartbeat
    try:
        if wish.page not in (None, page_version()):
            yield f'event: upgraded\ndata: {{"version":"{page_version()}"}}\n\n'
        with hall.listening(id_) as bell:
            while True:
                bell.clear()
                try:
                    if hall.about(id_).keys.role(key) is None:
                        yield GONE
                        return
                    table = (
                        await hall.table(id_) if sent is None else await _settled(house, id_, seat)
                    )
                    found = await hall.work(table.document, seat, is_host)
                except Refusal as refusal:
                    # Whoever listens comes again, and finds the table read anew or gone.
                    if refusal.status == 404:
                        yield GONE
                    return
                if sent is None:
                    if found.version != wish.last_id:
                        yield event(found.version, found.text())
                elif found.version != sent.version:
                    since = sent.shared(found.lines)
                    if wish.changes and sent.document is not None:
                        before = sent.version, sent.document.parts
                        text = await hall.work(found.changes, *before, since, table.changes_found)
                        yield event(found.version, text, "changes")
                    else:
                        yield event(found.version, found.text(since))
                sent = Sent.of(found)
                del table, found
                while not bell.is_set():
                    try:
                        await asyncio.wait_for(bell.wait(), max(0.0, beat - time.monotonic()))
                    except TimeoutError:
                        yield ": \n\n"
                        beat += limits.heartbeat
                        if not hall.is_awake(id_):
                            sent = sent.asleep()
    finally:
        house.streams[key] -= 1
        if not house.streams[key]:
            del house.streams[key]


async def _settled(house: House, id_: str, seat: str) -> Table:
    """Wait a moment for what else happens, so that not every answer of a program makes a document;
    but somebody who is asked hears of it at once."""
    hall, limits = house.hall, house.limits
    until = time.monotonic() + limits.patience
    await asyncio.sleep(limits.pause)
    while True:
        table = await hall.table(id_)
        busy = hall.is_busy(table) and not table.asks(seat)
        if not busy or time.monotonic() >= until:
            return table
        await asyncio.sleep(limits.pause / 2)


def event(version: str, text: str, name: str = "view") -> str:
    """Return a document as an event; JSON has no line ends of its own."""
    return f"id: {version}\nevent: {name}\ndata: {text}\n\n"
