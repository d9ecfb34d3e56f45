"""What changes, as it changes: server-sent events."""

import asyncio
import time
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from ziggurat.studio.web.house import Caller, House
from ziggurat.studio.web.refusals import Refusal
from ziggurat.studio.web.table import Table


async def get_events(house: House, request: Request) -> Response:
    caller = await house.caller(request)
    limits = house.limits
    if sum(house.streams.values()) >= limits.streams:
        raise Refusal(429, "Too many are looking on here.")
    if house.streams.get(caller.key, 0) >= limits.streams_of_key:
        raise Refusal(429, "This link is open too often already.")
    house.streams[caller.key] = house.streams.get(caller.key, 0) + 1
    events = _events(house, caller, request.headers.get("last-event-id", ""))
    return event_stream(events)


def event_stream(events: AsyncIterator[str]) -> Response:
    """Return a response that brings events. A proxy (nginx) is asked not to collect them first."""
    headers = {"X-Accel-Buffering": "no"}
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


async def _events(house: House, caller: Caller, last_id: str) -> AsyncIterator[str]:
    """Documents as they change, and signs of life that come whatever happens at the table."""
    hall, limits, table = house.hall, house.limits, caller.table
    sent = None
    beat = time.monotonic() + limits.heartbeat
    try:
        with hall.listening(table.id) as bell:
            while True:
                bell.clear()
                if table.about.keys.role(caller.key) is None:
                    yield "event: gone\ndata: {}\n\n"
                    return
                try:
                    found = await hall.work(table.document, caller.seat, caller.host)
                except Refusal:  # whoever listens comes again, and finds the table read anew
                    return
                if sent is None:
                    if found.version != last_id:
                        yield event(found.version, found.text())
                elif found.version != sent.version:
                    since = found.lines.shared(sent.lines)
                    yield event(found.version, found.text(since))
                sent = found
                while not bell.is_set():
                    try:
                        await asyncio.wait_for(bell.wait(), max(0.0, beat - time.monotonic()))
                    except TimeoutError:
                        yield ": \n\n"
                        beat += limits.heartbeat
                try:
                    table = await _settled(house, caller)
                except Refusal as refusal:
                    if refusal.status == 404:
                        yield "event: gone\ndata: {}\n\n"
                    return
    finally:
        house.streams[caller.key] -= 1
        if not house.streams[caller.key]:
            del house.streams[caller.key]


async def _settled(house: House, caller: Caller) -> Table:
    """Wait a moment for what else happens, so that not every answer of a program makes a document;
    but somebody who is asked hears of it at once."""
    hall, limits = house.hall, house.limits
    until = time.monotonic() + limits.patience
    await asyncio.sleep(limits.pause)
    while True:
        table = await hall.table(caller.table.id)
        busy = hall.is_busy(table) and not table.asks(caller.seat)
        if not busy or time.monotonic() >= until:
            return table
        await asyncio.sleep(limits.pause / 2)


def event(version: str, text: str) -> str:
    """A document as an event; JSON has no line ends of its own."""
    return f"id: {version}\nevent: view\ndata: {text}\n\n"
