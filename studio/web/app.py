"""The application: which address does what. The protocol is told in `docs/web.md`."""

from functools import partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount
from starlette.types import ASGIApp

from ziggurat.studio.web import hosting, live, playing, replays, shown, watching, workshop
from ziggurat.studio.web.guard import Guard, count_refusals, refused
from ziggurat.studio.web.hall import Hall
from ziggurat.studio.web.house import House
from ziggurat.studio.web.house_key import HouseKeys
from ziggurat.studio.web.limits import Limits
from ziggurat.studio.web.page import StaticFolder, get_page
from ziggurat.studio.web.reach import Reach

TABLE = "/api/tables/{table}"


def routes(house: House, saves: Path | None = None) -> list[BaseRoute]:
    """All addresses. Whoever comes may look into the `saves` of a folder."""
    get, still = house.route, playing.get_still
    post = partial(house.route, method="POST")
    return [
        get("/api/rulesets", hosting.get_rulesets),
        get("/api/rulesets/{stack}", hosting.get_ruleset),
        post("/api/tables", hosting.post_tables),
        get("/health", watching.get_health),
        get("/metrics", watching.get_metrics),
        get("/api/tables", hosting.get_tables),
        post("/api/house", hosting.post_house),
        get(TABLE, playing.get_view),
        get(f"{TABLE}/log", playing.get_log),
        post(f"{TABLE}/options", playing.post_options),
        post(f"{TABLE}/answer", playing.post_answer),
        post(f"{TABLE}/undo", playing.post_undo),
        post(f"{TABLE}/why", playing.post_why),
        get(f"{TABLE}/history", playing.get_history),
        get(f"{TABLE}/card", playing.get_card),
        post(f"{TABLE}/host", hosting.post_host),
        get(f"{TABLE}/events", live.get_events),
        get(f"{TABLE}/rules", partial(still, part="rules"), is_public=True),
        get(f"{TABLE}/map.svg", partial(still, part="map"), is_public=True),
        get(f"{TABLE}/map.json", partial(still, part="middles"), is_public=True),
        get(f"{TABLE}/shown", shown.get_shown),
        *workshop.routes(house),
        *replays.routes(house, saves),
        *(get(page, get_page) for page in ("/", "/t/{table}")),
        *(get(f"/{part}{{rest:path}}", get_page) for part in ("workshop", "replay")),
        Mount("/static", GZipMiddleware(StaticFolder())),
    ]


def build(
    hall: Hall,
    limits: Limits | None = None,
    reach: Reach | None = None,
    keys: HouseKeys | None = None,
    saves: Path | None = None,
) -> ASGIApp:
    """Return the application for the tables of a hall.

    `reach` says how browsers come here, `keys` who may make tables, and `saves` is a folder of
    games that anybody may look back at.
    """
    limits = limits or hall.limits
    handlers = {HTTPException: _no_such}
    house = House(hall, limits, keys or HouseKeys())
    app = Starlette(routes=routes(house, saves), exception_handlers=handlers)
    count_refusals(hall.metrics.refusals)
    return Guard(app, limits, reach or Reach())


async def _no_such(request: Request, wrong: Exception) -> Response:
    assert isinstance(wrong, HTTPException)
    text = {404: "There is nothing here.", 405: "That cannot be done here."}
    told = text.get(wrong.status_code, "That cannot be done.")
    refused(request.scope, wrong.status_code, told)
    return JSONResponse({"error": told, "source": ""}, wrong.status_code, wrong.headers)
