"""Positions of saved games: `game.zig` where it stands, `game.zig@40` after 40 answers."""

from pathlib import Path

from ziggurat import BadSave, Save, load_save
from ziggurat.studio.console import UsageError
from ziggurat.studio.options import search_path
from ziggurat.studio.rules import saved_program


def file_and_answer(written: str) -> tuple[Path, int | None]:
    """The file of a save, and after how many answers; None for all of them."""
    name, sign, number = written.rpartition("@")
    if not sign or Path(written).exists():
        return Path(written), None
    if not number.isdecimal():
        raise UsageError(f"`{number}` is no number of answers; say `{name}@40`, for example.")
    return Path(name), int(number)


def saved_game(written: str, stack: str, packs: tuple[Path, ...]) -> Save:
    """A saved game of a stack, where it stands or after some answers."""
    path, answers = file_and_answer(written)
    search = search_path(packs)
    try:
        save, _ = load_save(
            path, lambda header: saved_program(header, search), answers, search=search
        )
    except BadSave as error:
        raise UsageError(str(error)) from error
    if stack and save.header.stack != stack:
        raise UsageError(f"`{path}` is a game of `{save.header.stack}`, not of `{stack}`.")
    return save
