"""Games on a Dask cluster: each batch of games is given to one worker, and watched there.

Nothing about a game depends on where it is played, so a lost, frozen or unplugged worker costs no
more than the games it was playing, which others play again. Few games are under way at a time, so
memory stays flat however many there are.
"""

import asyncio
import ipaddress
import platform
import socket
import statistics
import time
import uuid
import warnings
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import starmap
from typing import Any, cast

import attrs
from distributed import Client, Future, LocalCluster, Security, as_completed
from distributed.comm.core import connect

from ziggurat import GameRecord, Trial
from ziggurat.studio.console import UsageError
from ziggurat.studio.simulation.asked import (
    TRIES,
    Asked,
    Tell,
    check_record,
    given_up,
    plain,
)
from ziggurat.studio.simulation.bundle import Bundle, Mismatch, Result, play_games, receive_bundle
from ziggurat.studio.simulation.lines import unpack

AHEAD = 2  # batches that each thread of a worker has, so that none is idle
BATCH = 4.0  # seconds that a batch of games takes: the scheduler knows batches, not games
MOST = 200  # games of a batch
SPREAD = 8  # games of each thread that have come in for each game of a batch: few games are spread
LOCAL = "local:"
PATIENCE = 20  # seconds to find a scheduler, and then a first worker
SILENCE = 15  # seconds without workers after which that is said
SLOW = 10  # times the median of this run's games after which a game is played elsewhere, too
SLOW_AT_LEAST = 60  # seconds
LOOK = 1.0  # seconds between two looks at the workers
REST = 0.02  # seconds between two looks at the results, while there are none
# Gives the version of Python where Ziggurat is. A task that needs Ziggurat to be unpacked would end
# a worker without it.
PROBE = (
    "__import__('ziggurat.studio.simulation.bundle') and __import__('platform').python_version()"
)
# What Dask says of other versions of Python alone; a run says it of each worker in a line.
OTHER_PYTHON = (
    r"Mismatched versions found\s+\+[-+]+\s+\| Package [^\n]*"
    r"\s+\+[-+]+\s+\| python [^\n]*\s+\+[-+]+\s*$"
)
REMEMBERED = 1000  # games whose times make the median


@contextmanager
def connected(address: str, tell: Tell = print) -> Iterator[Client]:
    """Yield a client of the cluster at an address; `local:4` starts four workers here."""
    if not address.startswith(LOCAL):
        with _client(address) as client:
            for open_one in filter(is_open, _addresses(client, address)):
                tell(
                    f"Warning: the scheduler at {open_one} can be reached without TLS on a public"
                    " address: anybody who reaches it can run any code on every machine of the"
                    " cluster (docs/clusters.md)."
                )
            yield client
        return
    number = address.removeprefix(LOCAL)
    if not number.isdigit() or not 0 < int(number) < 1000:
        raise UsageError(f"`--cluster {address}` must look like `local:4` or `tcp://host:8786`.")
    with (
        LocalCluster(
            n_workers=int(number),
            threads_per_worker=1,
            dashboard_address=None,  # pyright: ignore[reportArgumentType] - starts no dashboard
            silence_logs=50,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@contextmanager
def _client(address: str) -> Iterator[Client]:
    try:
        asyncio.run(asyncio.wait_for(_reach(address), PATIENCE))
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", OTHER_PYTHON)
            client = Client(address, timeout=PATIENCE)
    except Exception as error:  # whatever answers there
        raise UsageError(_why_not_connected(address, error)) from error
    with client:
        yield client


async def _reach(address: str) -> None:
    """Connect once: a client waits for good where something answers that is no scheduler."""
    given = Security().get_connection_args("client")
    comm = await connect(address, timeout=PATIENCE, **given)
    await comm.close()


def _why_not_connected(address: str, error: Exception) -> str:
    if address.startswith("tls:") and isinstance(error, TypeError | ValueError | RuntimeError):
        return (
            f"`{address}` needs a certificate: set DASK_DISTRIBUTED__COMM__TLS__CA_FILE,"
            " …__TLS__CLIENT__CERT and …__TLS__CLIENT__KEY (docs/clusters.md shows how)."
        )
    tls = " One that uses TLS is called by `tls://…`." if not address.startswith("tls:") else ""
    return (
        f"no Dask scheduler answers at `{address}`. `dask scheduler` starts one and says its"
        f" address; `--cluster local:4` needs none.{tls}"
    )


def _addresses(client: Client, asked: str) -> list[str]:
    """Return the addresses of a scheduler: as it was asked for, and as it gives its own."""
    own = client.scheduler_info().get("address", asked)
    return list(dict.fromkeys((asked, own)))


def is_open(address: str) -> bool:
    """Return whether a scheduler can be reached without TLS on a public address."""
    if address.startswith(("tls:", "wss:", "inproc:", "ucx:")):
        return False
    host = address.rpartition("://")[2].rpartition(":")[0].strip("[]")
    try:
        known = {str(info[4][0]).partition("%")[0] for info in socket.getaddrinfo(host, None)}
    except OSError:
        return False
    return not all(ipaddress.ip_address(one).is_private for one in known)


def play_all(
    client: Client, games: Iterable[tuple[Trial, int]], tell: Tell = print
) -> Generator[GameRecord, None, None]:
    """Yield the records of the games as they come in; to close it gives up what is under way."""
    run = _Run(client, starmap(Asked, games), tell)
    try:
        yield from run.play()
    finally:
        run.stop()


Key = tuple[Trial, int]


@attrs.define(eq=False)
class _Batch:
    """Games that one worker has been given together."""

    games: list[Asked]
    place: "_Place"
    began: float | None = None  # when it became one of those that the worker is playing
    doubled: bool = False


@attrs.define(eq=False)
class _Place:
    """A worker, the packs it has been given, and its batches in their order."""

    address: str
    threads: int
    installed: Future[Any]  # the version of Python, where Ziggurat can be imported
    ready: dict[Trial, Future[Any]] = attrs.field(factory=dict)
    batches: dict[Future[Any], _Batch] = attrs.field(factory=dict)
    frozen: bool = False  # nothing has come from it for too long

    def begin(self) -> None:
        """Note since when the oldest batches are being played."""
        for batch in list(self.batches.values())[: self.threads]:
            if batch.began is None:
                batch.began = time.monotonic()


class _Run:
    """One simulation on a cluster."""

    def __init__(self, client: Client, games: Iterator[Asked], tell: Tell) -> None:
        self._client = client
        self._left = games
        self._tell = tell
        self._name = uuid.uuid4().hex[:8]  # two runs share nothing, though they play the same
        self._number = 0
        self._bundles: dict[Trial, Bundle] = {}
        self._places: dict[str, _Place] = {}
        self._left_out: dict[str, str] = {}
        self._waiting = as_completed(with_results=True, raise_errors=False)
        self._fresh: dict[Trial, deque[Asked]] = {}  # taken from those left, and not yet given
        self._drained = False  # none is left, and none of those taken is still to be given
        self._again: dict[Key, Asked] = {}
        self._lost: list[Asked] = []
        self._trouble = ""
        self._open: dict[Key, int] = {}  # how many places play a game
        self._twice: dict[Key, GameRecord] = {}  # results another may come for
        self._came = 0  # games that have come in
        self._times: deque[float] = deque(maxlen=REMEMBERED)
        self._median = 0.0
        self._next_look = 0.0
        self._alone_since: float | None = None

    def play(self) -> Iterator[GameRecord]:
        self._wait_for_workers()
        while True:
            self._look()
            self._fill()
            if self._drained and not self._again and len(self._open) == len(self._twice):
                break
            came = self._waiting.next_batch(block=False)
            if not came:
                time.sleep(REST)
            for future, results in came:
                yield from self._take(future, results)
            self._play_slow_ones_elsewhere()
        if self._lost:
            raise given_up(self._lost, self._trouble)

    def stop(self) -> None:
        """Give up what is under way, of this run alone."""
        futures = [f for place in self._places.values() for f in place.batches]
        with suppress(Exception):  # the scheduler may be gone
            self._client.cancel(futures)

    def _wait_for_workers(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            raise UsageError(
                "the scheduler has no workers. `dask worker ADDRESS --nthreads 1` starts one."
            ) from error

    def _look(self) -> None:
        """Note which workers there are now, and since when there are none."""
        now = time.monotonic()
        if now < self._next_look and self._client.status == "running":
            return
        self._next_look = now + LOOK
        known = self._workers()
        for address in set(self._places) - set(known):
            self._forget(self._places.pop(address))
        for address, threads in known.items():
            if address not in self._places and address not in self._left_out:
                self._places[address] = self._meet(address, threads)
        for place in list(self._places.values()):
            self._check(place)
        self._say_if_alone(now)

    def _workers(self) -> dict[str, int]:
        """Return the workers and their threads. Raises `UsageError` if the scheduler is gone."""
        try:
            if self._client.status == "running":
                return dict(cast("dict[str, int]", self._client.nthreads()))
        except (OSError, TimeoutError, RuntimeError, ValueError):
            pass
        raise UsageError(
            "the scheduler is gone. All games that came in are kept; start it again, then the"
            " workers, and the same command goes on."
        )

    def _meet(self, address: str, threads: int) -> _Place:
        self._number += 1
        installed = self._client.submit(
            eval,
            PROBE,
            key=f"ziggurat/{self._name}/{self._number}",
            workers=[address],
            allow_other_workers=False,
        )
        self._waiting.add(installed)
        return _Place(address, threads, installed)

    def _say_if_alone(self, now: float) -> None:
        if self._places:
            self._alone_since = None
        elif self._left_out and len(self._left_out) >= len(self._workers()) > 0:
            raise UsageError(f"no worker can play: {next(iter(self._left_out.values()))}")
        elif self._alone_since is None:
            self._alone_since = now
        elif now - self._alone_since >= SILENCE:
            self._tell(
                f"No workers for {SILENCE} s. `dask worker ADDRESS --nthreads 1` starts one;"
                " Ctrl-C keeps what is done."
            )
            self._alone_since = now

    def _check(self, place: _Place) -> None:
        """Leave out a worker that cannot play what it was given, by its name."""
        for future in (place.installed, *place.ready.values()):
            if future.status != "error":
                continue
            error = future.exception()
            why = str(error) if isinstance(error, Mismatch) else f"{type(error).__name__}: {error}"
            if isinstance(error, ImportError):
                why = f"Ziggurat is not installed there ({error})."
            self._left_out[place.address] = f"{place.address}: {why}"
            self._tell(f"The worker {place.address} is left out: {why}")
            self._places.pop(place.address, None)
            self._forget(place, said=True)
            return

    def _forget(self, place: _Place, said: bool = False) -> None:
        """Have the games of a worker that is gone played by others."""
        games = [game for batch in place.batches.values() for game in batch.games]
        if not said:
            self._tell(f"The worker {place.address} is gone; others play its {len(games)} games.")
        for batch in place.batches.values():
            for game in batch.games:
                blamed = batch.began is not None and not said
                self._close(game.failed(place.address) if blamed else game)
        self._trouble = "the workers that played it were lost"
        futures = list(place.batches)
        place.batches.clear()
        with suppress(OSError, RuntimeError):
            self._client.cancel(futures)

    def _close(self, game: Asked) -> None:
        """Give up a game at a place; it is played again unless another place plays it."""
        key = (game.trial, game.seed)
        if key in self._twice or self._open[key] > 1:
            self._settle(key)
            return
        del self._open[key]
        if game.failures < TRIES:
            self._again[key] = game
        else:
            self._again.pop(key, None)
            self._lost.append(game)

    def _settle(self, key: Key) -> None:
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]
            self._twice.pop(key, None)

    def _fill(self) -> None:
        """Give every worker as many batches as it has room for."""
        places = [
            place
            for place in self._places.values()
            if not place.frozen and place.installed.status == "finished"
        ]
        for _ in range(AHEAD):  # in turns, so that the last games are spread
            for place in places:
                for _ in range(place.threads):
                    if len(place.batches) < AHEAD * place.threads:
                        self._give(place, self._take_games(place))

    def _take_games(self, place: _Place) -> list[Asked]:
        """Return games of one trial; those that failed elsewhere are given out one at a time."""
        for key, game in self._again.items():
            if game.avoid != place.address or len(self._places) == 1:
                del self._again[key]
                return [game]
        size = self._batch_size()
        for game in self._left:
            games = self._fresh.setdefault(game.trial, deque())
            games.append(game)
            if len(games) >= size:
                break
        most = max(self._fresh.values(), key=len, default=deque())
        self._drained = not most
        return [most.popleft() for _ in range(min(size, len(most)))]

    def _batch_size(self) -> int:
        """Return how many games a batch has: few while few games have come in."""
        if not self._median:
            return 1
        threads = sum(place.threads for place in self._places.values())
        grown = 1 + self._came // (SPREAD * max(threads, 1))
        return max(1, min(MOST, int(BATCH / self._median), grown))

    def _give(self, place: _Place, games: list[Asked]) -> None:
        if not games:
            return
        trial = games[0].trial
        ready = place.ready.get(trial) or self._prepare(place, trial)
        future = self._submit(place, play_games, ready, [game.seed for game in games])
        place.batches[future] = _Batch(games, place)
        place.begin()
        for game in games:
            key = (game.trial, game.seed)
            self._open[key] = self._open.get(key, 0) + 1
        self._waiting.add(future)

    def _prepare(self, place: _Place, trial: Trial) -> Future[Any]:
        """Send the packs to a worker itself: it depends on no other one."""
        bundle = self._bundles.get(trial)
        if bundle is None:
            bundle = self._bundles[trial] = Bundle.of(trial)
        place.ready[trial] = self._submit(place, receive_bundle, bundle)
        return place.ready[trial]

    def _submit(self, place: _Place, task: Any, *given: Any) -> Future[Any]:
        bundle = given[0] if isinstance(given[0], Bundle) else None
        key = bundle.key if bundle else given[0].key
        self._number += 1
        return self._client.submit(
            task,
            *given,
            key=f"{key.partition('/')[0]}/{self._name}/{self._number}",
            workers=[place.address],
            allow_other_workers=False,
        )

    def _take(self, future: Future[Any], results: Any) -> Iterator[GameRecord]:
        batch = next(
            (p.batches[future] for p in self._places.values() if future in p.batches), None
        )
        if batch is None:  # about the worker, or of one that was given up
            self._compare_python(future, results)
            return
        place = batch.place
        del place.batches[future]
        place.frozen = False
        place.begin()
        if future.status != "finished" or not isinstance(results, list):
            self._failed(batch, future)
            return
        for game, result in zip(batch.games, results, strict=True):
            record = self._accept(game, result, place)
            if record is not None:
                yield record
        if self._times:
            self._median = max(statistics.median(self._times), 1e-3)

    def _compare_python(self, future: Future[Any], version: object) -> None:
        """Say which worker has another Python than this process."""
        own = platform.python_version()
        place = next((p for p in self._places.values() if p.installed is future), None)
        if place is None or not isinstance(version, str):
            return
        if version.split(".")[:2] != own.split(".")[:2]:
            self._tell(
                f"The worker {place.address} has Python {version}, not {own}. It plays the same"
                " games."
            )

    def _failed(self, batch: _Batch, future: Future[Any]) -> None:
        """Give up a batch that ended in an error of Dask or of the machine, not of the rules."""
        address = batch.place.address
        ready = batch.place.ready[batch.games[0].trial]
        if future.status == "error" and ready.status != "error":
            error = future.exception()
            self._trouble = f"{type(error).__name__} {error} on {address}"
        for game in batch.games:
            self._close(game if ready.status == "error" else game.failed(address))
        self._check(batch.place)

    def _accept(self, game: Asked, result: Result, place: _Place) -> GameRecord | None:
        """Return the record of a game if it is the first one."""
        key = (game.trial, game.seed)
        if result.trouble:
            self._trouble = f"{result.trouble} on {place.address}"
            self._tell(f"{game.name} is played elsewhere: {self._trouble}.")
            self._close(game.failed(place.address))
            return None
        if (result.key, result.seed) != (self._bundles[game.trial].key, game.seed):
            raise UsageError(f"{place.address} sent another game than {game.name}.")
        record = check_record(game, unpack(result.packed))
        known = self._twice.get(key)
        if known is not None and plain(known) != plain(record):
            raise UsageError(
                f"{game.name} went differently on {place.address} than elsewhere; one of the"
                " machines cannot be trusted. `--verify` plays games again and compares."
            )
        if known is None and self._open[key] > 1:
            self._twice[key] = record
        self._again.pop(key, None)
        self._settle(key)
        self._came += 1
        self._times.append(record["seconds"])
        return record if known is None else None

    def _play_slow_ones_elsewhere(self) -> None:
        """Have games that take too long played by others as well; the first result counts."""
        now = time.monotonic()
        for place in self._places.values():
            for batch in place.batches.values():
                longest = max(SLOW_AT_LEAST, SLOW * self._median * len(batch.games))
                if batch.began is None or batch.doubled or now - batch.began < longest:
                    continue
                batch.doubled = place.frozen = True
                self._double(place, longest)

    def _double(self, place: _Place, seconds: float) -> None:
        others = [p for p in self._places.values() if not p.frozen]
        self._tell(
            f"The worker {place.address} has brought nothing for {seconds:.0f} s; "
            + ("others play its games, too." if others else "no other one is there.")
        )
        if not others:
            return
        for batch in place.batches.values():
            batch.doubled = True
            for game in batch.games:
                key = (game.trial, game.seed)
                if self._open[key] == 1 and key not in self._twice:
                    self._again[key] = attrs.evolve(game, avoid=place.address)
