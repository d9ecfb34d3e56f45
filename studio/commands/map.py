"""`ziggurat map`: the board of a ruleset, or of a game, as a picture."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ziggurat.studio.console import OK, UsageError, console
from ziggurat.studio.map.board import Board, board
from ziggurat.studio.map.layout import NoBoardError
from ziggurat.studio.map.svg import draw
from ziggurat.studio.options import PackFolders, search_path
from ziggurat.studio.ruleset import loaded


def map_(
    stack: str,
    /,
    *,
    state: Path | None = None,
    output: Annotated[Path, Parameter(name=("--output", "-o"))] = Path("map.svg"),
    packs: PackFolders = (),
) -> int:
    """Draw the board of a ruleset as one SVG file, with the marks its packs declare.

    Parameters
    ----------
    stack
        The packs, as in `west+expert`.
    state
        A saved game of this stack, whose pieces are drawn too.
    output
        The file to write.
    """
    try:
        found = board(loaded(stack, packs)) if state is None else _of_game(stack, state, packs)
    except NoBoardError as error:
        raise UsageError(str(error)) from error
    try:
        output.write_text(draw(found), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"`{output}` cannot be written: {error.strerror}.") from error
    console().print(f"The map of {stack} is in {output}.", markup=False, soft_wrap=True)
    return OK


def _of_game(stack: str, state: Path, packs: tuple[Path, ...]) -> Board:
    from ziggurat import BadSave, RulesError, load_save
    from ziggurat.studio.map.pieces import standing
    from ziggurat.studio.rules import saved_program

    try:
        search = search_path(packs)
        save, _ = load_save(state, lambda header: saved_program(header, search))
    except BadSave as error:
        raise UsageError(str(error)) from error
    if save.header.stack != stack:
        raise UsageError(f"`{state}` is a game of `{save.header.stack}`, not of `{stack}`.")
    try:
        return standing(board(save.game.ruleset, save.game), save.game)
    except RulesError as error:
        raise UsageError(f"a mark of this map cannot be worked out: {error}") from error
