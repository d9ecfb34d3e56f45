"""Saved games: text people can read, that grows at its end and never loses an acknowledged answer.

A save is a TOML header (format, engine, stack, packs with their content hashes, seats, seed,
options) and a log with one line for each answer. Every line carries a checksum of itself and all
lines before it, so a save that was edited, spliced or damaged is noticed at the very line. A line
is on the disk before `record` returns. A tail that was cut off in the middle of a line (the process
died while writing) is dropped, since nobody was told that it is safe.

Beside the save a snapshot of a later position makes loading quick. It is only a shortcut: it is
used if it fits the log, and ignored otherwise.
"""

import hashlib
import json
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import attrs
import tomli_w

from ziggurat.dsl import ir
from ziggurat.dsl.files import replace_file
from ziggurat.runtime.errors import Refused, RulesError
from ziggurat.runtime.game import Game
from ziggurat.runtime.program import Program
from ziggurat.runtime.state import State
from ziggurat.runtime.table import Seat

FORMAT = 1
ANSWERS = "--- answers ---"
UNDO, REDO = "undo", "redo"
SNAPSHOT_EVERY = 200


class BadSave(Exception):  # noqa: N818 - says what it is
    """A save that cannot be used; the message is one sentence for people."""


@attrs.frozen
class Header:
    """What a save needs to be played on: the same rules, seats, seed and options.

    `people` are the seats that people play; the other seats are for programs. It means nothing to
    the game itself.
    """

    engine: str
    stack: str
    packs: tuple[tuple[str, str, str], ...]
    seats: tuple[tuple[str, str], ...]
    seed: int
    options: tuple[tuple[str, Any], ...]
    people: tuple[str, ...] = ()

    def text(self) -> str:
        data: dict[str, Any] = {
            "format": FORMAT,
            "engine": self.engine,
            "stack": self.stack,
            "seed": self.seed,
            **({"people": list(self.people)} if self.people else {}),
            "options": dict(self.options),
            "seats": [{"name": name, "plays": plays} for name, plays in self.seats],
            "packs": [{"id": i, "version": v, "hash": h} for i, v, h in self.packs],
        }
        return "# A saved game of Ziggurat.\n" + tomli_w.dumps(data)

    @classmethod
    def read(cls, text: str) -> "Header":
        try:
            data = tomllib.loads(text)
            version = data["format"]
        except (tomllib.TOMLDecodeError, KeyError) as wrong:
            raise BadSave("This is not a saved game of Ziggurat.") from wrong
        if version != FORMAT:
            raise BadSave(
                f"This save has format {version}; this version of Ziggurat reads format {FORMAT}."
            )
        try:
            return cls(
                engine=str(data["engine"]),
                stack=str(data["stack"]),
                packs=tuple((p["id"], p["version"], p["hash"]) for p in data["packs"]),
                seats=tuple((s["name"], s["plays"]) for s in data["seats"]),
                seed=int(data["seed"]),
                options=tuple(data["options"].items()),
                people=tuple(str(name) for name in data.get("people", ())),
            )
        except (KeyError, TypeError, ValueError) as wrong:
            raise BadSave(f"The header of this save lacks {wrong}.") from wrong


def header_of(game: Game, engine: str, options: Mapping[str, Any]) -> Header:
    """The header of a game that starts now."""
    ruleset = game.run.rules
    return Header(
        engine=engine,
        stack=ruleset.stack,
        packs=tuple((p.id, p.version, p.text_hash) for p in ruleset.packs),
        seats=tuple((seat.name, seat.plays or "") for seat in game.table.seats),
        seed=game.state.seed,
        options=tuple(sorted(options.items())),
    )


@attrs.frozen
class SavedAnswer:
    """One line of the log: a seat and its answer, or `undo`/`redo` with a number."""

    seat: str
    answer: Any

    def body(self, number: int) -> str:
        return f"{number} {json.dumps([self.seat, self.answer], ensure_ascii=False)}"


def _chain(before: str, body: str) -> str:
    return hashlib.sha256(f"{before}\n{body}".encode()).hexdigest()[:16]


class Save:
    """A save that is being written: the game, its file, and the chain of checksums."""

    def __init__(self, path: Path, header: Header, game: Game) -> None:
        self.path = path
        self.header = header
        self.game = game
        self.records: list[SavedAnswer] = []
        self._sum = _chain("", header.text())
        self._file: IO[bytes] | None = None

    # ---- writing

    def create(self) -> None:
        """Write the header, replacing whatever stood there in one move."""
        text = f"{self.header.text()}\n{ANSWERS} {self._sum}\n"
        replace_file(self.path, text.encode(), durable=True)
        snapshot_path(self.path).unlink(missing_ok=True)

    def answer(self, answer: Any, seat: str | None = None) -> None:
        """Answer a decision of the game and record it. Raises `Refused`, recording nothing."""
        faces = [d for d in self.game.decisions if seat is None or d.decider == seat]
        if not faces:
            raise Refused("Nobody is asked." if seat is None else f"{seat} is not asked.")
        plain = faces[0].name(faces[0].read(answer))
        self.game.answer(plain, faces[0].decider)
        self.record(SavedAnswer(faces[0].decider, plain))

    def undo(self, number: int = 1) -> int:
        """Take back answers, also those from before a snapshot the game was loaded from."""
        if number > self.game.answered and len(self.records) > self.game.answered:
            self._replay()
        return self._step_back(UNDO, self.game.undo(number))

    def redo(self, number: int = 1) -> int:
        """Give answers again that were taken back."""
        return self._step_back(REDO, self.game.redo(number))

    def _step_back(self, word: str, number: int) -> int:
        if number:
            self.record(SavedAnswer(word, number))
        return number

    def record(self, record: SavedAnswer) -> None:
        """Put a line on the disk; when this returns, it is safe."""
        body = record.body(len(self.records) + 1)
        self._sum = _chain(self._sum, body)
        if self._file is None:
            self._file = self.path.open("ab")
        self._file.write(f"{body} {self._sum}\n".encode())
        self._file.flush()
        os.fsync(self._file.fileno())
        self.records.append(record)
        if len(self.records) % SNAPSHOT_EVERY == 0:
            self.write_snapshot()

    def write_snapshot(self) -> None:
        """Keep the position of this moment beside the save."""
        state = self.game.state
        data = {
            "records": len(self.records),
            "sum": self._sum,
            "digest": state.digest(),
            "sites": _numbering(self.game.run.bound.program),
            "state": state.to_data(),
        }
        replace_file(snapshot_path(self.path), json.dumps(data).encode(), durable=True)

    def close(self) -> None:
        """Let go of the file; the next answer opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    # ---- reading

    def _replay(self) -> None:
        """Come to the same position with the whole history."""
        self.game = _start(self.header, self.game.run.bound.program, type(self.game))
        for number, record in enumerate(self.records, 1):
            self._play(record, number)

    def _play(self, record: SavedAnswer, number: int) -> None:
        try:
            if record.seat == UNDO:
                done = self.game.undo(record.answer) == record.answer
            elif record.seat == REDO:
                done = self.game.redo(record.answer) == record.answer
            else:
                self.game.answer(record.answer, record.seat)
                done = True
        except (Refused, RulesError, TypeError) as wrong:
            raise BadSave(f"Answer {number} of this save is not legal: {wrong}") from wrong
        if not done:
            raise BadSave(f"Answer {number} of this save takes back more than there is.")


def snapshot_path(path: Path) -> Path:
    return path.with_name(path.name + ".snapshot")


@attrs.frozen
class Parsed:
    """A save as read: `good` is how many bytes of it hold whole lines."""

    header: Header
    records: tuple[SavedAnswer, ...]
    sums: tuple[str, ...]
    good: int
    cut: bool


def parse(data: bytes) -> Parsed:
    """Read a save's bytes. Raises `BadSave` with one sentence for anything but a cut-off tail."""
    head, mark, rest = data.partition(f"\n{ANSWERS} ".encode())
    if not mark:
        raise BadSave("This is not a saved game of Ziggurat, or it was cut off in its header.")
    try:
        header_text = head.decode()
    except UnicodeDecodeError as wrong:
        raise BadSave("This is not a saved game of Ziggurat.") from wrong
    header = Header.read(header_text)
    first, newline, _ = rest.partition(b"\n")
    total = _chain("", header_text)
    if not newline or first.decode(errors="replace") != total:
        raise BadSave("The header of this save was changed or damaged after it was written.")
    at = len(head) + len(mark) + len(first) + 1
    records: list[SavedAnswer] = []
    sums = [total]
    while at < len(data):
        end = data.find(b"\n", at)
        if end < 0:
            return Parsed(header, tuple(records), tuple(sums), at, cut=True)
        records.append(_record(data[at:end], len(records) + 1, sums))
        at = end + 1
    return Parsed(header, tuple(records), tuple(sums), at, cut=False)


def _record(line: bytes, number: int, sums: list[str]) -> SavedAnswer:
    body, _, given = line.decode(errors="replace").rpartition(" ")
    expected = _chain(sums[-1], body)
    counted, _, text = body.partition(" ")
    if given != expected or counted != str(number):
        raise BadSave(
            f"Answer {number} of this save was changed or damaged; the {number - 1} before it are"
            f" sound (load them with --to {number - 1})."
        )
    sums.append(expected)
    seat, answer = json.loads(text)
    return SavedAnswer(seat, answer)


def check_packs(header: Header, ruleset: ir.Ruleset) -> None:
    """Refuse other rules than the save was made with, naming the packs."""
    now = {pack.id: (pack.version, pack.text_hash) for pack in ruleset.packs}
    other = [
        f"{id_} {version}" + ("" if id_ in now else " (missing)")
        for id_, version, hash_ in header.packs
        if now.get(id_) != (version, hash_)
    ]
    more = [id_ for id_ in now if id_ not in {pack[0] for pack in header.packs}]
    if other or more:
        names = ", ".join([*other, *(f"{id_} (not in the save)" for id_ in more)])
        raise BadSave(
            f"This save was made with other rules than the ones found now; they differ in: {names}."
        )


def load(
    path: Path,
    rules: Callable[[str], Program],
    to: int | None = None,
    watch: Callable[[Game, int, SavedAnswer], object] | None = None,
    kind: type[Game] = Game,
) -> tuple[Save, list[str]]:
    """The save at a path, played up to its last answer (or the first `to`), and what to tell.

    `rules` gives the program of a stack. `watch` is told of every answer replayed, which also means
    that nothing is skipped with the snapshot. `kind` is the class of the game.
    """
    try:
        data = path.read_bytes()
    except OSError as wrong:
        raise BadSave(f"{path.name} cannot be read: {wrong.strerror}.") from wrong
    parsed = _parse_to(data, to)
    told: list[str] = []
    if parsed.cut:
        told.append("The last answer was cut off while it was written, and is dropped.")
    header = parsed.header
    program = rules(header.stack)
    check_packs(header, program.ruleset)
    save = Save(path, header, _start(header, program, kind))
    records = parsed.records
    begin = 0 if watch or to is not None else _from_snapshot(save, parsed)
    for number in range(begin, len(records)):
        save._play(records[number], number + 1)
        if watch:
            watch(save.game, number + 1, records[number])
    save.records = list(records)
    save._sum = parsed.sums[len(records)]
    if to is None and parsed.cut:
        replace_file(path, data[: parsed.good], durable=True)
    return save, told


def _parse_to(data: bytes, to: int | None) -> Parsed:
    """All of a save, or its first `to` answers whatever follows them."""
    if to is None:
        return parse(data)
    _, mark, _ = data.partition(f"\n{ANSWERS} ".encode())
    start_at = data.find(b"\n", data.find(mark) + 1) + 1 if mark else 0
    end = start_at
    for _ in range(to):
        following = data.find(b"\n", end)
        if following < 0:
            break
        end = following + 1
    return parse(data[:end] if end else data)


def _start(header: Header, program: Program, kind: type[Game]) -> Game:
    seats: Sequence[Seat] = [Seat(name, plays or None) for name, plays in header.seats]
    try:
        return kind.start(program, seats=seats, seed=header.seed, options=dict(header.options))
    except (ValueError, KeyError) as wrong:
        raise BadSave(f"The header of this save does not fit the rules: {wrong}") from wrong


def _numbering(program: Program) -> str:
    """What the numbers of decisions and sentences in a state stand for: another version of Ziggurat
    may count them differently, and then a snapshot means nothing."""
    return hashlib.sha256(repr([(s.path, s.at) for s in program.sites]).encode()).hexdigest()[:16]


def _from_snapshot(save: Save, parsed: Parsed) -> int:
    """Jump to the snapshot if it fits the log; how many records that spares.

    Taking back answers from before the snapshot needs the whole log, so a save with any undo behind
    the snapshot is replayed from its start.
    """
    try:
        data = json.loads(snapshot_path(save.path).read_bytes())
        number, total = data["records"], data["sum"]
        if not 0 < number <= len(parsed.records) or parsed.sums[number] != total:
            return 0
        if any(record.seat in (UNDO, REDO) for record in parsed.records[number:]):
            return 0
        if data["sites"] != _numbering(save.game.run.bound.program):
            return 0
        state = State.from_data(save.game.table, data["state"])
        if state.digest() != data["digest"]:
            return 0
    except (OSError, ValueError, KeyError, TypeError, IndexError, OverflowError):
        return 0
    save.game.restore(state)
    return int(number)
