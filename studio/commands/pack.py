"""`ziggurat pack`: one file of a pack, to be given to others."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ziggurat import is_pack, replace_file
from ziggurat.studio.console import OK, UsageError, console
from ziggurat.studio.options import PackFolders, search_path
from ziggurat.studio.sharing.archive import collected, packed
from ziggurat.studio.sharing.checks import sound


def pack(
    folder: Annotated[Path, Parameter(name="FOLDER")],
    /,
    *,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
    packs: PackFolders = (),
) -> int:
    """Make one file of a pack, which others install: the same bytes for the same pack everywhere.

    The pack is checked first. What is no part of a pack, such as saved games, is left out.

    Parameters
    ----------
    folder
        The folder of the pack.
    output
        The file to write; `ID-VERSION.zip` in this folder unless told otherwise.
    """
    if not is_pack(folder):
        raise UsageError(f"`{folder}` is not the folder of a pack: it has no `pack.toml`.")
    found = sound(folder, search_path(packs))
    files, left_out = collected(folder)
    place = output or Path(f"{found.id}-{found.version}.zip")
    replace_file(place, packed(files))
    out = console()
    out.print(f"{place}: {len(files)} files of {found.title}.", markup=False, soft_wrap=True)
    for name in left_out:
        out.print(f"  left out: {name}", markup=False, soft_wrap=True)
    out.print(f"Others put it in its place with `ziggurat install {place.name}`.", markup=False)
    return OK
