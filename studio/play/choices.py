"""A question with options, and how one or several of them are named in a line."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from rich.console import RenderableType
from rich.text import Text

from ziggurat import Decision, Game, Sentences, ir
from ziggurat.studio.language import tr
from ziggurat.studio.play.board import Board, numbered
from ziggurat.studio.play.cards import does
from ziggurat.studio.play.naming import Choice, WrongInput, match, normal, source

BACK, CANCEL, ALL, NONE, KEEP = "back", "cancel", "all", "none", "keep"
YES, NO = ("yes", "y"), ("no", "n", BACK, CANCEL)


class Talk(Protocol):
    """Somebody to ask for the rest."""

    @property
    def width(self) -> int: ...
    def show(self, *parts: RenderableType) -> None: ...
    def wrong(self, wrong: WrongInput) -> None: ...
    def line(self, prompt: str, words: Sequence[str], again: Callable[[], None]) -> str: ...


class Cancelled(Exception):  # noqa: N818 - what happened
    """Somebody thought better of it."""


def tokens(line: str) -> list[str]:
    """Words; what stands on both sides of a comma belongs together."""
    return ",".join(part.strip() for part in line.split(",")).split()


class Question:
    """A question with options, its names, and somebody to talk to."""

    def __init__(self, game: Game, decision: Decision, board: Board, talk: Talk) -> None:
        self.game, self.decision = game, decision
        self.board, self.names, self.talk = board, board.names, talk

    @property
    def source(self) -> str:
        return source(self.decision.meta, self.decision.at, self.decision.path)

    # ---- showing

    def offer(self, choices: Sequence[Choice], type_: ir.Type, only: Sequence[Any] = ()) -> None:
        """Options with their numbers; of numbers only the span."""
        shown = [
            (number, self.board.label(one, type_))
            for number, one in enumerate(choices, 1)
            if not only or one.value in only
        ]
        if type_.name == "int":
            self.talk.show(f"  {span([one.value for one in choices])}")
        else:
            self.talk.show(*(f"  {row}" for row in numbered(shown, self.talk.width)))
            brackets = self.board.brackets(type_.name)
            if brackets and type_.name not in self.board.place_kinds:
                self.talk.show(Text(f"  {brackets}", style="dim"))
            if self._does_something(type_.name):
                hint = tr("`explain NAME` tells what one does.")
                self.talk.show(Text(f"  {hint}", style="dim"))

    def _does_something(self, kind: str) -> bool:
        """Return whether a thing of a kind that is no place does something."""
        if kind in self.board.place_kinds or kind not in self.game.ruleset.kinds:
            return False
        told = Sentences(self.game.ruleset)
        return any(does(told, thing) for thing in self.game.things(kind))

    # ---- one or several of some options

    def one(self, text: str, choices: Sequence[Choice], type_: ir.Type) -> Choice:
        """The option meant by a number or a name."""
        word = text.strip()
        if type_.name == "int":
            found = [one for one in choices if str(one.value) == word.lstrip("+")]
            if not found:
                said = span([one.value for one in choices])
                told = tr("`{word}` will not do; possible is {said}.")
                raise WrongInput(told.format(word=word, said=said), self.source)
            return found[0]
        if word.isdigit():
            if not 1 <= int(word) <= len(choices):
                many = tr("There is no option {word}; they go from 1 to {last}.")
                told = (
                    many if len(choices) > 1 else tr("There is no option {word}; there is only 1.")
                )
                raise WrongInput(told.format(word=word, last=len(choices)))
            return choices[int(word) - 1]
        return match(word, choices, "option")

    def several(
        self, text: str, choices: Sequence[Choice], type_: ir.Type, low: int, high: int
    ) -> list[Any]:
        """A set: `1 3 4`, `2-5`, names, `bone*3`, `all`, `none`, or `keep` and what is left out."""
        word = normal(text)
        head, _, rest = text.strip().partition(" ")
        if normal(head) == KEEP and rest:
            kept = self._members(rest, choices, type_)
            found = [one for one in choices if one not in kept]
        elif word == ALL:
            found = list(choices)
        elif word in (NONE, "0", "nothing"):
            found = []
        else:
            found = self._members(text, choices, type_)
        if not low <= len(found) <= high:
            told = tr("This takes {amount}, not {number}.")
            told = told.format(amount=amount(low, high), number=len(found))
            raise WrongInput(told, self.source)
        return [one.value for one in found]

    def _members(self, text: str, choices: Sequence[Choice], type_: ir.Type) -> list[Choice]:
        found: list[Choice] = []
        text = _repeated(text)
        whole = [part for part in text.split(",") if part.strip()]
        try:
            for part in whole:
                found.append(self.one(part, self._left(choices, found, part), type_))
            return found
        except WrongInput:
            found = []
        for part in text.replace(",", " ").split():
            first, sign, last = part.partition("-")
            if sign and first.isdigit() and last.isdigit():
                found += [choices[n - 1] for n in range(int(first), int(last) + 1) if n in
                          range(1, len(choices) + 1)]  # fmt: skip
                continue
            found.append(self.one(part, self._left(choices, found, part), type_))
        return list(dict.fromkeys(found))

    def _left(self, choices: Sequence[Choice], found: list[Choice], part: str) -> Sequence[Choice]:
        """By name only what is not taken yet, so that a name said twice means two cards."""
        if part.strip().isdigit():
            return choices
        return [one for one in choices if one not in found] or choices

    def offered_words(self, choices: Sequence[Choice], *more: str) -> list[str]:
        """What can be completed."""
        return [*dict.fromkeys(one.spellings[0] for one in choices), *more]


def _repeated(text: str) -> str:
    """Write `bone*3`, or `bone 3` between commas, as a name that is said three times."""
    text = re.sub(r"([^\s,*]+)\s*\*\s*(\d{1,2})", lambda found: _times(found[1], found[2]), text)
    parts = (re.fullmatch(r"\s*(\D+?)\s+(\d{1,2})\s*", part) for part in text.split(","))
    return ",".join(
        _times(found[1], found[2]) if found else part
        for found, part in zip(parts, text.split(","), strict=True)
    )


def _times(name: str, number: str) -> str:
    return ",".join([name] * int(number))


def span(numbers: Sequence[int]) -> str:
    """`1 to 5`, or the numbers one by one."""
    if len(numbers) > 2 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return tr("{low} to {high}").format(low=numbers[0], high=numbers[-1])
    return tr(" or ").join(map(str, numbers)) or tr("nothing")


def amount(low: int, high: int) -> str:
    return str(low) if low == high else tr("{low} to {high}").format(low=low, high=high)
