"""Saved games: text people can read, that grows at its end and never loses an acknowledged answer.

A line of its log (`save_format`) is on the disk before `record` returns. Beside the save a snapshot
of a later position makes loading quick. It is only a shortcut: it is used if it fits the log, and
ignored otherwise.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from ziggurat.dsl.files import replace_file
from ziggurat.dsl.linking.hashing import meaning_hash
from ziggurat.runtime.errors import Refused, RulesError
from ziggurat.runtime.game import Game
from ziggurat.runtime.program import Program
from ziggurat.runtime.save_format import (
    ANSWERS,
    BadSave,
    Header,
    Parsed,
    SavedAnswer,
    chain,
    check_packs,
    parse_to,
)
from ziggurat.runtime.state import State
from ziggurat.runtime.table import Seat

UNDO, REDO = "undo", "redo"
SNAPSHOT_EVERY = 200
Begin = Callable[[Header, Program], Game]  # the game of a header before its first answer


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
        rules=meaning_hash(ruleset),
    )


class Save:
    """A save that is being written: the game, its file, and the chain of checksums."""

    def __init__(self, path: Path, header: Header, game: Game, begin: Begin | None = None) -> None:
        self.path = path
        self.header = header
        self.game = game
        self.begin = begin or start_of
        self.anyway = False  # whether its rules were taken whatever they mean
        self.records: list[SavedAnswer] = []
        self._sum = chain("", header.text())
        self._file: IO[bytes] | None = None

    # ---- writing

    def create(self) -> None:
        """Write the header, replacing whatever stood there in one move."""
        text = f"{self.header.text()}\n{ANSWERS} {self._sum}\n"
        replace_file(self.path, text.encode(), durable=True)
        snapshot_path(self.path).unlink(missing_ok=True)

    def answer(self, answer: Any, seat: str | None = None) -> None:
        """Answer a decision of the game and record it. Raises `Refused`, recording nothing."""
        self.record(self._answered(answer, seat))

    def answer_all(self, answers: Iterable[tuple[str, Any]]) -> None:
        """Answers of seats one after the other, which come to the disk together. One that cannot be
        given raises as in `answer`, and those before it are recorded."""
        given: list[SavedAnswer] = []
        try:
            for seat, answer in answers:
                given.append(self._answered(answer, seat))
        finally:
            if given:
                self.record(*given)

    def _answered(self, answer: Any, seat: str | None) -> SavedAnswer:
        for index, face in enumerate(self.game.decisions):
            if seat is None or face.decider == seat:
                inner = face.read(answer)
                self.game.decide(index, inner)
                return SavedAnswer(face.decider, face.name(inner))
        raise Refused("Nobody is asked." if seat is None else f"{seat} is not asked.")

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

    def record(self, *records: SavedAnswer) -> None:
        """Put lines on the disk; when this returns, they are safe."""
        lines = []
        for number, record in enumerate(records, len(self.records) + 1):
            body = record.body(number)
            self._sum = chain(self._sum, body)
            lines.append(f"{body} {self._sum}\n")
        if self._file is None:
            self._file = self.path.open("ab")
        self._file.write("".join(lines).encode())
        self._file.flush()
        os.fsync(self._file.fileno())
        before = len(self.records)
        self.records += records
        if before // SNAPSHOT_EVERY != len(self.records) // SNAPSHOT_EVERY:
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

    def remembered(self) -> Game:
        """The game with all its answers, also those from before a snapshot it was loaded from."""
        if len(self.records) > self.game.answered:
            self._replay()
        return self.game

    def _replay(self) -> None:
        """Come to the same position with the whole history."""
        self.game = self.begin(self.header, self.game.run.bound.program)
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


def load(
    path: Path,
    rules: Callable[[Header], Program],
    to: int | None = None,
    watch: Callable[[Game, int, SavedAnswer], object] | None = None,
    begin: Begin | None = None,
    anyway: bool = False,
) -> tuple[Save, list[str]]:
    """The save at a path, played up to its last answer (or the first `to`), and what to tell.

    `rules` gives the program that a header asks for; one whose rules mean something else is
    refused, unless it is to be taken `anyway`. `watch` is told of every answer replayed, which also
    means that nothing is skipped with the snapshot. `begin` gives the game before its first answer.
    """
    try:
        data = path.read_bytes()
    except OSError as wrong:
        raise BadSave(f"{path.name} cannot be read: {wrong.strerror}.") from wrong
    try:
        parsed = parse_to(data, to)
    except BadSave as wrong:
        raise BadSave(f"{path.name}: {wrong}") from wrong
    if to is not None and to > len(parsed.records):
        number = len(parsed.records)
        raise BadSave(f"{path.name} has {number} answers, so there is nothing after {to}.")
    told: list[str] = []
    if parsed.cut:
        told.append("The last answer was cut off while it was written, and is dropped.")
    header = parsed.header
    program = rules(header)
    changed = check_packs(header, program.ruleset, anyway)
    told += changed
    begin = begin or start_of
    save = Save(path, header, begin(header, program), begin)
    save.anyway = anyway
    records = parsed.records
    first = 0 if watch or to is not None or changed else _from_snapshot(save, parsed)
    for number in range(first, len(records)):
        save._play(records[number], number + 1)
        if watch:
            watch(save.game, number + 1, records[number])
    save.records = list(records)
    save._sum = parsed.sums[len(records)]
    if to is None and parsed.cut:
        replace_file(path, data[: parsed.good], durable=True)
    return save, told


def start_of(header: Header, program: Program, kind: type[Game] = Game) -> Game:
    """The game of a header before its first answer."""
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
