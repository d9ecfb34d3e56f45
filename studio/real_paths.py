"""Paths of this machine for the names by which findings know files (`west/taxes.rules`)."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from ziggurat import STACK_NAME, Search, Source, find_packs, is_pack, load_pack


class RealPaths:
    """Finds the files of stacks. Each of the `labels` replaces a folder at the beginning of a path:
    of files of a git revision or a pack file, whose folder is gone when somebody reads of it."""

    def __init__(
        self, stacks: Sequence[str], search: Search, labels: Mapping[Path, str] | None = None
    ) -> None:
        self._stacks = stacks
        self._search = search
        self._labels = labels or {}

    @cached_property
    def _folders(self) -> dict[str, Path]:
        folders = {pack.id: Path(pack.path) for pack in find_packs(self._search).values()}
        for part in (part for stack in self._stacks for part in (stack, *stack.split("+"))):
            folder = Path(part.strip()).expanduser()
            if part and is_pack(folder):
                folders[load_pack(folder).id] = folder
        return folders

    def of_source(self, source: Source) -> str | None:
        """Return the path of a source; None for what is no file."""
        if source.path == STACK_NAME:
            return None
        return self.of(source.path) if source.pack else source.path

    def of(self, file: str) -> str:
        """Return a path, relative if the file is below the working folder."""
        pack, _, rest = file.partition("/")
        folder = self._folders.get(pack)
        if folder is None or not rest:
            return file
        path = Path(folder, rest).absolute()
        for above, label in self._labels.items():
            if path.is_relative_to(above):
                return label + path.relative_to(above).as_posix()
        here = Path.cwd()
        return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()
