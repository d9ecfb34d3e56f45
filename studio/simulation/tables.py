"""The games of a simulation as Parquet tables; `docs/simulation.md` describes them.

DuckDB writes them: one package without dependencies of its own, which also reads them again.
"""

import errno
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from ziggurat.studio.simulation.queries import TABLES, Runs, literal

GAMES = 200  # that DuckDB takes into memory together: those of a file, and of one file at a time


class Writer:
    """Takes packed games in the order of their seeds and writes the tables.

    In parts, a table is a folder with a file for so many seeds each, written when the next part
    begins, so that any number of games can be written."""

    def __init__(
        self,
        folder: Path,
        measured: Mapping[str, Sequence[str]],
        runs: Mapping[str, Mapping[str, Any]],
        seeds: range,
        parts: int = 0,
    ) -> None:
        self.folder = folder
        self.runs = Runs(runs, measured)
        self.seeds, self.parts = seeds, parts
        self._part = seeds[:parts] if parts else seeds
        self._written: list[Path] = []
        self._temporary = tempfile.TemporaryDirectory(prefix="ziggurat-")
        self._files = 0
        self._games: list[bytes] = []  # of the file that comes next

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *_: object) -> None:
        self._temporary.cleanup()

    def add(self, seed: int, packed: bytes) -> None:
        """Add a game, packed by `lines.py`."""
        while seed not in self._part:
            self._write_part()
        self._games.append(packed)
        if len(self._games) == GAMES:
            self._write_games()

    def write(self) -> list[Path]:
        """Make the Parquet files, each complete before it replaces an older one; the tables."""
        while self._part:
            self._write_part()
        for name in TABLES:
            for old in (self.folder / name).glob("*.parquet"):
                if old not in self._written:
                    old.unlink()
            whole = self.folder / f"{name}.parquet"
            if whole not in self._written:
                whole.unlink(missing_ok=True)
        return [self.folder / (name if self.parts else f"{name}.parquet") for name in TABLES]

    def _place(self, name: str) -> Path:
        if not self.parts:
            return self.folder / f"{name}.parquet"
        digits = len(str(max(abs(self.seeds[0]), abs(self.seeds[-1]))))
        (self.folder / name).mkdir(exist_ok=True)
        first, last = (f"{seed:0{digits}}" for seed in (self._part[0], self._part[-1]))
        return self.folder / name / f"{first}-{last}.parquet"

    def _write_games(self) -> None:
        """Write some games where DuckDB reads them."""
        self._files += 1
        file = Path(self._temporary.name) / f"{self._files:09}.json"
        file.write_bytes(b"".join(game + b"\n" for game in self._games))
        self._games.clear()

    def _write_part(self) -> None:
        self._write_games()
        metadata = f"ziggurat: {literal(json.dumps(list(self.runs.runs.values()), sort_keys=True))}"
        with duckdb.connect(config={"threads": 1}) as connection:  # each takes memory of its own
            for name in TABLES:
                path = self._place(name)
                temporary = path.with_suffix(".new")
                with _plain_errors(temporary):
                    connection.execute(
                        f"COPY ({self.runs.query(name, f'{self._temporary.name}/*.json')}) TO"
                        f" {literal(str(temporary))}"
                        f" (FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{metadata}}})"
                    )
                temporary.replace(path)
                self._written.append(path)
        for file in Path(self._temporary.name).iterdir():
            file.unlink()
        left = self.seeds[self.seeds.index(self._part[-1]) + 1 :]
        self._part = left[: self.parts] if self.parts else left


@contextmanager
def _plain_errors(path: Path) -> Iterator[None]:
    """Raise `OSError` where DuckDB cannot write a file, and leave nothing of it behind."""
    try:
        yield
    except duckdb.IOException as error:
        path.unlink(missing_ok=True)
        is_full = os.strerror(errno.ENOSPC) in str(error)
        code = errno.ENOSPC if is_full else errno.EIO
        raise OSError(code, str(error), str(path)) from error
