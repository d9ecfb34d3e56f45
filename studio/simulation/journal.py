"""The journal of a simulation: one line for each game, on the disk before the next one begins.

A folder belongs to one simulation. `simulation.json` says which, so that other settings or changed
rules never mix with what is there. A line that was cut off when a process died is dropped, and its
game is played again.
"""

import json
import os
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from ziggurat import GameRecord, Trial
from ziggurat.studio.console import UsageError
from ziggurat.studio.simulation.plan import Rules

SETTINGS = "simulation.json"
JOURNAL = "games.jsonl"
FORMAT = 2


class Journal:
    """The games of a folder. Only one process writes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / JOURNAL
        self._file: IO[bytes] | None = None

    def open(self, sides: Sequence[Trial], rules: Sequence[Rules], fresh: bool) -> None:
        """Make or check the folder. Raises `UsageError` if it belongs to another simulation."""
        if self.folder.exists() and not self.folder.is_dir():
            raise UsageError(f"`{self.folder}` is a file, not a folder; choose another --out.")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as wrong:
            raise UsageError(f"`{self.folder}` cannot be used: {wrong.strerror}.") from wrong
        place = self.folder / SETTINGS
        known = {} if fresh else _read(place)
        if fresh:
            self.path.unlink(missing_ok=True)
        wanted = _settings(sides, rules)
        if known:
            self._compare(known, wanted)
            wanted["rulesets"] = known["rulesets"] | wanted["rulesets"]
        elif self.path.exists():
            raise UsageError(f"`{self.path}` is no journal of a simulation; choose another folder.")
        temporary = place.with_suffix(".new")
        temporary.write_text(json.dumps(wanted, indent=2) + "\n", encoding="utf-8")
        temporary.replace(place)

    def _compare(self, known: dict[str, Any], wanted: dict[str, Any]) -> None:
        else_ = f"Choose another folder with --out, or begin `{self.folder}` again with --fresh."
        for key, value in wanted.items():
            if key != "rulesets" and known.get(key) != value:
                was = known.get(key)
                raise UsageError(
                    f"`{self.folder}` holds a simulation with {key} {was}, not {value}. {else_}"
                )
        for stack, settings in wanted["rulesets"].items():
            before = known["rulesets"].get(stack)
            if before is None or before == settings:
                continue
            what = "options" if before["rules"] == settings["rules"] else "rules"
            raise UsageError(
                f"the games of `{stack}` in `{self.folder}` were played with other {what}. {else_}"
            )

    def append(self, record: GameRecord) -> None:
        """Put a game on the disk; when this returns, it is safe."""
        if self._file is None:
            self._file = self.path.open("a+b")
            self._drop_tail(self._file)
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        self._file.write(line.encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _drop_tail(self, file: IO[bytes]) -> None:
        data = self.path.read_bytes()
        if data and not data.endswith(b"\n"):
            file.truncate(data.rfind(b"\n") + 1)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def records(self) -> Iterator[GameRecord]:
        """The games so far, each once."""
        if not self.path.exists():
            return
        seen = set()
        with self.path.open("rb") as file:
            for line in file:
                record = _record(line)
                if record is not None and (record["stack"], record["seed"]) not in seen:
                    seen.add((record["stack"], record["seed"]))
                    yield record

    def in_order(self) -> Iterator[GameRecord]:
        """The games so far by their seeds, whoever finished first; none but one is in memory."""
        places: dict[tuple[int, str], int] = {}
        with self.path.open("rb") if self.path.exists() else BytesIO() as file:
            start = 0
            for line in file:
                record = _record(line)
                if record is not None:
                    places.setdefault((record["seed"], record["stack"]), start)
                start += len(line)
            for key in sorted(places):
                file.seek(places[key])
                yield json.loads(file.readline())

    def done(self) -> set[tuple[str, int]]:
        return {(record["stack"], record["seed"]) for record in self.records()}


def _settings(sides: Sequence[Trial], rules: Sequence[Rules]) -> dict[str, Any]:
    first = sides[0]
    return {
        "format": FORMAT,
        "players": first.players,
        "policy": first.policy,
        "limit": first.limit,
        "rulesets": {
            side.stack: {
                "rules": one.identity,
                "options": dict(side.options),
                "values": list(one.measured),
            }
            for side, one in zip(sides, rules, strict=True)
        },
    }


def _record(line: bytes) -> GameRecord | None:
    """The game of a line; None if the line was cut off or is none."""
    try:
        record: GameRecord = json.loads(line)
        return (
            record if isinstance(record["stack"], str) and isinstance(record["seed"], int) else None
        )
    except (ValueError, KeyError, TypeError):
        return None


def _read(place: Path) -> dict[str, Any]:
    try:
        found = json.loads(place.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as wrong:
        raise UsageError(f"`{place}` cannot be read; choose another folder.") from wrong
    return found if isinstance(found, dict) else {}
