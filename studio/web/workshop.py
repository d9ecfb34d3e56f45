"""The workshop: a ruleset looked into, two of them side by side, scenarios step by step, findings.

It only reads, and only packs that the server knows by name. What it does takes the processor, so it
has a thread of its own, one question at a time, and visitors who ask too much have to wait.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import attrs
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from ziggurat import (
    Comments,
    Ruleset,
    arrange,
    declarations,
    declaring_words,
    diff,
    find_packs,
)
from ziggurat.studio.web import declared, walking
from ziggurat.studio.web.bench import Bench
from ziggurat.studio.web.desks import Desk, Desks, Stamp
from ziggurat.studio.web.differences import difference
from ziggurat.studio.web.findings import findings
from ziggurat.studio.web.house import Handler, House
from ziggurat.studio.web.live import event_stream
from ziggurat.studio.web.refusals import Refusal
from ziggurat.studio.web.wishes import named_stack

HOME = "/api/workshop"
LONGEST = 400
WATCHERS = 8
COMPARED = 4  # comparisons that are kept
ABOUT_OTHERS = ("advice", "phrase", "chapter")  # they have the names of what they are about
PAUSE = 0.5  # seconds between two looks at the files of a stack
BEATS = 30  # looks between two signs of life


class Workshop:
    """What visitors of the workshop share."""

    def __init__(self, house: House) -> None:
        self.search = house.hall.search
        self.desks = Desks(self.search)
        self.bench = Bench(house.hall.threads(1, "workshop"), house.limits.studies)
        self.watchers = 0
        self._compared: dict[tuple[str, str], tuple[Desk, Desk, dict[str, Any]]] = {}

    # ---- what it tells; all of it runs at the bench

    def packs(self) -> dict[str, Any]:
        """The packs that can be stacked."""
        known = find_packs(self.search)
        return {
            "packs": [
                {
                    "id": pack.id,
                    "title": pack.title,
                    "game": not pack.incomplete,
                    "on": [need.id for need in (*pack.extends, *pack.optional)],
                }
                for pack in known.values()
                if not pack.language
            ]
        }

    def outline(self, stack: str) -> dict[str, Any]:
        """What a ruleset declares."""
        return declared.outline(self.desks.desk(stack).ruleset)

    def declaration(self, stack: str, word: str, path: str) -> dict[str, Any]:
        """One declaration. Without a word, whatever has that path."""
        desk = self.desks.desk(stack)
        meant = [(word, path)] if word else _meanings(desk.ruleset, path)
        for one, name in meant:
            found = declared.declaration(desk.workspace, desk.ruleset, one, name)
            if found is not None:
                return found
        raise Refusal(404, f"Nothing here is called `{path}`.")

    def compare(self, left: str, right: str) -> dict[str, Any]:
        """What two rulesets tell differently. It takes seconds, and is kept as long as no file of
        theirs is written."""
        desks = self.desks.desk(left), self.desks.desk(right)
        kept = self._compared.get((left, right))
        if kept is None or kept[0] is not desks[0] or kept[1] is not desks[1]:
            kept = *desks, self._compare(left, right, desks[0].ruleset, desks[1].ruleset)
        self._compared.pop((left, right), None)
        self._compared[left, right] = kept
        while len(self._compared) > COMPARED:
            self._compared.pop(next(iter(self._compared)))
        return kept[2]

    def _compare(self, left: str, right: str, old: Ruleset, new: Ruleset) -> dict[str, Any]:
        comments = (Comments(left, self.search).block, Comments(right, self.search).block)
        found = attrs.evolve(diff(old, new), old=left, new=right)
        return difference(arrange(found, old, new, comments))

    def scenarios(self, stack: str) -> dict[str, Any]:
        """The scenarios of a ruleset."""
        return {"stack": stack, "scenarios": walking.scenarios(self.desks.desk(stack).ruleset)}

    def scenario(self, stack: str, id_: str) -> dict[str, Any]:
        """One scenario step by step."""
        desk = self.desks.desk(stack)
        found = next((one for one in desk.ruleset.scenarios if id_ in (one.id, one.title)), None)
        if found is None:
            raise Refusal(404, "There is no such scenario.")
        return walking.walk(desk.program, found)

    def findings(self, stack: str) -> tuple[dict[str, Any], Stamp]:
        """What is wrong with a stack, and the stamp of the files that were read."""
        desk = self.desks.desk(stack)
        return findings(desk), desk.stamp

    def changed(self, stack: str, seen: Stamp) -> bool:
        """Whether files were written since."""
        return self.desks.desk(stack).stamp != seen


def _meanings(ruleset: Ruleset, path: str) -> list[tuple[str, str]]:
    """What is declared under a path, with its word; of a decision or a clause, what has it."""
    home = path.partition(" / ")[0]
    words = [word for word in declaring_words(ruleset) if word not in ABOUT_OTHERS]
    while home:
        found = [
            (word, home)
            for word in words
            if any(one.id == home for one in declarations(ruleset, word))
        ]
        if found:
            return found
        home = home.rpartition(".")[0]
    return []


# ---- addresses


def routes(house: House) -> list[BaseRoute]:
    """The addresses of the workshop of a house."""
    shop = Workshop(house)
    questions: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
        "packs": (shop.packs, ()),
        "outline": (shop.outline, ("stack",)),
        "declaration": (shop.declaration, ("stack", "word", "path")),
        "diff": (shop.compare, ("left", "right")),
        "scenarios": (shop.scenarios, ("stack",)),
        "scenario": (shop.scenario, ("stack", "id")),
    }

    def answering(what: Callable[..., Any], names: tuple[str, ...]) -> Handler:
        async def handler(house: House, request: Request) -> Response:
            asked = _asked(shop, request, *names)
            return JSONResponse(await shop.bench.work(what, *asked))

        return handler

    async def get_watch(house: House, request: Request) -> Response:
        (stack,) = _asked(shop, request, "stack")
        if shop.watchers >= WATCHERS:
            raise Refusal(429, "Too many are watching here.")
        return event_stream(_watched(shop, stack))

    return [
        *(house.route(f"{HOME}/{name}", answering(*one)) for name, one in questions.items()),
        house.route(f"{HOME}/watch", get_watch),
    ]


def _asked(shop: Workshop, request: Request, *names: str) -> list[str]:
    """What a visitor asks for. Raises `Refusal`."""
    shop.bench.welcome(request)
    found = [request.query_params.get(name, "")[:LONGEST] for name in names]
    for name, text in zip(names, found, strict=True):
        if name in ("stack", "left", "right"):
            named_stack(text, shop.search)
    return found


async def _watched(shop: Workshop, stack: str) -> AsyncIterator[str]:
    """Findings now, and whenever a file of the stack was written."""
    shop.watchers += 1
    try:
        while True:
            told, seen = await shop.bench.work(shop.findings, stack)
            yield f"event: findings\ndata: {json.dumps(told)}\n\n"
            looks = 0
            while not await shop.bench.work(shop.changed, stack, seen):
                looks += 1
                if looks % BEATS == 0:
                    yield ": \n\n"
                await asyncio.sleep(PAUSE)
    finally:
        shop.watchers -= 1
