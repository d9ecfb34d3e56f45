"""How much anybody may ask of the server: sizes, numbers and rates.

They are far above what a page needs, and low enough that no visitor can stop the tables of others.
"""

import time
from collections import OrderedDict
from collections.abc import Sequence

import attrs

from ziggurat import did_you_mean
from ziggurat.studio.console import UsageError


@attrs.frozen
class Limits:
    """The limits of one server; tests have lower ones."""

    headers: int = 16 * 1024  # bytes of what comes before the body
    body: int = 64 * 1024  # bytes of a request
    header_seconds: float = 10.0  # from the first byte of a request until its headers are there
    body_seconds: float = 10.0  # until a body is there
    tables: int = 200  # on the disk, those that are over included
    awake: int = 100  # in memory at once
    idle: float = 900.0  # seconds until a table to which nobody comes sleeps
    finished: float = 3.0  # the same for one whose game is over
    resting: float = 30.0  # seconds until a process ends in which no program has a table
    connections: int = 800  # open at once
    connections_of_address: int = 700  # open at once; behind a proxy, requests at once
    reserved: int = 100  # of all these connections, for requests with the key of a seat
    strangers: int = 300  # connections on which nobody has shown a key yet
    strangers_of_address: int = 100
    streams: int = 600  # of events, of all tables
    streams_of_key: int = 12  # tabs of one seat
    requests: float = 200.0  # a second from one address
    answers: float = 20.0  # a second with one key, options asked for included
    questions: float = 2.0  # a second with one key: `why` walks through whole games
    tables_made: float = 0.5  # a second from one address, and some at once
    tables_at_once: float = 25.0
    looks: float = 2.0  # a second from one address: what can be played
    looks_at_once: float = 40.0
    studies: float = 4.0  # a second from one address: what the workshop tells
    replayed: float = 20.0  # a second from one address: a slider asks often
    programs: int = 16  # compiled rules that are kept, besides those that are played
    asking: int = 16  # questions that wait for their answer at once
    thinking: float = 120.0  # seconds until a process that thinks is taken for dead
    name: int = 40  # letters of a name
    heartbeat: float = 15.0  # seconds between signs of life in a stream
    pause: float = 0.1  # seconds between two documents in a stream, at least
    patience: float = 0.5  # seconds that a stream waits for programs to finish what they do

    @classmethod
    def parse(cls, texts: Sequence[str]) -> "Limits":
        """Read limits that differ from the usual ones, as in `tables=500`. Raise `UsageError`."""
        limits = cls()
        for text in texts:
            name, _, value = text.partition("=")
            usual = getattr(limits, name, None) if name in attrs.fields_dict(cls) else None
            if usual is None:
                advice = did_you_mean(name, list(attrs.fields_dict(cls))) or USUAL
                raise UsageError(f"there is no limit `{name}`. {advice}")
            try:
                number = type(usual)(value)
            except ValueError:
                number = 0
            if not 0 < number < float("inf"):
                kind = "whole number" if isinstance(usual, int) else "number"
                raise UsageError(f"`{text}`: this limit is a {kind} above 0, as in {name}={usual}.")
            limits = attrs.evolve(limits, **{name: number})
        if limits.streams + limits.reserved > limits.connections:
            raise UsageError(
                f"{limits.streams} streams and {limits.reserved} reserved connections do not fit"
                f" into {limits.connections} connections; raise `connections` as well."
            )
        return limits


USUAL = "*Host it for your club* in the documentation lists all of them."


class Rates:
    """Buckets that fill at a rate and hold some seconds of it, one for each of the last callers."""

    SECONDS = 4.0
    CALLERS = 4096

    def __init__(self, rate: float, at_once: float = 0.0) -> None:
        self._rate = rate
        self._full = max(1.0, at_once or rate * self.SECONDS)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allow(self, caller: str) -> bool:
        """Whether a caller may go on; counts it if so."""
        now = time.monotonic()
        level, then = self._buckets.pop(caller, (self._full, now))
        level = min(self._full, level + (now - then) * self._rate)
        allowed = level >= 1.0
        self._buckets[caller] = (level - 1.0 if allowed else level, now)
        if len(self._buckets) > self.CALLERS:
            self._buckets.popitem(last=False)
        return allowed
