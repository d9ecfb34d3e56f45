"""What packs show a player besides the board, as data for a page."""

from typing import Any

import attrs
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ziggurat import ONLOOKER, Game
from ziggurat.studio.play.shown import Shown
from ziggurat.studio.web.house import House

Document = dict[str, Any]


def shown(game: Game, seat: str) -> Document:
    """Return the values for a seat: of everything that is shown so, and of the phase it is in."""
    found = Shown(game, seat)
    return {
        "phase": list(map(attrs.asdict, found.figures)),
        "things": {thing: list(map(attrs.asdict, rows)) for thing, rows in found.things()},
    }


async def get_shown(house: House, request: Request) -> Response:
    """What the rules show whoever asks; of an onlooker there is nothing to show."""
    caller = await house.caller(request)
    if caller.seat == ONLOOKER:
        return JSONResponse({"phase": [], "things": {}})
    table = caller.table

    def told() -> Document:
        with table.lock:
            return shown(table.game, caller.seat)

    return JSONResponse(await house.hall.work(told))
