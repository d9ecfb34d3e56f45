"""One table: a save with its one writer, who sits where, and what each of them may see.

Everything here may be called from any thread: a lock a table lets one at a time come near its game.
What a document shows is worked out when somebody asks for it, once for each seat and change.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ziggurat import (
    REDO,
    UNDO,
    Decision,
    Game,
    InternalError,
    Refused,
    RulesError,
    Save,
    SavedAnswer,
    where,
)
from ziggurat.studio.play import turns
from ziggurat.studio.web import asking
from ziggurat.studio.web.about import PERSON, About
from ziggurat.studio.web.changes import Changes
from ziggurat.studio.web.documents import Common, Document, Documents
from ziggurat.studio.web.keys import SEAT
from ziggurat.studio.web.lines import Lines, Teller
from ziggurat.studio.web.refusals import ANSWERED, NOT_ASKED, Refusal
from ziggurat.studio.web.told import refusal_of, showed_nothing

Data = dict[str, Any]
NO_DISK = "This does not count, because it cannot be saved."


class Table:
    """A game that several people and programs play over the network."""

    def __init__(self, id_: str, save: Save, about: About, about_path: Path) -> None:
        self.id = id_
        self.about = about
        self.lock = threading.RLock()
        self.changes = 0  # how often anything changed that a document may show
        self.trouble: Data | None = None
        self.changes_found = Changes()
        self.lost = False  # the game is ahead of its file: it must be read again
        self._path = about_path
        self._take(save)

    def _take(self, save: Save) -> None:
        """Go on with a save."""
        self.save = save
        self._done, self._undone = turns.answered(save.records)
        self._turned = sum(record.seat in (UNDO, REDO) for record in save.records)
        self._harmless: tuple[int, bool] | None = None
        self._making = Documents(save.game.ruleset)
        self._tellers: dict[str, Teller] = {}
        self._documents: dict[tuple[str, bool], tuple[int, Document]] = {}
        self._common: tuple[int, Common] = (self.changes, Common())

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.save.game

    @property
    def state(self) -> str:
        """Whether it is played: `playing`, `over`, `stopped` or `ended`."""
        if self.about.ended:
            return "ended"
        if self.trouble is not None:
            return "stopped"
        return "over" if self.game.over else "playing"

    # ---- what is seen

    def document(self, seat: str, host: bool = False) -> Document:
        """What a seat (or an `ONLOOKER`) may see now. Raises `Refusal` if the game is ahead of its
        file: nobody is to see what may never have been."""
        with self.lock:
            if self.lost:
                raise Refusal(503, NO_DISK)
            kept = self._documents.get((seat, host))
            if kept is not None and kept[0] == self.changes:
                return kept[1]
            given = {
                "table": self.id,
                "host": host,
                "state": self.state,
                "trouble": self.trouble,
                "undo": self.may_undo(seat),
            }
            lines, asked = self.lines(seat), self._asked(seat)
            if self._common[0] != self.changes:
                self._common = self.changes, Common()
            common = self._common[1]
            found = self._making.document(self.game, self.about, seat, given, lines, asked, common)
            self._documents[seat, host] = self.changes, found
            return found

    def lines(self, seat: str) -> Lines:
        """The log as a seat may read it."""
        with self.lock:
            return self._tellers.setdefault(seat, Teller(seat)).lines(self.game)

    # ---- decisions

    def _decision(self, seat: str) -> Decision | None:
        return next((one for one in self.game.decisions if one.decider == seat), None)

    def asks(self, seat: str) -> bool:
        """Whether a person in a seat is asked something, as far as that can be said at once: nobody
        comes near a game that somebody else is changing."""
        if self.about.by.get(seat) != PERSON or not self.lock.acquire(blocking=False):
            return False
        try:
            return any(one.decider == seat for one in self.game.decisions)
        finally:
            self.lock.release()

    def _number(self, seat: str) -> str:
        """The id of what a seat is asked. It tells what the seat knows anyway: how often it has
        answered, and how often answers were taken back."""
        return f"{self._turned}.{self._done.count(seat)}"

    def _asked(self, seat: str) -> list[tuple[str, Decision]]:
        """What a seat is asked, under its id; nothing of what a program decides in its place."""
        if self.state != "playing" or self.about.by.get(seat) != PERSON:
            return []
        found = self._decision(seat)
        return [] if found is None else [(self._number(seat), found)]

    def _asked_by(self, seat: str, id_: Any) -> Decision:
        """The decision that somebody speaks of. Raises `Refusal`."""
        self._playing()
        if self.about.by.get(seat) != PERSON:
            raise Refusal(409, "A program plays this seat now; the host can give it back to you.")
        asked = self._asked(seat)
        if asked and asked[0][0] == id_:
            return asked[0][1]
        raise Refusal(409, ANSWERED if self._is_old(seat, id_) else NOT_ASKED)

    def _is_old(self, seat: str, id_: Any) -> bool:
        try:
            turned, own = map(int, str(id_)[:40].split("."))
        except ValueError:
            return False
        return turned < self._turned or own < self._done.count(seat)

    def options(self, seat: str, asked: Mapping[str, Any]) -> Data:
        """What may come next while an answer is put together. Raises `Refusal`."""
        with self.lock:
            decision = self._asked_by(seat, asked.get("decision"))
            try:
                return asking.next_options(self.game, decision, asked)
            except (RulesError, InternalError) as wrong:
                raise Refusal(409, failure_text(wrong)) from wrong

    def answer(self, seat: str, asked: Any, answer: Any) -> None:
        """A person answers; when this returns, it is on the disk. Raises `Refusal`."""
        with self.lock:
            decision = self._asked_by(seat, asked)
            if answer is None and not decision.optional:
                raise Refusal(409, asking.NO_SENSE)
            if decision.kind == "divide" and isinstance(answer, list):
                try:
                    answer = asking.shares(answer)
                except (TypeError, ValueError) as wrong:
                    raise Refusal(409, asking.NO_SENSE) from wrong
            try:
                self._write(lambda: self.save.answer(answer, seat))
            except Refused as refused:
                raise refusal_of(self.game, decision, answer, refused) from refused

    def answer_all(self, base: int, answers: Sequence[tuple[str, Any]]) -> bool:
        """Programs answer, one after the other; whether anything of it was still of use."""
        with self.lock:
            if base != len(self.save.records) or self.state != "playing":
                return False
            try:
                self._write(lambda: self.save.answer_all(answers))
            except Refused as refused:  # a policy that breaks the rules is a mistake of ours
                self.stop(f"A program answered what the rules refuse ({where(refused.at)}).")
            except Refusal:
                return False
            return True

    def _write(self, write: Callable[[], object]) -> None:
        """Change the game and its file. If rules fail, the table stands still with a message; if
        the disk does, the game is read from it again, because nobody was told of what is ahead."""
        before = len(self.save.records)
        try:
            write()
        except (RulesError, InternalError) as wrong:
            self.stop(failure_text(wrong))
            raise Refusal(409, failure_text(wrong)) from wrong
        except OSError as wrong:
            self.lost = True
            raise Refusal(503, disk_text(wrong)) from wrong
        finally:
            for record in self.save.records[before:]:
                self._note(record)
            self.changes += 1

    def _note(self, record: SavedAnswer) -> None:
        if record.seat not in (UNDO, REDO):
            self._done.append(record.seat)
            self._undone.clear()
            return
        source_, target = self._done, self._undone
        if record.seat == REDO:
            source_, target = target, source_
        for _ in range(record.answer):
            target.append(source_.pop())
        self._turned += 1
        for teller in self._tellers.values():
            teller.forget()

    def _playing(self) -> None:
        """Raise `Refusal` unless answers count."""
        if self.lost:
            raise Refusal(503, NO_DISK)
        told = {
            "ended": "The host has ended this table.",
            "stopped": "The rules cannot go on here; the host can take answers back.",
            "over": "The game is over.",
        }
        if self.state in told:
            raise Refusal(409, told[self.state])

    def stop(self, text: str, source_: str = "") -> None:
        """The game cannot go on, and everybody at the table is told why."""
        with self.lock:
            self.trouble = {"text": text, "source": source_}
            self.changes += 1

    def stop_at(self, base: int, text: str) -> None:
        """The same, unless somebody has answered since there were so many records."""
        with self.lock:
            if base == len(self.save.records):
                self.stop(text)

    # ---- programs

    def thinking(self) -> tuple[int, str] | None:
        """If a program is to answer now: how many records there are, and who answered last."""
        with self.lock:
            if self.state != "playing" or self.lost or not self.game.decisions:
                return None
            last = self._done[-1] if self._done else ""
            found = turns.following(self.game.decisions, self.about.people, last, "")
            if found.decider in self.about.people:
                return None
            return len(self.save.records), last

    # ---- taking back, and what else the host may do

    def may_undo(self, seat: str) -> bool:
        """Whether a seat may take its last answer back without the host: nobody has answered since,
        and it has shown the seat nothing new."""
        if self.state != "playing" or not self._done or self._done[-1] != seat:
            return False
        if self._harmless is None or self._harmless[0] != len(self.save.records):
            self._harmless = len(self.save.records), showed_nothing(self.game, seat)
        return self._harmless[1]

    def undo_own(self, seat: str) -> None:
        """Take back a seat's own last answer. Raises `Refusal`."""
        with self.lock:
            self._playing()
            if not self.may_undo(seat):
                raise Refusal(409, "Others have seen or done something since: ask the host.")
            self._write(lambda: self.save.undo(1))

    def undo(self) -> None:
        """Take back the last answer of a person, and what followed it. Raises `Refusal`."""
        with self.lock:
            self._not_ended()
            count = turns.back(self._done, self.about.people)
            if not count:
                raise Refusal(409, "There is nothing to take back.")
            self._write(lambda: self.save.undo(count))
            self.trouble = None

    def redo(self) -> None:
        """Give the next answer of a person again, and what followed it. Raises `Refusal`."""
        with self.lock:
            self._not_ended()
            if not self._undone:
                raise Refusal(409, "There is nothing to do again.")
            count = turns.again(self._undone, self.about.people)
            self._write(lambda: self.save.redo(count))

    def _not_ended(self) -> None:
        if self.about.ended:
            raise Refusal(409, "The host has ended this table.")
        if self.lost:
            raise Refusal(503, NO_DISK)

    def sit(self, seat: str, by: str) -> str | None:
        """Let a person or a policy play a seat; a new key, if a person needs one."""
        with self.lock:
            self._not_ended()
            key = None
            role = f"{SEAT}{seat}"
            if by == PERSON and not self.about.keys.has(role):
                key = self.about.keys.give(role)
            self.about.by[seat] = by
            self._keep()
            return key

    def replace_key(self, role: str) -> str:
        """A new key for a role; the old one is void."""
        with self.lock:
            key = self.about.keys.give(role)
            self._keep()
            return key

    def reload(self, load: Callable[[], Save]) -> None:
        """Go on with rules that were loaded anew."""
        with self.lock:
            self._not_ended()
            save = load()
            if save.lock is None:  # it is the same file
                save.lock, self.save.lock = self.save.lock, None
            self.save.close()
            self._keep()
            self._take(save)
            self._turned += 1  # what is asked now is asked by other rules
            self.trouble = None

    def end(self) -> None:
        """Nobody plays on. The save stays."""
        with self.lock:
            self.about.ended = True
            self._keep()
            self.save.close()

    def _keep(self) -> None:
        self.changes += 1
        try:
            self.about.write(self._path)
        except OSError as wrong:
            raise Refusal(503, disk_text(wrong)) from wrong

    def close(self) -> None:
        """Let go of the file."""
        with self.lock:
            self.save.close()


def disk_text(error: OSError) -> str:
    """Return what is told when the disk refuses something."""
    return f"{NO_DISK.removesuffix('.')}: {error.strerror or type(error).__name__}."


def failure_text(wrong: RulesError | InternalError) -> str:
    """What is told when rules fail: which and where, and nothing of the position."""
    place = f" at {where(wrong.at)}" if wrong.at.file else ""
    whose = "The rules cannot go on" if isinstance(wrong, RulesError) else "Ziggurat is mistaken"
    return f"{whose}: `{wrong.rule or 'a rule'}`{place} failed."
