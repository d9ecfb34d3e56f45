"""A process in which programs think, so that nobody waits for them but the table they play at.

It speaks lines of JSON with the server, which starts it. It has a copy of every game whose programs
it plays, follows it answer by answer, and proposes answers until a person is to decide: the server
alone plays and saves them. Which answer a program gives depends on the seed, the seat and how many
answers there were, so it makes no difference when, and in which process, it thinks.
"""

import contextlib
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ziggurat import (
    REDO,
    UNDO,
    BadQuestion,
    BadSave,
    Game,
    InternalError,
    RulesError,
    Save,
    Search,
    answer_of,
    where,
)
from ziggurat.studio.play.seats import bot
from ziggurat.studio.play.turns import following
from ziggurat.studio.saved import BEGUN, open_save
from ziggurat.studio.web import memory
from ziggurat.studio.web.drawing import end_without_server
from ziggurat.studio.web.explaining import explained, history

MOST = 64  # answers in one go
SLICE = 0.05  # seconds of thinking after which other tables have their turn
Answer = tuple[str, Any]
Data = dict[str, Any]


class Seated:
    """A game that programs play, as far as the server has told of it."""

    def __init__(self, save: Save, records: int, search: Search) -> None:
        self.game, self.seed, self.records = save.game, save.header.seed, records
        self.search = search
        self._ahead: tuple[int, list[Answer], Game] = (0, [], self.game)

    def follow(self, records: Sequence[Answer]) -> None:
        """Play what the server has recorded."""
        base, proposed, ahead = self._ahead
        if proposed and base == self.records and [*map(tuple, records)] == proposed:
            self.game = ahead
        else:
            for seat, answer in records:
                if seat == UNDO:
                    self.game.undo(answer)
                elif seat == REDO:
                    self.game.redo(answer)
                else:
                    self.game.answer(answer, seat)
        self.records += len(records)
        self._ahead = (0, [], self.game)

    def think(self, by: dict[str, str], last: str) -> list[Answer]:
        """Answers of programs until a person is to decide; `by` has the policies of seats."""
        game, found = self.game.copy(), list[Answer]()
        seats = game.seats
        people = [seat for seat in seats if seat not in by]
        start = time.process_time()
        while len(found) < MOST and time.process_time() - start < SLICE and game.decisions:
            decision = following(game.decisions, people, last, "")
            last = decision.decider
            if last in people:
                break
            luck = (self.seed * 1_000_003 + self.records + len(found)) * 31 + seats.index(last)
            answer = answer_of(bot(by[last], luck), game, decision)
            game.answer(answer, last)
            found.append((last, answer))
        # as they come back, so that lists are compared with lists
        found = [(seat, json.loads(json.dumps(answer))) for seat, answer in found]
        self._ahead = (self.records, found, game)
        return found


class Thinker:
    """All games of this process."""

    def __init__(self) -> None:
        self._seated: dict[str, Seated] = {}

    def hear(self, message: Data) -> Data | None:
        """Do what the server says; what comes of it, if it wants to know."""
        table = message["table"]
        if message["do"] == "forget":
            self._seated.pop(table, None)
            memory.give_back()
            return None
        told: Data
        try:
            told = self._found(self._follow(table, message), message)
        except BadQuestion as bad:
            told = {"refused": bad.text}
        except (RulesError, InternalError) as wrong:
            place = f" at {where(wrong.at)}" if wrong.at.file else ""
            told = {"failed": f"`{wrong.rule or 'a rule'}`{place} failed"}
        except (BadSave, ValueError, LookupError, TypeError, AssertionError) as wrong:
            told = {"failed": type(wrong).__name__}
        if "failed" in told:
            self._seated.pop(table, None)
        return {**told, "id": message["id"], "table": table}

    def _found(self, seated: Seated, message: Data) -> Data:
        if message["do"] == "think":
            return {"answers": seated.think(message["by"], message["last"])}
        seat = message["seat"]
        if message["do"] == "history":
            return {"told": history(seated.game, seat)}
        return {"told": explained(seated.game, seat, message["asked"], seated.search)}

    def _follow(self, table: str, message: Data) -> Seated:
        base = message["base"]
        seated = self._seated.get(table)
        if "path" in message or seated is None:
            search = Search(tuple(map(Path, message["search"])))
            rules = BEGUN if message["as_begun"] else ""
            opened = open_save(Path(message["path"]), search, base, rules=rules)
            seated = self._seated[table] = Seated(opened.save, base, opened.search)
        elif message["records"]:
            seated.follow(message["records"])
        if seated.records != base:
            raise ValueError("out of step")
        return seated


def main() -> None:
    """Listen until the server is gone."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(5)  # people come first
    thinker = Thinker()
    for line in sys.stdin:
        told = thinker.hear(json.loads(line))
        if told is None:
            continue
        try:
            print(json.dumps(told), flush=True)
        except OSError:
            end_without_server()


if __name__ == "__main__":
    main()
