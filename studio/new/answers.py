"""The answers to a template's questions: from options, from a person, or as proposed."""

import sys
from collections.abc import Callable, Mapping, Sequence
from string import Template as Text
from typing import Any

from ziggurat import BadQuestion, Ruleset, Search, did_you_mean, evaluate, render_human
from ziggurat.studio.console import UsageError, console
from ziggurat.studio.new.templates import SHAPES, Ask, Part, Template
from ziggurat.studio.play.reader import reader

SHOWN = 20
UNFIT = '"\\{}$'
YES_OR_NO = {"yes": True, "y": True, "no": False, "n": False}
NONE = "none"


def at_a_terminal() -> bool:
    """Return whether there is a person to ask."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def filled(text: str, known: Mapping[str, str], where: str) -> str:
    """Return a text of a template with what is known in its places."""
    try:
        return Text(text).substitute(known)
    except KeyError as missing:
        raise UsageError(f"the template of {where} asks for `{missing.args[0]}`.") from None
    except ValueError:
        raise UsageError(f"the template of {where} has a `$` too many; write `$$$$`.") from None


def plain_text(text: str, what: str) -> str:
    """Return a text that can stand in quotation marks in rules and in a `pack.toml`.

    Raise `UsageError` if it cannot.
    """
    text = text.strip()
    if not text or any(letter in UNFIT or not letter.isprintable() for letter in text):
        raise UsageError(f"{what} is a line of text without quotes, braces, `\\` and `$`.")
    return text


class Answers:
    """Answers the questions of a template.

    `given` are the answers on the command line; `asking` says whether a person is asked for others.
    """

    def __init__(
        self, ruleset: Ruleset, search: Search, given: Mapping[str, str], asking: bool
    ) -> None:
        self.ruleset, self.search = ruleset, search
        self.given, self.asking = given, asking
        self._worked_out: dict[str, Any] = {}

    def to(self, template: Template, known: Mapping[str, str]) -> dict[str, str]:
        """Return what is known, with all that the template asks and works out."""
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
            out[f"{ask.name}_title"] = self._title(out[ask.name])
        values = {name: filled(text, out, name) for name, text in template.values.items()}
        deciding = {
            one.name: filled(one.each or one.condition, out, one.name)
            for one in template.parts.values()
        }
        self._work_out([*values.values(), *deciding.values()])
        for name, text in values.items():
            out[name] = _written(self._worked_out[text])
            out[f"{name}_told"] = _listed(self._worked_out[text])
        for part in template.parts.values():
            out[part.name] = self._part(part, self._worked_out[deciding[part.name]], out)
        return out

    def _part(self, part: Part, found: Any, known: Mapping[str, str]) -> str:
        """Return the text of a part, given what its set or condition comes to."""
        if part.condition:
            return filled(part.text if found else part.otherwise, known, part.name)
        members = [{"it": str(one), "it_title": self._title(str(one))} for one in found]
        if not members:
            return filled(part.otherwise, known, part.name)
        return "".join(filled(part.text, {**known, **one}, part.name) for one in members)

    def _title(self, answer: str) -> str:
        """Return the title of the thing that an answer names, or the answer itself."""
        things = (page[answer] for page in self.ruleset.things.values() if answer in page)
        return next((thing.title for thing in things if thing.title), answer)

    def _work_out(self, texts: Sequence[str]) -> None:
        """Work out all of them at once: reading the rules takes longer than anything else."""
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
        possible += (NONE,) if ask.none else ()
        if not possible:
            raise UsageError(
                " ".join(filter(None, (ask.prompt, "Nothing is possible here.", ask.hint)))
            )
        proposed = str(self._worked_out.get(default, possible[0]))
        proposed = proposed if proposed in possible else possible[0]
        return self._asked(ask, proposed, lambda text: self._chosen(ask, text, possible), possible)

    def _chosen(self, ask: Ask, text: str, possible: Sequence[str]) -> str:
        if text in possible:
            return text
        advice = did_you_mean(text, possible) or f"Possible: {_told(possible)}."
        raise UsageError(f"`{text}` cannot be the {ask.name}. {advice} {ask.hint}".rstrip())

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


def _written(found: Any) -> str:
    """Return what an expression comes to as it stands in rules; members of a set with commas."""
    return ", ".join(map(str, found)) if isinstance(found, list) else str(found)


def _listed(found: Any) -> str:
    """Return what an expression comes to as it stands in a sentence: `5, 6 and 7`."""
    if not isinstance(found, list) or len(found) < 2:
        return _written(found)
    return f"{_written(found[:-1])} and {found[-1]}"


def _told(possible: Sequence[str]) -> str:
    """Return choices in a line: numbers as a span, and the first of many things."""
    if len(possible) > SHOWN and all(one.isdecimal() for one in possible):
        return f"{possible[0]} to {possible[-1]}"
    more = len(possible) - SHOWN
    return ", ".join(possible[:SHOWN]) + (f" and {more} more" if more > 0 else "")
