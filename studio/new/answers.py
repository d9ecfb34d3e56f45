"""What a template wants to know: taken from options, asked of a person, or as proposed."""

import sys
from collections.abc import Callable, Mapping, Sequence
from string import Template as Text
from typing import Any

from ziggurat import BadQuestion, Ruleset, Search, did_you_mean, evaluate, render_human
from ziggurat.studio.console import UsageError, console
from ziggurat.studio.new.templates import SHAPES, Ask, Template
from ziggurat.studio.play.reader import reader

SHOWN = 20
UNFIT = '"\\{}$'
YES_OR_NO = {"yes": True, "y": True, "no": False, "n": False}


def at_a_terminal() -> bool:
    """Whether a person is there to be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def filled(text: str, known: Mapping[str, str], where: str) -> str:
    """A text of a template with what is known in its places."""
    try:
        return Text(text).substitute(known)
    except KeyError as missing:
        raise UsageError(f"the template of {where} asks for `{missing.args[0]}`.") from None
    except ValueError:
        raise UsageError(f"the template of {where} has a `$` too many; write `$$$$`.") from None


def plain_text(text: str, what: str) -> str:
    """A text that can stand between the quotation marks of rules and of a `pack.toml`."""
    text = text.strip()
    if not text or any(letter in UNFIT or not letter.isprintable() for letter in text):
        raise UsageError(f"{what} is a line of text without quotes, braces, `\\` and `$`.")
    return text


class Answers:
    """Goes through what a template asks. `given` are the options, `asking` is whether a person is
    asked for what they do not say."""

    def __init__(
        self, ruleset: Ruleset, search: Search, given: Mapping[str, str], asking: bool
    ) -> None:
        self.ruleset, self.search = ruleset, search
        self.given, self.asking = given, asking
        self._worked_out: dict[str, Any] = {}

    def to(self, template: Template, known: Mapping[str, str]) -> dict[str, str]:
        """What is known, and all that the template asks and works out."""
        names = [ask.name for ask in template.asks]
        for name in self.given:
            if name not in names:
                advice = (
                    did_you_mean(name, names) or f"It asks for: {', '.join(names) or 'nothing'}."
                )
                raise UsageError(f"the template `{template.kind}` has no `--{name}`. {advice}")
        asked = [
            text for ask in template.asks if ask.choices for text in (ask.choices, ask.default)
        ]
        self._work_out([text for text in (*asked, *template.values.values()) if "$" not in text])
        out = dict(known)
        for ask in template.asks:
            out[ask.name] = self._answer(ask, out)
        values = {name: filled(text, out, name) for name, text in template.values.items()}
        self._work_out(list(values.values()))
        return out | {name: str(self._worked_out[text]) for name, text in values.items()}

    def _work_out(self, texts: Sequence[str]) -> None:
        """All of them at once: reading the rules takes longer than working anything out."""
        new = [text for text in dict.fromkeys(texts) if text and text not in self._worked_out]
        if not new:
            return
        try:
            found = evaluate(self.ruleset, new, self.search)
        except BadQuestion as wrong:
            render_human(wrong.findings, console())
            told = f"`{self.ruleset.stack}` cannot say what the template asks: {wrong}"
            raise UsageError(f"{told} Perhaps it is no game; say one with `--on`.") from wrong
        self._worked_out |= dict(zip(new, found, strict=True))

    def _answer(self, ask: Ask, known: Mapping[str, str]) -> str:
        default = filled(ask.default, known, ask.name)
        if not ask.choices:
            return self._asked(ask, default, lambda text: _fitting(ask, text), ())
        choices = filled(ask.choices, known, ask.name)
        self._work_out([choices, default])
        possible = tuple(map(str, self._worked_out[choices]))
        if not possible:
            raise UsageError(f"{ask.prompt} Nothing is possible here.")
        proposed = str(self._worked_out.get(default, possible[0]))
        proposed = proposed if proposed in possible else possible[0]
        return self._asked(ask, proposed, lambda text: self._chosen(ask, text, possible), possible)

    def _chosen(self, ask: Ask, text: str, possible: Sequence[str]) -> str:
        if text in possible:
            return text
        advice = did_you_mean(text, possible) or f"Possible: {_told(possible)}."
        raise UsageError(f"`{text}` cannot be the {ask.name}. {advice}")

    def _asked(
        self, ask: Ask, default: str, check: Callable[[str], str], possible: Sequence[str]
    ) -> str:
        if ask.name in self.given:
            return check(self.given[ask.name])
        return asked(ask.prompt, default, check, possible) if self.asking else check(default)


def asked(
    prompt: str, default: str, check: Callable[[str], str], possible: Sequence[str] = ()
) -> str:
    """Ask a person until the answer is possible; an empty line takes what is proposed."""
    out, lines = console(), reader()
    if possible:
        out.print(f"  {_told(possible)}", style="dim", markup=False)
    while True:
        offered = f" [{default}]" if default else ""
        try:
            text = lines.line(f"{prompt}{offered} ", lambda _: list(possible), "")
            return check(text.strip() or default)
        except EOFError:
            raise UsageError("nothing was made: there was no answer.") from None
        except UsageError as wrong:
            out.print(str(wrong), markup=False, soft_wrap=True)


def confirmed(question: str, *, default: bool = True) -> bool:
    """Return a person's answer to a question; an empty line means the default."""

    def check(text: str) -> str:
        if text.lower() not in YES_OR_NO:
            raise UsageError("Answer yes or no.")
        return text.lower()

    return YES_OR_NO[asked(question, "yes" if default else "no", check)]


def _fitting(ask: Ask, text: str) -> str:
    text = plain_text(text, f"`{ask.name}`")
    if ask.like and not SHAPES[ask.like].fullmatch(text):
        raise UsageError(f"`{text}` cannot be the {ask.name}. {ask.prompt}")
    return text


def _told(possible: Sequence[str]) -> str:
    """Choices in a line: numbers from the least to the greatest, of many things the first."""
    if len(possible) > SHOWN and all(one.isdecimal() for one in possible):
        return f"{possible[0]} to {possible[-1]}"
    more = len(possible) - SHOWN
    return ", ".join(possible[:SHOWN]) + (f" and {more} more" if more > 0 else "")
