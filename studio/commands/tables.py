"""`ziggurat tables`: the tables of a server, listed and put away."""

from pathlib import Path
from typing import Annotated, Literal

import platformdirs
from cyclopts import Parameter

from ziggurat import Search
from ziggurat.studio.console import OK, UsageError, console
from ziggurat.studio.listing import show_list
from ziggurat.studio.new.answers import at_a_terminal, confirmed
from ziggurat.studio.options import PackFolders, search_path

Action = Literal["list", "archive", "delete", "new-key"]
TOLD = {
    "archive": (
        "{} can be played no longer, and its links are void. The saves are kept in `archive`.",
        "Archived {}.",
    ),
    "delete": ("{} and its saves are lost for ever.", "Deleted {}."),
    "new-key": ("The house key of before is void.", "The new house key: {}"),
}


def tables(
    action: Action = "list",
    ids: Annotated[tuple[str, ...], Parameter(name="TABLE", negative=())] = (),
    /,
    *,
    folder: Annotated[Path | None, Parameter(show_default=False)] = None,
    house_key: Annotated[Path | None, Parameter(show_default=False)] = None,
    yes: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    packs: PackFolders = (),
) -> int:
    """List the tables of `ziggurat serve`, put some away, or change the key of the house.

    If a server uses the folder, it does what is asked while others play on.

    Parameters
    ----------
    action
        `list` shows all tables. `archive` takes tables out of the server and keeps their saves in
        the folder `archive`; `delete` removes them and their saves. `new-key` replaces the key with
        which tables are made.
    ids
        The tables to archive or delete, by their ids.
    folder
        Where tables are kept; among your data unless told otherwise.
    house_key
        The file of the house key, if it is not in that folder.
    yes
        Do it without asking.
    """
    folder = folder or Path(platformdirs.user_data_dir("ziggurat", appauthor=False)) / "tables"
    if not folder.is_dir():
        raise UsageError(f"there are no tables: `{folder}` is no folder; `--folder` names another.")
    if action in ("archive", "delete") and not ids:
        raise UsageError(f"name the tables to {action}; `ziggurat tables` lists them.")
    if action in ("list", "new-key") and ids:
        raise UsageError(f"`{action}` is about no single table.")
    return _run(action, ids, folder, house_key, search_path(packs), yes=yes)


def _run(
    action: Action,
    ids: tuple[str, ...],
    folder: Path,
    house_key: Path | None,
    search: Search,
    *,
    yes: bool,
) -> int:
    from ziggurat.studio.web.putting_away import tables_of

    out = console()
    with tables_of(folder, house_key, search) as found:
        if action == "list":
            rows = [
                (
                    one.table,
                    one.stack,
                    one.state,
                    f"{len(one.people)} of {one.players}",
                    ", ".join(one.people),
                    one.changed.replace("T", " ").partition("+")[0],
                    f"{one.size // 1024} KB",
                )
                for one in found.list_tables()
            ]
            headings = ("Table", "Ruleset", "State", "People", "Who", "Last answer (UTC)", "Size")
            show_list(out, headings, rows)
            return OK
        known = {one.table for one in found.list_tables()}
        for id_ in ids:
            if id_ not in known:
                raise UsageError(f"there is no table `{id_}`; `ziggurat tables` lists them.")
        before, after = TOLD[action]
        names = ", ".join(ids)
        if not yes and not at_a_terminal():
            raise UsageError(f"{before.format(names)} `--yes` does it without asking.")
        if not yes and not confirmed(f"{before.format(names)} Go on?", default=False):
            out.print("Nothing was changed.")
            return OK
        if action == "new-key":
            out.print(after.format(found.replace_key()), markup=False, soft_wrap=True)
            return OK
        for id_ in ids:
            found.put_away(id_, action)
            out.print(after.format(id_), markup=False)
    return OK
