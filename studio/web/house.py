"""What the handlers of all addresses share: who asks, what they ask, and how they are answered."""

import asyncio
import json
import logging
import os
from collections.abc import Awaitable, Callable
from typing import Any

import attrs
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ziggurat import ONLOOKER, Game, RulesError, where
from ziggurat.studio.web.boards import Boards, boards
from ziggurat.studio.web.drawing import Drawer
from ziggurat.studio.web.guard import refused
from ziggurat.studio.web.hall import Hall
from ziggurat.studio.web.house_key import HouseKeys
from ziggurat.studio.web.keys import HOST, seat_of
from ziggurat.studio.web.limits import Limits, Rates
from ziggurat.studio.web.opening import TableStuck
from ziggurat.studio.web.refusals import FULL, NO_KEY, NOT_YOURS, WAITS, Refusal
from ziggurat.studio.web.table import Table, failure_text

DEBUG = "ZIGGURAT_DEBUG"
NO_HOUSE_KEY = "This needs the key of the house, which `serve` has printed."
TOO_FAST = "That was too much in too short a time; wait a little."
MISTAKE = "Something went wrong inside Ziggurat. Nothing that was saved is lost."
log = logging.getLogger("ziggurat.web")
Handler = Callable[["House", Request], Awaitable[Response]]


@attrs.frozen
class Caller:
    """Who asks: the table, the role of their key there, and the seat they play."""

    table: Table
    role: str
    key: str

    @property
    def host(self) -> bool:
        """Whether this is the host's own key."""
        return self.role == HOST

    @property
    def seat(self) -> str:
        """The seat they play; that of onlookers for everybody else."""
        return seat_of(self.role) or ONLOOKER

    def playing(self) -> str:
        """The seat, of somebody who plays. Raises `Refusal`."""
        seat = seat_of(self.role)
        if seat is None:
            raise Refusal(403, NOT_YOURS)
        return seat


class House:
    """What handlers share: the tables, the limits, and who may make tables."""

    def __init__(self, hall: Hall, limits: Limits, keys: HouseKeys) -> None:
        self.hall, self.limits, self.keys = hall, limits, keys
        self.answers = Rates(limits.answers)
        self.questions = Rates(limits.questions)
        self.looks = Rates(limits.looks, limits.looks_at_once)
        self.makers = Rates(limits.tables_made, limits.tables_at_once)
        self.streams: dict[str, int] = {}
        self.drawer = Drawer(limits.thinking)
        self._boards: dict[object, Boards] = {}  # by the packs of their rules
        self._drawing = hall.threads(1, "boards")

    async def caller(self, request: Request) -> Caller:
        """Whoever shows a key of the table in the address. Raises `Refusal`."""
        id_ = request.path_params["table"]
        about = self.hall.about(id_)
        key = bearer(request)
        role = about.keys.role(key) if key else None
        if role is None:
            raise Refusal(401, NO_KEY)
        if _is_crowded(request) and (seat_of(role) is None or _is_stream(request)):
            raise Refusal(503, FULL)
        request.scope["known"]()
        try:
            return Caller(await self.hall.table(id_), role, key)
        except TableStuck as stuck:
            if role == HOST:
                raise
            raise Refusal(409, WAITS) from stuck

    def check_house_key(self, request: Request) -> None:
        """Raise `Refusal` unless a request carries a key of the house."""
        if not self.keys.admits(bearer(request)):
            raise Refusal(401, NO_HOUSE_KEY)

    def host_of(self, request: Request) -> str:
        """Return the table whose host asks, without waking it. Raise `Refusal`."""
        id_: str = request.path_params["table"]
        key = bearer(request)
        role = self.hall.about(id_).keys.role(key) if key else None
        if _is_crowded(request):
            raise Refusal(503, FULL)
        if role is None:
            raise Refusal(401, NO_KEY)
        if role != HOST:
            raise Refusal(403, "Only the host may do that.")
        if not self.answers.allow(key):
            raise Refusal(429, TOO_FAST)
        return id_

    async def player(self, request: Request, rates: Rates) -> Caller:
        """Whoever plays a seat and is not too fast. Raises `Refusal`."""
        caller = await self.caller(request)
        caller.playing()
        self.not_too_fast(caller, rates)
        return caller

    def not_too_fast(self, caller: Caller, rates: Rates) -> None:
        """Count a request of a key. Raises `Refusal`."""
        if not rates.allow(caller.key):
            raise Refusal(429, TOO_FAST)

    def route(
        self, path: str, handler: Handler, method: str = "GET", *, is_public: bool = False
    ) -> Route:
        """Return an address and what it does; what is refused is noted and answered in one way.

        What is the same for everybody is compressed. What mixes somebody's secrets with texts of
        others is not: how short it becomes would tell whether one repeats the other.
        """

        async def endpoint(request: Request) -> Response:
            try:
                return await handler(self, request)
            except Refusal as refusal:
                refused(request.scope, refusal.status, refusal.text)
                return JSONResponse(refusal.data, refusal.status)
            except RulesError as wrong:
                text = failure_text(wrong)
                refused(request.scope, 409, text)
                return JSONResponse({"error": text, "source": where(wrong.at)}, 409)
            except Exception as wrong:
                refused(request.scope, 500, f"a mistake of the program, {type(wrong).__name__}")
                if os.environ.get(DEBUG):
                    log.exception("a mistake of the program")
                return JSONResponse({"error": MISTAKE, "source": ""}, 500)

        middleware = [Middleware(GZipMiddleware, compresslevel=5)] if is_public else None
        return Route(path, endpoint, methods=[method], middleware=middleware)

    async def boards(self, table: Table) -> Boards:
        """Return the still parts of a table's rules, worked out once. Raise `Refusal`."""
        game = table.game
        found = self._boards.get(game.ruleset.packs)
        if found is not None:
            return found
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._drawing, self._work_out, game)

    def _work_out(self, game: Game) -> Boards:
        packs = game.ruleset.packs
        if packs not in self._boards:  # somebody who asked before has waited for it as well
            found = boards(game, self.drawer)
            while len(self._boards) >= self.limits.programs:
                del self._boards[next(iter(self._boards))]
            self._boards[packs] = found
        return self._boards[packs]


def _is_crowded(request: Request) -> bool:
    """Return whether the room that is left is for those who show the key of a seat."""
    return bool(request.scope.get("crowded"))


def _is_stream(request: Request) -> bool:
    return request.url.path.endswith("/events")


def bearer(request: Request) -> str:
    """The key that came with a request."""
    word, _, key = request.headers.get("authorization", "").partition(" ")
    return key.strip() if word.lower() == "bearer" else ""


async def body(request: Request) -> dict[str, Any]:
    """The object in a request. Raises `Refusal`."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refusal(415, "A request is JSON, with `Content-Type: application/json`.")
    try:
        found = json.loads(await request.body(), parse_constant=_no_number)
    except (ValueError, RecursionError) as wrong:
        raise Refusal(400, "This is not JSON.") from wrong
    if not isinstance(found, dict):
        raise Refusal(400, "A request is a JSON object.")
    return found


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def json_text(text: str, tag: str = "", request: Request | None = None) -> Response:
    """JSON that is text already."""
    return tagged(text, tag, request, "application/json")


def tagged(text: str, tag: str, request: Request | None, kind: str) -> Response:
    """Text with a tag by which a browser knows whether it has it already."""
    headers = {"etag": f'"{tag}"', "cache-control": "private, no-cache"} if tag else {}
    if tag and request is not None and request.headers.get("if-none-match") == f'"{tag}"':
        return Response(status_code=304, headers=headers)
    return Response(text, media_type=kind, headers=headers)
