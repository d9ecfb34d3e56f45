"""What a seat does: look, put an answer together, answer."""

import logging
import time

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ziggurat import Sentences
from ziggurat.studio.web.boards import Still, card_data
from ziggurat.studio.web.house import House, body, json_text, tagged
from ziggurat.studio.web.refusals import Refusal

log = logging.getLogger("ziggurat.web")


async def get_view(house: House, request: Request) -> Response:
    caller = await house.caller(request)
    found = await house.hall.work(caller.table.document, caller.seat, caller.host)
    return json_text(found.text(), found.version, request)


async def get_log(house: House, request: Request) -> Response:
    caller = await house.caller(request)
    try:
        first = int(request.query_params.get("from", "0"))
        last = int(request.query_params.get("to", str(first + 500)))
    except ValueError as wrong:
        raise Refusal(400, "`from` and `to` are numbers of lines.") from wrong
    lines = await house.hall.work(caller.table.lines, caller.seat)
    return json_text(lines.part(first, min(last, first + 2000)))


async def post_options(house: House, request: Request) -> Response:
    caller = await house.player(request, house.answers)
    data = await body(request)
    return JSONResponse(await house.hall.run(caller.table.options, caller.playing(), data))


async def post_answer(house: House, request: Request) -> Response:
    caller = await house.player(request, house.answers)
    data = await body(request)
    if "answer" not in data or not isinstance(data.get("decision"), str):
        raise Refusal(400, 'An answer is {"decision", "answer"}.')
    table, seat, decision = caller.table, caller.playing(), data["decision"]
    begin = time.perf_counter()
    try:
        await house.hall.run(table.answer, seat, decision, data["answer"])
    finally:
        house.hall.changed(table)
    metrics = house.hall.metrics
    metrics.answers += 1
    metrics.answering.add(time.perf_counter() - begin)
    log.debug("table %s: %s answered %s", table.id, seat, decision)
    return JSONResponse({"answered": decision})


async def get_still(house: House, request: Request, part: str) -> Response:
    caller = await house.caller(request)
    found: Still | None = getattr(await house.boards(caller.table), part)
    if found is None:
        raise Refusal(404, "These rules have no board.")
    kind = "image/svg+xml" if part == "map" else "application/json"
    return tagged(found.text, found.tag, request, kind)


async def post_undo(house: House, request: Request) -> Response:
    """A seat thinks better of what it did last."""
    caller = await house.player(request, house.answers)
    await body(request)
    table = caller.table
    try:
        await house.hall.run(table.undo_own, caller.playing())
    finally:
        house.hall.changed(table)
    return JSONResponse({"done": "undo"})


async def post_why(house: House, request: Request) -> Response:
    """Why a line is there, something is not offered, or a value is what it is."""
    caller = await house.player(request, house.questions)
    asked = {"do": "why", "seat": caller.playing(), "asked": await body(request)}
    return JSONResponse(await house.hall.ask(caller.table, asked))


async def get_history(house: House, request: Request) -> Response:
    """How everybody stood turn by turn."""
    caller = await house.caller(request)
    house.not_too_fast(caller, house.questions)
    asked = {"do": "history", "seat": caller.seat}
    return JSONResponse(await house.hall.ask(caller.table, asked))


async def get_card(house: House, request: Request) -> Response:
    """What stands on the card of a thing, in words."""
    caller = await house.caller(request)
    kind, _, id_ = request.query_params.get("thing", "")[:200].partition(".")
    thing = caller.table.game.ruleset.things.get(kind, {}).get(id_)
    if thing is None:
        raise Refusal(404, "There is no such thing in these rules.")
    sentences = Sentences(caller.table.game.ruleset)
    return JSONResponse(await house.hall.work(card_data, sentences, thing))
