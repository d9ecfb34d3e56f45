"""The tables of a folder as lists show them: what can be told of each without loading its rules."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs

from ziggurat import BadSave, read_header
from ziggurat.studio.web.about import About


@attrs.frozen
class TableLine:
    """One table in a list."""

    table: str
    stack: str
    state: str
    people: tuple[str, ...]  # the seats that people play, by the names of those who gave one
    players: int
    changed: str  # when its save was last written
    size: int  # bytes of its files

    @property
    def data(self) -> dict[str, Any]:
        """Return the line as JSON."""
        return attrs.asdict(self)

    @classmethod
    def parse(cls, data: dict[str, Any]) -> "TableLine":
        """Read what `data` has made."""
        return cls(**{**data, "people": tuple(data["people"])})


def describe_table(folder: Path, id_: str, about: About, save: Path, state: str = "") -> TableLine:
    """Return what a list shows of a table; `state` is what the server knows of it, if it does."""
    try:
        stack = read_header(save).stack
    except (BadSave, OSError):
        stack = "?"
    files = [path.stat() for path in table_files(folder, id_)]
    changed = max((one.st_mtime for one in files), default=0.0)
    return TableLine(
        id_,
        stack,
        state or ("ended" if about.ended else "over" if about.over else "asleep"),
        tuple(about.names.get(seat) or seat for seat in about.people),
        len(about.by),
        datetime.fromtimestamp(changed, UTC).isoformat(timespec="seconds"),
        sum(one.st_size for one in files),
    )


def table_files(folder: Path, id_: str) -> Iterable[Path]:
    """Yield the files of a table: what is kept of it, its saves and their snapshots."""
    yield from (path for path in sorted(folder.glob(f"{id_}*")) if path.is_file())
