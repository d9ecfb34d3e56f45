"""`ziggurat uninstall`: remove an installed pack."""

from typing import Annotated

from cyclopts import Parameter

from ziggurat import did_you_mean, find_packs, is_built_in, load_pack
from ziggurat.studio.console import OK, UsageError, console
from ziggurat.studio.new.answers import at_a_terminal, confirmed
from ziggurat.studio.options import search_path
from ziggurat.studio.sharing.library import installed, older_versions, remove, remove_older


def uninstall(
    name: Annotated[str, Parameter(name="NAME")],
    /,
    *,
    older: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    yes: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
) -> int:
    """Remove a pack from your folder of packs, with its older versions.

    A pack that other installed packs need is not removed.

    Parameters
    ----------
    name
        The id of the pack. `ziggurat packs` shows which are installed.
    older
        Remove only the versions that newer ones replaced.
    yes
        Remove it without asking.
    """
    known = installed()
    pack = known.get(name)
    if pack is None:
        raise UsageError(_why_not(name, list(known)))
    if older:
        return _remove_older(name, yes=yes)
    users = [
        other.id
        for other in known.values()
        if any(need.id == name for need in (*other.extends, *other.requires))
    ]
    if users:
        raise UsageError(f"`{name}` is needed by `{'`, `'.join(users)}`. Uninstall that first.")
    out = console()
    if not yes and at_a_terminal() and not confirmed(f"Remove {name} {pack.version}?"):
        out.print("Nothing was removed.")
        return OK
    remove(pack)
    out.print(f"Uninstalled {name} {pack.version}.", markup=False)
    return OK


def _remove_older(name: str, *, yes: bool) -> int:
    versions = [str(load_pack(folder).version) for folder in older_versions(name)]
    if not versions:
        raise UsageError(f"no older version of `{name}` is kept.")
    out, listed = console(), ", ".join(versions)
    if not yes and at_a_terminal() and not confirmed(f"Remove {name} {listed}?"):
        out.print("Nothing was removed.")
        return OK
    remove_older(name)
    out.print(f"Removed {name} {listed}.", markup=False)
    return OK


def _why_not(name: str, known: list[str]) -> str:
    elsewhere = find_packs(search_path(())).get(name)
    if elsewhere is not None:
        place = "came with Ziggurat" if is_built_in(elsewhere) else f"is in {elsewhere.path}"
        return f"`{name}` was not installed with `ziggurat install`; it {place}."
    advice = did_you_mean(name, known) or "`ziggurat packs` shows which are installed."
    return f"no pack `{name}` is installed. {advice}"
