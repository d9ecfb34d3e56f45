"""Games on a Dask cluster: every game is a task, known by its seed.

Nothing about a game depends on where it is played, so a lost worker costs no more than the games it
was playing, which others play again. Few games are under way at a time, so memory stays flat
however many there are.
"""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from distributed import Client, KilledWorker, LocalCluster, as_completed

from ziggurat import GameRecord, Trial, __version__
from ziggurat.studio.console import UsageError
from ziggurat.studio.simulation.bundle import Bundle, Mismatch, play_bundle

AHEAD = 4  # games that wait for each worker, so that none is idle
LOCAL = "local:"
PATIENCE = 20  # seconds to find a scheduler, and then a first worker
TRIES = 3  # a game that ended so many workers is not played again


@contextmanager
def connected(address: str) -> Iterator[Client]:
    """A client of the cluster at an address; `local:4` starts four workers here."""
    if not address.startswith(LOCAL):
        with _client(address) as client:
            yield client
        return
    number = address.removeprefix(LOCAL)
    if not number.isdigit() or not 0 < int(number) < 1000:
        raise UsageError(f"`--cluster {address}` must look like `local:4` or `tcp://host:8786`.")
    with (
        LocalCluster(
            n_workers=int(number), threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@contextmanager
def _client(address: str) -> Iterator[Client]:
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, TimeoutError, ValueError) as wrong:
        raise UsageError(
            f"no Dask scheduler answers at `{address}`. `dask scheduler` starts one and says its"
            " address; `--cluster local:4` needs none."
        ) from wrong
    with client:
        yield client


def play_all(
    client: Client, games: Sequence[tuple[Trial, int]]
) -> Generator[GameRecord, None, None]:
    """The records of the games as they come in. Closing the iterator gives up what is under way."""
    width = AHEAD * _workers(client)
    bundles = {trial: Bundle.of(trial) for trial in dict.fromkeys(trial for trial, _ in games)}
    # What workers need is a task itself: when a worker that has it is lost, it is made again.
    sent = {trial: client.submit(_given, one, key=one.digest) for trial, one in bundles.items()}
    left = iter(games)
    waiting = as_completed()
    under_way: dict[Any, tuple[Trial, int, int]] = {}

    def submit(trial: Trial, seed: int, tried: int = 1) -> None:
        key = f"{trial.stack}-{seed}-{bundles[trial].digest[:12]}-{tried}"
        future = client.submit(play_bundle, sent[trial], seed, key=key)
        under_way[future] = (trial, seed, tried)
        waiting.add(future)

    try:
        for trial, seed in islice(left, width):
            submit(trial, seed)
        for future in waiting:
            trial, seed, tried = under_way.pop(future)
            try:
                record = future.result()
            except KilledWorker:
                if tried == TRIES:
                    raise UsageError(
                        f"game {seed} of `{trial.stack}` ended every worker."
                    ) from None
                submit(trial, seed, tried + 1)
                continue
            except Mismatch as wrong:
                raise UsageError(f"a worker cannot play: {wrong}") from wrong
            finally:
                future.release()
            for following in islice(left, 1):
                submit(*following)
            yield record
    finally:
        client.cancel(list(under_way))


def _given(bundle: Bundle) -> Bundle:
    return bundle


def _workers(client: Client) -> int:
    """How many processes play; they must have what is needed, and the same of it."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError as wrong:
        raise UsageError(
            "the scheduler has no workers. `dask worker ADDRESS` starts one."
        ) from wrong
    try:
        versions = set(client.run(_version).values())
    except ModuleNotFoundError as wrong:
        raise UsageError(
            f"a worker cannot play: Ziggurat is not installed there ({wrong})."
        ) from wrong
    if versions != {__version__}:
        there = ", ".join(sorted(versions))
        raise UsageError(f"the workers have Ziggurat {there}, this is {__version__}.")
    return sum(worker["nthreads"] for worker in client.scheduler_info()["workers"].values())


def _version() -> str:
    return __version__
