"""Limits of time for what the language server does, so that no text can stop it for good.

Work that takes too long is interrupted by an exception in the thread that does it.
"""

import asyncio
import ctypes
import threading
import time
from collections.abc import Callable, Coroutine, Generator
from functools import wraps
from types import TracebackType
from typing import Any, Self

REQUEST_SECONDS = 20.0  # for each stretch of a request in which nothing else can be answered
LOAD_SECONDS = 120.0


class TookTooLongError(Exception):
    """Raised in the middle of work that takes longer than its `TimeLimit`."""


class TimeLimit:
    """A context in which a thread may spend so many seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._is_over = False
        self._has_interrupted = False
        self._timer = threading.Timer(seconds, self._interrupt)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        with self._lock:
            self._is_over = True
        if self._has_interrupted and kind is not TookTooLongError:
            _await_interruption()  # which has not arrived yet, and is too late
        if kind is TookTooLongError:
            message = f"This took longer than {self._seconds:g} seconds, so it was given up."
            raise TookTooLongError(message) from None

    def _interrupt(self) -> None:
        with self._lock:
            if not self._is_over:
                self._has_interrupted = True
                _raise_in(self._thread, TookTooLongError)


def _raise_in(thread: int, error: type[Exception]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def _await_interruption() -> None:
    """Let an exception that was sent to this thread arrive.

    Taking it back instead would leave Python 3.11 looking for it for ever: slower, and in an
    endless loop as soon as anything traces.
    """
    try:
        while True:
            time.sleep(0)
    except TookTooLongError:
        return


def limited(handler: Callable[..., Any], seconds: float = REQUEST_SECONDS) -> Callable[..., Any]:
    """Return the handler of a request with a limit of time. Waiting for others does not count."""
    if asyncio.iscoroutinefunction(handler):

        @wraps(handler)
        async def answer_later(*args: Any, **named: Any) -> Any:
            return await _LimitedSteps(handler(*args, **named), seconds)

        return answer_later

    @wraps(handler)
    def answer(*args: Any, **named: Any) -> Any:
        with TimeLimit(seconds):
            return handler(*args, **named)

    return answer


class _LimitedSteps:
    """Awaits a coroutine of which each step, from one wait to the next, has a limit of time."""

    def __init__(self, coroutine: Coroutine[Any, Any, Any], seconds: float) -> None:
        self._coroutine = coroutine
        self._seconds = seconds

    def __await__(self) -> Generator[Any, Any, Any]:
        error: BaseException | None = None
        while True:
            try:
                with TimeLimit(self._seconds):
                    awaited = self._step(error)
            except StopIteration as end:
                return end.value
            error = None
            try:
                yield awaited
            except BaseException as raised:
                error = raised

    def _step(self, error: BaseException | None) -> Any:
        return self._coroutine.send(None) if error is None else self._coroutine.throw(error)
