"""`ziggurat uninstall`: an installed pack is taken away."""

from typing import Annotated

from cyclopts import Parameter

from ziggurat import did_you_mean, find_packs, is_built_in
from ziggurat.studio.console import OK, UsageError, console
from ziggurat.studio.options import search_path
from ziggurat.studio.sharing.library import installed, remove


def uninstall(name: Annotated[str, Parameter(name="NAME")], /) -> int:
    """Take a pack out of your folder of packs.

    A pack that other installed packs need stays.

    Parameters
    ----------
    name
        The id of the pack; `ziggurat packs` shows which are installed.
    """
    known = installed()
    pack = known.get(name)
    if pack is None:
        raise UsageError(_why_not(name, list(known)))
    users = [
        other.id
        for other in known.values()
        if any(need.id == name for need in (*other.extends, *other.requires))
    ]
    if users:
        raise UsageError(f"`{name}` is needed by `{'`, `'.join(users)}`. Uninstall that first.")
    remove(pack)
    console().print(f"Uninstalled {name} {pack.version}.", markup=False)
    return OK


def _why_not(name: str, known: list[str]) -> str:
    elsewhere = find_packs(search_path(())).get(name)
    if elsewhere is not None:
        place = "came with Ziggurat" if is_built_in(elsewhere) else f"is in {elsewhere.path}"
        return f"`{name}` was not installed with `ziggurat install`; it {place}."
    advice = did_you_mean(name, known) or "`ziggurat packs` shows which are installed."
    return f"no pack `{name}` is installed. {advice}"
