"""Positions of saved games: `game.zig` where it stands, `game.zig@40` after 40 answers."""

import sys
from pathlib import Path

from ziggurat import BadSave
from ziggurat.studio.console import UsageError, console
from ziggurat.studio.options import search_path
from ziggurat.studio.saved import BEGUN, NOW, OpenedSave, RulesChoice, read_save


def file_and_answer(written: str) -> tuple[Path, int | None]:
    """The file of a save, and after how many answers; None for all of them."""
    name, sign, number = written.rpartition("@")
    if not sign or Path(written).exists():
        return Path(written), None
    if not number.isdecimal():
        raise UsageError(f"`{number}` is no number of answers; say `{name}@40`, for example.")
    return Path(name), int(number)


def chosen_rules(*, anyway: bool, as_begun: bool) -> str:
    """Return by which rules a save is opened, empty where nothing is said about it."""
    if anyway and as_begun:
        raise UsageError("by which rules? Say `--anyway` or `--as-begun`.")
    return NOW if anyway else BEGUN if as_begun else ""


def saved_game(written: str, stack: str, packs: tuple[Path, ...], rules: str = "") -> OpenedSave:
    """Return a saved game of a stack to look at, where it stands or after some answers."""
    path, answers = file_and_answer(written)
    try:
        opened = read_save(path, search_path(packs), answers, rules=rules)
    except RulesChoice as error:
        raise UsageError(error.tell(str(path))) from error
    except BadSave as error:
        raise UsageError(str(error)) from error
    save = opened.save
    if stack and save.header.stack != stack:
        raise UsageError(f"`{path}` is a game of `{save.header.stack}`, not of `{stack}`.")
    for line in opened.told:
        console(sys.stderr).print(line, style="dim", markup=False)
    return opened
