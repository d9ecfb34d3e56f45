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
    given = request.headers
    return event_stream(_events(house, caller, given.get("last-event-id", ""), given.get(PAGE)))


def event_stream(events: AsyncIterator[str]) -> Response:
    """Return a response that brings events. A proxy (nginx) is asked not to collect them first."""
    headers = {"X-Accel-Buffering": "no"}
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


@attrs.frozen
class Sent:
    """The document that somebody was sent last, as far as the next one depends on it.

    While the table is awake its lines are kept; while it sleeps, only a hash of them.
    """

    version: str
    count: int
    lines: Lines | None = None
    digest: str = ""

    @classmethod
    def of(cls, document: Document) -> "Sent":
        """Return what is kept of a document."""
        return cls(document.version, document.lines.count, document.lines)

    def asleep(self) -> "Sent":
        """Return the same without the lines."""
        if self.lines is None:
            return self
        return Sent(self.version, self.count, None, self.lines.part_digest(self.count))

    def shared(self, lines: Lines) -> int:
        """Return how many lines are the same from the beginning on."""
        if self.lines is not None:
            return lines.shared(self.lines)
        return self.count if lines.part_digest(self.count) == self.digest else 0


async def _events(
    house: House, caller: Caller, last_id: str, page: str | None
) -> AsyncIterator[str]:
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
        if page not in (None, page_version()):
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
                    if found.version != last_id:
                        yield event(found.version, found.text())
                elif found.version != sent.version:
                    yield event(found.version, found.text(sent.shared(found.lines)))
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


def event(version: str, text: str) -> str:
    """A document as an event; JSON has no line ends of its own."""
    return f"id: {version}\nevent: view\ndata: {text}\n\n"
