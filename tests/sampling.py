"""Samples of sweeps: what the normal tier runs of them. All of them run with `-m slow`."""

from collections.abc import Callable, Iterable
from typing import Any
from zlib import crc32

import pytest


def sampled(cases: Iterable[Any], of: int, key: Callable[[Any], str] = str) -> list[Any]:
    """Return all cases as parameters; all but about one in `of`, always the same, are slow."""
    return [
        pytest.param(case, marks=pytest.mark.slow if crc32(key(case).encode()) % of else ())
        for case in cases
    ]


def slow(*case: Any) -> Any:
    """Return a case as a parameter that only `-m slow` runs."""
    return pytest.param(*case, marks=pytest.mark.slow)
