"""The journal of a simulation: one line for each game, as soon as it is finished.

A folder belongs to one simulation. `simulation.json` says which, so that other settings or changed
rules never mix with what is there. One process writes at a time. A line that was cut off when a
process died, or that is damaged, is passed over, and its game is played again.
"""

import json
import os
import time
from array import array
from bisect import bisect_left
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, Any

from ziggurat import GameRecord, Trial, engine_hash, lock_file, replace_file
from ziggurat.studio.console import UsageError
from ziggurat.studio.simulation.lines import (
    Head,
    read_columns,
    read_head,
    read_line,
    read_record,
    write_line,
)
from ziggurat.studio.simulation.plan import Rules

SETTINGS = "simulation.json"
JOURNAL = "games.jsonl"
REPLACED = "games.replaced.jsonl"
LOCK = ".lock"
FORMAT = 4
READABLE = (2, 3, FORMAT)  # before 4, lines are plain JSON, and the engine is not named
SYNCED = 1.0  # seconds after which what was written is on the disk, even if the power fails
_locks: set[IO[bytes]] = set()


def _close_locks() -> None:
    """Leave locks to the process that has them: its copies may live longer."""
    while _locks:
        _locks.pop().close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_locks)


class Journal:
    """The games of a folder. Only one process writes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / JOURNAL
        self.changed: dict[str, dict[str, Any]] = {}  # rulesets that are not as they were
        self.format = FORMAT  # that it was written in
        self._wanted: dict[str, Any] = {}
        self._file: IO[bytes] | None = None
        self._lock: IO[bytes] | None = None
        self._synced = 0.0

    def open(self, sides: Sequence[Trial], rules: Sequence[Rules], fresh: bool) -> None:
        """Make or check the folder. Raises `UsageError` if it belongs to another simulation.

        Rulesets whose rules or engine differ are in `changed`; `settle` accepts them.
        """
        self.own()
        known = {} if fresh else read_settings(self.folder)
        if fresh:
            self.path.unlink(missing_ok=True)
        self._wanted = settings_of(sides, rules)
        if known:
            self.format = known["format"]
            self._compare(known)
            self._wanted["rulesets"] = known["rulesets"] | self._wanted["rulesets"]
        elif self.path.exists():
            raise UsageError(f"`{self.path}` is no journal of a simulation; choose another folder.")
        if not self.changed:
            self.settle()

    def own(self) -> None:
        """Keep other processes from writing here until this one releases it or ends."""
        if self._lock is not None:
            return
        if self.folder.exists() and not self.folder.is_dir():
            raise UsageError(f"`{self.folder}` is a file, not a folder; choose another --out.")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = (self.folder / LOCK).open("ab")
        except OSError as error:
            raise UsageError(f"`{self.folder}` cannot be used: {error.strerror}.") from error
        if not lock_file(lock):
            lock.close()
            raise UsageError(
                f"another command is simulating into `{self.folder}`; wait for it, or choose"
                " another --out."
            )
        self._lock = lock
        _locks.add(lock)

    def begin(self, settings: dict[str, Any], lines: Iterable[bytes]) -> None:
        """Fill a folder that holds no games yet. Nothing is left if this fails."""
        new = self.path.with_suffix(".new")
        try:
            with new.open("wb") as file:
                file.writelines(lines)
                file.flush()
                os.fsync(file.fileno())
            self._wanted = settings
            self.settle()
            new.replace(self.path)
        finally:
            new.unlink(missing_ok=True)

    def what_changed(self, stack: str) -> str:
        """Return what of a ruleset that changed is known to differ, in words."""
        now = self._wanted["rulesets"][stack]["engine"]
        return "rules" if self.changed[stack].get("engine") == now else "rules or another engine"

    def settle(self) -> None:
        """Write what is simulated here: the games to come are played by that."""
        text = json.dumps(self._wanted, indent=2) + "\n"
        replace_file(self.folder / SETTINGS, text.encode(), durable=True)
        self.changed = {}

    def _compare(self, known: dict[str, Any]) -> None:
        else_ = f"Choose another folder with --out, or begin `{self.folder}` again with --fresh."
        for key in ("players", "policy", "limit"):
            if known[key] != self._wanted[key]:
                raise UsageError(
                    f"`{self.folder}` holds a simulation with {key} {known[key]}, not"
                    f" {self._wanted[key]}. {else_}"
                )
        for stack, settings in self._wanted["rulesets"].items():
            before = known["rulesets"].get(stack)
            if before is None or before == settings:
                continue
            for key, what in (("options", "options"), ("values", "values to measure")):
                if before[key] != settings[key]:
                    raise UsageError(
                        f"the games of `{stack}` in `{self.folder}` were played with other {what}."
                        f" {else_}"
                    )
            self.changed[stack] = before

    def append(self, record: GameRecord) -> None:
        """Write a game; when this returns, the end of this process does not harm it."""
        if self._file is None:
            self._file = self.path.open("a+b")
            self._drop_tail(self._file)
        self._file.write(write_line(record))
        self._file.flush()
        if time.monotonic() - self._synced > SYNCED:
            self._sync()

    def _sync(self) -> None:
        if self._file is not None:
            os.fsync(self._file.fileno())
            self._synced = time.monotonic()

    @staticmethod
    def _drop_tail(file: IO[bytes]) -> None:
        """Cut off what follows the last end of a line."""
        end = file.seek(0, os.SEEK_END)
        while end:
            start = max(0, end - 65536)
            file.seek(start)
            newline = file.read(end - start).rfind(b"\n")
            if newline >= 0:
                file.truncate(start + newline + 1)
                return
            end = start
        file.truncate(0)

    def close(self) -> None:
        """Put everything on the disk; the folder still belongs to this process.

        What cannot be written is given up: the next one to write cuts off a line without an end.
        """
        file, self._file = self._file, None
        if file is not None:
            try:
                os.fsync(file.fileno())
            finally:
                file.close()

    def release(self) -> None:
        """Let other processes write here."""
        self.close()
        if self._lock is not None:
            _locks.discard(self._lock)
            self._lock.close()
            self._lock = None

    def heads(self) -> Iterator[tuple[Head, int]]:
        """Yield what lies where in the file, each game once, in the order of the file."""
        seen: dict[str, _Seeds] = {}
        with self._reading() as file:
            start = 0
            for line in file:
                head = read_head(line)
                if head is not None and seen.setdefault(head.stack, _Seeds()).add(head.seed):
                    yield head, start
                start += len(line)

    def lines(self) -> Iterator[tuple[Head, bytes]]:
        """Yield the games so far as they stand there, each once."""
        with self._reading() as file:
            for head, start in self.heads():
                file.seek(start)
                yield head, file.readline()

    def records(self, games: Container[tuple[str, int]] | None = None) -> Iterator[GameRecord]:
        """Yield the games so far, or some of them, each once."""
        for head, line in self.lines():
            if games is None or (head.stack, head.seed) in games:
                record = read_line(line)
                if record is not None:
                    yield record

    def in_order(
        self, stacks: Collection[str], seeds: Sequence[int]
    ) -> Iterator[tuple[GameRecord, bytes]]:
        """Yield the games of these rulesets, and their columns, by their seeds.

        `seeds` ascend. Of a game that has not been yielded, only its place is in memory.
        """
        starts = {stack: array("q", [-1]) * len(seeds) for stack in sorted(stacks)}
        for head, start in self.heads():
            place = bisect_left(seeds, head.seed)
            if head.stack in starts and place < len(seeds) and seeds[place] == head.seed:
                starts[head.stack][place] = start
        with self._reading() as file:  # the file of now, though games are set aside meanwhile
            for start in chain.from_iterable(zip(*starts.values(), strict=True)):
                if start >= 0:
                    file.seek(start)
                    columns = read_columns(file.readline())
                    record = None if columns is None else read_record(columns)
                    if columns is not None and record is not None:
                        yield record, columns

    def done(self, stack: str, seeds: range) -> bytearray:
        """Return 1 for each of the seeds whose game is here, and 0 for the others."""
        flags = bytearray(len(seeds))
        for head, _ in self.heads():
            if head.stack == stack and head.seed in seeds:
                flags[head.seed - seeds.start] = 1
        return flags

    def set_aside(self, games: Collection[tuple[str, int]]) -> None:
        """Move the first lines of these games to a file beside the journal; others replace them.

        When the process dies in between, a line may stand in both files, but never in neither.
        """
        self.close()
        left = set(games)
        kept = self.path.with_suffix(".new")
        with self.path.open("rb") as old, kept.open("wb") as new:
            with (self.folder / REPLACED).open("ab") as aside:
                for line in old:
                    head = read_head(line)
                    key = head and (head.stack, head.seed)
                    (aside if key in left else new).write(line)
                    left.discard(key)
                aside.flush()
                os.fsync(aside.fileno())
            new.flush()
            os.fsync(new.fileno())
        kept.replace(self.path)

    def _reading(self) -> IO[bytes]:
        self.path.touch()
        return self.path.open("rb")


class _Seeds:
    """Seeds that were seen. Runs of them take no more memory than one."""

    def __init__(self) -> None:
        self._blocks: dict[int, int] = {}

    def add(self, seed: int) -> bool:
        """Note a seed. Return False if it was there already."""
        block, bit = divmod(seed, 1024)
        known = self._blocks.get(block, 0)
        if known >> bit & 1:
            return False
        self._blocks[block] = known | 1 << bit
        return True


def settings_of(sides: Sequence[Trial], rules: Sequence[Rules]) -> dict[str, Any]:
    """Return what `simulation.json` says of a simulation."""
    first = sides[0]
    return {
        "format": FORMAT,
        "players": first.players,
        "policy": first.policy,
        "limit": first.limit,
        "rulesets": {
            side.stack: {
                "rules": rule.identity,
                "engine": engine_hash(),
                "options": dict(side.options),
                "values": list(rule.measured),
            }
            for side, rule in zip(sides, rules, strict=True)
        },
    }


def read_settings(folder: Path) -> dict[str, Any]:
    """Return what is simulated in a folder; nothing if it holds no simulation."""
    place = folder / SETTINGS
    try:
        known: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageError(f"`{place}` cannot be read; choose another folder.") from error
    if not _are_settings(known):
        raise UsageError(f"`{place}` says nothing of a simulation; choose another folder.")
    if known["format"] not in READABLE:
        raise UsageError(
            f"`{folder}` was written in format {known['format']}; this version of Ziggurat reads"
            f" {', '.join(map(str, READABLE))}. Choose another folder."
        )
    return known


def _are_settings(known: Any) -> bool:
    return (
        isinstance(known, Mapping)
        and {"format", "players", "policy", "limit"} <= set(known)
        and isinstance(known.get("rulesets"), Mapping)
        and all(
            isinstance(one, Mapping) and {"rules", "options", "values"} <= set(one)
            for one in known["rulesets"].values()
        )
    )
