"""Saved games: text people can read, that grows at its end and never loses an acknowledged answer.

A line of its log (`save_format`) is on the disk before `record` returns. Beside the save a snapshot
of a later position makes loading quick. It is only a shortcut: it is used if it fits the log, the
rules and this version of the program, and ignored otherwise. A save is only ever played on by the
rules that its header names; whoever goes on by other ones does so in a new file.
"""

import errno
import hashlib
import json
import os
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import attrs

from ziggurat.dsl.files import replace_file
from ziggurat.dsl.linking.hashing import meaning_hash
from ziggurat.dsl.version import __version__
from ziggurat.runtime.game.game import Game
from ziggurat.runtime.kernel.errors import Refused, RulesError
from ziggurat.runtime.kernel.program import Program
from ziggurat.runtime.kernel.state import State
from ziggurat.runtime.kernel.table import Seat
from ziggurat.runtime.saves.cache import compiler_version
from ziggurat.runtime.saves.fingerprint import hash_position
from ziggurat.runtime.saves.format import (
    ANSWERS,
    FORMAT,
    POSITION_EVERY,
    REDO,
    UNDO,
    BadSave,
    Header,
    Parsed,
    SavedAnswer,
    chain,
    parse,
    parse_header,
    parse_to,
)
from ziggurat.runtime.saves.lock import SaveInUse, SaveLock, lock_save
from ziggurat.runtime.saves.rules import (
    Fit,
    OtherRules,
    differing_packs,
    means_the_same,
    rules_key,
)

SNAPSHOT_EVERY = 200
Watch = Callable[[Game, int, SavedAnswer], object]
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
        self.anyway = False  # whether the game is played by other rules than the header names
        self.lock: SaveLock | None = None  # of whoever keeps all others from writing it
        self.records: list[SavedAnswer] = []
        self._sum = chain("", header.text())
        self._file: IO[bytes] | None = None
        self._whole: int | None = None  # how many bytes to keep of a save that was cut off

    # ---- writing

    def create(self) -> None:
        """Write the header, replacing whatever stood there in one move."""
        text = f"{self.header.text()}\n{ANSWERS} {self._sum}\n"
        replace_file(self.path, text.encode(), durable=True)
        snapshot_path(self.path).unlink(missing_ok=True)

    def answer(self, answer: Any, seat: str | None = None) -> None:
        """Answer a decision of the game and record it. Raises `Refused`, recording nothing."""
        self.record(self._answered(answer, seat, len(self.records) + 1))

    def answer_all(self, answers: Iterable[tuple[str, Any]]) -> None:
        """Answers of seats one after the other, which come to the disk together. One that cannot be
        given raises as in `answer`, and those before it are recorded."""
        given: list[SavedAnswer] = []
        try:
            for seat, answer in answers:
                number = len(self.records) + len(given) + 1
                given.append(self._answered(answer, seat, number))
        finally:
            if given:
                self.record(*given)

    def _answered(self, answer: Any, seat: str | None, number: int) -> SavedAnswer:
        for index, face in enumerate(self.game.decisions):
            if seat is None or face.decider == seat:
                inner = face.read(answer)
                self.game.decide(index, inner)
                return SavedAnswer(face.decider, face.name(inner), self._position(number))
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
            self.record(SavedAnswer(word, number, self._position(len(self.records) + 1)))
        return number

    def _position(self, number: int) -> str:
        """Return the hash of the position that goes with so many answers, if one does."""
        is_due = number % POSITION_EVERY == 0 and self.header.format >= FORMAT
        return hash_position(self.game.state) if is_due else ""

    def continue_in(
        self, path: Path, kept: Mapping[str, str] | None = None, lock: SaveLock | None = None
    ) -> None:
        """Go on in a new file, whose header names the rules the game is played by.

        The file of before stays as it is. `kept` are the hashes of the texts that were kept of
        other rules than those of before.
        """
        self.close()
        self.lock, self._whole = lock, None
        if self.anyway:
            self.header = attrs.evolve(self._renewed_header(), kept=tuple((kept or {}).items()))
            self.records = [attrs.evolve(record, position="") for record in self.records]
            self.anyway = False
        records, self.records = self.records, []
        header = attrs.evolve(self.header, format=FORMAT)
        self.header = header.at(path.parent, header.pack_folders)
        self.path, self._sum = path, chain("", self.header.text())
        self.create()
        if records:
            self.record(*records)

    def _renewed_header(self) -> Header:
        header, ruleset = self.header, self.game.run.rules
        if header.scenario:
            start = self.begin(header, self.game.run.bound.program)
            header = attrs.evolve(header, position=start.state.digest())
        packs = tuple((p.id, p.version, p.text_hash) for p in ruleset.packs)
        rules = meaning_hash(ruleset)
        return attrs.evolve(
            header, engine=__version__, packs=packs, rules=rules, kept=(), inside=()
        )

    def record(self, *records: SavedAnswer) -> None:
        """Put lines on the disk; when this returns, they are safe.

        A game that is played by other rules than its file names goes on in a file beside it.
        """
        if self.anyway:
            self.continue_in(free_path(self.path, len(self.records)))
        lines = []
        for number, record in enumerate(records, len(self.records) + 1):
            body = record.body(number)
            self._sum = chain(self._sum, body)
            lines.append(f"{body} {self._sum}\n")
        if self._file is None:
            # Without a buffer: what the disk refuses is not to come to it later, when this closes.
            self._file = self.path.open("ab", buffering=0)
            if self._whole is not None:
                self._file.truncate(self._whole)
                self._whole = None
        data = "".join(lines).encode()
        if self._file.write(data) < len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
        os.fsync(self._file.fileno())
        before = len(self.records)
        self.records += records
        if before // SNAPSHOT_EVERY != len(self.records) // SNAPSHOT_EVERY:
            with suppress(OSError):  # the answers are safe, and a snapshot only saves time
                self.write_snapshot()

    def write_snapshot(self) -> None:
        """Keep the position of this moment beside the save."""
        state = self.game.state.to_data()
        data = {
            "records": len(self.records),
            "sum": self._sum,
            "made_by": _maker(self.game.run.bound.program),
            "check": _check_sum(state),
            "state": state,
        }
        replace_file(snapshot_path(self.path), json.dumps(data).encode(), durable=True)

    def close(self) -> None:
        """Let go of the file, so that others may write it; the next answer opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None
        if self.lock is not None:
            self.lock.release()
            self.lock = None

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
        reason = self._try(record)
        if reason:
            raise BadSave(f"Answer {number} of this save is not legal: {reason}")

    def _try(self, record: SavedAnswer) -> str:
        """Play a line of the log; return why that cannot be done, or nothing."""
        try:
            if record.seat == UNDO:
                is_done = self.game.undo(record.answer) == record.answer
            elif record.seat == REDO:
                is_done = self.game.redo(record.answer) == record.answer
            else:
                self.game.answer(record.answer, record.seat)
                is_done = True
        except (Refused, RulesError) as error:  # which may quote what cannot be printed
            return "".join(char if char.isprintable() else "�" for char in str(error))
        return "" if is_done else "it takes back more than there is"

    def _play_all(self, records: Sequence[SavedAnswer], first: int, watch: Watch | None) -> Fit:
        """Play a log from its line `first` on, and return how far it fits."""
        compared = moved = 0
        for number, record in enumerate(records[first:], first + 1):
            reason = self._try(record)
            if reason:
                return Fit(len(records), number - 1, reason, compared, moved)
            if record.position:
                compared += 1
                if not moved and hash_position(self.game.state) != record.position:
                    moved = number
            if watch:
                watch(self.game, number, record)
        return Fit(len(records), len(records), "", compared, moved)


def snapshot_path(path: Path) -> Path:
    return path.with_name(path.name + ".snapshot")


def free_path(path: Path, number: int) -> Path:
    """Return a name beside a save, of no file yet, for its game after so many answers."""
    name = f"{path.stem}-at-{number}"
    free = path.with_name(f"{name}.zig")
    count = 1
    while free.exists():
        count += 1
        free = path.with_name(f"{name}-{count}.zig")
    return free


def read_header(path: Path) -> Header:
    """Return what a save says of its game. Raise `BadSave`."""
    try:
        header, _, _ = parse_header(path.read_bytes())
    except OSError as error:
        raise BadSave(f"{path.name} cannot be read: {error.strerror}.") from error
    except BadSave as error:
        raise BadSave(f"{path.name}: {error}") from error
    return attrs.evolve(header, place=path.parent)


def load(
    path: Path,
    rules: Callable[[Header], Program],
    to: int | None = None,
    watch: Watch | None = None,
    begin: Begin | None = None,
    anyway: bool = False,
    trusted: bool = False,
    holder: str = "",
) -> tuple[Save, list[str]]:
    """Return the save at a path, played to its last answer (or its first `to`), and what to tell.

    `rules` gives the program that a header asks for. Raise `OtherRules` if it means something else,
    or plays the answers in another way, unless it is to be taken `anyway`; with `trusted` the
    caller knows that it means the same. `watch` hears of every answer replayed, which also means
    that nothing is skipped with the snapshot. `begin` gives the game before its first answer. A
    `holder` is going to write the save, and locks it until it is closed; without one the file is
    only read.
    """
    lock = _lock(path, holder) if holder else None
    try:
        save, told = _load(path, rules, to, watch, begin, anyway, trusted)
    except BaseException:
        if lock is not None:
            lock.release()
        raise
    save.lock = lock
    return save, told


def _lock(path: Path, holder: str) -> SaveLock:
    """Lock a save. Raise `BadSave` if somebody else plays it, or if it cannot be written."""
    try:
        path.open("r+b").close()
        return lock_save(path, holder)
    except FileNotFoundError as error:
        raise BadSave(f"{path.name} cannot be read: {error.strerror}.") from error
    except (SaveInUse, OSError) as error:
        reason = f"is being played already ({error})"
        if isinstance(error, OSError):
            reason = f"cannot be written ({error.strerror})"
        file, number = shlex.quote(str(path)), _count_answers(path)
        raise BadSave(
            f"{path.name} {reason}. `ziggurat play --load {file}@{number}` goes on in another file,"
            f" `ziggurat replay {file}` tells the game."
        ) from error


def _count_answers(path: Path) -> int:
    """Count the whole answers of a save that can be read."""
    try:
        return len(parse(path.read_bytes()).records)
    except OSError as error:
        raise BadSave(f"{path.name} cannot be read: {error.strerror}.") from error
    except BadSave as error:
        return error.sound or 0


def _load(
    path: Path,
    rules: Callable[[Header], Program],
    to: int | None,
    watch: Watch | None,
    begin: Begin | None,
    anyway: bool,
    trusted: bool,
) -> tuple[Save, list[str]]:
    try:
        data = path.read_bytes()
    except OSError as wrong:
        raise BadSave(f"{path.name} cannot be read: {wrong.strerror}.") from wrong
    try:
        parsed = parse_to(data, to)
    except BadSave as wrong:
        advice = ""
        if wrong.sound is not None:
            advice = f" `{shlex.quote(str(path))}@{wrong.sound}` is the game up to there."
        raise BadSave(f"{path.name}: {wrong}{advice}", wrong.sound) from wrong
    if to is not None and to > len(parsed.records):
        number = len(parsed.records)
        raise BadSave(f"{path.name} has {number} answers, so there is nothing after {to}.")
    told: list[str] = []
    if parsed.cut:
        told.append("The last answer was cut off while it was written, and is dropped.")
    header, records = attrs.evolve(parsed.header, place=path.parent), parsed.records
    program = rules(header)
    begin = begin or start_of
    packs = () if trusted else differing_packs(header, program.ruleset)
    is_changed = bool(packs) and not means_the_same(header, program.ruleset)
    try:
        save = Save(path, header, begin(header, program), begin)
    except BadSave as error:
        if not is_changed:
            raise
        raise OtherRules(packs, Fit(len(records), 0, str(error)), path.name) from error
    if is_changed and not anyway:
        raise OtherRules(packs, save._play_all(records, 0, None), path.name)
    first = 0 if watch or to is not None or packs else _from_snapshot(save, parsed)
    fit = save._play_all(records, first, watch)
    if not fit.is_whole or (fit.moved and not anyway):
        raise OtherRules(packs if is_changed else (), fit, path.name)
    save.anyway = is_changed or bool(fit.moved)
    told += _tell(packs, save.anyway)
    save.records = list(records)
    save._sum = parsed.sums[len(records)]
    if parsed.cut:
        save._whole = parsed.good
    return save, told


def _tell(packs: Sequence[str], anyway: bool) -> list[str]:
    """Return what to tell of packs that are not as they were."""
    listed = ", ".join(packs)
    if anyway:
        with_ = f": {listed}" if listed else ""
        return [f"The game goes on with other rules than it was begun with{with_}."]
    if packs:
        return [f"These packs are not as they were, but their rules mean the same: {listed}."]
    return []


def start_of(header: Header, program: Program, kind: type[Game] = Game) -> Game:
    """Return the game of a header before its first answer. Raise `BadSave` if it cannot begin."""
    seats: Sequence[Seat] = [Seat(name, plays or None) for name, plays in header.seats]
    try:
        return kind.start(program, seats=seats, seed=header.seed, options=dict(header.options))
    except (ValueError, LookupError, TypeError, AttributeError, RulesError) as error:
        raise BadSave(f"The header of this save does not fit the rules: {error}") from error


def _maker(program: Program) -> str:
    """Return what a snapshot must be made by to be of use: these rules, and this very program,
    since another one may count decisions and sentences differently, or play them differently."""
    return f"{compiler_version()} {rules_key(program.ruleset)}"


def _check_sum(data: Any) -> str:
    """Return a hash of plain data, in which every bit counts."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _from_snapshot(save: Save, parsed: Parsed) -> int:
    """Jump to the snapshot if it fits the log, and return how many records that spares.

    Taking back answers from before the snapshot needs the whole log, so a save with any undo behind
    the snapshot is replayed from its start.
    """
    game = save.game
    try:
        data = json.loads(snapshot_path(save.path).read_bytes())
        number, total = data["records"], data["sum"]
        if not 0 < number <= len(parsed.records) or parsed.sums[number] != total:
            return 0
        if any(record.seat in (UNDO, REDO) for record in parsed.records[number:]):
            return 0
        if data["made_by"] != _maker(game.run.bound.program):
            return 0
        if data["check"] != _check_sum(data["state"]):
            return 0
        shortcut = game.copy()
        shortcut.restore(State.from_data(game.table, data["state"]))
    except Exception:  # whatever was done to a snapshot, the log tells the game
        return 0
    save.game = shortcut
    return int(number)
