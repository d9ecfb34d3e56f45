"""A game in the terminal from its first question to its end, saved at every answer."""

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext

from rich.console import Console, RenderableType
from rich.text import Text

from ziggurat import (
    Decision,
    Game,
    InternalError,
    Refused,
    RulesError,
    Save,
    Search,
    Searching,
    answer_of,
    member_type,
    nearest,
)
from ziggurat.studio.console import FOUND, INTERNAL, INTERRUPTED, OK
from ziggurat.studio.language import tr
from ziggurat.studio.narrator import Narrator
from ziggurat.studio.play import news, turns
from ziggurat.studio.play.board import Board, indented
from ziggurat.studio.play.choices import Cancelled
from ziggurat.studio.play.commands import COMMANDS, Changed, Left, command
from ziggurat.studio.play.naming import Names, WrongInput, normal, source
from ziggurat.studio.play.reader import Reader
from ziggurat.studio.play.screen import Screen
from ziggurat.studio.play.seats import bot

WIDEST = 100
CLEAR = "\x1b[H\x1b[2J\x1b[3J"


class Session:
    """People and programs at one game."""

    def __init__(
        self,
        save: Save,
        people: Sequence[str],
        bots: Mapping[str, str],
        out: Console,
        reader: Reader,
        search: Search,
    ) -> None:
        self.save, self.people, self.out, self.reader = save, people, out, reader
        self.search = search
        luck = save.header.seed * 1_000_003 + len(save.records)
        seats = save.game.seats
        self.bots = {name: bot(bots.get(name, "bot"), luck + n) for n, name in enumerate(seats)}
        self.sitting = ""
        self._seen: dict[str, int] = {}
        self._asked: tuple[object, ...] = ()
        self._legend = False
        if save.records:
            self._seen = {seat: news.happened(save.game, seat) for seat in people}

    @property
    def game(self) -> Game:
        return self.save.game

    @property
    def width(self) -> int:
        return min(self.out.width, WIDEST)

    # ---- talking

    def show(self, *parts: RenderableType) -> None:
        for part in parts:
            self.out.print(part, markup=False, width=self.width)

    def wrong(self, wrong: WrongInput) -> None:
        self.show(Text(wrong.text, style="red"))
        if wrong.source:
            self.show(indented(wrong.source, "dim"))

    def line(self, prompt: str, words: Sequence[str], again: Callable[[], None]) -> str:
        """A line inside a question; commands work here, and an empty one asks `again`, too. What
        is taken back here is what was begun."""
        while True:
            raw = self._read(f"  {prompt}> ", list(words))
            if not raw.strip():
                again()
            elif command(raw, True) == ("undo", ""):
                raise Cancelled("undo")
            elif not self._command(raw, True):
                return raw

    def _read(self, prompt: str, words: list[str] | None = None) -> str:
        screen = self.screen

        def complete(before: str) -> list[str]:
            if words is not None:
                return words
            known = screen.answers.completions(before)
            head = normal(before)
            if head in ("board", "explain", "help", "why"):
                return self._after(head)
            return known if before.strip() else [*known, *COMMANDS]

        return self.reader.line(prompt, complete, screen.seat)

    def _after(self, head: str) -> list[str]:
        """What may follow a command."""
        game, rules = self.game, self.game.ruleset
        if head == "board":
            kinds = game.kinds("place")
            return ["all", *(thing.id for kind in kinds for thing in game.things(kind))]
        words: dict[str, Iterable[str]]
        words = {"explain": rules.values, "help": COMMANDS, "why": rules.actions}
        return list(words[head])

    def _command(self, raw: str, answers_come_first: bool) -> bool:
        """Carry out a command; whether it was one."""
        try:
            found = command(raw, answers_come_first)
            if found is not None:
                COMMANDS[found[0]](self, found[1])
        except WrongInput as wrong:
            self.wrong(wrong)
            return True
        return found is not None

    # ---- the game

    def run(self) -> int:
        """Play until it is over or somebody leaves; the exit code."""
        saved = tr("The game is saved in {path}").format(path=self.save.path)
        self.show(saved, tr("`help` says what you can type."))
        code = OK
        try:
            while self.game.decision is not None:
                self._step()
            self._end()
        except (Left, EOFError):
            self._leave()
        except KeyboardInterrupt:
            code = INTERRUPTED
            self._leave()
        except RulesError as wrong:
            code = FOUND
            self.show(Text(tr("The rules cannot go on: {wrong}").format(wrong=wrong), style="red"))
            self._leave()
        except InternalError as wrong:
            code = INTERNAL
            self.show(Text(str(wrong), style="red"))
            self._leave()
        finally:
            self.save.close()
        return code

    def _leave(self) -> None:
        file = shlex.quote(str(self.save.path)) + (" --anyway" if self.save.anyway else "")
        self.show("", tr("Everything is saved. Continue with"))
        self.out.print(f"  ziggurat play --load {file}", markup=False, soft_wrap=True)

    def _step(self) -> None:
        done, _ = turns.answered(self.save.records)
        last = done[-1] if done else ""
        decision = turns.following(self.game.decisions, self.people, last, self.sitting)
        if decision.decider in self.people:
            self._person(decision)
            return
        with self._thinking(decision.decider):
            answer = answer_of(self.bots[decision.decider], self.game, decision)
        self.save.answer(answer, decision.decider)

    def _thinking(self, seat: str) -> AbstractContextManager[object]:
        """A sign of life while a program thinks that takes its time."""
        if not isinstance(self.bots[seat], Searching):
            return nullcontext()
        return self.out.status(tr("{seat} is thinking …").format(seat=seat))

    def _person(self, decision: Decision) -> None:
        self.screen = screen = Screen(self.game, decision, self)
        if len(self.people) > 1 and self.sitting != screen.seat:
            self._cover()
        self.sitting = screen.seat
        self._tell(screen.seat, screen.names)
        asked = (*screen.place, decision.kind, tuple(decision.actions()) if decision.kind == "act"
                 else "")  # fmt: skip
        if asked[:3] != self._asked[:3]:
            self.show("", screen.heading())
            self.show(screen.standing(legend=not self._legend))
            self._legend = True
        screen.question(brief=asked == self._asked)
        self._asked = asked
        while not self._answered(decision):
            pass

    def _answered(self, decision: Decision) -> bool:
        """Read one line; whether the question is settled by it."""
        screen = self.screen
        raw = self._read(screen.reminder())
        if not raw.strip():
            screen.question()
            return False
        try:
            if self._command(raw, self._fits(raw)):
                return False
            answer = screen.answers.read(raw)
            self.save.answer(answer, decision.decider)
            self._effect(answer)
        except Changed as changed:
            self.show(str(changed))
            self._asked = ()
        except Cancelled:
            self.show(tr("Never mind."))
            return False
        except Refused as refused:
            self.wrong(WrongInput(refused.reason, source(refused.meta, refused.at)))
            return False
        except WrongInput as wrong:
            self.wrong(self._hint(raw, wrong))
            return False
        return True

    def _fits(self, raw: str) -> bool:
        """Whether an answer begins with the word typed."""
        word = normal(raw.split()[0])
        choices = self.screen.answers.choices()
        return any(one.startswith(word) for choice in choices for one in choice.spellings)

    def _hint(self, raw: str, wrong: WrongInput) -> WrongInput:
        """A mistyped command is perhaps what was meant."""
        near = nearest(normal(raw.split()[0]), COMMANDS)
        if near and "Did you mean" not in wrong.text and not wrong.source:
            meant = tr("Did you mean the command `{near}`?").format(near=near)
            return WrongInput(f"{wrong.text} {meant}")
        return wrong

    def _effect(self, answer: object) -> None:
        """An action that was done, and how the places named in it look now."""
        if not isinstance(answer, dict) or "action" not in answer:
            return
        game, seat = self.game, self.sitting
        rule = game.ruleset.actions[answer["action"]]
        names = Names(game.seen_by(seat))
        board = Board(game, seat, names)
        pairs = zip(rule.params, answer["args"], strict=True)
        told = [
            board.label(names.choice(arg, param.type), param.type)
            if param.single
            else names.all(arg, member_type(param))
            for param, arg in pairs
        ]
        done = (
            f"{rule.title or rule.id}: {'; '.join(dict.fromkeys(told))}"
            if told
            else rule.title or rule.id
        )
        self.show(Text(f"{done}.", style="green"))

    def _tell(self, seat: str, names: Names) -> None:
        """What is new for a seat since it decided last."""
        fresh = news.events(self.game, seat, names, self._seen.get(seat, 0))
        self.show(*news.paragraphs(fresh, seat, names))
        self._seen[seat] = news.happened(self.game, seat)

    def _cover(self) -> None:
        """Nobody sees what is another's."""
        if self.reader.terminal:
            self.out.file.write(CLEAR)
        name = self.screen.name
        self.show("", Text(tr("Pass the keyboard to {name}.").format(name=name), style="bold"))
        self.reader.line(tr("Enter when you sit down> "), lambda before: [], "")
        self._asked = ()

    def _end(self) -> None:
        seat = self.sitting or next(iter(self.people))
        self._tell(seat, Names(self.game.settled))
        narrator = Narrator(self.game)
        narrator.number = self.game.turn_number
        told = tr("The whole game is in {path}").format(path=self.save.path)
        self.show(narrator.ending(), "", told)

    # ---- back and forth

    def undo(self, number: int) -> int:
        """Take back what people did, and what followed; how many answers that were. An action is
        taken back with all that was asked on its way."""
        taken = 0
        while number and (count := self._back()):
            taken += count
            number -= not self.game.position.doing
        return taken

    def _back(self) -> int:
        """Take back one answer of people."""
        done, _ = turns.answered(self.save.records)
        count = turns.back(done, self.people)
        if count:
            self.save.undo(count)
            self._seat_after(done[-count])
        return count

    def redo(self, number: int) -> int:
        given = 0
        while number and (count := self._again()):
            given += count
            number -= not self.game.position.doing
        return given

    def _again(self) -> int:
        _, undone = turns.answered(self.save.records)
        return self.save.redo(turns.again(undone, self.people))

    def _seat_after(self, seat: str) -> None:
        """Who answered is asked again; nobody else has seen anything in between."""
        if len(self.people) == 1:
            self.sitting = seat
        for one in self.people:
            self._seen[one] = min(self._seen.get(one, 0), news.happened(self.game, one))
