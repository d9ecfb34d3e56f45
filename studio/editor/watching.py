"""Watches folders for clients that do not tell what happens to files outside of the editor."""

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path

from watchfiles import Change, awatch

from ziggurat import MANIFEST


class FolderWatch:
    """Calls `on_change` after something has changed in the folders that it follows."""

    def __init__(
        self, on_change: Callable[[], None], on_failure: Callable[[str], None], *, deep: bool
    ) -> None:
        self._on_change = on_change
        self._on_failure = on_failure
        self._deep = deep  # the folders in these folders as well
        self._folders: frozenset[Path] = frozenset()
        self._task: asyncio.Task[None] | None = None

    def follow(self, folders: Iterable[Path]) -> None:
        """Watch these folders from now on, as far as they are there, and no others."""
        present = frozenset(folder for folder in folders if folder.is_dir())
        if present == self._folders:
            return
        self._folders = present
        if self._task is not None:
            self._task.cancel()
        if present:
            self._task = asyncio.get_running_loop().create_task(self._watch(present))

    async def _watch(self, folders: frozenset[Path]) -> None:
        watched = awatch(
            *folders, watch_filter=_may_matter, recursive=self._deep, ignore_permission_denied=True,
            debounce=400,
        )  # fmt: skip
        try:
            async for _ in watched:
                self._on_change()
        except FileNotFoundError:
            self._folders = frozenset()  # one went away; who follows next tries again
        except (OSError, RuntimeError) as error:  # such as too many watched folders
            self._on_failure(f"{error}".rstrip("."))


def _may_matter(_: Change, path: str) -> bool:
    """Return whether a change is of rules, a manifest, or a folder that may have either."""
    name = Path(path).name
    is_folder = "." not in name and ".git" not in Path(path).parts
    return name.endswith(".rules") or name == MANIFEST or is_folder
