"""Expensive inputs of tests, made once for all workers and kept between runs.

An entry is named by a hash of everything that it is made from, so it is never stale. The folder
lies in that of pytest's own cache, and may be removed at any time.
"""

import gc
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from ziggurat.dsl.files import replace_file

FOLDER = Path(__file__).parents[1] / ".pytest_cache" / "ziggurat"
MOST = 150  # entries that stay

Entry = TypeVar("Entry")


def kept(name: str, make: Callable[[], Entry]) -> Entry:
    """Return the entry called `name`. Make and keep it if it is not there or cannot be read."""
    path = FOLDER / name
    try:
        return _read(path)
    except (OSError, EOFError, pickle.UnpicklingError):
        entry = make()
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, pickle.dumps(entry, pickle.HIGHEST_PROTOCOL))
    _discard_oldest()
    return entry


def _read(path: Path) -> Entry:
    data = path.read_bytes()
    gc.disable()  # nothing that is being read is garbage, and there is a lot of it
    try:
        return pickle.loads(data)
    finally:
        gc.enable()


def _discard_oldest() -> None:
    entries = sorted(FOLDER.iterdir(), key=lambda entry: entry.stat().st_mtime, reverse=True)
    for entry in entries[MOST:]:
        entry.unlink(missing_ok=True)
