"""Measuring with the process's own CPU time, which other work on the machine disturbs least."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import process_time
from typing import Any

import attrs


@attrs.frozen
class Claim:
    """A line of the table: what was measured, against what, and whether it is as it should be.
    `good` None: there is no bound, the number is for information."""

    what: str
    measured: str
    baseline: str = ""
    ratio: str = ""
    aim: str = ""
    good: bool | None = None


@contextmanager
def undisturbed() -> Iterator[None]:
    """No garbage collection while something is being measured."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def best(run: Callable[..., Any], repeats: int, prepare: Callable[[], Any] | None = None) -> float:
    """Seconds of the quickest of several runs; what `prepare` makes is not counted."""
    found = []
    for _ in range(repeats):
        given = () if prepare is None else (prepare(),)
        with undisturbed():
            start = process_time()
            run(*given)
            found.append(process_time() - start)
    return min(found)


def against(
    one: Callable[..., Any],
    other: Callable[..., Any],
    repeats: int,
    prepare: Callable[[], Any] | None = None,
) -> tuple[float, float]:
    """The quickest runs of two things, measured in turns so that both meet the same machine."""
    pairs = [(best(one, 1, prepare), best(other, 1, prepare)) for _ in range(repeats)]
    return min(a for a, _ in pairs), min(b for _, b in pairs)


def seconds(value: float) -> str:
    """A time for people."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def times(value: float) -> str:
    return f"{value:.2f} ×" if value < 10 else f"{value:.0f} ×"
