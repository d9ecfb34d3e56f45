"""Making tables, and what the host of one may do."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ziggurat.studio.titles import title_of
from ziggurat.studio.web.about import PERSON, POLICIES
from ziggurat.studio.web.guard import address
from ziggurat.studio.web.house import House, body
from ziggurat.studio.web.keys import HOST, SEAT, VIEW
from ziggurat.studio.web.refusals import Refusal
from ziggurat.studio.web.table import Table, disk_text
from ziggurat.studio.web.wishes import named_stack, read_wish, ruleset_data, rulesets


async def get_rulesets(house: House, request: Request) -> Response:
    """What can be played."""
    _look(house, request)
    return JSONResponse(await house.hall.work(rulesets, house.hall.search))


def _look(house: House, request: Request) -> None:
    """Packs are read, and perhaps compiled, for whoever asks: but not for ever."""
    if not house.looks.allow(address(request.scope)):
        raise Refusal(429, "That was too much in too short a time; wait a little.")


async def get_ruleset(house: House, request: Request) -> Response:
    """What has to be settled before a game of some rules begins."""
    _look(house, request)
    hall = house.hall

    def found() -> dict[str, Any]:
        stack = named_stack(request.path_params["stack"], hall.search)
        program = hall.program(stack)
        return ruleset_data(program, title_of(program.ruleset))

    return JSONResponse(await hall.work(found))


async def post_tables(house: House, request: Request) -> Response:
    hall = house.hall
    if not house.keys.is_open:
        house.check_house_key(request)
    if not house.makers.allow(address(request.scope)):
        raise Refusal(429, "Too many tables at once; wait a little.")
    data = await body(request)

    def wished() -> Any:
        stack = named_stack(data.get("stack"), hall.search)
        return read_wish(data, hall.program(stack), house.limits.name)

    table, keys = await hall.make(await hall.work(wished))
    return JSONResponse(made(table, keys), 201)


async def get_tables(house: House, request: Request) -> Response:
    """List all tables, for whoever has the key of the house."""
    house.check_house_key(request)
    return JSONResponse({"tables": [one.data for one in await house.hall.list_tables()]})


async def post_house(house: House, request: Request) -> Response:
    """Do what whoever has the key of the house may do."""
    house.check_house_key(request)
    data = await body(request)
    id_ = str(data.get("table"))
    match data.get("do"):
        case "archive":
            await house.hall.archive(id_)
        case "delete":
            await house.hall.delete(id_)
        case "key":
            try:
                return JSONResponse({"done": "key", "key": house.keys.replace()})
            except OSError as error:
                raise Refusal(503, disk_text(error)) from error
        case _:
            raise Refusal(400, "With the key of the house one may archive, delete or key.")
    return JSONResponse({"done": data["do"]})


def made(table: Table, keys: dict[str, str]) -> dict[str, Any]:
    """A new table with its keys, which nobody will be told again."""
    about = table.about
    spoken = dict(zip(table.game.owners, table.game.spoken, strict=True))
    return {
        "table": table.id,
        "host": keys[HOST],
        "view": keys[VIEW],
        "seats": [
            {
                "seat": seat,
                "title": spoken[seat],
                "name": about.names.get(seat, ""),
                "by": by,
                "key": keys.get(f"{SEAT}{seat}"),
            }
            for seat, by in about.by.items()
        ],
    }


async def post_host(house: House, request: Request) -> Response:
    id_ = house.host_of(request)
    data = await body(request)
    match data.get("do"):
        case "go_on":
            await house.hall.settle(id_, str(data.get("by")))
            return JSONResponse({"done": "go_on"})
        case "archive":
            await house.hall.archive(id_)
            return JSONResponse({"done": "archive"})
        case "delete":
            await house.hall.delete(id_)
            return JSONResponse({"done": "delete"})
        case "reload":
            house.hall.try_again(id_)
    table, run = await house.hall.table(id_), house.hall.run
    told: dict[str, Any] = {}
    try:
        match data.get("do"):
            case "undo":
                await run(table.undo)
            case "redo":
                await run(table.redo)
            case "bot":
                by = data.get("by", POLICIES[0])
                if by not in POLICIES:
                    raise Refusal(400, f"A program is one of {', '.join(POLICIES)}.")
                await run(table.sit, _seat(table, data), by)
            case "person":
                told["key"] = await run(table.sit, _seat(table, data), PERSON)
            case "key":
                role = data.get("seat")
                if role not in (HOST, VIEW):
                    role = f"{SEAT}{_seat(table, data)}"
                told["key"] = await run(table.replace_key, role)
            case "end":
                await run(table.end)
            case "reload":
                await house.hall.reload(table.id)
            case _:
                raise Refusal(
                    400,
                    "The host may undo, redo, bot, person, key, end, reload, go_on, archive or"
                    " delete.",
                )
    finally:
        house.hall.changed(table)
    return JSONResponse({"done": data["do"], **told})


def _seat(table: Table, data: dict[str, Any]) -> str:
    seat = data.get("seat")
    if not isinstance(seat, str) or seat not in table.about.by:
        raise Refusal(400, "There is no such seat.")
    return seat
