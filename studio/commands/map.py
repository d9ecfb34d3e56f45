"""`ziggurat map`: the board of a ruleset, or of a game, as a picture."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ziggurat.studio.console import OK, UsageError, console, write_file
from ziggurat.studio.map.board import Board, board
from ziggurat.studio.map.layout import NoBoardError
from ziggurat.studio.map.svg import draw
from ziggurat.studio.options import PackFolders, Stack
from ziggurat.studio.positions import chosen_rules, saved_game
from ziggurat.studio.ruleset import loaded


def map_(
    stack: Stack,
    /,
    *,
    state: Path | None = None,
    output: Annotated[Path, Parameter(name=("--output", "-o"))] = Path("map.svg"),
    anyway: Annotated[bool, Parameter(negative=())] = False,
    as_begun: Annotated[bool, Parameter(negative=())] = False,
    packs: PackFolders = (),
) -> int:
    """Draw the board of a ruleset as one SVG file, with the marks its packs declare.

    Parameters
    ----------
    stack
        The packs, as in `west+expert`.
    state
        A saved game of this stack, whose pieces are drawn too; `FILE@40` is the game after its
        first 40 answers.
    output
        The file to write.
    anyway
        Show the game by the rules found now, even if they are not those it was begun with.
    as_begun
        Show the game by the rules it was begun with, which were kept.
    """
    try:
        rules = chosen_rules(anyway=anyway, as_begun=as_begun)
        found = board(loaded(stack, packs)) if state is None else _game(stack, state, packs, rules)
    except NoBoardError as error:
        raise UsageError(str(error)) from error
    write_file(output, draw(found))
    console().print(f"The map of {stack} is in {output}.", markup=False, soft_wrap=True)
    return OK


def _game(stack: str, state: Path, packs: tuple[Path, ...], rules: str) -> Board:
    from ziggurat import RulesError
    from ziggurat.studio.map.pieces import standing

    save = saved_game(str(state), stack, packs, rules).save
    try:
        return standing(board(save.game.ruleset, save.game), save.game)
    except RulesError as error:
        raise UsageError(f"a mark of this map cannot be worked out: {error}") from error
