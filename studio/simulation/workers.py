"""Games in several processes. Which games are played, and how, never depends on how many."""

import multiprocessing
import signal
import sys
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from functools import cache
from itertools import islice

from ziggurat import Arena, GameRecord, Trial, load_program
from ziggurat.studio.console import UsageError

AHEAD = 3  # games that wait for each process, so that none is idle


@cache
def arena(side: Trial) -> Arena:
    """The arena of a ruleset, laid out once in every process."""
    program, _ = load_program(side.stack, side.search())
    if program is None:
        raise UsageError(f"`{side.stack}` cannot be played any more: its packs have changed.")
    return Arena(program, side)


def play_one(side: Trial, seed: int) -> GameRecord:
    return arena(side).play(seed)


def play_all(games: Sequence[tuple[Trial, int]], jobs: int) -> Generator[GameRecord, None, None]:
    """The records of the games as they come in. Closing the iterator stops all processes."""
    if jobs == 1 or len(games) <= 1:
        return _alone(games)
    records = _together(games, jobs)
    next(records)
    return records


def _alone(games: Sequence[tuple[Trial, int]]) -> Generator[GameRecord, None, None]:
    for side, seed in games:
        yield play_one(side, seed)


def _together(games: Sequence[tuple[Trial, int]], jobs: int) -> Generator[GameRecord, None, None]:
    """The same in several processes. The first thing that comes is empty: they have begun."""
    method = _method()
    if method == "fork":
        for side in dict.fromkeys(side for side, _ in games):
            arena(side)
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context(method)
    pool = ProcessPoolExecutor(min(jobs, len(games)), context, initializer=_begin)
    finished = False
    try:
        yield from _spread(pool, games, jobs * AHEAD)
        finished = True
    finally:
        pool.shutdown(wait=finished, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()


def _method() -> str:
    """Processes that begin as copies of this one have the rules already and play at once. A copy
    is safe only where no other thread is in the middle of something."""
    alone = sys.platform == "linux" and threading.active_count() == 1
    return "fork" if alone else "spawn"


def _spread(
    pool: ProcessPoolExecutor, games: Sequence[tuple[Trial, int]], width: int
) -> Iterator[GameRecord]:
    left = iter(games)
    waiting = {pool.submit(play_one, *game) for game in islice(left, width)}
    yield {}
    while waiting:
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        waiting |= {pool.submit(play_one, *game) for game in islice(left, len(done))}
        for future in done:
            yield future.result()


def _begin() -> None:
    """Ctrl-C is for the process that leads: it keeps what is done and ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
