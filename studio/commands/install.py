"""`ziggurat install`: install or update a pack."""

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
from ziggurat.studio.sharing.updating import show_update


def install(
    source: Annotated[Path, Parameter(name="FILE|FOLDER")],
    /,
    *,
    yes: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    replace: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    packs: PackFolders = (),
) -> int:
    """Install a pack, or a new version of one, in your folder of packs.

    The pack is checked with all that it needs, and you see what it changes: rules, and for a new
    version also the packs and saves that use it. If anything is wrong, nothing is installed. A
    version that is replaced is kept.

    Parameters
    ----------
    source
        A file that `ziggurat pack` made, or the folder of a pack.
    yes
        Install without asking.
    replace
        Install an older version over a newer one, or one with which other packs have errors.
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
            if (old := installed().get(id_)) is not None:
                show_update(out, old, found, search, replace=replace)
            if not yes and at_a_terminal() and not confirmed("Install it?"):
                out.print("Nothing was installed.")
                return OK
            kept = settle(folder)
    except UsageError as error:
        raise UsageError(f"nothing was installed: {error}") from error
    out.print(f"Installed {id_} ({what}): {installed()[id_].path}", markup=False, soft_wrap=True)
    if kept is not None:
        out.print(
            f"The old version is kept. `ziggurat install --replace {kept}` brings it back,"
            f" `ziggurat uninstall {id_} --older` removes it.",
            markup=False, soft_wrap=True,
        )  # fmt: skip
    return OK


def _id(files: Files, source: Path) -> str:
    """Return the id that a pack gives itself, which is the name of its folder."""
    text = files[MANIFEST].decode("utf-8", "replace")
    found = parse_manifest(Source(f"{source.name}/{MANIFEST}", text), "")
    if not found.id or name_problem(found.id):
        raise UsageError(f"nothing was installed: `{source}` does not say an id that can be used.")
    return found.id
