"""`ziggurat watch`: check a stack, and run the scenarios concerned, whenever a file changes."""

from collections.abc import Iterator
from threading import Event
from typing import Annotated, Any

from cyclopts import Parameter

from ziggurat import MANIFEST
from ziggurat.studio.console import OK, UsageError, console
from ziggurat.studio.extras import missing_extra
from ziggurat.studio.options import PackFolders, Stack, search_path
from ziggurat.studio.watching import Watcher


def watch(
    stack: Annotated[Stack, Parameter(name="STACK")],
    /,
    *,
    scenarios: Annotated[bool, Parameter(negative="--no-scenarios")] = True,
    packs: PackFolders = (),
) -> int:
    """Check a stack now and whenever one of its files changes, and run the scenarios concerned.

    What was changed in a scenario runs that scenario; what was changed in a rule runs those that
    ran it the last time, and the first time all of them. Ctrl-C ends it.

    Parameters
    ----------
    stack
        The packs, as in `west+expert`.
    scenarios
        Run scenarios, too.
    """
    watcher = Watcher(stack, search_path(packs), console())
    watcher.look(run=False)
    if not watcher.folders:
        raise UsageError(f"`{stack}` cannot be watched before its packs are found.")
    watcher.out.print("Watching; Ctrl-C ends it.", markup=False)
    try:
        for number, changed in enumerate(_changes(watcher.folders)):
            if changed or not number:  # a change before the first look is not missed
                watcher.look(run=scenarios)
    except KeyboardInterrupt:
        watcher.out.print("Done.", markup=False)
    return OK


def _changes(folders: list[str]) -> Iterator[Any]:
    try:
        from watchfiles import watch as watch_files
    except ModuleNotFoundError:
        raise missing_extra("watch", "editor") from None
    yield from watch_files(
        *folders, debounce=100, step=20, stop_event=Event(), raise_interrupt=True,
        yield_on_timeout=True, rust_timeout=500,
        watch_filter=lambda _, path: path.endswith((".rules", MANIFEST)),
    )  # fmt: skip
