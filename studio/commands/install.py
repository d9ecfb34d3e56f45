"""`ziggurat install`: a pack of somebody else, where every command finds it."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ziggurat import MANIFEST, Source, is_pack, parse_manifest
from ziggurat.studio.console import OK, UsageError, console
from ziggurat.studio.new.answers import at_a_terminal, confirmed
from ziggurat.studio.options import PackFolders, search_path
from ziggurat.studio.sharing.archive import Files, collected, unpacked
from ziggurat.studio.sharing.checks import fitting, sound, tell
from ziggurat.studio.sharing.library import installed, settle, staged
from ziggurat.studio.sharing.names import name_problem


def install(
    source: Annotated[Path, Parameter(name="FILE|FOLDER")],
    /,
    *,
    yes: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    replace: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    packs: PackFolders = (),
) -> int:
    """Put a pack into your folder of packs, where every command finds it.

    First it is checked, with all it needs, and what it changes is shown. If anything is wrong,
    nothing is installed.

    Parameters
    ----------
    source
        A file that `ziggurat pack` made, or the folder of a pack.
    yes
        Install without asking.
    replace
        Put an older version in the place of a newer one, too.
    """
    files = collected(source)[0] if is_pack(source) else unpacked(source)
    id_ = _id(files, source)
    search, out = search_path(packs), console()
    try:
        with staged(id_, files, str(source.absolute())) as folder:
            here = search.including(str(folder))
            found = sound(folder, here)
            what = fitting(found, search, replace)
            tell(out, found, here)
            if not yes and at_a_terminal() and not confirmed("Install it?"):
                out.print("Nothing was installed.")
                return OK
            settle(folder)
    except UsageError as wrong:
        raise UsageError(f"nothing was installed: {wrong}") from wrong
    out.print(f"Installed {id_} ({what}): {installed()[id_].path}", markup=False, soft_wrap=True)
    return OK


def _id(files: Files, source: Path) -> str:
    """What the pack calls itself, which is the name of its folder."""
    text = files[MANIFEST].decode("utf-8", "replace")
    found = parse_manifest(Source(f"{source.name}/{MANIFEST}", text), "")
    if not found.id or name_problem(found.id):
        raise UsageError(f"nothing was installed: `{source}` does not say an id that can be used.")
    return found.id
