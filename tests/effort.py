"""Limits of effort: how much Python runs, which is the same on every machine, however busy."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

Result = TypeVar("Result")


def for_text(text: str) -> int:
    """What reading a text may take: so much a letter, however absurd it is."""
    return 100_000 + 200 * len(text)


def within(lines: int, work: Callable[[], Result]) -> Result:
    """What `work` gives, if it takes no more than so many lines of Python; it is stopped there."""
    left = lines

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        left -= event == "line"
        if left < 0:
            sys.settrace(before)
            raise AssertionError(f"more than {lines} lines ran, now in {frame.f_code}")
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        return work()
    finally:
        sys.settrace(before)


def lines_run(work: Callable[[], object]) -> int:
    """Return how many lines of Python `work` runs; each round of a loop counts."""
    lines = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return lines
