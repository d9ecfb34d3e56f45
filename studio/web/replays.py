"""Replays: a save opened in the page, at any of its answers. A position has an address.

A table of this server can be looked back at with any of its keys once it is over, the saves of a
folder that somebody serves for that always: nothing in them is hidden. Of a game that is played not
even public things are shown, because how many answers lie between two moves may tell something.
"""

import json
import re
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from ziggurat import (
    ONLOOKER,
    BadSave,
    Game,
    InternalError,
    RulesError,
    Sentences,
    Standing,
    plain,
)
from ziggurat.studio.saved import read_save
from ziggurat.studio.web.about import About
from ziggurat.studio.web.bench import Bench
from ziggurat.studio.web.boards import Boards, Still, boards
from ziggurat.studio.web.documents import Documents, columns, tracks
from ziggurat.studio.web.house import Handler, House, bearer, json_text, tagged
from ziggurat.studio.web.keys import Keys
from ziggurat.studio.web.lines import Teller
from ziggurat.studio.web.refusals import NO_KEY, Refusal

HOME = "/api/replays"
SAVE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,80}")
KEPT = 4


class Replay:
    """One game from its beginning to where it stands."""

    def __init__(self, game: Game, rules: str, still: Boards) -> None:
        self.game, self.rules, self.still = game, rules, still
        self.about = About(dict.fromkeys(game.seats, ""), {}, Keys())
        self._making = Documents(game.ruleset)
        self.turns = list(self._turns())

    def at(self, number: int) -> Game:
        """The game after so many answers."""
        past = self.game.copy()
        past.undo(max(0, past.answered - max(0, number)))
        return past

    def _turns(self) -> Iterator[int]:
        """The number of answers with which each turn begins, the setup first."""
        numbers = range(self.game.answered + 1)
        yield 0
        for turn in range(self.at(0).turn_number + 1, self.game.turn_number + 1):
            yield bisect_left(numbers, turn, key=lambda n: self.at(n).turn_number)

    def document(self, number: int) -> str:
        """What there is to see after so many answers."""
        game = self.at(number)
        given = {
            "answers": self.game.answered,
            "answer": game.answered,
            "turns": self.turns,
            "first_turn": self.at(0).turn_number,
            "state": "over" if game.over else "playing",
            "host": False,
            "undo": False,
            "trouble": None,
        }
        return self._open(game, self._text(game, ONLOOKER, given))

    def _text(self, game: Game, seat: str, given: dict[str, Any]) -> str:
        lines = Teller(seat).lines(game)
        return self._making.document(game, self.about, seat, given, lines, []).text()

    def _open(self, game: Game, text: str) -> str:
        """What onlookers see, with what every seat knows of itself: all hands are open."""
        data = json.loads(text)
        for seat in game.seats:
            own = json.loads(self._text(game, seat, {}))
            data["notes"][seat] = own["notes"].get(seat, [])
            data["standings"]["rows"][seat] = own["standings"]["rows"][seat]
            for n, pile in enumerate(own["piles"]):
                if "cards" in pile and "cards" not in data["piles"][n]:
                    data["piles"][n] = pile
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))

    def history(self) -> dict[str, Any]:
        """The standings where each turn ended."""
        shown = columns(self.game.ruleset)
        ends = [*(max(0, n - 1) for n in self.turns[1:]), self.game.answered]
        rows = []
        for turn, number in enumerate(ends, self.at(0).turn_number):
            game = self.at(number)
            known = {seat: Standing(game, seat) for seat in game.seats}
            values = {
                seat: [known[seat].value(one["id"], seat) for one in shown] for seat in game.seats
            }
            rows.append({"turn": turn, "values": values})
        found = tracks(self.game.ruleset, lambda seat: Standing(self.game, seat), self.game.seats)
        return {"columns": shown, "rows": rows, "tracks": found}

    def card(self, thing: str) -> dict[str, Any]:
        """The card of a thing. Raises `Refusal`."""
        kind, _, id_ = thing.partition(".")
        found = self.game.ruleset.things.get(kind, {}).get(id_)
        if found is None:
            raise Refusal(404, "There is no such thing.")
        card = Sentences(self.game.ruleset).card(found)
        return {
            "title": card.title,
            "fields": [{"label": one.label, "text": plain(one.text)} for one in card.fields],
            "entries": [{"label": one.label, "text": plain(one.text)} for one in card.entries],
        }


class Replays:
    """The saves that can be looked back at: those of the tables, and those of a folder."""

    def __init__(self, house: House, folder: Path | None) -> None:
        self.house, self.folder = house, folder
        self.bench = Bench(house.hall.threads(1, "replays"), house.limits.replayed)
        self._kept: OrderedDict[tuple[str, int, int], Replay] = OrderedDict()

    def saves(self) -> list[dict[str, str]]:
        """What lies in the folder, by name."""
        found = sorted(self.folder.glob("*.zig")) if self.folder is not None else []
        return [{"id": path.stem} for path in found if SAVE.fullmatch(path.stem)]

    def path(self, id_: str, key: str) -> Path:
        """The save that somebody means and may see. Raises `Refusal`."""
        if self.folder is not None and SAVE.fullmatch(id_):
            path = self.folder / f"{id_}.zig"
            if path.is_file():
                return path
        about = self.house.hall.about(id_)
        if not key or about.keys.role(key) is None:
            raise Refusal(401, NO_KEY)
        return self.house.hall.save_path(id_)

    def replay(self, path: Path) -> Replay:
        """A save, read. Raises `Refusal`."""
        try:
            seen = path.stat()
            name = (str(path), seen.st_mtime_ns, seen.st_size)
            if name not in self._kept:
                save = read_save(path, self.house.hall.search, _answers(path)).save
                game, rules = save.remembered(), save.header.rules
                save.close()
                if not game.over and path.parent != self.folder:
                    raise Refusal(409, "A game can be looked back at when it is over.")
                self._kept[name] = Replay(game, rules, self._still(rules, game))
        except (BadSave, RulesError, InternalError) as wrong:
            told = str(wrong) if path.parent == self.folder else "ask the host of the table"
            raise Refusal(409, f"This save cannot be read: {told}"[:300]) from wrong
        except OSError as wrong:
            raise Refusal(404, "There is no such save.") from wrong
        self._kept.move_to_end(name)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return self._kept[name]

    def _still(self, rules: str, game: Game) -> Boards:
        """The still parts of a game: of several with the same rules they are drawn once."""
        for replay in self._kept.values():
            if rules and replay.rules == rules:
                return replay.still
        return boards(game, self.house.drawer)


def routes(house: House, folder: Path | None = None) -> list[BaseRoute]:
    """The addresses of replays."""
    found = Replays(house, folder)

    async def opened(request: Request) -> Replay:
        found.bench.welcome(request)
        path = found.path(request.path_params["save"], bearer(request))
        return await found.bench.work(found.replay, path)

    async def get_saves(house: House, request: Request) -> Response:
        return JSONResponse({"saves": await found.bench.work(found.saves)})

    async def get_position(house: House, request: Request) -> Response:
        replay = await opened(request)
        return json_text(await found.bench.work(replay.document, _number(request)))

    async def get_history(house: House, request: Request) -> Response:
        replay = await opened(request)
        return JSONResponse(await found.bench.work(replay.history))

    async def get_card(house: House, request: Request) -> Response:
        replay = await opened(request)
        return JSONResponse(replay.card(request.query_params.get("thing", "")[:200]))

    def still(part: str, kind: str) -> Handler:
        async def handler(house: House, request: Request) -> Response:
            one: Still | None = getattr((await opened(request)).still, part)
            if one is None:
                raise Refusal(404, "These rules have no board.")
            return tagged(one.text, one.tag, request, kind)

        return handler

    one = f"{HOME}/{{save}}"
    return [
        house.route(HOME, get_saves),
        house.route(one, get_position),
        house.route(f"{one}/history", get_history),
        house.route(f"{one}/card", get_card),
        house.route(f"{one}/rules", still("rules", "application/json")),
        house.route(f"{one}/map.svg", still("map", "image/svg+xml")),
        house.route(f"{one}/map.json", still("middles", "application/json")),
    ]


def _number(request: Request) -> int:
    text = request.query_params.get("answer", "0")
    if not text.isdigit() or len(text) > 9:
        raise Refusal(400, "`answer` is a number.")
    return int(text)


def _answers(path: Path) -> int | None:
    """How many whole lines a save has, if a table may be writing it: it is read, never mended."""
    data = path.read_bytes()
    _, mark, rest = data.partition(b"\n--- answers ---")
    return max(0, rest.count(b"\n") - 1) if mark else None
