"""A game in the terminal from its first question to its end, saved at every answer."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from textwrap import shorten
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

from ziggurat import (
    Decision,
    Game,
    InternalError,
    Refused,
    RulesError,
    Save,
    SavedAnswer,
    Search,
    Searching,
    Sentences,
    answer_of,
    member_type,
    nearest,
)
from ziggurat.studio.console import FOUND, INTERNAL, INTERRUPTED, OK
from ziggurat.studio.language import tr
from ziggurat.studio.narrator import Narrator
from ziggurat.studio.play import news, turns
from ziggurat.studio.play.board import Board, indented
from ziggurat.studio.play.cards import does
from ziggurat.studio.play.changes import Changes
from ziggurat.studio.play.changes import sentences as change_sentences
from ziggurat.studio.play.choices import Cancelled
from ziggurat.studio.play.commands import COMMANDS, ELSEWHERE, Changed, Left, command
from ziggurat.studio.play.naming import Names, WrongInput, normal, question_text, source
from ziggurat.studio.play.reader import Reader
from ziggurat.studio.play.screen import Screen
from ziggurat.studio.play.seats import ME, bot
from ziggurat.studio.play.terms import has_terms
from ziggurat.studio.play.unfinished import begun_by, bundle_title
from ziggurat.studio.play.waiting import Waiting, without_waiting

WIDEST = 100
LONGEST = 60  # keys that are shown
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
        *,
        as_begun: bool = False,
    ) -> None:
        self.save, self.people, self.out, self.reader = save, people, out, reader
        self.search = search
        self._as_begun = as_begun
        self._wished = dict(bots)
        luck = save.header.seed * 1_000_003 + len(save.records)
        seats = save.game.seats
        self.bots = {name: bot(bots.get(name, "bot"), luck + n) for n, name in enumerate(seats)}
        self.sitting = ""
        self._seen: dict[str, int] = {}
        self._asked: tuple[object, ...] = ()
        self._place = ("", "", "")
        self._legend = False
        self._waiting = Waiting()
        self.changes = Changes(save.game, tuple(people))
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
            elif raw.strip() == "?":
                again()

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
                with self._by_pages():
                    COMMANDS[found[0]](self, found[1])
        except WrongInput as wrong:
            self.wrong(wrong)
            return True
        return found is not None

    @contextmanager
    def _by_pages(self) -> Iterator[None]:
        """Show what is printed meanwhile page by page, if it is longer than the terminal."""
        if not self.reader.terminal:
            yield
            return
        with self.out.capture() as printed:
            yield
        lines = printed.get().splitlines(keepends=True)
        size = max(5, self.out.height - 2)
        while lines:
            self.out.file.write("".join(lines[:size]))
            lines = lines[size:]
            told = tr("{number} more lines: Enter shows them, `q` leaves them out> ")
            if lines and self.reader.line(told.format(number=len(lines)), lambda _: [], "").strip():
                return

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
        except OSError as error:
            code = FOUND
            told = tr("The last answer could not be saved ({reason}), so it does not count.")
            self.show(Text(told.format(reason=error.strerror), style="red"))
            self._leave()
        finally:
            self.save.close()
        return code

    def _leave(self) -> None:
        words = ["ziggurat", "play", "--load", str(self.save.path)]
        words += ["--as-begun"] if self._as_begun else []
        if tuple(self.people) != self.save.header.people or self._wished:
            by = dict.fromkeys(self.people, ME) | self._wished
            words += ["--seats", ",".join(f"{seat}={who}" for seat, who in by.items())]
        self.show("", tr("Everything is saved. Continue with"))
        self.out.print(f"  {shlex.join(words)}", markup=False, soft_wrap=True)

    def _step(self) -> None:
        done, _ = turns.answered(self.save.records)
        last = done[-1] if done else ""
        decision = turns.following(self.game.decisions, self.people, last, self.sitting)
        if decision.decider in self.people:
            self._person(decision)
            return
        with self._thinking(decision.decider):
            answer = answer_of(self.bots[decision.decider], self.game, decision)
        self.changes.before(self.game)
        self.save.answer(answer, decision.decider)

    def _thinking(self, seat: str) -> AbstractContextManager[object]:
        """A sign of life while a program thinks that takes its time."""
        if not isinstance(self.bots[seat], Searching):
            return nullcontext()
        return self.out.status(tr("{seat} is thinking …").format(seat=seat))

    def _person(self, decision: Decision) -> None:
        if self._waiting.passes(self.game, decision):
            self.changes.before(self.game)
            self.save.answer(decision.end, decision.decider)
            return
        self.screen = screen = Screen(self.game, decision, self)
        if len(self.people) > 1 and self.sitting != screen.seat and not self._covered():
            return
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
        if self._place != screen.place:
            self._discard()
            self._place = screen.place
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
            line = without_waiting(raw) if decision.kind == "act" else ""
            answers = screen.answers.read(line or raw)
            if line:
                self._waiting.begin(self.game, decision)
            for answer in answers:
                acts = isinstance(answer, dict) and "action" in answer
                self.changes.before(self.game, decision.decider if acts else "")
                events = self.game.event_count
                self.save.answer(answer, decision.decider)
                self._effect(answer, events)
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
        word = normal(raw.split()[0])
        if word in ELSEWHERE:
            return WrongInput(tr(ELSEWHERE[word]))
        near = nearest(word, COMMANDS)
        if near and "Did you mean" not in wrong.text and not wrong.source:
            meant = tr("Did you mean the command `{near}`?").format(near=near)
            return WrongInput(f"{wrong.text} {meant}")
        return wrong

    def _effect(self, answer: object, events: int) -> None:
        """Tell of an action that was done, and of what came of it; `events` had happened before."""
        if not isinstance(answer, dict) or "action" not in answer:
            return
        names, rules = Names(self.game.seen_by(self.sitting)), self.game.ruleset
        self.show(Text(f"{self._deed(answer, names)}.", style="green"))
        for text in self._described(answer):
            self.show(indented(shorten(text, self.width - 2, placeholder=" …"), "dim"))
        change = self.changes.after(self.game)
        for bundle in sorted(begun_by(rules, answer["action"])):
            said = self.game.event_count - events > 1
            if not said and not self.game.seen_by(self.sitting).attribute(bundle, self.sitting):
                told = tr("{title}: nothing came of it.")
                self.show(indented(told.format(title=bundle_title(rules, bundle))))
        if change is None or not has_terms(rules, answer["action"]):
            return
        told_of = Sentences(rules)
        for text in change_sentences(change, names, told_of):
            self.show(indented(f"{text[:1].upper()}{text[1:]}."))

    def _described(self, answer: Mapping[str, Any]) -> Iterator[str]:
        """Yield what the cards of things say that an action was done with."""
        rules = self.game.ruleset
        told = Sentences(rules)
        for arg, param in zip(answer["args"], rules.actions[answer["action"]].params, strict=True):
            kind = param.type.name
            if param.single and kind in rules.kinds and kind not in self.game.kinds("place"):
                text = does(told, self.game.thing(kind, arg))
                if text:
                    yield text

    def _deed(self, answer: Mapping[str, Any], names: Names) -> str:
        """An action with what it was done with."""
        rule = self.game.ruleset.actions[answer["action"]]
        board = Board(self.game, self.sitting, names)
        pairs = zip(rule.params, answer["args"], strict=True)
        told = [
            board.label(names.choice(arg, param.type), param.type)
            if param.single
            else names.all(arg, member_type(param))
            for param, arg in pairs
        ]
        title = rule.title or rule.id
        return f"{title}: {'; '.join(dict.fromkeys(told))}" if told else title

    def _tell(self, seat: str, names: Names) -> None:
        """What is new for a seat since it decided last."""
        fresh = news.events(self.game, seat, names, self._seen.get(seat, 0))
        self.show(*news.paragraphs(fresh, seat, names))
        told = Sentences(self.game.ruleset)
        for change in self.changes.told(self.game, seat):
            for text in change_sentences(change, names, told):
                self.show(indented(f"{change.phase}: {text}."))
        self._seen[seat] = news.happened(self.game, seat)

    def _discard(self) -> None:
        """Discard what was typed before a question of another phase or player could be read. What
        somebody typed before others sat down may be a secret, so then nobody is told what."""
        typed = self.reader.discard()
        if not typed:
            return
        told = tr("What was typed before this question is discarded.")
        if self._place[2] in ("", self.screen.name):
            told = tr("Typed before this question, and discarded: {keys}")
            told = told.format(keys=typed[:LONGEST])
        self.show(Text(told, style="yellow"))

    def _covered(self) -> bool:
        """Cover what is another's. Return False if whoever got up took something back instead."""
        if self.reader.terminal:
            self.out.file.write(CLEAR)
        name = self.screen.name
        self.show("", Text(tr("Pass the keyboard to {name}.").format(name=name), style="bold"))
        if self.sitting:
            self.show(Text(tr("`undo` takes back what was answered last."), style="dim"))
        self._discard()
        prompt = tr("Enter when you sit down> ")
        while (typed := normal(self.reader.line(prompt, lambda before: [], ""))) in ("undo", "?"):
            if typed == "?":
                self.show(tr("Enter shows {name} what only they may see.").format(name=name))
                continue
            if not self.sitting:
                break
            try:
                taken = self.undo(1)
            except WrongInput as wrong:
                self.wrong(wrong)
                continue
            self.show(tr("Taken back: {what}.").format(what="; ".join(taken)))
            return False
        self._asked = ()
        return True

    def _end(self) -> None:
        seat = self.sitting or next(iter(self.people))
        self._tell(seat, Names(self.game.settled))
        narrator = Narrator(self.game)
        narrator.number = self.game.turn_number
        told = tr("The whole game is in {path}").format(path=self.save.path)
        self.show(narrator.ending(), "", told)

    # ---- back and forth

    def undo(self, number: int) -> list[str]:
        """Take back what people did, and what followed; return what that was, in words. An action
        is taken back with all that was asked on its way. Raises `WrongInput` where somebody else
        answered last."""
        taken: list[str] = []
        while number and (told := self._back()):
            taken.append(told)
            number -= not self.game.position.doing
        return taken

    def _back(self) -> str:
        """Take back one answer of people, and return it in words; nothing if there is none."""
        done, _ = turns.standing(self.save.records)
        count = turns.back([one.seat for one in done], self.people)
        if not count:
            return ""
        last = done[-count]
        if len(self.people) > 1 and last.seat != self.sitting:
            name = Names(self.game.settled).owner(last.seat)
            told = tr("{name} answered last, and nobody else can take that back.")
            raise WrongInput(told.format(name=name))
        self._waiting.end()
        self.save.undo(count)
        self.changes.begin(self.game)
        self._seat_after(last.seat)
        return self._answer_text(last)

    def _answer_text(self, record: SavedAnswer) -> str:
        """An answer to what is asked now, in words."""
        decision = next(one for one in self.game.decisions if one.decider == record.seat)
        moment, answer = self.game.seen_by(record.seat), record.answer
        names = Names(moment)
        if isinstance(answer, dict) and "action" in answer:
            return self._deed(answer, names)
        question = question_text(moment, decision)
        if decision.kind == "act":
            return f"{question}: {answer}"
        if isinstance(answer, dict):
            shares = (f"{names.choice(one, decision.item).label} {n}" for one, n in answer.items())
            return f"{question} {', '.join(shares)}"
        several = answer if isinstance(answer, list) else [answer]
        return f"{question} {names.all(several, decision.item)}"

    def redo(self, number: int) -> int:
        given = 0
        while number and (count := self._again()):
            given += count
            number -= not self.game.position.doing
        return given

    def _again(self) -> int:
        _, undone = turns.answered(self.save.records)
        number = self.save.redo(turns.again(undone, self.people))
        self.changes.begin(self.game)
        return number

    def _seat_after(self, seat: str) -> None:
        """Who answered is asked again; nobody else has seen anything in between."""
        if len(self.people) == 1:
            self.sitting = seat
        for one in self.people:
            self._seen[one] = min(self._seen.get(one, 0), news.happened(self.game, one))
