"""The games of a simulation as Parquet tables; `docs/simulation.md` describes them.

DuckDB writes them: one package without dependencies of its own, which also reads them again.
"""

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

import duckdb

from ziggurat import GameRecord

TEXT, INTEGER, SMALL, YES = "VARCHAR", "INTEGER", "SMALLINT", "BOOLEAN"
GAME = {"stack": TEXT, "game": "BIGINT"}
TABLES: dict[str, dict[str, str]] = {
    "games": {
        **GAME, "outcome": TEXT, "turns": SMALL, "answers": INTEGER, "seconds": "DOUBLE",
        "error": TEXT,
    },
    "players": {
        **GAME, "seat": SMALL, "name": TEXT, "plays": TEXT, "policy": TEXT, "rank": SMALL,
        "won": YES, "score": INTEGER,
    },
    "turns": {**GAME, "turn": SMALL, "seat": SMALL},
    "holdings": {
        **GAME, "seat": SMALL, "kind": TEXT, "thing": TEXT, "turn": SMALL, "lost": SMALL,
    },
    "events": {
        **GAME, "turn": SMALL, "rule": TEXT, "sentence": TEXT, "seat": SMALL, "thing": TEXT,
        "times": INTEGER, "amount": INTEGER,
    },
    "decisions": {**GAME, "seat": SMALL, "path": TEXT, "times": INTEGER},
    "choices": {**GAME, "path": TEXT, "option": TEXT, "offered": INTEGER, "taken": INTEGER},
    "changes": {
        **GAME, "phase": TEXT, "value": TEXT, "seat": SMALL, "gained": INTEGER, "lost": INTEGER,
    },
}  # fmt: skip


class Writer:
    """Takes games in the order of their seeds and writes the tables.

    In parts, a table is a folder with a file for so many seeds each, written when the next part
    begins, so that any number of games can be written."""

    def __init__(
        self, folder: Path, measured: Mapping[str, Sequence[str]], seeds: range, parts: int = 0
    ) -> None:
        self.folder = folder
        self.measured = measured
        self.seeds, self.parts = seeds, parts
        self._part = seeds[:parts] if parts else seeds
        self._written: list[Path] = []
        values = dict.fromkeys(name for names in measured.values() for name in names)
        self.columns = {**TABLES, "turns": TABLES["turns"] | dict.fromkeys(values, INTEGER)}
        self._stack = ExitStack()
        self._files: dict[str, IO[str]] = {}

    def __enter__(self) -> "Writer":
        place = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="ziggurat-")))
        for name in self.columns:
            file = (place / f"{name}.jsonl").open("w+", encoding="utf-8")
            self._files[name] = self._stack.enter_context(file)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def add(self, record: GameRecord) -> None:
        while record["seed"] not in self._part:
            self._write_part()
        for table, rows in rows_of(record, self.measured[record["stack"]]).items():
            names = list(self.columns[table])
            if table == "turns":
                names = [*TABLES["turns"], *self.measured[record["stack"]]]
            key = (record["stack"], record["seed"])
            self._files[table].writelines(
                json.dumps(dict(zip(names, (*key, *row), strict=True))) + "\n" for row in rows
            )

    def write(self) -> list[Path]:
        """Make the Parquet files, each complete before it replaces an older one; the tables."""
        while self._part:
            self._write_part()
        for name in self._files:
            for old in (self.folder / name).glob("*.parquet"):
                if old not in self._written:
                    old.unlink()
            whole = self.folder / f"{name}.parquet"
            if whole not in self._written:
                whole.unlink(missing_ok=True)
        return [self.folder / (name if self.parts else f"{name}.parquet") for name in self._files]

    def _place(self, name: str) -> Path:
        if not self.parts:
            return self.folder / f"{name}.parquet"
        digits = len(str(max(abs(self.seeds[0]), abs(self.seeds[-1]))))
        (self.folder / name).mkdir(exist_ok=True)
        first, last = (f"{seed:0{digits}}" for seed in (self._part[0], self._part[-1]))
        return self.folder / name / f"{first}-{last}.parquet"

    def _write_part(self) -> None:
        connection = duckdb.connect()
        for name, file in self._files.items():
            file.flush()
            path = self._place(name)
            temporary = path.with_suffix(".new")
            columns = ", ".join(f"{_quoted(k)}: '{v}'" for k, v in self.columns[name].items())
            connection.execute(
                f"COPY (SELECT * FROM read_json({_text(file.name)}, columns = {{{columns}}},"
                f" format = 'newline_delimited')) TO {_text(str(temporary))}"
                " (FORMAT parquet, COMPRESSION zstd)"
            )
            temporary.replace(path)
            self._written.append(path)
            file.seek(0)
            file.truncate()
        connection.close()
        left = self.seeds[self.seeds.index(self._part[-1]) + 1 :]
        self._part = left[: self.parts] if self.parts else left


def rows_of(record: GameRecord, measured: Sequence[str]) -> dict[str, Iterable[Sequence[Any]]]:
    """The rows of a game in every table, without the game's own two columns."""
    ended = record["outcome"] == "finished"
    return {
        "games": [
            [record[name] for name in ("outcome", "turns", "answers", "seconds")]
            + [record["error"] or None]
        ],
        "players": [
            [
                *(seat, p["name"], p["plays"] or None, p["policy"], p["rank"]),
                *(ended and p["rank"] == 1, p["score"]),
            ]
            for seat, p in enumerate(record["players"])
        ],
        "turns": _turns(record["values"]),
        "holdings": record["held"],
        "events": _events(record),
        "decisions": record["decisions"],
        "choices": record["choices"],
        "changes": record["changes"],
    }


def _turns(values: Sequence[Sequence[Sequence[int]]]) -> Iterator[Sequence[int]]:
    for turn, rows in enumerate(values):
        for seat, row in enumerate(rows):
            yield [turn, seat, *row]


def _events(record: GameRecord) -> Iterator[Sequence[Any]]:
    for turn, number, seat, thing, times, amount in record["events"]:
        rule, sentence = record["sentences"][number]
        yield [turn, rule, sentence, seat, thing or None, times, amount]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
