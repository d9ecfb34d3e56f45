"""`ziggurat replay`: a saved game told from its beginning."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.types import NonNegativeInt, PositiveInt
from rich.text import Text

from ziggurat import (
    BadQuestion,
    BadSave,
    Game,
    SavedAnswer,
    cites,
    where,
    why_happened,
)
from ziggurat.studio.console import OK, UsageError, console
from ziggurat.studio.explained import tell
from ziggurat.studio.language import speak
from ziggurat.studio.narrator import Narrator
from ziggurat.studio.options import (
    Language,
    PackFolders,
    search_path,
)
from ziggurat.studio.positions import chosen_rules, file_and_answer
from ziggurat.studio.saved import RulesChoice, read_save


def replay(
    file: Path,
    /,
    *,
    to: NonNegativeInt | None = None,
    step: Annotated[bool, Parameter(negative=())] = False,
    log: Annotated[bool, Parameter(negative=())] = False,
    why: PositiveInt | None = None,
    anyway: Annotated[bool, Parameter(negative=())] = False,
    as_begun: Annotated[bool, Parameter(negative=())] = False,
    language: Language = "",
    packs: PackFolders = (),
) -> int:
    """Tell a saved game from its beginning.

    Parameters
    ----------
    file
        The saved game; `FILE@40` is the same as `FILE --to 40`.
    to
        Stop after so many answers.
    step
        One answer at a time; Enter shows the next.
    log
        The log, line by line with numbers and the places of the rules, instead of the story.
    why
        Why a line of the log is there: the rules that ran, what decided, and the answers that led
        to it. `--log` shows the numbers of the lines.
    anyway
        Play it by the rules found now, even if they are not those it was begun with.
    as_begun
        Play it by the rules it was begun with, which were kept.
    """
    out = console()
    search = search_path(packs)
    speak(language, search)
    tellers: list[Narrator] = []
    file, answers = file_and_answer(str(file))
    if answers is not None and to is not None:
        raise UsageError("say how many answers once: with `@` or with `--to`.")
    to = answers if to is None else to

    def show(game: Game, number: int, record: SavedAnswer) -> None:
        if log or why:
            return
        if not tellers:
            tellers.append(Narrator(game, acts=True))
        if step:
            out.print(f"{number}. {_said(record)}", markup=False)
            if sys.stdin.isatty():
                input()
            return
        for events in tellers[0].news():
            for part in tellers[0].tell_turn(events):
                out.print(part)

    try:
        rules = chosen_rules(anyway=anyway, as_begun=as_begun)
        opened = read_save(file, search, to, show, rules)
    except RulesChoice as error:
        raise UsageError(error.tell(str(file))) from error
    except BadSave as bad:
        raise UsageError(str(bad)) from bad
    save = opened.save
    for line in opened.told:
        out.print(line, style="dim", markup=False)
    if log:
        _lines(save.game)
    if why:
        _explain(save.game, why)
    if log or why:
        return OK
    teller = tellers[0] if tellers else Narrator(save.game, acts=True)
    for part in [teller.ending()] if save.game.over else teller.unfinished(step):
        out.print(part)
    return OK


def _lines(game: Game) -> None:
    """The log with nothing hidden, each line with where its rule is written."""
    for number, event in enumerate(game.events(), 1):
        style = "bold" if event.what == "phase" else ""
        source = "  ".join(filter(None, (cites(event.meta), where(event.at))))
        console().print(Text.assemble((f"{number:>5}  ", "dim"), (event.text, style),
                                      (f"  {source}", "dim")))  # fmt: skip


def _explain(game: Game, line: int) -> None:
    try:
        tell(console(), why_happened(game, line))
    except BadQuestion as bad:
        raise UsageError(bad.text) from bad


def _said(record: SavedAnswer) -> str:
    """An answer as it was given; the log tells of it only when its step is complete."""
    answer = record.answer
    if isinstance(answer, dict) and "action" in answer:
        answer = " ".join([answer["action"], *map(_plain, answer["args"])])
    return f"{record.seat}: {_plain(answer)}"


def _plain(answer: object) -> str:
    if isinstance(answer, dict):
        return ", ".join(f"{member} {amount}" for member, amount in answer.items())
    if isinstance(answer, list):
        return ", ".join(map(str, answer)) or "nothing"
    if answer is None:
        return "nothing"
    return ("yes" if answer else "no") if isinstance(answer, bool) else str(answer)
