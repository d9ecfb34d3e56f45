"""Games in several processes. Which games are played, and how, never depends on how many."""

import multiprocessing
import signal
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import cache

from runtime.cache import load_program
from studio.console import UsageError
from studio.simulation.plan import Side
from studio.simulation.playing import Arena, Record

AHEAD = 3  # games that wait for each process, so that none is idle


@cache
def arena(side: Side) -> Arena:
    """The arena of a ruleset, laid out once in every process."""
    program, _ = load_program(side.stack, side.search())
    if program is None:
        raise UsageError(f"`{side.stack}` cannot be played any more: its packs have changed.")
    return Arena(program, side)


def play_one(side: Side, seed: int) -> Record:
    return arena(side).play(seed)


def play_all(games: Sequence[tuple[Side, int]], jobs: int) -> Generator[Record, None, None]:
    """The records of the games as they come in. Closing the iterator stops all processes."""
    if jobs == 1 or len(games) == 1:
        for side, seed in games:
            yield play_one(side, seed)
        return
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(jobs, len(games)), context, initializer=_begin)
    finished = False
    try:
        yield from _spread(pool, games, jobs * AHEAD)
        finished = True
    finally:
        pool.shutdown(wait=finished, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()


def _spread(
    pool: ProcessPoolExecutor, games: Sequence[tuple[Side, int]], width: int
) -> Iterator[Record]:
    waiting: set[Future[Record]] = set()
    left = iter(games)
    more = True
    while more or waiting:
        while more and len(waiting) < width:
            game = next(left, None)
            more = game is not None
            if game is not None:
                waiting.add(pool.submit(play_one, *game))
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()


def _begin() -> None:
    """Ctrl-C is for the process that leads: it keeps what is done and ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
