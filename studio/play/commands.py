"""What can be typed besides answers."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from ziggurat import Decision, Ruleset, Sentences, ir, replace_file
from ziggurat.studio.language import tr
from ziggurat.studio.play import questions
from ziggurat.studio.play.board import hanging, indented
from ziggurat.studio.play.cards import card_lines
from ziggurat.studio.play.choices import tokens
from ziggurat.studio.play.house_rules import show_options
from ziggurat.studio.play.naming import (
    Choice,
    WrongInput,
    action_choices,
    action_usage,
    choice,
    match,
    normal,
    source,
    take,
)
from ziggurat.studio.play.news import events
from ziggurat.studio.sharing.kept import export_save

if TYPE_CHECKING:
    from ziggurat.studio.play.session import Session

LOG = 20
ANSWERING = "Answer with a number or a name; beginnings of names are enough."
EMPTY_LINE = (
    "An empty line shows the question again. Where a name could be both, a slash makes it a"
    " command: `/score`. The Tab key completes names and commands."
)

SEVERAL = (
    "One line can hold several answers, such as `{sample}`: `;` parts them, the answers of an"
    " action alone repeat it, `each` stands for every option, and an action that needs something"
    " begun begins it. `{end} until asked` ends this until others want something of you."
)


class Left(Exception):  # noqa: N818 - what happened
    """Somebody leaves the game."""


class Changed(Exception):  # noqa: N818 - what happened
    """The position is another one now: whatever was being typed no longer matters."""


def why(session: "Session", rest: str) -> None:
    screen = session.screen
    if not rest:
        session.show(screen.why())
        return
    if normal(rest) == "not":
        raise WrongInput(tr("Why not what? An action or an option, such as `why not 1`."))
    if rest.startswith("not "):
        asked = rest.removeprefix("not ")
        session.show(questions.why_not(session.out, session.game, screen.seat, asked))
        return
    if rest.isdigit() or normal(rest) == "last":
        line = int(rest) if rest.isdigit() else None
        session.show(questions.why_happened_to(session.out, session.save, screen.seat, line))
        return
    known = action_choices(session.game.ruleset, list(session.game.ruleset.actions))
    session.show(screen.why_action(match(rest, known, "action").value))


def explain(session: "Session", rest: str) -> None:
    if not rest:
        raise WrongInput(tr("Explain what? A value or any expression, such as `explain 2 + 2`."))
    seat = session.screen.seat
    thing = _named_thing(session, rest)
    if thing is not None:
        lines = card_lines(Sentences(session.game.ruleset), thing)
        session.show(Text(thing.title or thing.id, style="bold"), *map(indented, lines))
        session.show(indented(source(thing.meta, thing.at, f"{thing.kind}.{thing.id}"), "dim"))
        return
    session.show(questions.explain(session.out, session.game, seat, session.search, rest))


def _named_thing(session: "Session", name: str) -> ir.Thing | None:
    """The thing that is called so, by its id or its title."""
    word = normal(name)
    kinds = session.game.ruleset.things.values()
    known = (thing for things in kinds for thing in things.values())
    return next((one for one in known if word in (normal(one.id), normal(one.title))), None)


def board(session: "Session", rest: str) -> None:
    shown = session.screen.board
    if normal(rest) in ("", "all"):
        session.show(shown.render(session.width, everything=bool(rest)))
        return
    session.show(shown.detail(take(tokens(rest), _places(session))[0].value))


def _places(session: "Session") -> list[Choice]:
    game = session.game
    things = [thing for kind in game.kinds("place") for thing in game.things(kind)]
    return [choice(thing.id, thing.title or thing.id, thing.id) for thing in things]


def hand(session: "Session", _: str) -> None:
    session.show(session.screen.hand())


def score(session: "Session", rest: str) -> None:
    screen = session.screen
    if not rest:
        session.show(screen.score())
        return
    players = screen.names.choices(session.game.seats, ir.Type("player"))
    me = choice(screen.seat, "me")
    session.show(screen.about(take(tokens(rest), [*players, me])[0].value))


def log(session: "Session", rest: str) -> None:
    screen = session.screen
    found = events(session.game, screen.seat, screen.names)
    numbered = list(enumerate(found, 1))
    for number, event in numbered[-_number(rest, LOG) :]:
        head = (f"{number:>5}  ", "dim")
        text = (f"{event.text}:", "bold") if event.what == "phase" else f"  {event.text}"
        session.show(Text.assemble(head, text))
    if not found:
        session.show(tr("Nothing has happened yet."))


def undo(session: "Session", rest: str) -> None:
    taken = session.undo(_number(rest, 1))
    if not taken:
        raise WrongInput(tr("There is nothing of yours to take back."))
    raise Changed(tr("Taken back: {what}.").format(what="; ".join(taken)))


def redo(session: "Session", rest: str) -> None:
    if not session.redo(_number(rest, 1)):
        raise WrongInput(tr("There is nothing to do again."))
    raise Changed(tr("Done again."))


def options(session: "Session", _: str) -> None:
    known, chosen = session.game.ruleset.options, dict(session.save.header.options)
    if not known:
        raise WrongInput(tr("These rules have no options."))
    show_options(session.out, known, chosen)


def save(session: "Session", rest: str) -> None:
    here = session.save.path
    if not rest:
        session.show(tr("Every answer is saved at once, in {path}").format(path=here))
        return
    path = Path(rest).expanduser()
    try:
        if path.exists() and not path.samefile(here):
            told = tr("{path} is there already; choose another name.").format(path=path)
            raise WrongInput(told)
        if not path.exists():
            replace_file(path, export_save(here))
    except OSError as wrong:
        told = tr("{path} cannot be written: {reason}.")
        raise WrongInput(told.format(path=path, reason=wrong.strerror)) from wrong
    told = tr("A copy of the game so far is in {copy}; play goes on in {path}")
    session.show(told.format(copy=path, path=here))


def quit_(session: "Session", _: str) -> None:
    raise Left


def help_(session: "Session", rest: str) -> None:
    if rest:
        found = match(rest, choices(), "command").value
        usage, line, more = TEXTS[found]
        session.show(Text(usage, style="bold"), *(f"  {tr(one)}" for one in (line, *more)))
        return
    session.show(Text(tr(ANSWERING), "bold"))
    size = max(len(usage) for usage, _, _ in TEXTS.values())
    for usage, line, _ in TEXTS.values():
        session.show(*hanging(f"  {usage:<{size}}  ", tr(line), session.width))
    session.show(tr(EMPTY_LINE))
    if session.screen.decision.kind == "act":
        session.show(*_several(session.screen.decision, session.game.ruleset))


def _several(decision: Decision, rules: Ruleset) -> Iterator[str]:
    """Say how several answers fit in one line, with an action that can be done now."""
    for id_ in decision.actions():
        usage = action_usage(rules.actions[id_])
        if rules.actions[id_].params:
            sample = f"{usage}; {usage.partition(' ')[2]}"
            yield tr(SEVERAL).format(sample=sample, end=decision.end)
            return


def _number(text: str, usual: int) -> int:
    if not text:
        return usual
    if not text.isdigit() or not 0 < int(text) < 100_000:
        raise WrongInput(tr("`{text}` should be a number.").format(text=text))
    return int(text)


# Words that people try, and where what they look for is.
ELSEWHERE = {
    "map": "The board is shown by `board`.",
    "hint": "`why` says what is behind this question, and `?` what you can type.",
    "rules": "`why` shows the rule behind this question; `ziggurat book` writes the whole book.",
}

COMMANDS: dict[str, Callable[["Session", str], None]] = {
    "board": board, "hand": hand, "score": score, "log": log, "why": why, "explain": explain,
    "undo": undo, "redo": redo, "options": options, "save": save, "help": help_, "quit": quit_,
}  # fmt: skip

TEXTS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "board": ("board [all|PLACE]", "the board: what stands where, all of it, or one place", (
        "Without a word: places with pieces and your own region.",)),
    "hand": ("hand", "your cards, what you hold, and your pieces off the board", ()),
    "score": ("score [PLAYER]", "how everybody stands, or all about one player", (
        "What is secret is shown of yourself only.",)),
    "log": ("log [N]", "what happened last, line by line", (
        f"{LOG} lines, unless you say how many; `why 12` tells why line 12 is there.",)),
    "why": ("why [N|last|[not] ACTION]", "the rule behind this question, an action, a line", (
        "Its path, where it is cited from, and the file and line where it is written.",
        "`why 12` tells why line 12 of the log is there, `why last` the last line: the rules",
        "that ran, what decided, and the answers that led to it.",
        "`why not ACTION WITH WHAT`, or `why not OPTION` of this question, says why it is not",
        "offered, and which part decided.")),
    "explain": ("explain EXPRESSION", "a value and where it comes from", (
        "Any expression of the rules language. A value of one player may stand alone;",
        "`me` is you. What you may not see is not explained.")),
    "undo": ("undo [N]", "take back what you did last, or the last N things", (
        "An action with all that was asked on its way; what the others did after it, too.",
        "In the middle of a question it only forgets what you have begun.")),
    "redo": ("redo [N]", "do again what was taken back", ()),
    "options": ("options", "the options of the rules, and how they are set in this game", ()),
    "save": ("save [FILE]", "a copy of the game; it is always saved anyway", (
        "The copy has its rules inside, so others can go on with it whatever rules they have.",)),
    "help": ("help [COMMAND]", "this, or more about a command", ()),
    "quit": ("quit", "leave; the game can be continued later", ()),
}  # fmt: skip


def choices() -> list[Choice]:
    return [choice(name, name) for name in COMMANDS]


def command(line: str, answers_come_first: bool) -> tuple[str, str] | None:
    """The command a line is, and the rest of it; None for an answer.

    In full, or with a slash, a command is always one; its beginning only where no answer fits.
    """
    head, _, rest = line.strip().partition(" ")
    word, slash = normal(head.removeprefix("/")), head.startswith("/")
    if word == "?":
        return "help", rest.strip()
    if word in COMMANDS:
        return word, rest.strip()
    if slash:
        return match(word, choices(), "command").value, rest.strip()
    starting = [name for name in COMMANDS if name.startswith(word)]
    if not answers_come_first and len(starting) == 1 and word:
        return starting[0], rest.strip()
    return None
