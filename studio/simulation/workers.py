"""Games in several processes. Which games are played, and how, never depends on how many.

A process that is killed, or has no memory left, says nothing about the rules: its games are played
again by others.
"""

import multiprocessing
import signal
import sys
import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from itertools import chain, islice, starmap
from multiprocessing.process import BaseProcess

from ziggurat import TROUBLE, Arena, GameRecord, Trial, load_program
from ziggurat.studio.console import UsageError
from ziggurat.studio.simulation.asked import TRIES, Asked, Tell, check_record, given_up

MOST_PROCESSES = 61  # that Windows can wait for
AHEAD = 3  # games that wait for each process, so that none is idle


@cache
def arena(side: Trial) -> Arena:
    """The arena of a ruleset, laid out once in every process."""
    program, _ = load_program(side.stack, side.search())
    if program is None:
        raise UsageError(f"`{side.stack}` can no longer be played: its packs have changed.")
    return Arena(program, side)


def play_one(side: Trial, seed: int) -> GameRecord:
    return arena(side).play(seed)


def play_all(
    games: Iterable[tuple[Trial, int]], jobs: int, tell: Tell = print
) -> Generator[GameRecord, None, None]:
    """The records of the games as they come in. Closing the iterator stops all processes."""
    left = iter(games)
    first = [Asked(*game) for game in islice(left, max(jobs, 2))]
    if jobs == 1 or len(first) < 2:
        return _alone(chain(first, starmap(Asked, left)), tell)
    if _method() == "fork":
        for side in dict.fromkeys(game.trial for game in first):
            arena(side)
    records = _together(
        chain(first, starmap(Asked, left)), min(jobs, len(first), MOST_PROCESSES), tell
    )
    next(records)
    return records


def _alone(games: Iterable[Asked], tell: Tell) -> Generator[GameRecord, None, None]:
    lost = []
    for game in games:
        for _ in range(TRIES):
            try:
                record = play_one(game.trial, game.seed)
            except TROUBLE as error:
                trouble = _named(error)
                tell(f"{game.name} is played again: {trouble}.")
            else:
                yield check_record(game, record)
                break
        else:
            lost.append(game)
    if lost:
        raise given_up(lost, trouble)


def _together(games: Iterator[Asked], jobs: int, tell: Tell) -> Generator[GameRecord, None, None]:
    """The same in several processes. The first thing that comes is empty: they have begun."""
    field = _Field(games, jobs, tell)
    try:
        yield from field.play()
    finally:
        field.stop()


class _Field:
    """Processes that play, and what each is to play."""

    def __init__(self, games: Iterator[Asked], jobs: int, tell: Tell) -> None:
        self._left = games
        self._jobs = jobs
        self._tell = tell
        self._again: deque[Asked] = deque()
        self._lost: list[Asked] = []
        self._trouble = ""
        self._breaks = 0  # since the last record
        self._under_way: dict[Future[GameRecord], Asked] = {}
        self._others = set(multiprocessing.active_children())
        self._pool = self._begin_pool()

    def _begin_pool(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context(_method())
        return ProcessPoolExecutor(self._jobs, context, initializer=_begin)

    def play(self) -> Iterator[GameRecord]:
        self._fill()
        yield {}
        while self._under_way:
            done, _ = wait(self._under_way, return_when=FIRST_COMPLETED)
            broken = False
            for future in done:
                game = self._under_way.pop(future)
                try:
                    record = future.result()
                except TROUBLE as error:
                    self._trouble = _named(error)
                    self._tell(f"{game.name} is played again: {self._trouble}.")
                    self._fail(game)
                except BrokenProcessPool:
                    broken = True
                    self._fail(game)
                else:
                    self._breaks = 0
                    yield check_record(game, record)
            if broken:
                self._replace_pool()
            self._fill()
        if self._lost:
            raise given_up(self._lost, self._trouble)

    def _fill(self) -> None:
        """Give the processes games. One that may have ended a process is played by itself."""
        suspects = [game for game in self._again if game.failures == TRIES]
        if suspects and len(suspects) == len(self._again) and not self._under_way:
            self._submit(self._again.popleft())
            return
        while len(self._under_way) < self._jobs * AHEAD:
            game = self._next()
            if game is None:
                return
            self._submit(game)

    def _next(self) -> Asked | None:
        game = next(self._left, None)
        if game is not None:
            return game
        for again in self._again:
            if again.failures < TRIES:
                self._again.remove(again)
                return again
        return None

    def _submit(self, game: Asked) -> None:
        try:
            self._under_way[self._pool.submit(play_one, game.trial, game.seed)] = game
        except BrokenProcessPool:
            self._replace_pool()
            self._submit(game)

    def _fail(self, game: Asked) -> None:
        failed = game.failed()
        (self._lost if failed.failures > TRIES else self._again).append(failed)

    def _replace_pool(self) -> None:
        """Go on with other processes: one was killed, which ends the whole pool."""
        self._breaks += 1
        self._trouble = "the processes that played it were killed"
        for game in self._under_way.values():
            self._fail(game)
        number = len(self._under_way)
        self._under_way.clear()
        self._tell(f"A process was killed; its games, and up to {number} more, are played again.")
        self.stop()
        if self._breaks > 2 * TRIES:
            raise given_up([*self._lost, *self._again], self._trouble)
        self._pool = self._begin_pool()

    def stop(self) -> None:
        """End all processes. They have nothing to finish unless somebody gave up."""
        self._pool.shutdown(wait=not self._under_way, cancel_futures=True)
        for process in self._own():
            process.terminate()

    def _own(self) -> set[BaseProcess]:
        return set(multiprocessing.active_children()) - self._others


def _method() -> str:
    """Processes that begin as copies of this one have the rules already and play at once. A copy
    is safe only where no other thread is in the middle of something."""
    alone = sys.platform == "linux" and threading.active_count() == 1
    return "fork" if alone else "spawn"


def _named(error: BaseException) -> str:
    return f"{type(error).__name__} {error}".strip()


def _begin() -> None:
    """Ctrl-C is for the process that leads: it keeps what is done and ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_leader, daemon=True).start()


def _end_with_leader() -> None:
    """End this process when the one that leads was killed and could not say so."""
    leader = multiprocessing.parent_process()
    if leader is not None:
        leader.join()
        signal.raise_signal(signal.SIGTERM)
