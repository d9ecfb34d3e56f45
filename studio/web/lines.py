"""The log of a seat, line by line as JSON. What is settled is told once; a step under way is told
anew each time, because others may still change how it ends."""

import hashlib
import json
from typing import Any

from ziggurat import Event, Game, cites, where
from ziggurat.studio.play.naming import Names
from ziggurat.studio.play.news import worded

TAIL = 200  # lines that come with a document; more are asked for


class Lines:
    """Lines that a seat may read, in their order."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.lines)

    def part(self, first: int, last: int) -> str:
        """Some of them, as the value of `log`."""
        first = max(0, min(first, self.count))
        return f'{{"from":{first},"lines":[{",".join(self.lines[first:last])}]}}'

    def tail(self) -> str:
        """The last ones."""
        return self.part(max(0, self.count - TAIL), self.count)

    def digest(self) -> str:
        """A hash of the last ones and of how many there are."""
        last = "\n".join(self.lines[-TAIL:])
        return hashlib.sha256(f"{self.count}\n{last}".encode()).hexdigest()

    def part_digest(self, count: int) -> str:
        """Return a hash of the first ones."""
        return hashlib.sha256("\n".join(self.lines[:count]).encode()).hexdigest()

    def shared(self, other: "Lines") -> int:
        """How many lines are the same from the beginning on."""
        if self.lines[: other.count] == other.lines:
            return other.count
        pairs = zip(self.lines, other.lines, strict=False)
        return next((n for n, (a, b) in enumerate(pairs) if a != b), min(self.count, other.count))


class Teller:
    """Tells the log of one game to one seat."""

    def __init__(self, seat: str) -> None:
        self._seat = seat
        self._settled: list[str] = []
        self._seen = 0  # events that are settled and told
        self._spoken: list[str] = []

    def forget(self) -> None:
        """Something was taken back: begin anew."""
        self._settled, self._seen, self._spoken = [], 0, []

    def lines(self, game: Game) -> Lines:
        """All lines as they stand now."""
        settled, now = game.settled, game.seen_by(self._seat)
        names = Names(now)
        if names.spoken != self._spoken:  # old lines call people by what they play, too
            self.forget()
            self._spoken = names.spoken
        count = settled.event_count
        for event in settled.events(self._seat, self._seen):
            self._settled.append(self._line(game, names, event, len(self._settled)))
        self._seen = count
        rest: list[str] = []
        for event in now.events(self._seat, count):
            rest.append(self._line(game, names, event, len(self._settled) + len(rest)))
        return Lines([*self._settled, *rest])

    def _line(self, game: Game, names: Names, event: Event, before: int) -> str:
        told = worded(game, names, event)
        data: dict[str, Any] = {
            "n": before + 1,
            "what": told.what,
            "text": told.text,
            "seat": told.seat,
            "rule": told.path,
            "cites": cites(told.meta),
            "where": where(told.at),
        }
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
