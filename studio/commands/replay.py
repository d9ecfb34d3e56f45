"""`ziggurat replay`: a saved game told from its beginning."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.types import NonNegativeInt

from runtime.game import Game
from runtime.saves import BadSave, load
from studio.console import OK, UsageError, console
from studio.narrator import Narrator
from studio.options import PackFolders, search_path
from studio.rules import program


def replay(
    file: Path,
    /,
    *,
    to: NonNegativeInt | None = None,
    step: Annotated[bool, Parameter(negative=())] = False,
    packs: PackFolders = (),
) -> int:
    """Tell a saved game from its beginning.

    Parameters
    ----------
    file
        The saved game.
    to
        Stop after so many answers.
    step
        One answer at a time; Enter shows the next.
    """
    out = console()
    search = search_path(packs)
    tellers: list[Narrator] = []

    def show(game: Game, number: int) -> None:
        if not tellers:
            tellers.append(Narrator(game))
        if step:
            event = next((e for e in reversed(game.log) if e.what in ("act", "chose")), None)
            out.print(f"{number}. {event.text if event else ''}", markup=False)
            if sys.stdin.isatty():
                input()
            return
        for events in tellers[0].news():
            for part in tellers[0].told(events):
                out.print(part)

    try:
        save, told = load(file, lambda stack: program(stack, search), to, show)
    except BadSave as bad:
        raise UsageError(str(bad)) from bad
    for line in told:
        out.print(line, style="dim")
    teller = tellers[0] if tellers else Narrator(save.game)
    out.print(teller.ending() if save.game.over else teller.standings())
    return OK
