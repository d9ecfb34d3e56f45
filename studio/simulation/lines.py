"""Games as lines of a journal: each is complete in itself, small, and shows where it is damaged.

What a line is about stands at its beginning, so that millions of lines can be looked through
without unpacking them; the record follows, its tables turned into columns and compressed.
"""

import base64
import json
import re
import zlib
from collections.abc import Sequence
from typing import Any

import attrs

from ziggurat import GameRecord

TABLES = ("held", "events", "decisions", "choices", "changes")
HEAD = re.compile(rb'\{"stack":("(?:[^"\\]|\\.)*"),"seed":(-?\d+),"outcome":"(\w+)","crc":(\d+),')
PACKED = b'"base64":"'
END = b'"}\n'
COMPACT = (",", ":")


@attrs.frozen
class Head:
    """What a line says about itself."""

    stack: str
    seed: int
    outcome: str


def columns_of(record: GameRecord) -> bytes:
    """Return a record as JSON, its tables turned into columns."""
    slim = {**record, "players": _columns(record["players"])}
    for name in TABLES:
        slim[name] = [list(column) for column in zip(*record[name], strict=True)]
    return _json(slim)


def record_of(columns: bytes) -> GameRecord:
    """Return the record that has these columns. Raise `ValueError` if it is none."""
    try:
        record: GameRecord = json.loads(columns)
        for name in TABLES:
            record[name] = list(map(list, zip(*record[name], strict=True)))
        names, *values = record["players"]
        rows = zip(*values, strict=True)
        record["players"] = [dict(zip(names, row, strict=True)) for row in rows]
    except (KeyError, TypeError) as error:
        raise ValueError("this is no game") from error
    return record


def pack(record: GameRecord) -> bytes:
    """Return a record as few bytes."""
    return zlib.compress(columns_of(record))


def unpack(data: bytes) -> GameRecord:
    """Return the record that was packed. Raise `ValueError` if these bytes are none."""
    return record_of(_decompress(data))


def _decompress(data: bytes) -> bytes:
    try:
        return zlib.decompress(data)
    except zlib.error as error:
        raise ValueError("this is no game") from error


def write_line(record: GameRecord) -> bytes:
    """Return the line of a game."""
    packed = base64.b64encode(pack(record))
    head = {name: record[name] for name in ("stack", "seed", "outcome")}
    return _json(head | {"crc": zlib.crc32(packed), "base64": packed.decode()}) + b"\n"


def read_head(line: bytes) -> Head | None:
    """Return what a line is about; None if it was cut off or damaged, or is none."""
    match = HEAD.match(line)
    if match is None:
        record = _plain(line)
        if record is None:
            return None
        return Head(record["stack"], record["seed"], record["outcome"])
    packed = line[match.end() :]
    if not (packed.startswith(PACKED) and packed.endswith(END)):
        return None
    if zlib.crc32(packed[len(PACKED) : -len(END)]) != int(match[4]):
        return None
    return Head(json.loads(match[1]), int(match[2]), match[3].decode())


def read_line(line: bytes) -> GameRecord | None:
    """Return the game of a line; None if it was cut off or damaged, or is none."""
    columns = read_columns(line)
    return None if columns is None else read_record(columns)


def read_columns(line: bytes) -> bytes | None:
    """Return the columns of the game of a line; None if that was cut off, or is none."""
    match = HEAD.match(line)
    if match is None:
        record = _plain(line)
        return None if record is None else columns_of(record)
    try:
        return _decompress(base64.b64decode(line[match.end() + len(PACKED) : -len(END)]))
    except ValueError:
        return None


def read_record(columns: bytes) -> GameRecord | None:
    """Return the record that has these columns; None if it is none."""
    try:
        record = record_of(columns)
    except ValueError:
        return None
    return record if _is_game(record) else None


def _plain(line: bytes) -> GameRecord | None:
    """Return the game of a line as journals of before 0.3.0 have it: plain JSON."""
    try:
        record: GameRecord = json.loads(line)
    except ValueError:
        return None
    if not _is_game(record):
        return None
    for player in record["players"]:
        player.setdefault("chose", False)  # nobody noted it in format 2
    return record


def _is_game(record: Any) -> bool:
    return (
        isinstance(record, dict)
        and isinstance(record.get("stack"), str)
        and isinstance(record.get("seed"), int)
        and isinstance(record.get("outcome"), str)
        and isinstance(record.get("players"), list)
    )


def _columns(rows: Sequence[dict[str, Any]]) -> list[list[Any]]:
    """Return the names of equal rows, and a column for each name."""
    names = list(rows[0]) if rows else []
    return [names, *([row[name] for row in rows] for name in names)]


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=COMPACT).encode()
