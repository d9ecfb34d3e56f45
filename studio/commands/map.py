"""`ziggurat map`: the board of a ruleset as a picture."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from studio.console import FOUND, OK, UsageError, console
from studio.map_board import NoBoardError, board
from studio.map_svg import draw
from studio.options import PackFolders
from studio.ruleset import loaded


def map_(
    stack: str,
    /,
    *,
    output: Annotated[Path, Parameter(name=("--output", "-o"))] = Path("map.svg"),
    packs: PackFolders = (),
) -> int:
    """Draw the board of a ruleset: land, water, borders, limits and marks, as one SVG file.

    Parameters
    ----------
    stack
        The packs, as in `west+expert`.
    output
        The file to write.
    """
    ruleset = loaded(stack, packs)
    if ruleset is None:
        return FOUND
    try:
        picture = draw(board(ruleset))
    except NoBoardError as error:
        raise UsageError(str(error)) from error
    try:
        output.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"`{output}` cannot be written: {error.strerror}.") from error
    console().print(f"The map of {stack} is in {output}.", markup=False, soft_wrap=True)
    return OK
