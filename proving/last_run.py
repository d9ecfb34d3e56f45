"""Which scenarios of a stack nobody could be content with the last time they were run."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from ziggurat.dsl.files import cache_folder, read_cached, write_cached
from ziggurat.proving.changes import Judgement

FOLDER = "failed"


def _file(stack: str, folders: Iterable[Path]) -> Path:
    about = "\0".join([stack, *(str(folder.absolute()) for folder in folders)])
    return cache_folder() / FOLDER / f"{hashlib.sha256(about.encode()).hexdigest()[:24]}.json"


def failed_before(stack: str, folders: Iterable[Path] = ()) -> frozenset[str]:
    """The titles of those that failed; none if all were fine or nothing is known."""
    try:
        found = json.loads(read_cached(_file(stack, folders)) or b"[]")
    except ValueError:
        return frozenset()
    return frozenset(map(str, found)) if isinstance(found, list) else frozenset()


def remember_failed(judged: Iterable[Judgement], stack: str, folders: Iterable[Path] = ()) -> None:
    """Keep what failed and forget what no longer does; what was not run stays as it was."""
    ran = {one.result.scenario.title: one.is_fine for one in judged}
    path = _file(stack, folders := tuple(folders))
    failed = {title for title, fine in ran.items() if not fine}
    failed |= failed_before(stack, folders) - ran.keys()
    write_cached(path, json.dumps(sorted(failed)).encode())
