"""What packs show a player besides the board: values of a thing for them, and of them in a phase.

The chapters of packs say which (`shows`). They are worked out on what the seat may see.
"""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ziggurat import ONLOOKER, Game, Sentences, Standing
from ziggurat.studio.web.house import House

Document = dict[str, Any]


def shown(game: Game, seat: str) -> Document:
    """The values for a seat: of every thing that is shown so, and of the phase it is in. What is
    nothing now is left out."""
    known = Standing(game, seat)
    told = Sentences(game.ruleset)
    chapters = game.ruleset.chapters
    phase = chapters.get(game.position.phase)
    things: dict[str, list[Document]] = {}
    for kind in game.ruleset.kinds:
        chapter = chapters.get(kind)
        for value in chapter.shows if chapter is not None else ():
            title = told.label(value, game.ruleset.values[value].title)
            for thing in game.things(kind):
                found = known.value_with(value, seat, kind, thing.id)
                if found not in (0, False, None):
                    row = {"title": title, "value": plain(found)}
                    things.setdefault(f"{kind}.{thing.id}", []).append(row)
    return {
        "phase": [
            {
                "title": told.label(value, game.ruleset.values[value].title),
                "value": plain(known.value(value, seat)),
            }
            for value in (phase.shows if phase is not None else ())
        ],
        "things": things,
    }


def plain(value: Any) -> Any:
    """A value as people read it."""
    return ("yes" if value else "no") if isinstance(value, bool) else value


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
